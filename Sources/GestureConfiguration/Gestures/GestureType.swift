// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol

/// A type of gesture, as named in the configuration.
package enum GestureType: String, CaseIterable, Hashable, Sendable {
    case press, tap
    case doubleTap = "double_tap"
    case twoFingerTap = "two_finger_tap"
    case button
    case longPress = "long_press"
    case `repeat`, drag, swipe, pinch, rotate, dial, chain, stroke, pattern

    package static let names = allCases.map { $0.rawValue }

    /// The values that `gesture` can have in lines.
    package static let words = allCases.filter { $0.word == $0.rawValue }.map { $0.word }

    /// One type for each kind of gesture that the engine supports.
    static let kinds = allCases.filter { $0.presets.isEmpty }

    /// The key of this type in `[defaults]`, which it shares with others of its kind.
    var defaultsKey: String { Self.kinds.first { $0.schema.kind == schema.kind }?.rawValue ?? rawValue }

    /// The value of `gesture` in lines. A button is reported as a tap.
    var word: String { self == .button ? Self.tap.rawValue : rawValue }

    var schema: GestureSchema {
        switch self {
        case .press: .press
        case .tap, .doubleTap, .twoFingerTap, .button: .tap
        case .longPress: .longPress
        case .repeat: .repeat
        case .drag: .drag
        case .swipe: .swipe
        case .pinch: .pinch
        case .rotate: .rotate
        case .dial: .dial
        case .chain: .chain
        case .stroke: .stroke
        case .pattern: .pattern
        }
    }

    /// The settings that distinguish this type from others of its kind; a gesture cannot override them.
    var presets: [GestureOverride] {
        switch self {
        case .doubleTap: [GestureOverride(key: "count", value: 2)]
        case .twoFingerTap: [GestureOverride(key: "fingers", value: 2)]
        case .button:
            [
                GestureOverride(key: "inside", value: true), GestureOverride(key: "slop", value: Length?.none),
                GestureOverride(key: "max_time", value: Interval?.none),
            ]
        case .press, .tap, .longPress, .repeat, .drag, .swipe, .pinch, .rotate, .dial, .chain, .stroke, .pattern: []
        }
    }

    /// The key without which a gesture of this type has no meaning; `nil` if there is none.
    var requiredKey: String? {
        switch self {
        case .pattern: "steps"
        case .chain: "path"
        case .stroke: "points"
        default: nil
        }
    }

    /// The keys that a gesture of this type accepts, in addition to the keys that every gesture accepts.
    var keys: [Key<[GestureOverride]>] {
        let presets = presets.map { $0.key }
        return presets.isEmpty ? schema.keys : schema.keys.filter { !presets.contains($0.name) }
    }
}

/// The keys of one kind of gesture.
struct GestureSchema: Sendable {
    let kind: GestureKind
    let keys: [Key<[GestureOverride]>]
    /// The keys that `[defaults]` accepts.
    let defaultKeys: [Key<[GestureOverride]>]
    /// Returns the engine's settings with overrides applied, later ones over earlier ones.
    let settings: @Sendable ([GestureOverride], LengthScale) -> GestureSettings

    init<Settings: Sendable>(
        _ initial: Settings, _ wrap: @escaping @Sendable (Settings) -> GestureSettings, _ keys: [GestureKey<Settings>]
    ) {
        kind = wrap(initial).kind
        self.keys = keys.map { $0.key }
        defaultKeys = keys.filter { $0.hasDefault }.map { $0.key }
        settings = { overrides, scale in
            var settings = initial
            for override in overrides {
                keys.first { $0.key.name == override.key }?.apply(override, scale, &settings)
            }
            return wrap(settings)
        }
    }
}

// MARK: The keys

extension GestureSchema {
    private static let fingers: ClosedRange<Int64> = 1...10
    private static let taps: ClosedRange<Int64> = 0...9
    /// The minimum of a time that must not be zero.
    private static let shortest = Interval.milliseconds(1)
    private static let directions: [(String, SwipeDirection)] = [
        ("left", .left), ("right", .right), ("up", .up), ("down", .down), ("up_left", .upLeft),
        ("up_right", .upRight), ("down_left", .downLeft), ("down_right", .downRight),
    ]

    private static let turns: [(String, RotateSettings.Direction)] = [("cw", .clockwise), ("ccw", .counterclockwise)]

