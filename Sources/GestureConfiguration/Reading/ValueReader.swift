// SPDX-License-Identifier: MIT
import GestureEngine

/// Turns single values into what they mean, with an error at their place where they mean nothing.
/// `key` is what the error calls them.
struct ValueReader {
    let report: Report

    func wrongType(_ key: String, _ expected: String, _ value: TomlValue) {
        report.error(.wrongType, "\(key) must be \(expected), not \(value.typeName)", at: value.region)
    }

    func string(_ key: String, _ value: TomlValue) -> String? {
        guard case .string(let text) = value.kind else {
            wrongType(key, "a string", value)
            return nil
        }
        return text
    }

    func boolean(_ key: String, _ value: TomlValue) -> Bool? {
        guard case .boolean(let flag) = value.kind else {
            wrongType(key, "true or false", value)
            return nil
        }
        return flag
    }

    func array(_ key: String, of what: String, _ value: TomlValue) -> [TomlValue]? {
        guard case .array(let values) = value.kind else {
            wrongType(key, "an array of \(what)", value)
            return nil
        }
        return values
    }

    func table(_ key: String, _ value: TomlValue) -> TomlTable? {
        guard case .table(let table) = value.kind else {
            wrongType(key, "a table", value)
            return nil
        }
        return table
    }

    func integer(_ key: String, _ value: TomlValue, _ range: ClosedRange<Int64>) -> Int? {
        guard case .integer(let number) = value.kind else {
            wrongType(key, "a whole number", value)
            return nil
        }
        guard range.contains(number) else {
            let allowed = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            report.error(.outOfRange, "\(key) is \(number); give \(allowed)", at: value.region)
            return nil
        }
        return Int(number)
    }

    /// A bare number, whole or not.
    func number(_ key: String, _ value: TomlValue, _ range: NumberRange, unit: String = "") -> Double? {
        let number: Double
        switch value.kind {
        case .integer(let whole): number = Double(whole)
        case .number(let fraction): number = fraction
        default:
            wrongType(key, "a number", value)
            return nil
        }
        guard range.contains(number) else {
            report.error(.outOfRange, "\(key) is \(plain(number))\(unit); give \(range.text(unit))", at: value.region)
            return nil
        }
        return number
    }

    /// One of a few words.
    func word<Word>(_ key: String, _ value: TomlValue, _ words: [(String, Word)]) -> Word? {
        let allowed = words.map { $0.0 }
        let list = allowed.map { "\"\($0)\"" }.joined(separator: ", ")
        guard case .string(let text) = value.kind else {
            wrongType(key, "one of \(list)", value)
            return nil
        }
        if let match = words.first(where: { $0.0 == text }) { return match.1 }
        report.error(
            .badValue, "\(key) cannot be \"\(text)\"; give one of \(list)",
            suggestion: Suggestion.nearest(to: text, among: allowed), at: value.region)
        return nil
    }

    /// `"off"`, or what `read` makes of the value; `nil` after an error.
    func optional<Value>(_ value: TomlValue, _ read: () -> Value?) -> Value?? {
        if case .string("off") = value.kind { return .some(nil) }
        return read().map { .some($0) }
    }
}
