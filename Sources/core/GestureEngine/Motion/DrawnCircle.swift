// SPDX-License-Identifier: MIT
import CMath

/// The circle that a finger draws, estimated from marks along its path.
///
/// Before the dial begins, a mark has the direction of the path there, and a finger draws a circle if this direction has
/// turned far enough, without corners, along a path that is nearly round. Afterwards, a mark has the rotation of the dial,
/// and the circle is that of the last full turn, so that it follows a hand that drifts.
///
/// A class, so that its marks are never copied.
final class DrawnCircle {
    private struct Mark: BitwiseCopyable {
        var position = Point.zero
        /// In radians, clockwise positive, not wrapped.
        var turn = 0.0
    }

    /// The result of comparing the path with a circle.
    enum Verdict {
        case pending
        /// The finger draws a circle, and has turned by `turn` radians on it.
        case circle(center: Point, turn: Double)
        case reject(GestureFailure)
    }

    /// The distance between two marks in millimetres. A finger that trembles by 0.2 mm changes the direction by 4°.
    private static let spacing = 4.0
    /// The turn of the path from one mark to the next, in radians, that is a corner. It is half of that on the smallest
    /// circle that people draw, with a radius of 6 mm.
    private static let corner = 1.3
    /// The fewest marks that show a circle.
    private static let fewest = 4
    /// The largest distance of a mark from the circle: a part of the radius, and the tremble in millimetres.
    private static let roughness = (part: 0.12, tremble: 0.3)
    /// The part by which the radius may be larger than the length of the path shows. It is larger if corners, which are
    /// round, join straight lines.
    private static let flatness = 0.2

    /// A ring buffer for a full turn on a circle of 40 mm; on a larger circle, for a part of it.
    private var marks = [64 of Mark](repeating: Mark())
    private var count = 0
    private var newest = 0
    private let least: Double
    private let minRadius: Double
    /// The range of the direction since the last corner.
    private var low = 0.0
    private var high = 0.0
    /// The largest turn without a corner. Radians, clockwise positive.
    private(set) var widest = 0.0
    private var miss: GestureFailure?
    /// The opposite corners of the path's bounding box.
    private var (topLeft, bottomRight) = (Point.zero, Point.zero)

    /// - Parameters:
    ///   - least: the turn in degrees that shows a circle.
    ///   - minRadius: the smallest radius in millimetres.
    init(least: Double, minRadius: Double) {
        (self.least, self.minRadius) = (least, minRadius)
    }

    // MARK: Before the dial begins

    /// The reason why the path is not a circle.
    var failure: GestureFailure {
        if let miss { return miss }
        let radius = max(bottomRight.x - topLeft.x, bottomRight.y - topLeft.y) / 2
        return DialSettings.leastDrawnRadius.exceeds(radius)
            ? GestureFailure(.smallSpan, value: radius, limit: DialSettings.leastDrawnRadius, isFixed: true)
            : GestureFailure(
                .smallTurn, value: widest.magnitude * 180 / .pi, limit: least, isFixed: least == DialSettings.leastDrawn
            )
    }

    func restart(at point: Point) {
        (count, widest, miss) = (0, 0, nil)
        (topLeft, bottomRight) = (point, point)
        startOver(at: point)
    }

    func follow(_ point: Point) {
        topLeft = Point(x: min(topLeft.x, point.x), y: min(topLeft.y, point.y))
        bottomRight = Point(x: max(bottomRight.x, point.x), y: max(bottomRight.y, point.y))
        guard let turn = turn(at: point) else { return }
        let last = mark(0).position
        guard (turn - mark(0).turn).magnitude <= Self.corner else {
            startOver(at: last)
            return add(Mark(position: point))
        }
        if case .reject(let failure) = verdict(at: point) { miss = failure }
        add(Mark(position: point, turn: turn))
        (low, high) = (min(low, turn), max(high, turn))
        if turn - low > widest.magnitude { widest = turn - low }
        if high - turn > widest.magnitude { widest = turn - high }
    }

    /// Whether the path to `point` is a circle.
    func verdict(at point: Point) -> Verdict {
        guard let turn = turn(at: point), (turn - mark(0).turn).magnitude <= Self.corner else { return .pending }
        for age in stride(from: Self.fewest - 2, to: count, by: 1) {
            let turned = turn - mark(age).turn
            if turned.magnitude * 180 / .pi >= least { return compare(point, turned, with: age) }
        }
        return .pending
    }

