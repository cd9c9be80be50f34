// SPDX-License-Identifier: MIT
import GestureEngine

/// Writes a recording as lines of text.
struct TextWriter {
    private(set) var bytes: [UInt8] = []

    mutating func line(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(0x0A)
    }

    /// Splits a time into seconds and microseconds. Times of the kernel are never negative; a negative time becomes 0.
    static func parts(_ time: Timestamp) -> (seconds: Int, microseconds: Int) {
        let parts = max(0, time.microseconds).quotientAndRemainder(dividingBy: 1_000_000)
        return (Int(parts.quotient), Int(parts.remainder))
    }
}