    static let press = GestureSchema(
        PressSettings(), { .press($0) },
        [
            GestureKey("progress", \.progress) { $0.unlessOff { $0.interval(atLeast: .milliseconds(10)) } },
            GestureKey("taps", \.taps) { $0.integer(taps) }.withoutDefault,
            GestureKey("fingers", \.isSingle) { $0.oneOrAny() },
        ])

    // Long lists of keys are declared separately, because the type checker needs a long time for them in a call.
    private static let tapKeys: [GestureKey<TapSettings>] = [
        GestureKey("fingers", \.fingers) { $0.integer(fingers) }.withoutDefault,
        GestureKey("count", \.count) { $0.integer(1...10) }.withoutDefault,
        GestureKey("wait", \.wait) { $0.boolean() },
        GestureKey(
            "slop", \.slop, { $0.unlessOff { $0.threshold() } },
            convert: { length, scale in length.map { scale.millimeters($0) } ?? .infinity }),
        GestureKey(
            "max_time", \.maxTime, { $0.unlessOff { $0.interval(atLeast: shortest) } },
            convert: { time, _ in time ?? .unlimited }),
        GestureKey("min_time", \.minTime) { $0.interval() },
        GestureKey("group", \.group) { $0.interval() },
        GestureKey("gap", \.gap) { $0.interval(atLeast: shortest) },
        GestureKey("min_gap", \.minGap) { $0.interval() },
        GestureKey("bounce_distance", \.bounceDistance) { $0.threshold() },
        GestureKey("distance", \.distance) { $0.threshold() },
        GestureKey("max_lift_spread", \.maxLiftSpread) { $0.unlessOff { $0.interval() } },
        GestureKey("inside", \.staysInside) { $0.boolean() },
        GestureKey("when", \.when) { $0.choice([("lift", .lift), ("landing", .landing)]) }.withoutDefault,
    ]

    static let tap = GestureSchema(TapSettings(), { .tap($0) }, tapKeys)

    static let longPress = GestureSchema(
        LongPressSettings(), { .longPress($0) },
        [
            GestureKey("fingers", \.fingers) { $0.integer(fingers) }.withoutDefault,
            GestureKey("taps", \.taps) { $0.integer(taps) }.withoutDefault,
            GestureKey("delay", \.delay) { $0.interval(atLeast: shortest) },
            GestureKey("slop", \.slop) { $0.threshold() },
            GestureKey("inside", \.staysInside) { $0.boolean() },
            GestureKey(
                "cancel_slop", \.cancelSlop, { $0.unlessOff { $0.threshold() } },
                convert: { length, scale in length.map { scale.millimeters($0) } }),
        ])

    static let `repeat` = GestureSchema(
        RepeatSettings(), { .repeat($0) },
        [
            GestureKey("delay", \.delay) { $0.interval(atLeast: shortest) },
            GestureKey("interval", \.interval) { $0.interval(atLeast: shortest) },
            GestureKey("accelerate", \.accelerate) { $0.number(0...1, isOpen: true) },
            GestureKey("min_interval", \.minInterval) { $0.interval(atLeast: shortest) },
            GestureKey("max_duration", \.maxDuration) { $0.interval(atLeast: shortest) },
        ])

    static let drag = GestureSchema(
        DragSettings(), { .drag($0) },
        [
            GestureKey("fingers", \.fingerRange) { $0.fingerRange(fingers) }.withoutDefault,
            GestureKey("min_fingers", \.minFingers) { $0.integer(fingers) }.withoutDefault,
            GestureKey("taps", \.taps) { $0.integer(taps) }.withoutDefault,
            GestureKey("start", \.start) { $0.threshold() },
            GestureKey("axis", \.axis) {
                $0.choice([("any", .any), ("horizontal", .horizontal), ("vertical", .vertical)])
            },
            GestureKey("from", \.from) { $0.choice([("start", .start), ("down", .down)]) },
            GestureKey("lock", \.isLocked) { $0.boolean() },
            GestureKey("step", \.step) { $0.threshold() },
            GestureKey("zoom", \.zoom) { $0.boolean() },
        ])

    private static let swipeKeys: [GestureKey<SwipeSettings>] = [
        GestureKey("fingers", \.fingers) { $0.integer(fingers) }.withoutDefault,
        GestureKey("taps", \.taps) { $0.integer(taps) }.withoutDefault,
        GestureKey("directions", \.directions) { $0.choices("a direction", directions) },
        GestureKey("min_distance", \.minDistance) { $0.threshold() },
        GestureKey("max_time", \.maxTime) { $0.interval(atLeast: shortest) },
        GestureKey("min_velocity", \.minVelocity) { $0.speed() },
        GestureKey("max_deviation", \.maxDeviation) { $0.unlessOff { $0.number(0...90, isOpen: true, unit: "°") } },
        GestureKey("rest", \.rest) { $0.interval() },
        GestureKey("group", \.group) { $0.interval() },
        GestureKey("when", \.when) { $0.choice([("lift", .lift), ("threshold", .threshold)]) },
    ]

