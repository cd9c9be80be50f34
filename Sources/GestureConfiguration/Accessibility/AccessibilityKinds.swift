// SPDX-License-Identifier: MIT
import GestureEngine

extension Demand {
    /// A touch that must last longer is a hold; deliberate taps last about as long.
    fileprivate static let longestTouch = Interval.milliseconds(200)

    /// A touch that must last for long is a hold.
    fileprivate init(_ settings: GestureSettings) {
        if case .touch(let time) = settings.demand, time > Self.longestTouch {
            self = .hold(time)
        } else {
            self = settings.demand
        }
    }
}

extension Gesture {
    /// Whether one touch of one finger is enough.
    var isOneTap: Bool { isTouch && obstacle == nil }

    /// Whether the gesture consists of touches that do not move.
    var isTouch: Bool { settings.kind == .press || settings.kind == .tap }

    /// The text after the name of a gesture that needs more than one touch of one finger; `nil` if one is enough.
    var obstacle: String? {
        if !after.isEmpty || settings.taps > 0 { return "comes only after another gesture" }
        guard case .tap(let tap) = settings else { return nil }
        if tap.fingers > 1 { return "needs \(tap.fingers) fingers" }
        if tap.count > 1 { return "needs \(tap.count) taps" }
        return tap.minTime > Demand.longestTouch ? "needs a finger that stays for \(tap.minTime.text)" : nil
    }

    /// Whether a finger has to hit the region to make the gesture.
    var hasTarget: Bool {
        switch Demand(settings) {
        case .touch, .hold: true
        case .path, .drag, .severalFingers, .gestures: false
        }
    }
}

extension AccessibilityCheck {
    /// A limit is not reported if it is at least this many times the built-in default, because a user who may multiply
    /// a limit by ten has enough time (WCAG 2.2.1).
    private static let enough: Int64 = 10
    /// EN 301 549 5.7: users may slow a repeat down to this delay and this interval. A tap of a slow hand is shorter, so it
    /// does not become a hold of this length.
    private static let slow = Interval.milliseconds(2000)
    /// The default of `delay`, which leaves a slow hand the time to lift.
    private static let earlyRepeat = RepeatSettings().delay

    mutating func check(_ gesture: Gesture, _ rule: GestureRule, in index: RegionIndex) {
        switch Demand(gesture.settings) {
        case .severalFingers:
            reportUnlessTap(.multiFingerOnly, gesture, rule, in: index, "needs several fingers")
        case .path: reportUnlessTap(.pathOnly, gesture, rule, in: index, "needs a movement along a path")
        case .drag: reportUnlessTap(.dragOnly, gesture, rule, in: index, "needs a finger that moves")
        case .hold(let time):
            // Without an action, a repeat beside a tap usually does what the tap does, once more each time.
            if gesture.settings.kind == .repeat, gesture.action == nil,
                regions[index].gestures.contains(where: { $0.isOneTap })
            {
                break
            }
            reportUnlessTap(
                .holdOnly, gesture, rule, in: index, "needs a finger that stays for \(time.text)")
        case .touch, .gestures: break
        }
        checkTiming(gesture, rule, in: index)
    }

    private mutating func checkTiming(_ gesture: Gesture, _ rule: GestureRule, in index: RegionIndex) {
        switch gesture.settings {
        case .press: checkLanding(gesture, rule, in: index)
        case .tap(let tap):
            if tap.when == .landing { checkLanding(gesture, rule, in: index) }
            if tap.count > 1 { reportFixed("gap", tap.gap, tenfold(TapSettings().gap), rule, in: index) }
            reportFixed("max_time", tap.maxTime, tenfold(TapSettings().maxTime), rule, in: index)
        case .longPress(let hold): reportFixed("delay", hold.delay, Self.slow, rule, in: index)
        case .repeat(let settings): checkRepeat(settings, rule, in: index)
        case .swipe(let swipe):
            reportFixed("max_time", swipe.maxTime, tenfold(SwipeSettings().maxTime), rule, in: index)
        case .chain(let chain):
            reportFixed("max_time", chain.maxTime, tenfold(ChainSettings().maxTime), rule, in: index)
        case .pattern(let pattern): checkPattern(pattern, gesture, rule, in: index)
        case .drag, .pinch, .rotate, .dial, .stroke: break
        }
    }

