// SPDX-License-Identifier: MIT
import GestureEngine

/// Where a point lies in its parent.
struct PointRule: Hashable, Sendable {
    var x: Length
    var y: Length

    static func read(_ key: String, _ value: TomlValue, _ check: ValueReader) -> Self? {
        guard let values = check.array(key, of: "two lengths", value) else { return nil }
        guard values.count == 2 else {
            check.report.error(.badValue, "\(key) must be [x, y], not \(values.count) values", at: value.region)
            return nil
        }
        guard let x = check.coordinate("x", values[0]), let y = check.coordinate("y", values[1]) else { return nil }
        return PointRule(x: x, y: y)
    }
}

/// `[x, y, w, h]`.
struct RectangleRule: Hashable, Sendable {
    var x: Length
    var y: Length
    var width: Length
    var height: Length

    static func read(_ key: String, _ value: TomlValue, _ check: ValueReader) -> Self? {
        guard let values = check.array(key, of: "four lengths", value) else { return nil }
        guard values.count == 4 else {
            check.report.error(
                .badValue, "\(key) must be [x, y, width, height], not \(values.count) values", at: value.region)
            return nil
        }
        let (x, y) = (check.coordinate("x", values[0]), check.coordinate("y", values[1]))
        let (width, height) = (check.extent("width", values[2]), check.extent("height", values[3]))
        guard let x, let y, let width, let height else { return nil }
        return RectangleRule(x: x, y: y, width: width, height: height)
    }

    func box(_ scale: LengthScale) -> PixelBox {
        let (left, top) = (scale.parent.minX + scale.pixelsX(x), scale.parent.minY + scale.pixelsY(y))
        return PixelBox(
            minX: left, minY: top, maxX: left + scale.pixelsX(width), maxY: top + scale.pixelsY(height))
    }
}

/// A strip along one side of the parent.
struct EdgeRule: Hashable, Sendable {
    enum Side: String, Hashable, Sendable, CaseIterable {
        case left, right, top, bottom
    }

    var side: Side
    var width: Length
    /// Along the side, from its left or upper end.
    var from = Length.percent(0)
    var to = Length.percent(100)

    func box(_ scale: LengthScale) -> PixelBox {
        let parent = scale.parent
        let (fromX, toX) = (parent.minX + scale.pixelsX(from), parent.minX + scale.pixelsX(to))
        let (fromY, toY) = (parent.minY + scale.pixelsY(from), parent.minY + scale.pixelsY(to))
        switch side {
        case .left:
            return PixelBox(minX: parent.minX, minY: fromY, maxX: parent.minX + scale.pixelsX(width), maxY: toY)
        case .right:
            return PixelBox(minX: parent.maxX - scale.pixelsX(width), minY: fromY, maxX: parent.maxX, maxY: toY)
        case .top:
            return PixelBox(minX: fromX, minY: parent.minY, maxX: toX, maxY: parent.minY + scale.pixelsY(width))
        case .bottom:
            return PixelBox(minX: fromX, minY: parent.maxY - scale.pixelsY(width), maxX: toX, maxY: parent.maxY)
        }
    }
}

/// A region's shape as the configuration gives it.
enum ShapeRule: Hashable, Sendable {
    case full
    case rectangle(RectangleRule)
    case circle(center: PointRule, radius: Length)
    case polygon([PointRule])
    case edge(EdgeRule)

    var lengths: [Length] {
        switch self {
        case .full: []
        case .rectangle(let rule): [rule.x, rule.y, rule.width, rule.height]
        case .circle(let center, let radius): [center.x, center.y, radius]
        case .polygon(let corners): corners.flatMap { [$0.x, $0.y] }
        case .edge(let rule): [rule.width, rule.from, rule.to]
        }
    }
}
