// SPDX-License-Identifier: MIT

/// Refuses keys of absurd depth before the parser sees them: toml++ makes one table for each dot
/// and frees them by recursion, which a megabyte of dots drives past the end of the stack.
enum KeyDepth {
    /// The deepest key that means anything here has three.
    static let mostDots = 16

    /// The line of the first dotted key that is too deep. Dots in strings and comments do not count.
    static func firstLineTooDeep(in text: [UInt8]) -> Int? {
        var line = 1
        var dots = 0
        var i = 0
        while i < text.count {
            switch text[i] {
            case UInt8(ascii: "\n"):
                line += 1
                dots = 0
            case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "["):
                dots = 0
            case UInt8(ascii: "."):
                dots += 1
                if dots > mostDots { return line }
            case UInt8(ascii: "#"):
                while i + 1 < text.count, text[i + 1] != UInt8(ascii: "\n") { i += 1 }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                i = endOfString(text, from: i, &line)
            default:
                break
            }
            i += 1
        }
        return nil
    }

    /// The place of the last quote of the string that begins at `start`.
    private static func endOfString(_ text: [UInt8], from start: Int, _ line: inout Int) -> Int {
        let quote = text[start]
        let isLong = start + 2 < text.count && text[start + 1] == quote && text[start + 2] == quote
        var i = isLong ? start + 3 : start + 1
        while i < text.count {
            if text[i] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                i += 1
            } else if text[i] == UInt8(ascii: "\n") {
                // A string of one line that does not end is the parser's error.
                if !isLong { return i - 1 }
                line += 1
            } else if text[i] == quote {
                if !isLong { return i }
                if i + 2 < text.count, text[i + 1] == quote, text[i + 2] == quote { return i + 2 }
            }
            i += 1
        }
        return text.count
    }
}