    /// Reports a gesture at the landing that has an action, or whose region has no gesture that ends with a lift instead. Beside
    /// a tap, a press is usually what highlights a button.
    private mutating func checkLanding(_ gesture: Gesture, _ rule: GestureRule, in index: RegionIndex) {
        let name = "\(regions[index].name).\(gesture.name)"
        if case .tap = gesture.settings {
            return report(
                .actsAtLanding, index, of: rule, "\(name) is recognized at the landing, so it cannot be taken back",
                cure: "remove when")
        }
        let hasOther = regions[index].gestures.contains { other in
            if case .press = other.settings { false } else { other.hasTarget }
        }
        guard gesture.action != nil || !hasOther else { return }
        report(
            .actsAtLanding, index, of: rule, "\(name) begins at the landing, where it cannot be taken back",
            cure: "use a button, or let the application wait for an end with inside = true")
    }

    private func tenfold(_ time: Interval) -> Interval { Interval(microseconds: time.microseconds * Self.enough) }

    /// Reports a time below a limit that the gesture sets itself, because such a time is the same in every profile.
    private mutating func reportFixed(
        _ key: String, _ time: Interval, _ enough: Interval, _ rule: GestureRule, in index: RegionIndex
    ) {
        guard rule.sets(key), time < enough else { return }
        report(
            .timingFixed, index, of: rule,
            "\(regions[index].name).\(rule.name) sets its own \(key) of \(time.text), which no profile "
                + "can lengthen",
            cure: "move it to \(rule.type.defaultsKey) in defaults of the region")
    }

    private mutating func checkRepeat(_ settings: RepeatSettings, _ rule: GestureRule, in index: RegionIndex) {
        let name = "\(regions[index].name).\(rule.name)"
        if settings.delay < Self.earlyRepeat {
            report(
                .repeatEarly, index, of: rule,
                "\(name) starts after \(settings.delay.text), before a slow hand has lifted",
                cure: "set delay to \(Self.earlyRepeat.text) or more")
        }
        let times = [
            ("delay", settings.delay), ("interval", settings.interval), ("min_interval", settings.minInterval),
        ]
        let fixed = times.filter { rule.sets($0.0) && $0.1 < Self.slow }.map { $0.0 }
        guard !fixed.isEmpty else { return }
        report(
            .repeatFixed, index, of: rule,
            "\(name) sets its own \(fixed.joined(separator: " and ")), which no profile can slow down",
            cure: "move \(fixed.count == 1 ? "it" : "them") to repeat in defaults of the region")
    }

    /// Reports the limits of a pattern, which are in no profile.
    private mutating func checkPattern(
        _ pattern: PatternSettings, _ gesture: Gesture, _ rule: GestureRule, in index: RegionIndex
    ) {
        let (gap, timeout) = (tenfold(PatternSettings().maxGap), tenfold(PatternSettings().timeout))
        let isSlow = pattern.steps.count < 2 || (pattern.maxGap >= gap && pattern.timeout >= timeout)
        guard !isSlow, gesture.action.map({ hasTap(for: $0, inScenesOf: index) }) != true else { return }
        report(
            .patternTiming, index, of: rule,
            "\(regions[index].name).\(gesture.name) leaves \(pattern.maxGap.text) between steps and "
                + "\(pattern.timeout.text) in all, which no profile can lengthen",
            cure: "set max_gap to \(gap.text) and timeout to \(timeout.text), or give "
                + "a tap the same action")
    }
}

extension GestureRule {
    /// Whether the gesture's own table has a key.
    fileprivate func sets(_ key: String) -> Bool {
        overrides.contains { $0.key == key } && !type.presets.contains { $0.key == key }
    }
}

extension Interval {
    /// The time for people: `500 ms`, `1.5 s`.
    fileprivate var text: String {
        if self == .unlimited { return "any time" }
        return self < .milliseconds(1000) ? "\(wholeMilliseconds) ms" : "\(plain(seconds)) s"
    }
}