    static let swipe = GestureSchema(SwipeSettings(), { .swipe($0) }, swipeKeys)

    static let pinch = GestureSchema(
        PinchSettings(), { .pinch($0) },
        [
            GestureKey("start", \.start) { $0.threshold() },
            GestureKey("min_span", \.minSpan) { $0.threshold() },
            GestureKey("directions", \.directions) { $0.choices("a direction", [("in", .in), ("out", .out)]) },
            GestureKey("step", \.step) { $0.threshold() },
        ])

    static let rotate = GestureSchema(
        RotateSettings(), { .rotate($0) },
        [
            GestureKey("start", \.start) { $0.number(0...180, unit: "°") },
            GestureKey("directions", \.directions) { $0.choices("a direction", turns) },
            GestureKey("step", \.step) { $0.number(0...180, unit: "°") },
        ])

    static let dial = GestureSchema(
        DialSettings(), { .dial($0) },
        [
            GestureKey("center", \.center) { $0.choice([("region", .region), ("drawn", .drawn)]) },
            GestureKey("start", \.start) { $0.number(0...180, unit: "°") },
            GestureKey("directions", \.directions) { $0.choices("a direction", turns) },
            GestureKey("step", \.step) { $0.number(0...180, unit: "°") },
            GestureKey("min_radius", \.minRadius) { $0.threshold() },
        ])

    static let chain = GestureSchema(
        ChainSettings(), { .chain($0) },
        [
            GestureKey("path", \.path) { $0.path(directions) }.withoutDefault,
            GestureKey("min_segment", \.minSegment) { $0.threshold() },
            GestureKey("max_time", \.maxTime) { $0.interval(atLeast: shortest) },
            GestureKey("when", \.when) { $0.choice([("lift", .lift), ("threshold", .threshold)]) },
        ])

    static let stroke = GestureSchema(
        StrokeSettings(), { .stroke($0) },
        [
            GestureKey("points", \.templates) { $0.templates() }.withoutDefault,
            GestureKey("min_score", \.minScore) { $0.number(0...1) },
            GestureKey("rotation", \.rotation) { $0.number(0...180, unit: "°") },
            GestureKey("closed", \.closed) { $0.boolean() },
            GestureKey("min_length", \.minLength) { $0.threshold() },
        ])

    /// `[defaults]` accepts none of the keys of a pattern, because there is no useful default for its steps.
    static let pattern = GestureSchema(
        PatternSettings(), { .pattern($0) },
        [
            GestureKey("steps", \.steps, { $0.steps() }, convert: { steps, _ in steps.map { $0.step } }),
            GestureKey("max_gap", \.maxGap) { $0.interval(atLeast: shortest) },
            GestureKey("timeout", \.timeout) { $0.interval(atLeast: shortest) },
            GestureKey("attempts", \.attempts) { $0.integer(1...1000) },
            GestureKey("lockout", \.lockout) { $0.interval() },
            GestureKey("leased", \.takesLeased) { $0.boolean() },
        ].map { $0.withoutDefault })
}

/// One step of a pattern: a gesture's name or type, a blank, and a region's id, such as `"tap corner"`.
struct PatternStepRule: Hashable, Sendable {
    var step: PatternSettings.Step
    /// The location of the step's text.
    var range: SourceRange
}

extension ValueReader {
    /// The maximum number of segments in a chain.
    private static let mostSegments = 8

    /// Reads the number of fingers of a press, which is 1 or "any". Returns whether it is 1.
    fileprivate func oneOrAny() -> Bool? {
        switch value.kind {
        case .integer(1): true
        case .string("any"): false
        default: error(.badValue, "\(name) of a press must be 1 or \"any\"")
        }
    }

    /// Reads one or more of these words.
    fileprivate func choices<Choice: Equatable>(_ each: String, _ words: [(String, Choice)]) -> [Choice]? {
        guard let values = array(of: name, each: each) else { return nil }
        var result: [Choice] = []
        for value in values {
            guard let choice = value.choice(words) else { return nil }
            if !result.contains(choice) { result.append(choice) }
        }
        if result.isEmpty {
            return error(.badValue, "\(name) is empty; name at least one")
        }
        return result
    }

