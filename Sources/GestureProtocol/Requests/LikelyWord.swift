// SPDX-License-Identifier: MIT

/// The word that somebody probably meant.
package enum LikelyWord {
    /// Longer words are not compared: no word of the protocol comes near.
    private static let longest = 64

    /// The candidate with the fewest edits from `word`, if they are at most a third of it (but
    /// one is always allowed, so that `xs` finds `x`); among equals the first.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let letters = Array(word.utf8)
        guard !letters.isEmpty, letters.count <= longest else { return nil }
        var best: String?
        var fewest = max(1, letters.count / 3) + 1
        for candidate in candidates {
            let edits = distance(letters, Array(candidate.utf8))
            if edits < fewest {
                fewest = edits
                best = candidate
            }
        }
        return best
    }

    /// How many letters must be added, taken away, changed or swapped with their neighbour.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            row.reserveCapacity(b.count + 1)
            for j in b.indices {
                let change = last[j] + (a[i] == b[j] ? 0 : 1)
                var edits = min(change, row[j] + 1, last[j + 1] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { edits = min(edits, beforeLast[j - 1] + 1) }
                row.append(edits)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
