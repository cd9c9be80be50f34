// SPDX-License-Identifier: MIT
import GestureEngine

/// Writes a recording as lines of text.
struct TextWriter {
    private(set) var bytes: [UInt8] = []

    mutating func line(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(0x0A)
    }

    /// A number with leading zeros.
    static func padded(_ value: Int, to digits: Int, radix: Int = 16) -> String {
        let text = String(value, radix: radix)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// No kernel time is before 0; such a time becomes 0.
    static func parts(_ time: Timestamp) -> (seconds: Int, microseconds: Int) {
        let parts = max(0, time.microseconds).quotientAndRemainder(dividingBy: 1_000_000)
        return (Int(parts.quotient), Int(parts.remainder))
    }
}