    /// Reads the directions of a chain, in order.
    fileprivate func path(_ words: [(String, SwipeDirection)]) -> [SwipeDirection]? {
        guard let values = array(of: "directions", each: "a direction") else { return nil }
        guard (1...Self.mostSegments).contains(values.count) else {
            return error(
                values.isEmpty ? .badValue : .tooMany,
                "\(name) has \(values.count) directions; use 1 to \(Self.mostSegments)")
        }
        var path: [SwipeDirection] = []
        for value in values {
            guard let direction = value.choice(words) else { return nil }
            if path.last == direction {
                return value.error(
                    .badValue,
                    "\(name) has the same direction twice in a row, which a finger cannot show; name it once")
            }
            path.append(direction)
        }
        return path
    }

    /// Reads a number of fingers, a range such as `"1..3"`, or `"any"`.
    fileprivate func fingerRange(_ allowed: ClosedRange<Int64>) -> ClosedRange<Int>? {
        guard case .string(let text) = value.kind else { return integer(allowed).map { $0...$0 } }
        if text == "any" { return Int(allowed.lowerBound)...Int(allowed.upperBound) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, let least = Int64(parts[0]), let most = Int64(parts[2]),
            allowed.contains(least), allowed.contains(most), least <= most
        else {
            return error(
                .badValue,
                "\(name) cannot be \"\(text)\"; use a number, a range such as \"1..3\", or \"any\"")
        }
        return Int(least)...Int(most)
    }

    /// Reads the points of one template, or an array of such templates.
    fileprivate func templates() -> [StrokeTemplate]? {
        let what = "points such as [0, 1]"
        guard let values = array(of: what, each: "a point of \(name)") else { return nil }
        // A point is an array of numbers, so an array of arrays of arrays is a list of templates.
        let isList = values.first?.isArrayOfArrays == true
        guard isList else { return template(values).map { [$0] } }
        guard values.count <= StrokeTemplate.most else {
            return error(.tooMany, "\(name) has \(values.count) templates; use at most \(StrokeTemplate.most)")
        }
        let templates = values.map { value -> StrokeTemplate? in
            let template = value.named("a template of \(name)")
            return template.array(of: what, each: "a point of \(name)").flatMap { template.template($0) }
        }
        return templates.contains(nil) ? nil : templates.compactMap(\.self)
    }

    private var isArrayOfArrays: Bool {
        guard case .array(let values) = value.kind, case .array? = values.first?.kind else { return false }
        return true
    }

    private func template(_ values: [ValueReader]) -> StrokeTemplate? {
        guard StrokeTemplate.counts.contains(values.count) else {
            let (least, most) = (StrokeTemplate.counts.lowerBound, StrokeTemplate.counts.upperBound)
            return error(
                values.count > most ? .tooMany : .badValue,
                "\(name) has \(counted(values.count, "point")); use \(least) to \(most)")
        }
        let points = values.compactMap { $0.point() }
        guard points.count == values.count else { return nil }
        guard points.contains(where: { $0 != points[0] }) else {
            return error(.badValue, "\(name) has one point several times; draw a shape")
        }
        return StrokeTemplate(points)
    }

    private func point() -> Point? {
        guard let values = tuple(["x", "y"], of: "two numbers, x and y") else { return nil }
        let range = -StrokeTemplate.largest...StrokeTemplate.largest
        let numbers = values.compactMap { $0.number(range) }
        return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
    }

    fileprivate func steps() -> [PatternStepRule]? {
        guard let values = array(of: "steps such as \"tap corner\"", each: "a step") else { return nil }
        guard (1...PatternSettings.mostSteps).contains(values.count) else {
            return error(
                values.isEmpty ? .badValue : .tooMany,
                "\(name) has \(values.count) steps; use 1 to \(PatternSettings.mostSteps)")
        }
        let steps = values.compactMap { $0.step() }
        return steps.count == values.count ? steps : nil
    }

    /// Splits at the last blank: neither names nor ids contain blanks.
    private func step() -> PatternStepRule? {
        guard let text = string() else { return nil }
        guard let blank = text.lastIndex(of: " "), blank > text.startIndex, text.index(after: blank) < text.endIndex
        else {
            return error(.badValue, "a step cannot be \"\(text)\"; use a gesture and a region: \"tap corner\"")
        }
        return PatternStepRule(
            step: .init(gesture: String(text[..<blank]), region: String(text[text.index(after: blank)...])),
            range: value.range)
    }
}
