// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

extension ShapeRule {
    /// Returns the shape on the glass, and the bounding box to which children are relative.
    func resolved(_ scale: LengthScale) -> (shape: Shape, box: PixelBox) {
        switch self {
        case .full: Self.rectangle(scale.parent, scale)
        case .rectangle(let rule): Self.rectangle(rule.box(scale), scale)
        case .edge(let rule): Self.rectangle(rule.box(scale), scale)
        case .circle(let center, let radius):
            Self.bounded(.circle(center: center.point(scale), radius: scale.millimeters(radius)), scale)
        case .polygon(let corners):
            Self.bounded(.polygon(corners.map { $0.point(scale) }), scale)
        }
    }

    private static func rectangle(_ box: PixelBox, _ scale: LengthScale) -> (shape: Shape, box: PixelBox) {
        (.rectangle(box.rectangle(scale.panel)), box)
    }

    private static func bounded(_ shape: Shape, _ scale: LengthScale) -> (shape: Shape, box: PixelBox) {
        let bounds = shape.boundingBox
        let (x, y) = (scale.panel.millimetersPerPixelX, scale.panel.millimetersPerPixelY)
        return (
            shape, PixelBox(minX: bounds.minX / x, minY: bounds.minY / y, maxX: bounds.maxX / x, maxY: bounds.maxY / y)
        )
    }
}

extension PointRule {
    /// Returns the point on the glass, on the grid of 1/1024 px.
    func point(_ scale: LengthScale) -> Point {
        let x = PixelBox.snapped(scale.parent.minX + scale.pixelsX(self.x))
        let y = PixelBox.snapped(scale.parent.minY + scale.pixelsY(self.y))
        return Point(x: x * scale.panel.millimetersPerPixelX, y: y * scale.panel.millimetersPerPixelY)
    }
}
