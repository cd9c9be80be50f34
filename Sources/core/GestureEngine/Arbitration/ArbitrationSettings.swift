// SPDX-License-Identifier: MIT

/// The arbitration rules that apply to all gestures of a panel.
package struct ArbitrationSettings: Hashable, Sendable {
    /// A reference to one gesture of the panel.
    package struct Reference: Hashable, Sendable {
        /// A region's id.
        package var region: String
        /// The name of a gesture in that region.
        package var gesture: String

        package init(region: String, gesture: String) {
            self.region = region
            self.gesture = gesture
        }
    }

    /// A pair of gestures; their order is irrelevant.
    package struct Pair: Hashable, Sendable {
        package var first: Reference
        package var second: Reference

        package init(_ first: Reference, _ second: Reference) {
            self.first = first
            self.second = second
        }
    }

    /// Pairs of gestures that do not cancel each other.
    package var simultaneous: [Pair] = []
    /// Kinds in the order in which they are recognized within one frame. Kinds that are not listed come last.
    package var priority: [GestureKind] = []

    package init() {}
}
