// SPDX-License-Identifier: MIT

/// Hit tests of a single region.
extension Region {
    /// Whether the clipped shape contains the point.
    package func isDrawn(at point: Point) -> Bool {
        clip.contains(point) && shape.contains(point)
    }

    func isInMargin(_ point: Point) -> Bool {
        shape.distance(to: point) <= margin
    }

    /// Whether the drawn shape certainly covers the whole cell.
    func covers(_ cell: Rectangle) -> Bool {
        guard clip.covers(cell) else { return false }
        switch shape {
        case .rectangle(let rectangle): return rectangle.covers(cell)
        case .circle(let center, let radius):
            // Compares with the farthest corner.
            let (dx, dy) = (
                max(center.x - cell.minX, cell.maxX - center.x), max(center.y - cell.minY, cell.maxY - center.y)
            )
            return dx * dx + dy * dy < radius * radius
        case .polygon: return false
        }
    }
}

extension Rectangle {
    fileprivate func covers(_ other: Rectangle) -> Bool {
        minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
    }
}
