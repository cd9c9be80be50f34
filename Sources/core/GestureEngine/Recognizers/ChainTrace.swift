// SPDX-License-Identifier: MIT

/// Finds the segments of a movement while it is drawn, in constant memory.
///
/// For each direction, a corner is remembered: the point after which the finger has moved more in that direction than in
/// the direction of the current segment. A new segment is found when the finger has moved far enough from a corner, and
/// its latest movement is straight enough. A hook, a rounded corner, or a tremor is shorter than a segment, and the arc of
/// a thumb ends between two directions, so they are never found.
struct ChainTrace {
    /// The distance in millimetres over which the latest movement is measured, at least. With less, the tremor of a finger
    /// changes its direction.
    private static let lag = 3.0
    /// The cosines of the angles by which the latest movement of a segment, and the whole segment, may deviate from its
    /// direction: 30° and 35°. The arc of a thumb turns slowly, so that it deviates by more even if its end does not.
    private static let wide = (heading: 0.866_025_403_784_438_7, way: 0.819_152_044_288_991_8)
    /// With diagonals, the angles of segments after the first one are 15° and 17.5°. A loop passes through the directions
    /// between two segments more quickly than it becomes a segment of its own.
    private static let narrow = (heading: 0.965_925_826_289_068_3, way: 0.953_716_950_748_226_9)

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
    /// Two earlier positions, at least `lag` apart; at first both are where it began.
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
        guard direction != current, !minSegment.exceeds(length(towards: direction)), isStraight(heading, direction)
        else { return }
        if drawn.isEmpty { lead = corners[Int(direction.rawValue)] - start }
        drawn.append(direction)
        corners = [8 of Point](repeating: position)
    }

    /// Whether the movement from the corner of a direction, and its end, deviate little from that direction.
    private func isStraight(_ heading: Vector, _ direction: SwipeDirection) -> Bool {
        let least = sectors.hasDiagonals && !drawn.isEmpty ? Self.narrow : Self.wide
        func deviates(_ moved: Vector, _ cosine: Double) -> Bool {
            (cosine * moved.length).exceeds(moved.component(along: direction.unit))
        }
        let way = position - corners[Int(direction.rawValue)]
        return !deviates(heading, least.heading) && !deviates(way, least.way)
    }

    /// The length of the movement after the corner of a direction, in millimetres; 0 if it has another direction.
    func length(towards direction: SwipeDirection) -> Double {
        let moved = position - corners[Int(direction.rawValue)]
        return sectors.nearest(moved) == direction ? moved.length : 0
    }

    /// The length of the longest movement that is not a segment yet, in millimetres.
    var longest: Double { sectors.all.reduce(0) { max($0, length(towards: $1)) } }
}
