// SPDX-License-Identifier: MIT

/// The side of a limit on which values are less strict.
package enum Lenience: Hashable, Sendable {
    case above
    /// Not down to 0, which would change the kind of gesture.
    case below
    /// Down to 0, which removes the limit.
    case downToZero
}

/// One key of a kind of gesture: its name, its values, and the property that it sets.
///
/// Settings declare their keys beside their properties, in the order of docs/configuration.md.
package struct Setting: Sendable {
    typealias Property<Settings, Value> = any WritableKeyPath<Settings, Value> & Sendable

    package let name: String
    package let shape: SettingShape
    /// The failures whose limit the key sets, or that depend on it in another way.
    package private(set) var failures: [GestureFailure.Code] = []
    /// The less strict side of the limit; `nil` if the key has no number, or if no other number helps.
    package private(set) var lenience: Lenience?
    /// Whether the key tells gestures apart, so that there is no common default for it.
    package private(set) var isIdentity = false
    /// Whether a gesture without the key has no meaning.
    package private(set) var isRequired = false
    /// Sets the property if there is a value, and returns what it then is. It is one function, because the compiler then
    /// replaces the key path; each key path that it keeps takes memory for classes of its own.
    private let access: @Sendable (inout any RecognizerSettings, SettingValue?) -> SettingValue

    private init<Settings: RecognizerSettings, Value>(
        _ name: String, _ shape: SettingShape, _ property: Property<Settings, Value>,
        _ wrap: @escaping @Sendable (Value) -> SettingValue, _ unwrap: @escaping @Sendable (SettingValue) -> Value?
    ) {
        (self.name, self.shape) = (name, shape)
        access = { settings, value in
            guard var own = settings as? Settings else { return .off }
            if let value = value.flatMap(unwrap) {
                own[keyPath: property] = value
                settings = own
            }
            return wrap(own[keyPath: property])
        }
    }

    /// The value of the key; `off` in settings of another kind.
    package func get(_ settings: GestureSettings) -> SettingValue {
        var common = settings.common
        return access(&common, nil)
    }

    /// Sets the key. Settings of another kind, or a value of another shape, change nothing.
    package func set(_ value: SettingValue, _ settings: inout GestureSettings) {
        var common = settings.common
        _ = access(&common, value)
        settings = settings.kind.row.wrap(common) ?? settings
    }
}

// MARK: Properties of keys

extension Setting {
    /// The key of these failures.
    func limits(_ failures: GestureFailure.Code..., lenient lenience: Lenience? = nil) -> Self {
        var setting = self
        (setting.failures, setting.lenience) = (failures, lenience)
        return setting
    }

    var identity: Self {
        var setting = self
        setting.isIdentity = true
        return setting
    }

    /// A key that a gesture must have. It tells gestures apart.
    var required: Self {
        var setting = identity
        setting.isRequired = true
        return setting
    }
}

// MARK: Kinds of values

extension Setting {
    static func flag(_ name: String, _ property: Property<some RecognizerSettings, Bool>) -> Self {
        Self(name, .flag, property, SettingValue.flag) { $0.flag }
    }

    static func count(_ name: String, _ property: Property<some RecognizerSettings, Int>, in range: ClosedRange<Int>)
        -> Self
    {
        Self(name, .count(range), property, SettingValue.count) { $0.count }
    }

    /// The number of one-finger taps that must directly precede the gesture.
    static func taps(_ name: String, _ property: Property<some RecognizerSettings, Int>) -> Self {
        count(name, property, in: 0...9).identity.limits(.wrongTaps)
    }

    /// A number of contacts.
    static func fingers(_ name: String, _ property: Property<some RecognizerSettings, Int>) -> Self {
        count(name, property, in: 1...10).identity
    }

    static func degrees(_ name: String, _ property: Property<some RecognizerSettings, Double>) -> Self {
        Self(name, .degrees(0...180), property, SettingValue.number) { $0.number }
    }

    /// An angle of more than 0 degrees, or `"off"`.
    static func degrees(_ name: String, _ property: Property<some RecognizerSettings, Double?>, atMost most: Double)
        -> Self
    {
        orOff(name, .degrees(0...most, isOpen: true), property, SettingValue.number) { $0.number }
    }

