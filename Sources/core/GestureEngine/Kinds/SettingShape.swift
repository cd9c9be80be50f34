// SPDX-License-Identifier: MIT

/// The form of a key's values. It is plain data, from which the reader of configurations, the schema and everything that
/// varies a key derive.
package indirect enum SettingShape: Hashable, Sendable {
    case flag
    case count(ClosedRange<Int>)
    /// An angle in degrees. `isOpen`: the lower bound is excluded.
    case degrees(ClosedRange<Double>, isOpen: Bool = false)
    /// A number without a unit.
    case ratio(ClosedRange<Double>, isOpen: Bool = false)
    /// A distance, 0 or more.
    case length
    /// A speed, 0 or more.
    case speed
    case time(atLeast: Interval = .zero)
    /// One of these words.
    case word([String])
    /// One or more of these words.
    case words([String])
    /// One to `most` of these words, in order. Neighbours differ.
    case path([String], most: Int)
    /// A number of contacts, a range of numbers, or any number.
    case counts(ClosedRange<Int>)
    /// One contact (`true`), or any number (`false`).
    case oneOrAny
    /// The shapes of a stroke.
    case templates
    /// The steps of a pattern.
    case steps
    /// `"off"`, or a value of this shape.
    case orOff(SettingShape)
}

/// A value of a key, in the units of the engine: lengths in millimetres, speeds in millimetres per second.
package enum SettingValue: Hashable, Sendable {
    case off
    case flag(Bool)
    case count(Int)
    case number(Double)
    case time(Interval)
    case counts(ClosedRange<Int>)
    /// One or more words.
    case words([String])
    case templates([StrokeTemplate])
    case steps([PatternSettings.Step])
}

extension SettingValue {
    package var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
    package var count: Int? { if case .count(let value) = self { value } else { nil } }
    package var number: Double? { if case .number(let value) = self { value } else { nil } }
    package var time: Interval? { if case .time(let value) = self { value } else { nil } }
    package var counts: ClosedRange<Int>? { if case .counts(let value) = self { value } else { nil } }
    package var words: [String]? { if case .words(let value) = self { value } else { nil } }
    package var templates: [StrokeTemplate]? { if case .templates(let value) = self { value } else { nil } }
    package var steps: [PatternSettings.Step]? { if case .steps(let value) = self { value } else { nil } }
    package var isOff: Bool { if case .off = self { true } else { false } }
}

/// A type whose values have words in configurations. The words are accepted in the order of `allCases`.
package protocol SettingWord: CaseIterable, Equatable, Sendable {
    var word: String { get }
}

extension SettingWord where Self: RawRepresentable<String> {
    package var word: String { rawValue }
}

extension SettingWord {
    package init?(word: String) {
        guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = value
    }

    static var words: [String] { allCases.map(\.word) }
}
