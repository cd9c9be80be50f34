// SPDX-License-Identifier: MIT

/// A number with a unit, such as `3mm`, `1.5 s` or `80mm/s`, cut in two.
struct UnitText {
    /// Finite.
    let number: Double
    /// As written; empty where there is none.
    let unit: String

    /// No digit of a longer number means anything.
    private static let mostDigits = 18

    /// - Returns: `nil` unless the text is a decimal number (no exponent), then at most a blank,
    ///   then a unit without blanks.
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

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
