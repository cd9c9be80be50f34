// SPDX-License-Identifier: MIT
import GestureEngine

/// A gesture as the configuration names it.
enum GestureType: String, CaseIterable, Hashable, Sendable {
    case press, tap
    case doubleTap = "double_tap"
    case twoFingerTap = "two_finger_tap"
    case longPress = "long_press"
    case `repeat`, drag, swipe, pinch, rotate, pattern

    static let names = allCases.map { $0.rawValue }

    /// One type for each kind of gesture that the engine knows.
    static let kinds = allCases.filter { $0.preset == nil }

    var schema: GestureSchema {
        switch self {
        case .press: .press
        case .tap, .doubleTap, .twoFingerTap: .tap
        case .longPress: .longPress
        case .repeat: .repeat
        case .drag: .drag
        case .swipe: .swipe
        case .pinch: .pinch
        case .rotate: .rotate
        case .pattern: .pattern
        }
    }

    /// What makes it this type; a gesture of it cannot change that.
    var preset: GestureOverride? {
        switch self {
        case .doubleTap: GestureOverride(key: "count", value: .count(2))
        case .twoFingerTap: GestureOverride(key: "fingers", value: .count(2))
        case .press, .tap, .longPress, .repeat, .drag, .swipe, .pinch, .rotate, .pattern: nil
        }
    }

    /// The keys that a gesture of this type has besides those of every gesture.
    var keys: [String] { schema.keys.filter { $0 != preset?.key } }
}

/// The keys of one kind of gesture.
struct GestureSchema: Sendable {
    let kind: GestureKind
    let keys: [String]
    /// Those that `[defaults]` may have.
    let defaultKeys: [String]
    private let readers: [String: @Sendable (ValueReader) -> GestureOverride.Value?]
    /// The engine's own settings with overrides applied, later ones over earlier ones.
    let settings: @Sendable ([GestureOverride], LengthScale) -> GestureSettings

    init<Settings: Sendable>(
        _ initial: Settings, _ keys: [GestureKey<Settings>],
        _ wrap: @escaping @Sendable (Settings) -> GestureSettings
    ) {
        kind = wrap(initial).kind
        self.keys = keys.map { $0.name }
        defaultKeys = keys.filter { $0.hasDefault }.map { $0.name }
        readers = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0.read) })
        settings = { overrides, scale in
            var settings = initial
            for override in overrides {
                keys.first { $0.name == override.key }?.apply(override.value, scale, &settings)
            }
            return wrap(settings)
        }
    }

    /// Reads those of `keys` that a table has, in the order of the text.
    func overrides(_ reader: TableReader, _ keys: [String]) -> [GestureOverride] {
        reader.table.entries.compactMap { entry in
            guard keys.contains(entry.key), let value = reader[entry.key] else { return nil }
            return readers[entry.key]?(value).map { GestureOverride(key: entry.key, value: $0) }
        }
    }
}

// MARK: The keys

extension GestureSchema {
    private static let fingers: ClosedRange<Int64> = 1...10
    /// Of a time that must not be zero.
    private static let shortest = Interval.milliseconds(1)

    static let press = GestureSchema(
        PressSettings(), [.optionalInterval("progress", \.progress, atLeast: .milliseconds(10))]
    ) { .press($0) }

    static let tap = GestureSchema(
        TapSettings(),
        [
            .count("fingers", \.fingers, fingers).withoutDefault,
            .count("count", \.count, 1...10).withoutDefault,
            .flag("wait", \.wait),
            .length("slop", \.slop),
            .interval("max_time", \.maxTime, atLeast: shortest),
            .interval("group", \.group),
            .interval("gap", \.gap, atLeast: shortest),
            .interval("min_gap", \.minGap),
            .length("distance", \.distance),
        ]
    ) { .tap($0) }

    static let longPress = GestureSchema(
        LongPressSettings(),
        [
            .count("fingers", \.fingers, fingers).withoutDefault,
            .interval("delay", \.delay, atLeast: shortest),
            .length("slop", \.slop),
        ]
    ) { .longPress($0) }

    static let `repeat` = GestureSchema(
        RepeatSettings(),
        [
            .interval("delay", \.delay, atLeast: shortest),
            .interval("interval", \.interval, atLeast: shortest),
            .number("accelerate", \.accelerate, upTo: 1),
            .interval("min_interval", \.minInterval, atLeast: shortest),
            .interval("max_duration", \.maxDuration, atLeast: shortest),
        ]
    ) { .repeat($0) }

