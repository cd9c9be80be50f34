// SPDX-License-Identifier: MIT

/// The drawn shape of a region, in millimetres on the glass. Half-open, so that every point on the edge between two
/// abutting shapes belongs to exactly one of them.
package enum Shape: Hashable, Sendable {
    case rectangle(Rectangle)
    case circle(center: Point, radius: Double)
    /// At least three corners, the last of which is joined to the first. Filled by the even-odd rule.
    case polygon([Point])
}

extension Shape {
    /// The smallest rectangle around the shape.
    package var boundingBox: Rectangle {
        switch self {
        case .rectangle(let rectangle):
            return rectangle
        case .circle(let center, let radius):
            return Rectangle(
                minX: center.x - radius, minY: center.y - radius, maxX: center.x + radius, maxY: center.y + radius)
        case .polygon(let corners):
            guard let first = corners.first else { return Rectangle(minX: 0, minY: 0, maxX: 0, maxY: 0) }
            var box = Rectangle(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
            for corner in corners {
                box.minX = min(box.minX, corner.x)
                box.minY = min(box.minY, corner.y)
                box.maxX = max(box.maxX, corner.x)
                box.maxY = max(box.maxY, corner.y)
            }
            return box
        }
    }

    /// Whether the drawn shape contains the point. Left and top edges belong to the shape; right and bottom edges and
    /// the edge of a circle do not.
    package func contains(_ point: Point) -> Bool {
        switch self {
        case .rectangle(let rectangle): rectangle.contains(point)
        case .circle(let center, let radius): (point - center).squaredLength < radius * radius
        case .polygon(let corners): Self.isInside(point, corners)
        }
    }

    /// The distance of a point from the shape in millimetres; 0 inside.
    package func distance(to point: Point) -> Double {
        switch self {
        case .rectangle(let rectangle):
            let dx = max(rectangle.minX - point.x, 0, point.x - rectangle.maxX)
            let dy = max(rectangle.minY - point.y, 0, point.y - rectangle.maxY)
            return Vector(dx: dx, dy: dy).length
        case .circle(let center, let radius):
            return max(0, (point - center).length - radius)
        case .polygon(let corners):
            return Self.isInside(point, corners) ? 0 : Self.distance(point, corners)
        }
    }

    /// Even-odd rule with a ray to the right. An edge spans `[lower y, upper y)`.
    private static func isInside(_ point: Point, _ corners: [Point]) -> Bool {
        guard var a = corners.last else { return false }
        var inside = false
        for b in corners {
            if (a.y > point.y) != (b.y > point.y) {
                let x = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
                if point.x < x { inside.toggle() }
            }
            a = b
        }
        return inside
    }

    private static func distance(_ point: Point, _ corners: [Point]) -> Double {
        guard var a = corners.last else { return 0 }
        var nearest = Double.infinity
        for b in corners {
            let edge = b - a
            let offset = point - a
            let length = edge.squaredLength
            let t = length > 0 ? min(1, max(0, (offset.dx * edge.dx + offset.dy * edge.dy) / length)) : 0
            nearest = min(nearest, (offset - edge * t).squaredLength)
            a = b
        }
        return nearest.squareRoot()
    }
}