    /// The direction of the path at a point that is far enough for the next mark.
    private func turn(at point: Point) -> Double? {
        let last = mark(0)
        let leg = point - last.position
        guard leg.squaredLength >= Self.spacing * Self.spacing else { return nil }
        guard count > 1 else { return 0 }
        let before = last.position - mark(1).position
        return last.turn
            + math_atan2(before.dx * leg.dy - before.dy * leg.dx, before.dx * leg.dx + before.dy * leg.dy)
    }

    /// Compares the path from the mark of an age to `point` with the circle that fits it best.
    private func compare(_ point: Point, _ turned: Double, with age: Int) -> Verdict {
        guard let center = center(near: point, upTo: age) else { return .pending }
        var (length, sum) = (0.0, (point - center).length)
        var (nearest, farthest) = (sum, sum)
        var last = point
        for age in 0...age {
            let position = mark(age).position
            let distance = (position - center).length
            length += (position - last).length
            sum += distance
            (nearest, farthest) = (min(nearest, distance), max(farthest, distance))
            last = position
        }
        let radius = sum / Double(age + 2)
        if minRadius.exceeds(radius) {
            let isFixed = minRadius == DialSettings.leastDrawnRadius
            return .reject(GestureFailure(.smallSpan, value: radius, limit: minRadius, isFixed: isFixed))
        }
        let shown = length / turned.magnitude
        if let failure = Self.failure(
            max(radius - nearest, farthest - radius), radius * Self.roughness.part + Self.roughness.tremble)
            ?? Self.failure(radius - shown, shown * Self.flatness)
        {
            return .reject(failure)
        }
        return .circle(center: center, turn: turned)
    }

    private static func failure(_ straying: Double, _ limit: Double) -> GestureFailure? {
        straying.exceeds(limit) ? GestureFailure(.notRound, value: straying, limit: limit) : nil
    }

    private func startOver(at point: Point) {
        (count, low, high) = (0, 0, 0)
        add(Mark(position: point))
    }

    // MARK: After it has begun

    /// Begins the rotation at `point`, which is on a circle around `center`.
    func begin(at point: Point, around center: Point) {
        add(Mark(position: point))
        var turn = 0.0
        for age in 1..<count {
            let (from, to) = (mark(age - 1).position - center, mark(age).position - center)
            turn += math_atan2(from.dx * to.dy - from.dy * to.dx, from.dx * to.dx + from.dy * to.dy)
            marks[place(age)].turn = turn
        }
    }

    /// Continues the path with a rotation.
    /// - Returns: the centre, if it has changed.
    func follow(_ point: Point, turn: Double) -> Point? {
        guard (point - mark(0).position).squaredLength >= Self.spacing * Self.spacing else { return nil }
        defer { add(Mark(position: point, turn: turn)) }
        var age = 0
        while age + 1 < count, (turn - mark(age + 1).turn).magnitude <= 2 * .pi { age += 1 }
        return age + 2 < Self.fewest ? nil : center(near: point, upTo: age)
    }

    // MARK: Marks

    private func place(_ age: Int) -> Int {
        let place = newest - age
        return place >= 0 ? place : place + marks.count
    }

    /// The mark `age` positions before the newest.
    private func mark(_ age: Int) -> Mark { marks[place(age)] }

    private func add(_ mark: Mark) {
        newest = newest + 1 == marks.count ? 0 : newest + 1
        count = min(count + 1, marks.count)
        marks[newest] = mark
    }

    /// The centre of the circle through `point` and the marks up to an age, by least squares (Kåsa's fit); `nil` if they
    /// are on a line.
    private func center(near point: Point, upTo age: Int) -> Point? {
        // The sums are relative to `point`, which is the first of the fitted points.
        var (sum, squares, product) = (Vector.zero, Vector.zero, 0.0)
        var (moment, square) = (Vector.zero, 0.0)
        for place in 0...age {
            let offset = mark(place).position - point
            let length = offset.squaredLength
            sum = sum + offset
            squares = squares + Vector(dx: offset.dx * offset.dx, dy: offset.dy * offset.dy)
            product += offset.dx * offset.dy
            moment = moment + offset * length
            square += length
        }
        let mean = sum * (1 / Double(age + 2))
        let (a, b, c) = (squares.dx - sum.dx * mean.dx, product - sum.dx * mean.dy, squares.dy - sum.dy * mean.dy)
        let half = (moment - mean * square) * 0.5
        let determinant = a * c - b * b
        guard determinant > (a + c) * (a + c) * 1e-6 else { return nil }
        return point + Vector(dx: half.dx * c - half.dy * b, dy: half.dy * a - half.dx * b) * (1 / determinant)
    }
}
