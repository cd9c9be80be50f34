// SPDX-License-Identifier: MIT

/// A pattern for names: `*` matches any number of characters, `?` exactly one, every other character itself.
package struct Glob: Hashable, Sendable {
    private let pattern: [Unicode.Scalar]

    package init(_ pattern: String) {
        self.pattern = Array(pattern.unicodeScalars)
    }

    /// Whether the pattern matches the whole of `name`.
    ///
    /// Takes at most pattern + name × name steps, because only the last star is ever tried again: a pattern of
    /// an untrusted client costs little where names are short.
    package func matches(_ name: String) -> Bool {
        let name = name.unicodeScalars
        var position = name.startIndex
        var next = 0
        var star: (next: Int, position: String.Index)?
        while position < name.endIndex {
            if next < pattern.count, pattern[next] == "*" {
                next += 1
                star = (next, position)
            } else if next < pattern.count, pattern[next] == "?" || pattern[next] == name[position] {
                next += 1
                name.formIndex(after: &position)
            } else if let last = star {
                next = last.next
                position = name.index(after: last.position)
                star = (next, position)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == "*" }
    }
}
