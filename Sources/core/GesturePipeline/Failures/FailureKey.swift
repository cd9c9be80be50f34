// SPDX-License-Identifier: MIT
package import GestureEngine

/// The key whose limit was violated, or which gave precedence to another gesture.
package struct FailureKey: Hashable, Sendable {
    /// The table of the key.
    package enum Section: String, Hashable, Sendable {
        /// In the gesture's table of the region.
        case gesture
        case region
        case filter
        case arbitration
    }

    package let word: String
    package let section: Section

    /// The keys that are no settings of a kind, with the failures that depend on them.
    private static let others: [(key: FailureKey, failures: [GestureFailure.Code])] = [
        (FailureKey(word: "after", section: .gesture), [.notAfter]),
        (FailureKey(word: "unless", section: .gesture), [.unless, .keptBack]),
        (FailureKey(word: "capture", section: .region), [.cancelled(.handover)]),
        (FailureKey(word: "rest_after", section: .region), [.cancelled(.rest)]),
        (FailureKey(word: "max_touch", section: .filter), [.cancelled(.palm)]),
        (FailureKey(word: "simultaneous", section: .arbitration), [.cancelled(.claimed), .cancelled(.multiTouch)]),
    ]

    /// All words: those of settings, in the order of the kinds, and then the others.
    package static let words: [String] = {
        var words: [String] = []
        let settings = KindRow.all.flatMap(\.keys).filter { !$0.failures.isEmpty }.map(\.name)
        for word in settings + others.map(\.key.word) where !words.contains(word) { words.append(word) }
        return words
    }()

    private init(word: String, section: Section) {
        (self.word, self.section) = (word, section)
    }

    /// - Returns: `nil` if no key would have changed the outcome.
    package init?(_ failure: GestureFailure, of kind: GestureKind) {
        if failure.isFixed { return nil }
        if let key = kind.row.keys.first(where: { $0.failures.contains(failure.code) }) {
            self.init(word: key.name, section: .gesture)
        } else if let other = Self.others.first(where: { $0.failures.contains(failure.code) }) {
            self = other.key
        } else {
            return nil
        }
    }

    /// Looks up a word of a line. A word of a newer daemon is taken for a setting.
    package init(word: String) {
        self = Self.others.first { $0.key.word == word }?.key ?? FailureKey(word: word, section: .gesture)
    }
}
