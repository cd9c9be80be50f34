// SPDX-License-Identifier: MIT

/// A pattern for names: `*` matches any number of characters, `?` exactly one, every other character itself.
///
/// A character is a Unicode scalar.
package struct Glob: Hashable, Sendable {
    private let pattern: [UInt8]
    /// The number of bytes of the shortest name that may match.
    private let least: Int

    package init(_ pattern: String) {
        self.pattern = Array(pattern.utf8)
        least = self.pattern.count { $0 != UInt8(ascii: "*") }
    }

    /// A name that the pattern matches; empty for `*`.
    package var example: String {
        let bytes = pattern.filter { $0 != UInt8(ascii: "*") }
        return String(decoding: bytes.map { $0 == UInt8(ascii: "?") ? UInt8(ascii: "x") : $0 }, as: UTF8.self)
    }

    /// Whether the pattern matches the whole of `name`.
    ///
    /// Matching takes at most pattern + name × name steps, because only the last star is retried. Names are short, so
    /// even a pattern from an untrusted client is cheap to match.
    package func matches(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { name in
            guard name.count >= least else { return false }
            // This excludes most names of a long list early.
            if let end = pattern.last, end != UInt8(ascii: "*"), end != UInt8(ascii: "?"), name.last != end {
                return false
            }
            return matches(name)
        }
    }

    private func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        var next = 0
        var star: (next: Int, position: Int)?
        while position < name.count {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                next += 1
                star = (next, position)
            } else if next < pattern.count, pattern[next] == UInt8(ascii: "?") {
                next += 1
                position = Self.character(after: position, of: name)
            } else if next < pattern.count, pattern[next] == name[position] {
                next += 1
                position += 1
            } else if let last = star {
                next = last.next
                position = Self.character(after: last.position, of: name)
                star = (next, position)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// The index after the byte at `position` and its continuation bytes.
    private static func character(after position: Int, of name: UnsafeBufferPointer<UInt8>) -> Int {
        var next = position + 1
        while next < name.count, name[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
