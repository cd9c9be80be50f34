// SPDX-License-Identifier: MIT
import CMath

/// How several contacts lie: where, how wide apart, and how far they have turned together.
struct GroupMotion: Hashable, Sendable {
    var centroid = Point.zero
    /// Twice the mean distance of the contacts from their centroid, in millimetres.
    var span = 0.0
    /// Of the line between the two oldest contacts since the sequence began, in radians, clockwise
    /// positive; not wrapped at half a turn.
    var turn = 0.0
    /// The direction of that line when it was last looked at; `nil` until it has one: two contacts in
    /// one place have none.
    private var angle: Double?

    /// Where the contacts are now, after they have moved.
    @inline(__always)  // because most groups are of one contact, for which little is to be done
    func following(_ group: ContactGroup) -> GroupMotion {
        var motion = self
        motion.centroid = group.centroid
        guard group.count > 1 else { return motion }
        motion.span = group.span
        guard let now = Self.angle(group.axis) else { return motion }
        if let angle { motion.turn += Self.wrapped(now - angle) }
        motion.angle = now
        return motion
    }

    /// Where the contacts are now, after one has joined or left: that turned nothing.
    func rebased(_ group: ContactGroup) -> GroupMotion {
        var motion = self
        motion.centroid = group.centroid
        motion.span = group.count > 1 ? group.span : 0
        motion.angle = group.count > 1 ? Self.angle(group.axis) : nil
        return motion
    }

    /// What moved since `base`.
    ///
    /// The arc is that of the span at `base`: so a finger that goes straight past another is always
    /// more of a drag, and one on a circle around another always more of a rotation.
    func since(_ base: GroupMotion) -> GroupTravel {
        GroupTravel(
            distance: (centroid - base.centroid).length, spread: (span - base.span).magnitude,
            arc: (turn - base.turn).magnitude * base.span / 2)
    }

    private static func angle(_ axis: Vector) -> Double? {
        axis == .zero ? nil : math_atan2(axis.dy, axis.dx)
    }

    /// The same angle in -π…π.
    private static func wrapped(_ angle: Double) -> Double {
        if angle > .pi { return angle - 2 * .pi }
        return angle < -.pi ? angle + 2 * .pi : angle
    }
}

/// The three ways in which contacts move together, all in millimetres: the largest wins.
struct GroupTravel: Hashable, Sendable {
    /// Of the centroid.
    var distance: Double
    /// Change of the span.
    var spread: Double
    /// On the circle around the centroid.
    var arc: Double
}
