// SPDX-License-Identifier: MIT

/// Finds the name that somebody meant.
enum Suggestion {
    /// Longer words are not compared: the cost is the product of the lengths.
    private static let longestWord = 64

    /// The nearest of `names`, if it is near enough to be meant: a third of the letters may be
    /// wrong, and at least one. Ties fall to the first.
    static func nearest(to word: String, among names: [String]) -> String? {
        let letters = Array(word.lowercased().unicodeScalars)
        guard !letters.isEmpty, letters.count <= longestWord else { return nil }
        var best: (name: String, distance: Int)?
        for name in names where name != word {
            let candidate = Array(name.lowercased().unicodeScalars)
            guard candidate.count <= longestWord else { continue }
            let distance = editDistance(letters, candidate)
            let allowed = max(1, max(letters.count, candidate.count) / 3)
            if distance <= allowed, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
    static func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