    static func ratio(_ name: String, _ property: Property<some RecognizerSettings, Double>, isOpen: Bool = false)
        -> Self
    {
        Self(name, .ratio(0...1, isOpen: isOpen), property, SettingValue.number) { $0.number }
    }

    static func length(_ name: String, _ property: Property<some RecognizerSettings, Double>) -> Self {
        Self(name, .length, property, SettingValue.number) { $0.number }
    }

    static func length(_ name: String, _ property: Property<some RecognizerSettings, Double>, off: Double) -> Self {
        Self(name, .orOff(.length), property, { $0 == off ? .off : .number($0) }, { $0.isOff ? off : $0.number })
    }

    static func length(_ name: String, _ property: Property<some RecognizerSettings, Double?>) -> Self {
        orOff(name, .length, property, SettingValue.number) { $0.number }
    }

    static func speed(_ name: String, _ property: Property<some RecognizerSettings, Double>) -> Self {
        Self(name, .speed, property, SettingValue.number) { $0.number }
    }

    static func time(
        _ name: String, _ property: Property<some RecognizerSettings, Interval>, atLeast least: Interval = .zero
    ) -> Self {
        Self(name, .time(atLeast: least), property, SettingValue.time) { $0.time }
    }

    static func time(
        _ name: String, _ property: Property<some RecognizerSettings, Interval>, atLeast least: Interval, off: Interval
    ) -> Self {
        Self(
            name, .orOff(.time(atLeast: least)), property, { $0 == off ? .off : .time($0) },
            { $0.isOff ? off : $0.time })
    }

    static func time(
        _ name: String, _ property: Property<some RecognizerSettings, Interval?>, atLeast least: Interval = .zero
    ) -> Self {
        orOff(name, .time(atLeast: least), property, SettingValue.time) { $0.time }
    }

    static func word<Word: SettingWord>(_ name: String, _ property: Property<some RecognizerSettings, Word>) -> Self {
        Self(
            name, .word(Word.words), property, { .words([$0.word]) }, { $0.words?.first.flatMap(Word.init(word:)) })
    }

    static func words<Word: SettingWord>(_ name: String, _ property: Property<some RecognizerSettings, [Word]>) -> Self
    {
        Self(
            name, .words(Word.words), property, { .words($0.map(\.word)) },
            { $0.words?.compactMap(Word.init(word:)) })
    }

    /// Words in order.
    static func path<Word: SettingWord>(
        _ name: String, _ property: Property<some RecognizerSettings, [Word]>, atMost most: Int
    ) -> Self {
        Self(
            name, .path(Word.words, most: most), property, { .words($0.map(\.word)) },
            { $0.words?.compactMap(Word.init(word:)) })
    }

    static func fingerRange(_ name: String, _ property: Property<some RecognizerSettings, ClosedRange<Int>>) -> Self {
        Self(name, .counts(1...10), property, SettingValue.counts, { $0.counts }).identity
    }

    static func oneOrAny(_ name: String, _ property: Property<some RecognizerSettings, Bool>) -> Self {
        Self(name, .oneOrAny, property, SettingValue.flag) { $0.flag }
    }

    static func templates(_ name: String, _ property: Property<some RecognizerSettings, [StrokeTemplate]>) -> Self {
        Self(name, .templates, property, SettingValue.templates) { $0.templates }
    }

    static func steps(_ name: String, _ property: Property<some RecognizerSettings, [PatternSettings.Step]>) -> Self {
        Self(name, .steps, property, SettingValue.steps) { $0.steps }
    }

    private static func orOff<Value>(
        _ name: String, _ shape: SettingShape, _ property: Property<some RecognizerSettings, Value?>,
        _ wrap: @escaping @Sendable (Value) -> SettingValue, _ unwrap: @escaping @Sendable (SettingValue) -> Value?
    ) -> Self {
        Self(name, .orOff(shape), property, { $0.map(wrap) ?? .off }) { value in
            value.isOff ? .some(nil) : unwrap(value).map { .some($0) }
        }
    }
}

extension Interval {
    /// The minimum of a time that must not be zero.
    static let shortest = Interval.milliseconds(1)
}