    static let drag = GestureSchema(
        DragSettings(),
        [
            .count("fingers", \.fingers, fingers).withoutDefault,
            .length("start", \.start),
            .choice("axis", \.axis, [("any", .any), ("horizontal", .horizontal), ("vertical", .vertical)]),
            .choice("from", \.from, [("start", .start), ("down", .down)]),
        ]
    ) { .drag($0) }

    static let swipe = GestureSchema(
        SwipeSettings(),
        [
            .count("fingers", \.fingers, fingers).withoutDefault,
            .directions("directions", \.directions),
            .length("min_distance", \.minDistance),
            .interval("max_time", \.maxTime, atLeast: shortest),
            .speed("min_velocity", \.minVelocity),
            .optionalNumber("max_deviation", \.maxDeviation, upTo: 90, unit: "°"),
            .interval("rest", \.rest),
            .interval("group", \.group),
            .choice("when", \.when, [("lift", .lift), ("threshold", .threshold)]),
        ]
    ) { .swipe($0) }

    static let pinch = GestureSchema(PinchSettings(), [.length("start", \.start)]) { .pinch($0) }

    static let rotate = GestureSchema(RotateSettings(), [.number("start", \.start, upTo: 180, unit: "°")]) {
        .rotate($0)
    }

    /// None of its keys is among the defaults: each pattern has its own.
    static let pattern = GestureSchema(
        PatternSettings(),
        [
            .steps("steps", \.steps).withoutDefault,
            .interval("max_gap", \.maxGap, atLeast: shortest).withoutDefault,
            .interval("timeout", \.timeout, atLeast: shortest).withoutDefault,
            .count("attempts", \.attempts, 1...1000).withoutDefault,
            .interval("lockout", \.lockout).withoutDefault,
        ]
    ) { .pattern($0) }
}

extension GestureKey {
    fileprivate static func directions(_ name: String, _ property: Property<[SwipeDirection]>) -> Self {
        Self(name: name, read: { $0.directions().map { .directions($0) } }) { value, _, settings in
            if case .directions(let directions) = value { settings[keyPath: property] = directions }
        }
    }

    fileprivate static func steps(_ name: String, _ property: Property<[PatternSettings.Step]>) -> Self {
        Self(name: name, read: { $0.steps().map { .steps($0) } }) { value, _, settings in
            guard case .steps(let steps) = value else { return }
            settings[keyPath: property] = steps.map { .init(gesture: $0.gesture, region: $0.region) }
        }
    }
}

extension ValueReader {
    /// More than anybody remembers.
    private static let mostSteps = 32

    private static let directions: [(String, SwipeDirection)] = [
        ("left", .left), ("right", .right), ("up", .up), ("down", .down), ("up_left", .upLeft),
        ("up_right", .upRight), ("down_left", .downLeft), ("down_right", .downRight),
    ]

    fileprivate func directions() -> [SwipeDirection]? {
        guard let values = array(of: "directions", each: "a direction") else { return nil }
        var result: [SwipeDirection] = []
        for value in values {
            guard let direction = value.choice(Self.directions) else { return nil }
            if !result.contains(direction) { result.append(direction) }
        }
        if result.isEmpty {
            error(.badValue, "\(name) is empty; name at least one")
            return nil
        }
        return result
    }

    fileprivate func steps() -> [PatternStepRule]? {
        guard let values = array(of: "steps such as \"tap corner\"", each: "a step") else { return nil }
        guard (1...Self.mostSteps).contains(values.count) else {
            error(
                values.isEmpty ? .badValue : .tooMany,
                "\(name) has \(values.count) steps; give 1 to \(Self.mostSteps)")
            return nil
        }
        let steps = values.compactMap { $0.step() }
        return steps.count == values.count ? steps : nil
    }

    /// Ids have no blanks, names may have some: the last blank separates the two.
    private func step() -> PatternStepRule? {
        guard let text = string() else { return nil }
        guard let blank = text.lastIndex(of: " "), blank > text.startIndex, text.index(after: blank) < text.endIndex
        else {
            error(.badValue, "a step cannot be \"\(text)\"; give a gesture and a region: \"tap corner\"")
            return nil
        }
        return PatternStepRule(
            gesture: String(text[..<blank]), region: String(text[text.index(after: blank)...]), range: value.range)
    }
}
