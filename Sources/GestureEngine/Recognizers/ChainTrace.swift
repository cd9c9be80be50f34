// SPDX-License-Identifier: MIT

/// Finds the segments of a movement while it is drawn, in constant memory.
///
/// For each direction, a corner is remembered: the point after which the finger has moved more in that direction than in
/// the direction of the current segment. A new segment is found when the finger has moved far enough from a corner. A
/// hook, a rounded corner, or a tremor is shorter than a segment, so it is never found.
struct ChainTrace {
    /// The distance in millimetres over which the latest movement is measured, at least.
    private static let lag = 2.0
    /// A movement in a direction deviates from it by at most 30°, or 15° with diagonals. A loop passes through the
    /// directions between two segments more quickly than it becomes a segment of its own.
    private static let (cosine, cosineWithDiagonals) = (0.866_025_403_784_438_7, 0.965_925_826_289_068_3)

    /// The segments found so far, in order.
    private(set) var drawn = DirectionList()
    /// The movement before the first segment.
    private(set) var lead = Vector.zero
    private let start: Point
    private let minSegment: Double
    private let sectors: SwipeSectors
    /// The corner of each direction, by its raw value.
    private var corners: [8 of Point]
    private var position: Point
    /// Two earlier positions, at least `lag` apart.
    private var older: Point
    private var newer: Point

    init(at position: Point, _ sectors: SwipeSectors, minSegment: Double) {
        start = position
        self.minSegment = minSegment
        self.sectors = sectors
        corners = [8 of Point](repeating: position)
        (self.position, older, newer) = (position, position, position)
    }

    /// Continues to a position. Repeating the last position changes nothing.
    mutating func follow(_ position: Point) {
        self.position = position
        if !Self.lag.exceeds((position - newer).length) { (older, newer) = (newer, position) }
        let current = drawn.last
        for direction in sectors.all where direction != current {
            let moved = position - corners[Int(direction.rawValue)]
            let straight = current.map { moved.component(along: $0.unit) } ?? 0
            if !moved.component(along: direction.unit).exceeds(straight) { corners[Int(direction.rawValue)] = position }
        }
        let heading = position - older
        guard heading != .zero else { return }
        let direction = sectors.nearest(heading)
        guard direction != current, isSegment(length(towards: direction), direction, heading) else {
            return
        }
        if drawn.isEmpty { lead = corners[Int(direction.rawValue)] - start }
        drawn.append(direction)
        corners = [8 of Point](repeating: position)
    }

    /// Whether the movement from a corner is a segment. The first movement, and one of two lengths, need not be straight.
    private func isSegment(_ length: Double, _ direction: SwipeDirection, _ heading: Vector) -> Bool {
        guard !minSegment.exceeds(length) else { return false }
        if drawn.isEmpty || !(2 * minSegment).exceeds(length) { return true }
        let cosine = sectors.hasDiagonals ? Self.cosineWithDiagonals : Self.cosine
        return heading.component(along: direction.unit) >= cosine * heading.length
    }

    /// The length of the movement after the corner of a direction, in millimetres; 0 if it has another direction.
    func length(towards direction: SwipeDirection) -> Double {
        let moved = position - corners[Int(direction.rawValue)]
        return sectors.nearest(moved) == direction ? moved.length : 0
    }

    /// The length of the longest movement that is not a segment yet, in millimetres.
    var longest: Double { sectors.all.reduce(0) { max($0, length(towards: $1)) } }
}
