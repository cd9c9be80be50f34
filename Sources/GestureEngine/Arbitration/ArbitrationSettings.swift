// SPDX-License-Identifier: MIT

/// What holds between gestures of the whole panel.
package struct ArbitrationSettings: Hashable, Sendable {
    /// One gesture of the panel.
    package struct Reference: Hashable, Sendable {
        /// A region's id.
        package var region: String
        /// A gesture's name in it.
        package var gesture: String

        package init(region: String, gesture: String) {
            self.region = region
            self.gesture = gesture
        }
    }

    /// Two gestures, in no order.
    package struct Pair: Hashable, Sendable {
        package var first: Reference
        package var second: Reference

        package init(_ first: Reference, _ second: Reference) {
            self.first = first
            self.second = second
        }
    }

    /// Neither of a pair cancels the other.
    package var simultaneous: [Pair] = []
    /// Kinds recognized in the same frame, the first to be recognized first; those that are not
    /// listed come after them.
    package var priority: [GestureKind] = []

    package init() {}
}
