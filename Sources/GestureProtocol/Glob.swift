// SPDX-License-Identifier: MIT

/// A pattern for names: `*` is any run of characters, also none, `?` is one; all else is itself.
package struct Glob: Hashable, Sendable {
    private let pattern: [UInt8]

    package init(_ pattern: String) {
        self.pattern = Array(pattern.utf8)
    }

    /// Whether the whole of `text` fits. Takes at most `text` × pattern steps: a star that failed
    /// is tried again one further, and only the last star is.
    package func matches(_ text: String) -> Bool {
        let text = Array(text.utf8)
        var place = 0
        var position = 0
        var afterStar: Int?
        var starEnd = 0
        while position < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                place += 1
                afterStar = place
                starEnd = position
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") {
                place += 1
                position = Self.afterCharacter(text, position)
            } else if place < pattern.count, pattern[place] == text[position] {
                place += 1
                position += 1
            } else if let again = afterStar {
                starEnd = Self.afterCharacter(text, starEnd)
                position = starEnd
                place = again
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Where the next character of UTF-8 begins.
    private static func afterCharacter(_ text: [UInt8], _ position: Int) -> Int {
        var next = position + 1
        while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
