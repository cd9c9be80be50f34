// SPDX-License-Identifier: MIT

/// Strings from outside, made safe for a line.
extension LineBuffer {
    /// Appends `text` in quotes, with everything escaped that JSON does not allow as it is.
    ///
    /// A `String` is valid UTF-8 always: bytes from outside are repaired when they become one.
    package mutating func appendQuoted(_ text: String) {
        append(UInt8(ascii: "\""))
        for byte in text.utf8 { appendEscaped(byte) }
        append(UInt8(ascii: "\""))
    }

    /// Appends `text` in quotes, cut after at most `limit` bytes at a character's border, with `…` for the rest.
    package mutating func appendQuoted(_ text: String, limit: Int) {
        guard text.utf8.count > limit else { return appendQuoted(text) }
        append(UInt8(ascii: "\""))
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: max(0, limit))
        while end > text.utf8.startIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
        for byte in text.utf8[..<end] { appendEscaped(byte) }
        append("…\"")
    }

    /// Appends a list of strings: `["a","b"]`.
    package mutating func appendList(_ texts: [String]) {
        append(UInt8(ascii: "["))
        var isFirst = true
        for text in texts {
            if !isFirst { append(UInt8(ascii: ",")) }
            isFirst = false
            appendQuoted(text)
        }
        append(UInt8(ascii: "]"))
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        // DEL is legal in JSON, but a terminal that prints the line should not get it.
        case 0x00..<0x20, 0x7F:
            append("\\u00")
            append(Self.hexDigit(byte >> 4))
            append(Self.hexDigit(byte & 0xF))
        default: append(byte)
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ (value &- 10)
    }
}
