// SPDX-License-Identifier: MIT

/// Whole numbers as YAML writes them.
enum YamlInteger {
    /// A decimal number with a sign if it is negative, or a hexadecimal one after `0x`; nil when it is none or
    /// does not fit.
    static func read(_ text: [UInt8]) -> Int64? {
        var digits = text[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        guard let magnitude = magnitude(digits) else { return nil }
        if isNegative, magnitude == 1 << 63 { return .min }
        guard let value = Int64(exactly: magnitude) else { return nil }
        return isNegative ? 0 &- value : value
    }

    /// The same without a sign.
    static func magnitude(_ text: ArraySlice<UInt8>) -> UInt64? {
        let isHexadecimal = text.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")])
        let digits = isHexadecimal ? text.dropFirst(2) : text
        guard !digits.isEmpty else { return nil }
        let base: UInt64 = isHexadecimal ? 16 : 10
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = digit(byte), digit < base else { return nil }
            let (scaled, overflow) = value.multipliedReportingOverflow(by: base)
            let (sum, carry) = scaled.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte) - 0x57
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte) - 0x37
        default: nil
        }
    }
}
