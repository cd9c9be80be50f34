// SPDX-License-Identifier: MIT

import CMath

/// Tells which named direction a movement has.
///
/// The circle is tiled by four sectors of 90°, or by eight of 45° when a diagonal is among the
/// directions. A tie falls to the horizontal one, then to the vertical one: no dead angles.
struct SwipeSectors: Hashable, Sendable {
    /// tan 22.5°: where a sector of 45° around an axis ends.
    private static let tangent = 0.414_213_562_373_095_03

    private let directions: [SwipeDirection]
    private let hasDiagonals: Bool

    init(_ directions: [SwipeDirection]) {
        self.directions = directions
        hasDiagonals = directions.contains { $0.isDiagonal }
    }

    /// The direction of a movement (y down), or `nil` when it is not among those wanted or
    /// deviates by more than `maxDeviation` degrees.
    func direction(_ moved: Vector, maxDeviation: Double?) -> SwipeDirection? {
        let direction = hasDiagonals ? Self.eighth(moved) : Self.quarter(moved)
        guard directions.contains(direction) else { return nil }
        guard let maxDeviation else { return direction }
        return Self.deviation(moved, from: direction) <= maxDeviation ? direction : nil
    }

    /// Why a movement has none of the directions: how many degrees it is off the nearest of them.
    func failure(_ moved: Vector, maxDeviation: Double?) -> GestureFailure {
        var nearest = 180.0
        for direction in directions { nearest = min(nearest, Self.deviation(moved, from: direction)) }
        let half = hasDiagonals ? 22.5 : 45
        return GestureFailure(.wrongDirection, value: nearest, limit: min(maxDeviation ?? half, half))
    }

    private static func deviation(_ moved: Vector, from direction: SwipeDirection) -> Double {
        let deviation = (angle(moved) - direction.angle).magnitude
        return deviation > 180 ? 360 - deviation : deviation
    }

    /// Degrees, 0 is right, counter-clockwise, y up; above -180, at most 180.
    static func angle(_ moved: Vector) -> Double {
        let degrees = math_atan2(-moved.dy, moved.dx) * (180 / Double.pi)
        return degrees <= -180 ? 180 : degrees
    }

    private static func quarter(_ moved: Vector) -> SwipeDirection {
        moved.dx.magnitude >= moved.dy.magnitude ? horizontal(moved) : vertical(moved)
    }

    private static func eighth(_ moved: Vector) -> SwipeDirection {
        let dx = moved.dx.magnitude
        let dy = moved.dy.magnitude
        if dy <= dx * tangent { return horizontal(moved) }
        if dx <= dy * tangent { return vertical(moved) }
        if moved.dy < 0 { return moved.dx < 0 ? .upLeft : .upRight }
        return moved.dx < 0 ? .downLeft : .downRight
    }

    private static func horizontal(_ moved: Vector) -> SwipeDirection { moved.dx < 0 ? .left : .right }
    private static func vertical(_ moved: Vector) -> SwipeDirection { moved.dy < 0 ? .up : .down }
}

extension SwipeDirection {
    var isDiagonal: Bool {
        switch self {
        case .left, .right, .up, .down: false
        case .upLeft, .upRight, .downLeft, .downRight: true
        }
    }

    /// Degrees, counter-clockwise from the right, y up.
    var angle: Double {
        switch self {
        case .right: 0
        case .upRight: 45
        case .up: 90
        case .upLeft: 135
        case .left: 180
        case .downLeft: -135
        case .down: -90
        case .downRight: -45
        }
    }
}
