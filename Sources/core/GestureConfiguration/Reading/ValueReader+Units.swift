// SPDX-License-Identifier: MIT
package import GestureEngine

extension ValueReader {
    /// Reads a length in a shape, which may be negative. A number without a unit is in pixels.
    func coordinate() -> Length? {
        if notes(.coordinate) { return nil }
        return switch value.kind {
        case .integer(let pixels): bounded(Length(number: Double(pixels), unit: .pixels))
        case .number(let pixels): bounded(Length(number: pixels, unit: .pixels))
        default: lengthText().flatMap { bounded($0) }
        }
    }

    /// Reads a width, a height or a radius in a shape.
    func extent() -> Length? {
        guard let length = coordinate() else { return nil }
        return length.number > 0 ? length : error(.outOfRange, "\(name) is \(length.text); it must be more than 0")
    }

    /// Reads a length that is compared with movements. It must have a unit.
    func threshold(zero: Bool = true) -> Length? {
        if notes(.length) { return nil }
        if isBareNumber(units: ["mm", "px", "%"]) { return nil }
        guard let length = lengthText() else { return nil }
        guard zero ? length.number >= 0 : length.number > 0 else {
            return error(.outOfRange, "\(name) is \(length.text); it must be \(zero ? "0mm or more" : "more than 0mm")")
        }
        return bounded(length)
    }

    /// Reads a speed, such as `80mm/s`, as the length per second.
    func speed() -> Length? {
        if notes(.speed) { return nil }
        if isBareNumber(units: ["mm/s", "px/s", "%/s"]) { return nil }
        let speed = parsed("a speed such as \"80mm/s\"") { parts in
            parts.unit.hasSuffix("/s") ? Length(parts.number, String(parts.unit.dropLast(2))) : nil
        }
        guard let speed else { return nil }
        guard speed.number >= 0 else {
            return error(.outOfRange, "\(name) is \(text ?? ""); it must be 0mm/s or more")
        }
        return bounded(speed)
    }

    /// Reads a time of at least `shortest`, and at most `longest`, a whole number of seconds.
    package func interval(
        atLeast shortest: Interval = .zero, atMost longest: Interval = ValueLimits.longestTime
    ) -> Interval? {
        if notes(.time) { return nil }
        if isBareNumber(units: ["ms", "s"]) { return nil }
        let example = "a time such as \"500ms\""
        let isLong = longest == ValueLimits.longestTime
        let microseconds = parsed(example, orElse: example + (isLong ? ", \"1.5s\", \"2min\" or \"1h\"" : "")) {
            parts in
            TimeUnit(rawValue: parts.unit).map { (parts.number * $0.microseconds).rounded() }
        }
        guard let microseconds else { return nil }
        let range = Double(shortest.microseconds)...Double(longest.microseconds)
        guard range.contains(microseconds) else {
            let allowed = "\(shortest.wholeMilliseconds)ms to \(longest.wholeMilliseconds / 1000)s"
            return error(.outOfRange, "\(name) is \(text ?? ""); it must be \(allowed)")
        }
        return Interval(microseconds: Int64(microseconds))
    }

    private func lengthText() -> Length? {
        guard let parts = parsed("a length such as \"12px\", \"5%\" or \"8mm\"", { $0 }) else { return nil }
        if let length = Length(parts.number, parts.unit) { return length }
        guard parts.unit.isEmpty else {
            return error(.badValue, "\(name) has the unknown unit \"\(parts.unit)\"; use px, % or mm")
        }
        missingUnit(text ?? "", ["mm", "px", "%"])
        return nil
    }

    private var text: String? {
        if case .string(let text) = value.kind { text } else { nil }
    }

    /// - Parameters:
    ///   - example: the expected form.
    ///   - cure: the advice in the error about an invalid value; by default the example.
    private func parsed<Value>(
        _ example: String, orElse cure: String? = nil, _ parse: (UnitText) -> Value?
    ) -> Value? {
        guard let text else { return wrongType(example) }
        return UnitText(text).flatMap(parse)
            ?? error(.badValue, "\(name) cannot be \"\(text)\"; use \(cure ?? example)")
    }

    private func bounded(_ length: Length) -> Length? {
        guard length.number.magnitude <= ValueLimits.largestLength else {
            let most = plain(ValueLimits.largestLength)
            return error(.outOfRange, "\(name) is \(length.text); it must be at most \(most)")
        }
        return length
    }

    /// Whether the value is a number without a unit. If so, reports an error that suggests these units.
    private func isBareNumber(units: [String]) -> Bool {
        switch value.kind {
        case .integer(let number): missingUnit("\(number)", units)
        case .number(let number): missingUnit(plain(number), units)
        default: return false
        }
        return true
    }

    private func missingUnit(_ number: String, _ units: [String]) {
        let cures = units.map { "\"\(number)\($0)\"" }.joined(separator: ", ")
        error(.missingUnit, "\(name) has no unit; add a unit: \(cures)")
    }
}

/// The units of times, in configurations and on the command line.
package enum TimeUnit: String, CaseIterable, Sendable {
    case milliseconds = "ms"
    case seconds = "s"
    case minutes = "min"
    case hours = "h"

    package var microseconds: Double {
        switch self {
        case .milliseconds: 1e3
        case .seconds: 1e6
        case .minutes: 60e6
        case .hours: 3600e6
        }
    }
}

extension Length {
    fileprivate init?(_ number: Double, _ unit: String) {
        guard let unit = Unit(rawValue: unit) else { return nil }
        self.init(number: number, unit: unit)
    }
}

/// The two parts of a number with a unit, such as `3mm`, `1.5 s` or `80mm/s`.
private struct UnitText {
    /// The number, which is finite.
    let number: Double
    /// The unit as written; empty if there is none.
    let unit: String

    /// The maximum number of digits, which is more than a double can distinguish.
    private static let mostDigits = 18

    /// - Returns: `nil` unless the text is a decimal number without an exponent, followed by at most one blank and a
    ///   unit without blanks.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        var end = 0
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { end = 1 }
        let start = end
        var dots = 0
        while end < bytes.count, Self.isDigit(bytes[end]) || (bytes[end] == UInt8(ascii: ".") && dots == 0) {
            if bytes[end] == UInt8(ascii: ".") { dots += 1 }
            end += 1
        }
        let digits = end - start - dots
        guard digits > 0, digits <= Self.mostDigits, Self.isDigit(bytes[start]), Self.isDigit(bytes[end - 1]),
            let number = Double(String(decoding: bytes[..<end], as: UTF8.self))
        else { return nil }
        var rest = bytes[end...]
        if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        guard !rest.contains(UInt8(ascii: " ")) else { return nil }
        self.number = number
        unit = String(decoding: rest, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
