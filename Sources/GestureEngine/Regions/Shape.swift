// SPDX-License-Identifier: MIT

/// The drawn shape of a region, in millimetres on the glass. Half-open, so that abutting shapes
/// have exactly one owner for every point.
package enum Shape: Hashable, Sendable {
    case rectangle(Rectangle)
    case circle(center: Point, radius: Double)
    /// At least three corners; the last is joined to the first; even-odd rule.
    case polygon([Point])
}
