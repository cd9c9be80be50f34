// SPDX-License-Identifier: MIT

/// Suggestions for names that do not exist.
package enum Spelling {
    /// Longer names are not compared, because the cost is the product of the lengths.
    private static let longest = 64

    /// The name with the fewest differences from `word`; the first one if there are several. At least one difference is
    /// allowed, so that `xs` finds `x`; but a name that has nothing in common with `word` is never found.
    ///
    /// - Parameter ignoringCase: `true`, for configurations, compares characters in lower case and allows differences
    ///   in up to a third of the longer name. `false`, for requests, compares bytes and allows differences in up to a
    ///   third of `word`. For configurations, the first word of a name stands for the name, so that `pasword` finds
    ///   `password_file`, unless another name is at least as near.
    package static func nearest(
        to word: String, among names: [String], ignoringCase: Bool = false
    ) -> String? {
        func letters(_ text: String) -> [UInt32] {
            ignoringCase ? text.lowercased().unicodeScalars.map { $0.value } : text.utf8.map { UInt32($0) }
        }
        let given = letters(word)
        guard !given.isEmpty, given.count <= longest else { return nil }
        var best: (name: String, differences: Int)?
        for name in names where name != word {
            let candidate = letters(name)
            if ignoringCase, candidate.count > longest { continue }
            let longer = max(given.count, candidate.count)
            let allowed = min(longer - 1, max(1, (ignoringCase ? longer : given.count) / 3))
            let least = abs(given.count - candidate.count)
            guard least <= allowed, least < best?.differences ?? .max else { continue }
            let count = differences(given, candidate)
            if count <= allowed, count < best?.differences ?? .max { best = (name, count) }
        }
        guard best == nil, ignoringCase else { return best?.name }
        let first = names.map { String($0.prefix { $0 != "_" }) }
        return first == names ? nil : nearest(to: word, amongFirst: first).map { names[$0] }
    }

    /// - Parameter words: the first words of names. Shorter words than four letters stand for too many names.
    /// - Returns: the index of the nearest one.
    private static func nearest(to word: String, amongFirst words: [String]) -> Int? {
        let long = words.filter { $0.count >= 4 }
        if let same = long.first(where: { $0 == word.lowercased() }) { return words.firstIndex(of: same) }
        return nearest(to: word, among: long, ignoringCase: true).flatMap { words.firstIndex(of: $0) }
    }

    /// The end of a message about a name that does not exist; empty without a suggestion.
    package static func hint(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// The number of letters that must be inserted, deleted, replaced, or swapped with a neighbour to turn `a` into
    /// `b`.
    private static func differences(_ a: [UInt32], _ b: [UInt32]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            row.reserveCapacity(b.count + 1)
            for j in b.indices {
                var count = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { count = min(count, beforeLast[j - 1] + 1) }
                row.append(count)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
