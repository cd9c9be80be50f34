// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureEngine

/// A gesture that `gesturectl measure` can measure.
enum MeasuredGesture: String, CaseIterable, ExpressibleByArgument {
    case tap, swipe, hold

    /// Returns the instruction for the person at the panel.
    /// - Parameter isDouble: whether to tap twice each time.
    func instruction(count: Int, isDouble: Bool) -> String {
        switch self {
        case .tap where isDouble: "tap twice in quick succession, as on a double click, \(count) times"
        case .tap: "tap \(count) times, as you would press a button"
        case .swipe: "swipe \(count) times, as you would turn a page"
        case .hold: "rest a finger for a second, \(count) times, as you would wait for a menu"
        }
    }

    /// Returns the limits beyond which a touch is not an attempt: a stroke is not a tap, and a tap is not a swipe.
    func limits(_ settings: SettingsInUse) -> AttemptLimits {
        let (tap, swipe, longPress) = (TapSettings(), SwipeSettings(), LongPressSettings())
        let delay = settings.longPress.delay
        return switch self {
        case .tap:
            AttemptLimits(
                distance: 0...max(5 * tap.slop, settings.tap.slop),
                duration: 0...max(3 * tap.maxTime.milliseconds, settings.tap.maxTime.milliseconds))
        case .swipe:
            AttemptLimits(
                distance: Self.leastSwipe...(.infinity),
                duration: 0...max(3 * swipe.maxTime.milliseconds, settings.swipe.maxTime.milliseconds))
        case .hold:
            AttemptLimits(
                distance: 0...max(5 * longPress.slop, settings.longPress.slop), distanceTime: delay,
                duration: min(Self.leastHold, delay.milliseconds)...(.infinity))
        }
    }

    /// The shortest distance of a swipe in millimetres. A touch that moves less is a tap. This is also the smallest
    /// `min_distance` that is proposed.
    fileprivate static let leastSwipe = 2.0
    /// The shortest duration of a hold in milliseconds. A shorter touch is a tap. This is also the shortest `delay`
    /// that is proposed.
    fileprivate static let leastHold = 200.0

    /// Describes one finished attempt in a few words.
    func summary(_ attempt: [ContactTrack]) -> String {
        guard let last = attempt.last, let first = attempt.first else { return "" }
        var parts = ["\(shortest(last.duration)) ms"]
        switch self {
        case .tap, .hold: parts.append("strayed \(shortest(last.excursion())) mm")
        case .swipe: parts.append("\(shortest(last.excursion())) mm")
        }
        if attempt.count > 1 {
            parts.append("\(shortest((last.landed - first.lifted).milliseconds)) ms after the first")
        }
        return parts.joined(separator: ", ")
    }

    /// - Parameters:
    ///   - attempts: at least one.
    ///   - settings: the current settings.
    ///   - bounds: the panel in millimetres.
    /// - Returns: `nil` if nothing could be measured.
    func finding(_ attempts: [[ContactTrack]], _ settings: SettingsInUse, bounds: Rectangle) -> Finding? {
        switch self {
        case .tap: Finding.taps(attempts, settings, bounds: bounds)
        case .swipe: Finding.swipes(attempts, settings, bounds: bounds)
        case .hold: Finding.holds(attempts, settings, bounds: bounds)
        }
    }
}

/// The current settings of the gestures that can be measured.
struct SettingsInUse: Hashable {
    var tap = TapSettings()
    var swipe = SwipeSettings()
    var longPress = LongPressSettings()
}

/// Passes attempts to an engine that has one gesture with given settings.
struct GestureJudge: Hashable {
    var settings: GestureSettings
    /// The panel in millimetres.
    var bounds: Rectangle

    /// Returns the gesture if it is recognized; for a continuous gesture, its first event.
    func recognized(_ attempt: [ContactTrack]) -> GestureEvent? {
        var engine = GestureEngine([Region(alone: settings, bounds)], bounds: bounds)
        engine.reportsUpdates = false
        var events: [GestureEvent] = []
        for track in attempt {
            for frame in track.frames { engine.process(frame, into: &events) }
        }
        engine.advance(to: .never, into: &events)
        return events.first
    }

    /// Returns the number of attempts that are not recognized.
    func refused(_ attempts: [[ContactTrack]]) -> Int { attempts.count { recognized($0) == nil } }
}

extension Region {
    /// Creates a region that covers the whole panel and has one gesture.
    init(alone settings: GestureSettings, _ bounds: Rectangle) {
        let gesture = Gesture(name: "gesture", word: "gesture", settings: settings)
        self.init(id: "panel", shape: .rectangle(bounds), bounds: bounds, clip: bounds, gestures: [gesture])
    }
}

