// SPDX-License-Identifier: MIT
import GestureEngine

extension ValueReader {
    /// A length in a shape: a bare number counts pixels. May be negative.
    func coordinate(_ key: String, _ value: TomlValue) -> Length? {
        switch value.kind {
        case .integer(let pixels): within(key, .pixels(Double(pixels)), value)
        case .number(let pixels): within(key, .pixels(pixels), value)
        default: lengthText(key, value).flatMap { within(key, $0, value) }
        }
    }

    /// A width, a height or a radius in a shape.
    func extent(_ key: String, _ value: TomlValue) -> Length? {
        guard let length = coordinate(key, value) else { return nil }
        guard length.number > 0 else {
            report.error(.outOfRange, "\(key) is \(length.text); give more than 0", at: value.region)
            return nil
        }
        return length
    }

    /// A length that gestures are measured by: it needs a unit.
    func threshold(_ key: String, _ value: TomlValue, zero: Bool = true) -> Length? {
        switch value.kind {
        case .integer(let number): return missingUnit(key, "\(number)", ["mm", "px", "%"], value)
        case .number(let number): return missingUnit(key, plain(number), ["mm", "px", "%"], value)
        default: break
        }
        guard let length = lengthText(key, value) else { return nil }
        guard zero ? length.number >= 0 : length.number > 0 else {
            report.error(
                .outOfRange, "\(key) is \(length.text); give \(zero ? "0mm or more" : "more than 0mm")",
                at: value.region)
            return nil
        }
        return within(key, length, value)
    }

    /// A speed in lengths a second: `80mm/s`.
    func speed(_ key: String, _ value: TomlValue) -> Length? {
        switch value.kind {
        case .integer(let number): return missingUnit(key, "\(number)", ["mm/s", "px/s", "%/s"], value)
        case .number(let number): return missingUnit(key, plain(number), ["mm/s", "px/s", "%/s"], value)
        default: break
        }
        guard case .string(let text) = value.kind else {
            wrongType(key, "a speed such as \"80mm/s\"", value)
            return nil
        }
        guard let parts = UnitText(text), parts.unit.hasSuffix("/s"),
            let length = Self.length(parts.number, String(parts.unit.dropLast(2)))
        else {
            report.error(.badValue, "\(key) cannot be \"\(text)\"; give a speed such as \"80mm/s\"", at: value.region)
            return nil
        }
        guard length.number >= 0 else {
            report.error(.outOfRange, "\(key) is \(text); give 0mm/s or more", at: value.region)
            return nil
        }
        return within(key, length, value)
    }

    /// A time of at least `shortest`, and at most an hour.
    func interval(_ key: String, _ value: TomlValue, atLeast shortest: Interval = .zero) -> Interval? {
        switch value.kind {
        case .integer(let number): return missingUnit(key, "\(number)", ["ms", "s"], value)
        case .number(let number): return missingUnit(key, plain(number), ["ms", "s"], value)
        default: break
        }
        guard case .string(let text) = value.kind else {
            wrongType(key, "a time such as \"500ms\"", value)
            return nil
        }
        guard let parts = UnitText(text), let factor = Self.microseconds(parts.unit) else {
            report.error(
                .badValue, "\(key) cannot be \"\(text)\"; give a time such as \"500ms\" or \"1.5s\"", at: value.region)
            return nil
        }
        let microseconds = (parts.number * factor).rounded()
        let range = Double(shortest.microseconds)...Double(ValueLimits.longestTime.microseconds)
        guard range.contains(microseconds) else {
            report.error(
                .outOfRange, "\(key) is \(text); give \(shortest.wholeMilliseconds)ms to 3600s", at: value.region)
            return nil
        }
        return Interval(microseconds: Int64(microseconds))
    }

    private func lengthText(_ key: String, _ value: TomlValue) -> Length? {
        guard case .string(let text) = value.kind else {
            wrongType(key, "a length such as \"12px\", \"5%\" or \"8mm\"", value)
            return nil
        }
        guard let parts = UnitText(text) else {
            report.error(
                .badValue, "\(key) cannot be \"\(text)\"; give a length such as \"12px\", \"5%\" or \"8mm\"",
                at: value.region)
            return nil
        }
        if let length = Self.length(parts.number, parts.unit) { return length }
        if parts.unit.isEmpty { return missingUnit(key, text, ["mm", "px", "%"], value) }
        report.error(.badValue, "\(key) has the unknown unit \"\(parts.unit)\"; give px, % or mm", at: value.region)
        return nil
    }

    private func within(_ key: String, _ length: Length, _ value: TomlValue) -> Length? {
        guard length.number.magnitude <= ValueLimits.largestLength else {
            report.error(
                .outOfRange, "\(key) is \(length.text); give at most \(plain(ValueLimits.largestLength))",
                at: value.region)
            return nil
        }
        return length
    }

    private func missingUnit<Value>(
        _ key: String, _ number: String, _ units: [String], _ value: TomlValue
    ) -> Value? {
        let cures = units.map { "\"\(number)\($0)\"" }.joined(separator: ", ")
        report.error(.missingUnit, "\(key) has no unit; add a unit: \(cures)", at: value.region)
        return nil
    }

    private static func length(_ number: Double, _ unit: String) -> Length? {
        switch unit {
        case "px": .pixels(number)
        case "%": .percent(number)
        case "mm": .millimeters(number)
        default: nil
        }
    }

    private static func microseconds(_ unit: String) -> Double? {
        switch unit {
        case "ms": 1_000
        case "s": 1_000_000
        default: nil
        }
    }
}
