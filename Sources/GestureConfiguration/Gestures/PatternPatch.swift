// SPDX-License-Identifier: MIT
import GestureEngine

enum PatternKey: String, TableKey {
    case steps
    case maxGap = "max_gap"
    case timeout, attempts, lockout
}

/// `"tap corner"`: a gesture's name or word, a blank, a region's id.
struct PatternStepRule: Hashable, Sendable {
    var gesture: String
    var region: String
    /// Of the step's text.
    var place: TextRegion
}

/// Of one pattern; none of its keys stands among defaults.
enum PatternPatch: SettingsPatch {
    case steps([PatternStepRule])
    case maxGap(Interval)
    case timeout(Interval)
    case attempts(Int)
    case lockout(Interval)

    static let gestureOnly = PatternKey.allCases
    /// More than anybody remembers.
    private static let mostSteps = 32

    static func read(_ key: PatternKey, _ value: TomlValue, _ check: ValueReader) -> Self? {
        let word = key.rawValue
        switch key {
        case .steps: return steps(word, value, check).map { .steps($0) }
        case .maxGap: return check.interval(word, value, atLeast: .milliseconds(1)).map { .maxGap($0) }
        case .timeout: return check.interval(word, value, atLeast: .milliseconds(1)).map { .timeout($0) }
        case .attempts: return check.integer(word, value, 1...1000).map { .attempts($0) }
        case .lockout: return check.interval(word, value).map { .lockout($0) }
        }
    }

    private static func steps(_ word: String, _ value: TomlValue, _ check: ValueReader) -> [PatternStepRule]? {
        guard let values = check.array(word, of: "steps such as \"tap corner\"", value) else { return nil }
        guard (1...mostSteps).contains(values.count) else {
            let message = "\(word) has \(values.count) steps; give 1 to \(mostSteps)"
            check.report.error(values.isEmpty ? .badValue : .tooMany, message, at: value.region)
            return nil
        }
        let steps = values.compactMap { step($0, check) }
        return steps.count == values.count ? steps : nil
    }

    /// Ids have no blanks, names may: the last blank parts them.
    private static func step(_ value: TomlValue, _ check: ValueReader) -> PatternStepRule? {
        guard let text = check.string("a step", value) else { return nil }
        guard let blank = text.lastIndex(of: " "), blank > text.startIndex, text.index(after: blank) < text.endIndex
        else {
            check.report.error(
                .badValue, "a step cannot be \"\(text)\"; give a gesture and a region: \"tap corner\"",
                at: value.region)
            return nil
        }
        return PatternStepRule(
            gesture: String(text[..<blank]), region: String(text[text.index(after: blank)...]), place: value.region)
    }

    func apply(to settings: inout PatternSettings, _ scale: LengthScale) {
        switch self {
        case .steps(let steps): settings.steps = steps.map { .init(gesture: $0.gesture, region: $0.region) }
        case .maxGap(let interval): settings.maxGap = interval
        case .timeout(let interval): settings.timeout = interval
        case .attempts(let count): settings.attempts = count
        case .lockout(let interval): settings.lockout = interval
        }
    }

    var length: Length? { nil }
}