/// Measures taps and double taps: how long they last, how far they stray, how far apart they are.
extension Finding {
    static func taps(_ attempts: [[ContactTrack]], _ inUse: SettingsInUse, bounds: Rectangle) -> Finding? {
        let tracks = attempts.flatMap { $0 }
        guard let duration = Measure("duration", "ms", decimals: 0, tracks.map(\.duration)),
            let movement = Measure("movement", "mm", decimals: 1, tracks.map { $0.excursion() })
        else { return nil }
        var measures = [duration, movement]
        var keys: [MeasuredKey<TapSettings>] = [
            .init(
                key: "slop", path: \.slop, measure: movement, bound: .atMost(step: 0.5),
                verb: "strayed", refuses: { $0.exceeds($1) }),
            .init(
                key: "max_time", path: \.maxTime.milliseconds, measure: duration,
                bound: .atMost(step: 50), verb: "took", refuses: >=),
        ]
        let pairs = attempts.filter { $0.count > 1 }
        let gaps = pairs.map { ($0[1].landed - $0[0].lifted).milliseconds }
        let distances = pairs.map { ($0[1].origin - $0[0].origin).length }
        if let gap = Measure("gap", "ms", decimals: 0, gaps),
            let distance = Measure("distance", "mm", decimals: 1, distances)
        {
            measures += [gap, distance]
            keys += [
                .init(
                    key: "gap", path: \.gap.milliseconds, measure: gap, bound: .atMost(step: 10),
                    verb: "came after", refuses: >=),
                .init(
                    key: "distance", path: \.distance, measure: distance, bound: .atMost(step: 1),
                    verb: "were apart", refuses: { $0.exceeds($1) }),
            ]
        }
        var current = inUse.tap
        current.wait = false
        current.count = pairs.isEmpty ? 1 : 2
        var finding = Finding(
            table: "tap", measures: measures, keys: keys, inUse: current, builtIn: TapSettings(), attempts: attempts
        ) { GestureJudge(settings: .tap($0), bounds: bounds) }
        addTapRemarks(inUse, to: &finding)
        return finding
    }

    private static func addTapRemarks(_ inUse: SettingsInUse, to finding: inout Finding) {
        let delay = inUse.longPress.delay.milliseconds
        if let time = finding.value("max_time"), time > delay {
            finding.remarks.append(
                "max_time is longer than long_press delay (\(shortest(delay)) ms): in a region with both, the long press ends the tap"
            )
        }
        if let slop = finding.value("slop"), slop > inUse.swipe.minDistance {
            finding.remarks.append(
                "slop is greater than swipe min_distance (\(shortest(inUse.swipe.minDistance)) mm), so short swipes also count as taps"
            )
        }
    }
}

/// Measures swipes: how far they go, how long they take, how fast they are at the lift, and how straight they are.
extension Finding {
    /// Settings with which every movement is a swipe, so that the engine measures it.
    private static var lenientSwipe: SwipeSettings {
        var settings = SwipeSettings()
        settings.minDistance = 0
        settings.minVelocity = 0
        settings.maxTime = .milliseconds(3_600_000)
        settings.rest = .milliseconds(3_600_000)
        return settings
    }

    static func swipes(_ attempts: [[ContactTrack]], _ inUse: SettingsInUse, bounds: Rectangle) -> Finding? {
        func judge(_ settings: SwipeSettings) -> GestureJudge { .init(settings: .swipe(settings), bounds: bounds) }
        let details = attempts.map { attempt -> SwipeDetail? in
            guard case .swipe(let detail) = judge(lenientSwipe).recognized(attempt)?.detail else { return nil }
            return detail
        }
        // A touch that did not move has a distance, but no direction.
        let tracks = attempts.compactMap(\.last)
        guard let distance = Measure("distance", "mm", decimals: 1, details.map { $0?.distance ?? 0 }),
            let duration = Measure("duration", "ms", decimals: 0, tracks.map(\.duration)),
            let velocity = Measure("velocity", "mm/s", decimals: 0, details.map { $0?.speed ?? 0 }),
            let silence = Measure("silence", "ms", decimals: 0, tracks.map(\.silence))
        else { return nil }
        let deviations = details.compactMap { $0.map { Self.deviation($0.angle) } }
        let deviation = Measure("deviation", "deg", decimals: 1, deviations)
        var current = inUse.swipe
        current.directions = SwipeSettings().directions
        var finding = Finding(
            table: "swipe", measures: [distance, duration, velocity, silence] + [deviation].compactMap { $0 },
            keys: swipeKeys(current, distance, duration, velocity, silence), inUse: current, builtIn: SwipeSettings(),
            attempts: attempts, judge: judge)
        if let limit = current.maxDeviation, let deviation { addDeviation(limit, deviation, to: &finding) }
        if let least = finding.value("min_distance"), least <= inUse.tap.slop {
            finding.remarks.append(
                "min_distance is within tap slop (\(shortest(inUse.tap.slop)) mm): such swipes are taps, too")
        }
        return finding
    }

