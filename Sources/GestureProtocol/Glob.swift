// SPDX-License-Identifier: MIT

/// A pattern for names: `*` matches any number of characters, `?` exactly one, every other character itself.
///
/// A character is a Unicode scalar.
package struct Glob: Hashable, Sendable {
    private let pattern: [UInt8]

    package init(_ pattern: String) {
        self.pattern = Array(pattern.utf8)
    }

    /// Whether the pattern matches the whole of `name`.
    ///
    /// Takes at most pattern + name × name steps, because only the last star is ever tried again: a pattern of
    /// an untrusted client costs little where names are short.
    package func matches(_ name: String) -> Bool {
        let name = name.utf8
        // Sorts out most names of a long list at once.
        if let end = pattern.last, end != UInt8(ascii: "*"), end != UInt8(ascii: "?"), name.last != end { return false }
        var position = name.startIndex
        var next = 0
        var star: (next: Int, position: String.Index)?
        while position < name.endIndex {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                next += 1
                star = (next, position)
            } else if next < pattern.count, pattern[next] == UInt8(ascii: "?") {
                next += 1
                Self.skipCharacter(of: name, at: &position)
            } else if next < pattern.count, pattern[next] == name[position] {
                next += 1
                name.formIndex(after: &position)
            } else if let last = star {
                next = last.next
                position = last.position
                Self.skipCharacter(of: name, at: &position)
                star = (next, position)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Moves behind the first byte and the continuation bytes that follow it.
    private static func skipCharacter(of name: String.UTF8View, at position: inout String.Index) {
        repeat { name.formIndex(after: &position) } while position < name.endIndex && name[position] & 0xC0 == 0x80
    }
}
