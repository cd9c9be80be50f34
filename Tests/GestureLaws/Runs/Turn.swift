// SPDX-License-Identifier: MIT
import GestureEngine

/// Another orientation of the glass.
enum Turn {
    /// Rotated clockwise by 90 degrees.
    case rotated
    /// Left and right are swapped.
    case mirrored

    func point(_ point: Point, _ size: Vector) -> Point {
        switch self {
        case .rotated: Point(x: size.dy - point.y, y: point.x)
        case .mirrored: Point(x: size.dx - point.x, y: point.y)
        }
    }

    func size(_ size: Vector) -> Vector {
        switch self {
        case .rotated: Vector(dx: size.dy, dy: size.dx)
        case .mirrored: size
        }
    }

    func box(_ box: Rectangle, _ size: Vector) -> Rectangle {
        switch self {
        case .rotated:
            Rectangle(minX: size.dy - box.maxY, minY: box.minX, maxX: size.dy - box.minY, maxY: box.maxX)
        case .mirrored:
            Rectangle(minX: size.dx - box.maxX, minY: box.minY, maxX: size.dx - box.minX, maxY: box.maxY)
        }
    }

    func shape(_ shape: Shape, _ size: Vector) -> Shape {
        switch shape {
        case .rectangle(let box): .rectangle(self.box(box, size))
        case .circle(let center, let radius): .circle(center: point(center, size), radius: radius)
        case .polygon(let corners): .polygon(corners.map { point($0, size) })
        }
    }

    func settings(_ settings: GestureSettings) -> GestureSettings {
        switch settings {
        case .drag(var drag):
            if self == .rotated {
                drag.axis =
                    switch drag.axis {
                    case .any: .any
                    case .horizontal: .vertical
                    case .vertical: .horizontal
                    }
            }
            return .drag(drag)
        case .swipe(var swipe):
            swipe.directions = swipe.directions.map { direction($0) }
            return .swipe(swipe)
        case .chain(var chain):
            chain.path = chain.path.map { direction($0) }
            return .chain(chain)
        case .stroke(var stroke):
            stroke.templates = stroke.templates.map { template in
                StrokeTemplate(template.points.map { point($0, Vector(dx: 0, dy: 0)) })
            }
            return .stroke(stroke)
        case .dial(var dial) where self == .mirrored && dial.directions.count == 1:
            dial.directions = dial.directions == [.clockwise] ? [.counterclockwise] : [.clockwise]
            return .dial(dial)
        case .rotate(var rotate) where self == .mirrored && rotate.directions.count == 1:
            rotate.directions = rotate.directions == [.clockwise] ? [.counterclockwise] : [.clockwise]
            return .rotate(rotate)
        default: return settings
        }
    }

    func direction(_ direction: SwipeDirection) -> SwipeDirection {
        switch (self, direction) {
        case (.rotated, .right): .down
        case (.rotated, .down): .left
        case (.rotated, .left): .up
        case (.rotated, .up): .right
        case (.rotated, .upRight): .downRight
        case (.rotated, .downRight): .downLeft
        case (.rotated, .downLeft): .upLeft
        case (.rotated, .upLeft): .upRight
        case (.mirrored, .right): .left
        case (.mirrored, .left): .right
        case (.mirrored, .upRight): .upLeft
        case (.mirrored, .upLeft): .upRight
        case (.mirrored, .downRight): .downLeft
        case (.mirrored, .downLeft): .downRight
        case (.mirrored, .up): .up
        case (.mirrored, .down): .down
        }
    }
}
