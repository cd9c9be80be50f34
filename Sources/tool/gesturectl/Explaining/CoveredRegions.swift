// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine

/// The size of a panel's output pixels on the glass.
struct PixelSize: Hashable {
    /// Width and height in millimetres.
    var width = 1.0
    var height = 1.0

    init() {}

    /// - Returns: `nil` if a number of the output makes no sense.
    init?(_ output: GestureClient.Output) {
        (width, height) = (output.physicalWidth / output.width, output.physicalHeight / output.height)
        guard width.isFinite, height.isFinite, width > 0, height > 0 else { return nil }
    }

    init(_ size: PanelSize) { (width, height) = (size.millimetersPerPixelX, size.millimetersPerPixelY) }

    /// Returns the position on the glass of a position in output pixels.
    func onGlass(_ point: GestureClient.Point) -> Point { Point(x: point.x * width, y: point.y * height) }

    /// Returns the shape on the glass of a shape in output pixels. The radius of a circle is that of its width.
    fileprivate func onGlass(_ shape: GestureClient.Shape) -> Shape {
        switch shape {
        case .rectangle(let x, let y, let width, let height):
            .rectangle(
                Rectangle(
                    minX: x * self.width, minY: y * self.height, maxX: (x + width) * self.width,
                    maxY: (y + height) * self.height))
        case .circle(let center, let radius): .circle(center: onGlass(center), radius: radius * width)
        case .polygon(let corners): .polygon(corners.map(onGlass))
        }
    }
}

extension [GestureClient.Region] {
    /// The distance from the edge of a shape, in output pixels, up to which it is not certain that a point lies in the
    /// shape. Positions and shapes are rounded to tenths of a pixel.
    private static let rounding = 0.15

    /// Returns the regions that lie below a region at a point, topmost first: without the regions around that region and
    /// in it, and without regions that own no contacts.
    /// - Parameter self: all regions, from bottom to top.
    func covered(
        by owner: String, on device: String, at point: GestureClient.Point, _ pixel: PixelSize
    ) -> [GestureClient.Region] {
        let members = filter { $0.device == device }
        guard let place = members.firstIndex(where: { $0.id == owner }) else { return [] }
        let around = members.ancestors(of: members[place])
        return members[..<place].reversed().filter { region in
            let ancestors = members.ancestors(of: region)
            let isOutside = !around.contains(region) && !ancestors.contains(members[place])
            return isOutside && !region.isPass && ([region] + ancestors).allSatisfy(\.isEnabled)
                && Self.isCertain(point) { region.isDrawn(at: pixel.onGlass($0), in: ancestors, pixel) }
        }
    }

    /// The regions around a region on its panel, from the inside out. Circular parents end the list.
    func ancestors(of region: GestureClient.Region) -> [GestureClient.Region] {
        var ancestors: [GestureClient.Region] = []
        var next = region.parent
        while let id = next, let parent = first(where: { $0.id == id && $0.device == region.device }),
            !ancestors.contains(parent)
        {
            ancestors.append(parent)
            next = parent.parent
        }
        return ancestors
    }

    /// Whether something holds for all points near a point, which may have been rounded.
    private static func isCertain(
        _ point: GestureClient.Point, _ holds: (GestureClient.Point) -> Bool
    ) -> Bool {
        [-rounding, rounding].allSatisfy { dx in
            [-rounding, rounding].allSatisfy { dy in holds(.init(x: point.x + dx, y: point.y + dy)) }
        }
    }
}

extension GestureClient.Region {
    /// Whether the shape contains the point. A region is clipped to the bounding boxes of those around it.
    fileprivate func isDrawn(at point: Point, in ancestors: [GestureClient.Region], _ pixel: PixelSize) -> Bool {
        func shape(_ region: GestureClient.Region) -> Shape? { region.shape.map { pixel.onGlass($0) } }
        return shape(self)?.contains(point) == true
            && ancestors.allSatisfy { shape($0)?.boundingBox.contains(point) == true }
    }
}
