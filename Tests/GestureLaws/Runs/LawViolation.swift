// SPDX-License-Identifier: MIT

/// A law that did not hold.
package struct LawViolation: Hashable, Sendable, CustomStringConvertible {
    /// A short name of the law. A run that the shrinker accepts must violate a law of the same name.
    package var law: String
    package var text: String

    package init(_ law: String, _ text: String) {
        self.law = law
        self.text = text
    }

    package var description: String { "\(law): \(text)" }
}
