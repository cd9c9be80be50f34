// SPDX-License-Identifier: MIT
import CMath

/// The arrangement of several contacts: their centroid, their distance from each other, and their rotation so far.
struct GroupMotion: Hashable, Sendable {
    var centroid = Point.zero
    /// Twice the mean distance of the contacts from their centroid, in millimetres.
    var span = 0.0
    /// The rotation of the line between the two oldest contacts since the sequence began. Radians, clockwise
    /// positive, not wrapped at half a turn.
    var turn = 0.0
    /// The direction of that line at the last update; `nil` if it has none, because both contacts are at the same
    /// position.
    private var angle: Double?

    /// The arrangement after contacts have moved.
    @inline(__always)  // most groups have one contact, which needs little work
    func following(_ group: ContactGroup) -> GroupMotion {
        var motion = self
        motion.centroid = group.centroid
        guard group.count > 1 else { return motion }
        return motion.turned(to: group.arrangement())
    }

    /// The arrangement of the contacts that have moved, updated to their current positions.
    func followingMovers(_ group: ContactGroup) -> GroupMotion {
        var motion = self
        motion.centroid = group.centroid
        return motion.turned(to: group.arrangement(.movers))
    }

    private func turned(to arrangement: (centroid: Point, span: Double, axis: Vector)) -> GroupMotion {
        var motion = self
        motion.span = arrangement.span
        guard let now = Self.angle(arrangement.axis) else { return motion }
        if let angle { motion.turn += Self.wrapped(now - angle) }
        motion.angle = now
        return motion
    }

    /// The arrangement of the contacts that have moved, at the time when the number of contacts last changed.
    func rebasedToMovers(_ group: ContactGroup) -> GroupMotion {
        var motion = self
        let (_, span, axis) = group.arrangement(.moversAtAnchor)
        (motion.span, motion.angle) = (span, Self.angle(axis))
        return motion
    }

    /// The arrangement after a contact has joined or left. This does not change the turn.
    /// - Parameter measured: all contacts, where they are or where they were.
    func rebased(_ group: ContactGroup, _ measured: ContactGroup.Measured = .all) -> GroupMotion {
        var motion = self
        let arrangement = group.arrangement(measured)
        motion.centroid = arrangement.centroid
        let (span, axis) = group.count > 1 ? (arrangement.span, arrangement.axis) : (0, .zero)
        (motion.span, motion.angle) = (span, Self.angle(axis))
        return motion
    }

    /// The motions since `base`.
    ///
    /// The arc is calculated from the span at `base`. A finger that passes another one in a straight line therefore always
    /// counts as a drag rather than a rotation, and a finger that circles another one always counts as a rotation.
    func since(_ base: GroupMotion) -> GroupTravel {
        GroupTravel(
            distance: (centroid - base.centroid).length, spread: (span - base.span).magnitude,
            arc: (turn - base.turn).magnitude * base.span / 2)
    }

    private static func angle(_ axis: Vector) -> Double? {
        axis == .zero ? nil : math_atan2(axis.dy, axis.dx)
    }

    /// The angle in [-π, π].
    private static func wrapped(_ angle: Double) -> Double {
        if angle > .pi { return angle - 2 * .pi }
        return angle < -.pi ? angle + 2 * .pi : angle
    }
}

/// The motions of several contacts, in millimetres. The largest one decides which gesture they make.
struct GroupTravel: Hashable, Sendable {
    /// The distance that the centroid moved.
    var distance: Double
    /// The change of the span.
    var spread: Double
    /// The length of the arc around the centroid.
    var arc: Double
}
