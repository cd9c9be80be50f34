// SPDX-License-Identifier: MIT

/// A pattern for names: `*` is any run of characters, also none, `?` is one; all else is itself.
package struct GlobPattern: Hashable, Sendable {
    package let text: String
    private let pattern: [Unicode.Scalar]

    package init(_ text: String) {
        self.text = text
        pattern = Array(text.unicodeScalars)
    }

    /// Whether the whole of `name` fits. Takes at most name × pattern steps: only the last star
    /// is ever tried again.
    package func matches(_ name: String) -> Bool {
        let name = Array(name.unicodeScalars)
        var place = 0
        var position = 0
        var star: (place: Int, position: Int)?
        while position < name.count {
            if place < pattern.count, pattern[place] == "*" {
                place += 1
                star = (place, position)
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[position] {
                place += 1
                position += 1
            } else if let last = star {
                star = (last.place, last.position + 1)
                place = last.place
                position = last.position + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
