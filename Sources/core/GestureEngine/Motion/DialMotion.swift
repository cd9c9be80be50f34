// SPDX-License-Identifier: MIT
import CMath

/// The movement of a finger around a centre.
struct DialMotion: Hashable, Sendable {
    private(set) var position: Point
    /// The angle by which the finger has turned since it landed. Radians, clockwise positive, not wrapped.
    private(set) var turn = 0.0
    /// The largest distance from the centre since the landing, in millimetres.
    private(set) var reach: Double
    /// Whether the angle is judged at the current position.
    private(set) var isJudged: Bool
    /// The turn, the length of the arc in millimetres, and the smallest and the largest distance from the centre, since
    /// the last `rebase`.
    private(set) var turned = 0.0
    private(set) var arc = 0.0
    private var distances: ClosedRange<Double>

    /// - Parameter minRadius: the distance from the centre in millimetres within which the angle is not judged.
    init(at position: Point, around center: Point, minRadius: Double) {
        self.position = position
        reach = (position - center).length
        isJudged = !minRadius.exceeds(reach)
        distances = reach...reach
    }

    /// The length in millimetres of the movement towards the centre or away from it.
    var radial: Double { distances.upperBound - distances.lowerBound }

    /// The movement after the finger has moved to `point`.
    ///
    /// A movement that comes nearer to the centre than `minRadius` does not turn the finger, because an angle so near to
    /// the centre means nothing: a finger that crosses the centre has not turned by 180°. A leap does not turn it either.
    func following(_ point: Point, around center: Point, minRadius: Double, isLeap: Bool) -> DialMotion {
        var motion = self
        let (from, to) = (position - center, point - center)
        let radius = to.length
        motion.position = point
        motion.reach = max(reach, radius)
        motion.isJudged = !minRadius.exceeds(radius)
        guard !isLeap, !minRadius.exceeds(Self.distance(from, to)) else {
            motion.rebase(around: center)
            return motion
        }
        let angle = math_atan2(from.dx * to.dy - from.dy * to.dx, from.dx * to.dx + from.dy * to.dy)
        motion.turn += angle
        motion.turned += angle
        motion.arc += angle * (from.length + radius) / 2
        motion.distances = min(distances.lowerBound, radius)...max(distances.upperBound, radius)
        return motion
    }

    /// Measures the turn that may begin the dial from the current position.
    mutating func rebase(around center: Point) {
        let radius = (position - center).length
        (turned, arc, distances) = (0, 0, radius...radius)
    }

    /// The distance of the origin from the line between two points.
    private static func distance(_ from: Vector, _ to: Vector) -> Double {
        let way = to - from
        let length = way.squaredLength
        guard length > 0 else { return from.length }
        let part = min(1, max(0, -(from.dx * way.dx + from.dy * way.dy) / length))
        return (from + way * part).length
    }
}
