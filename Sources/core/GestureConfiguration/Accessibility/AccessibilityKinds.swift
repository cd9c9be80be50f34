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
    static let slow = Interval.milliseconds(2000)

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
        gesture.settings.checks?.checkTiming(of: gesture, rule, in: index, &self)
    }

    static func tenfold(_ time: Interval) -> Interval { Interval(microseconds: time.microseconds * enough) }

    /// Reports a time below a limit that the gesture sets itself, because such a time is the same in every profile.
    mutating func reportFixed(
        _ key: String, _ time: Interval, _ enough: Interval, _ rule: GestureRule, in index: RegionIndex
    ) {
        guard rule.sets(key), time < enough else { return }
        report(
            .timingFixed, index, of: rule,
            "\(regions[index].name).\(rule.name) sets its own \(key) of \(time.text), which no profile "
                + "can lengthen",
            cure: "move it to \(rule.type.defaultsKey) in defaults of the region")
    }
}

extension GestureRule {
    /// Whether the gesture's own table has a key.
    func sets(_ key: String) -> Bool {
        overrides.contains { $0.key == key } && !type.presets.contains { $0.key == key }
    }
}

extension Interval {
    /// The time for people: `500 ms`, `1.5 s`.
    var text: String {
        if self == .unlimited { return "any time" }
        return self < .milliseconds(1000) ? "\(wholeMilliseconds) ms" : "\(plain(seconds)) s"
    }
}