    /// Returns the deviation from the nearest of the directions left, right, up and down, in degrees.
    static func deviation(_ angle: Double) -> Double {
        let rest = angle.magnitude.truncatingRemainder(dividingBy: 90)
        return min(rest, 90 - rest)
    }

    private static func swipeKeys(
        _ current: SwipeSettings, _ distance: Measure, _ duration: Measure,
        _ velocity: Measure, _ silence: Measure
    ) -> [MeasuredKey<SwipeSettings>] {
        [
            .init(
                key: "min_distance", path: \.minDistance, measure: distance,
                bound: .atLeast(MeasuredGesture.leastSwipe, step: 1), verb: "went", refuses: { $1.exceeds($0) }),
            .init(
                key: "max_time", path: \.maxTime.milliseconds, measure: duration,
                bound: .atMost(step: 50), verb: "took", refuses: >),
            .init(
                key: "min_velocity", path: \.minVelocity, measure: velocity,
                bound: .atLeast(5, step: 5), verb: "had", refuses: { $1.exceeds($0) }),
            .init(
                key: "rest", path: \.rest.milliseconds, measure: silence, bound: .atMost(step: 10),
                verb: "were silent before the lift for", refuses: { current.minVelocity > 0 && $0 > $1 }),
        ]
    }

    /// Adds the limit on the deviation and a remark, for a configuration that requires straight swipes.
    private static func addDeviation(_ limit: Double, _ deviation: Measure, to finding: inout Finding) {
        let refused = deviation.distribution.values.count { $0.exceeds(limit) }
        finding.limits.append(.init(key: "max_deviation", value: limit, unit: "deg", refused: refused))
        let wanted = Proposal(
            "max_deviation", deviation, .atMost(step: 1), builtIn: limit, "deviated by")
        finding.remarks.append(
            "max_deviation: \(wanted.reason.replacing("built-in ", with: "")); " + "now \(shortest(limit)), "
                + (wanted.value > limit ? "\(shortest(min(45, wanted.value))) would suffice" : "which suffices"))
    }
}

/// Measures resting contacts: how far they drift until a long press would begin, and how long they rest.
extension Finding {
    static func holds(_ attempts: [[ContactTrack]], _ inUse: SettingsInUse, bounds: Rectangle) -> Finding? {
        let tracks = attempts.compactMap(\.last)
        var current = inUse.longPress
        current.fingers = 1
        let delay = current.delay
        // Movement after the press has begun, such as the roll of a lifting finger, has no effect.
        let drifts = tracks.map { $0.excursion(before: $0.landed + delay) }
        guard let drift = Measure("drift", "mm", decimals: 1, drifts),
            let whole = Measure("in all", "mm", decimals: 1, tracks.map { $0.excursion() }),
            let duration = Measure("duration", "ms", decimals: 0, tracks.map(\.duration))
        else { return nil }
        let keys: [MeasuredKey<LongPressSettings>] = [
            .init(
                key: "slop", path: \.slop, measure: drift, bound: .atMost(step: 0.5),
                verb: "drifted", refuses: { $0.exceeds($1) }),
            // The delay is the application's choice, so a shorter one is proposed only if people do not hold that long.
            .init(
                key: "delay", path: \.delay.milliseconds, measure: duration,
                bound: .atLeast(MeasuredGesture.leastHold, step: 50), verb: "held", refuses: <,
                isUseful: { $0 < delay.milliseconds }),
        ]
        var finding = Finding(
            table: "long_press", measures: [drift, whole, duration], keys: keys, inUse: current,
            builtIn: LongPressSettings(), attempts: attempts
        ) { GestureJudge(settings: .longPress($0), bounds: bounds) }
        let maxTime = inUse.tap.maxTime.milliseconds
        if let time = finding.value("delay"), time < maxTime {
            finding.remarks.append(
                "delay is shorter than tap max_time (\(shortest(maxTime)) ms): "
                    + "in a region with both, the long press ends slow taps")
        }
        return finding
    }
}
