// SPDX-License-Identifier: MIT
import GestureEngine

/// A key of a gesture with the value that one layer of the configuration gives it. Layers are applied in this
/// order: `[defaults]`, the device's, those of the parents from the outermost, the region's, the gesture itself.
struct GestureOverride: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case flag(Bool)
        case count(Int)
        /// `nil`: off.
        case number(Double?)
        /// `nil`: off.
        case interval(Interval?)
        /// Also a speed, as the length of a second.
        case length(Length)
        case word(String)
        case directions([SwipeDirection])
        case steps([PatternStepRule])
    }

    var key: String
    var value: Value
}

/// `"tap corner"`: a gesture's name or type, a blank, a region's id.
struct PatternStepRule: Hashable, Sendable {
    var gesture: String
    var region: String
    /// Of the step's text.
    var range: SourceRange
}

/// One key of a gesture, declared once: its name, how its value is read, and where the engine's settings have it.
struct GestureKey<Settings>: Sendable {
    typealias Property<Value> = any WritableKeyPath<Settings, Value> & Sendable

    let name: String
    /// - Returns: `nil` after an error.
    let read: @Sendable (ValueReader) -> GestureOverride.Value?
    /// Lengths become millimetres here.
    let apply: @Sendable (GestureOverride.Value, LengthScale, inout Settings) -> Void
    /// Whether `[defaults]` may have it.
    private(set) var hasDefault = true

    /// Keys that make a gesture what it is have no place among the defaults.
    var withoutDefault: Self {
        var key = self
        key.hasDefault = false
        return key
    }

    static func flag(_ name: String, _ property: Property<Bool>) -> Self {
        Self(name: name, read: { $0.boolean().map { .flag($0) } }) { value, _, settings in
            if case .flag(let flag) = value { settings[keyPath: property] = flag }
        }
    }

    static func count(_ name: String, _ property: Property<Int>, _ range: ClosedRange<Int64>) -> Self {
        Self(name: name, read: { $0.integer(range).map { .count($0) } }) { value, _, settings in
            if case .count(let count) = value { settings[keyPath: property] = count }
        }
    }

    /// - Parameter highest: the value is above 0 and at most this.
    static func number(_ name: String, _ property: Property<Double>, upTo highest: Double, unit: String = "") -> Self {
        Self(
            name: name, read: { $0.number(0...highest, isOpen: true, unit: unit).map { .number($0) } }
        ) { value, _, settings in
            if case .number(let number?) = value { settings[keyPath: property] = number }
        }
    }

    static func optionalNumber(
        _ name: String, _ property: Property<Double?>, upTo highest: Double, unit: String
    ) -> Self {
        Self(
            name: name,
            read: { $0.unlessOff { $0.number(0...highest, isOpen: true, unit: unit) }.map { .number($0) } }
        ) { value, _, settings in
            if case .number(let number) = value { settings[keyPath: property] = number }
        }
    }

    static func interval(_ name: String, _ property: Property<Interval>, atLeast shortest: Interval = .zero) -> Self {
        Self(name: name, read: { $0.interval(atLeast: shortest).map { .interval($0) } }) { value, _, settings in
            if case .interval(let interval?) = value { settings[keyPath: property] = interval }
        }
    }

    static func optionalInterval(_ name: String, _ property: Property<Interval?>, atLeast shortest: Interval) -> Self {
        Self(
            name: name, read: { $0.unlessOff { $0.interval(atLeast: shortest) }.map { .interval($0) } }
        ) { value, _, settings in
            if case .interval(let interval) = value { settings[keyPath: property] = interval }
        }
    }

    /// - Parameter property: in millimetres.
    static func length(_ name: String, _ property: Property<Double>) -> Self {
        length(name, property) { $0.threshold() }
    }

    /// - Parameter property: in millimetres a second.
    static func speed(_ name: String, _ property: Property<Double>) -> Self {
        length(name, property) { $0.speed() }
    }

    private static func length(
        _ name: String, _ property: Property<Double>, _ read: @escaping @Sendable (ValueReader) -> Length?
    ) -> Self {
        Self(name: name, read: { read($0).map { .length($0) } }) { value, scale, settings in
            if case .length(let length) = value { settings[keyPath: property] = scale.millimeters(length) }
        }
    }

    static func choice<Choice: Sendable>(
        _ name: String, _ property: Property<Choice>, _ choices: [(String, Choice)]
    ) -> Self {
        Self(name: name, read: { $0.choice(choices.map { ($0.0, .word($0.0)) }) }) { value, _, settings in
            guard case .word(let word) = value, let choice = choices.first(where: { $0.0 == word }) else { return }
            settings[keyPath: property] = choice.1
        }
    }
}
