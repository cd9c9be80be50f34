// SPDX-License-Identifier: MIT
import GestureEngine

/// A region's shape as given in the configuration.
enum ShapeRule: Hashable, Sendable {
    case full
    case rectangle(RectangleRule)
    case circle(center: PointRule, radius: Length)
    case polygon([PointRule])
    case edge(EdgeRule)

    var isPolygon: Bool { if case .polygon = self { true } else { false } }

    /// The kinds of shapes. A table must have exactly one of these keys.
    private static let kinds = ["rect", "circle", "polygon", "edge"]
    /// The keys of the table. They are read together, because each kind has others.
    private static let keys: [Key<Void>] = [
        Key("rect", elsewhere: { RectangleRule($0) }), Key("circle", elsewhere: { circle($0) }),
        Key("polygon", elsewhere: { polygon($0) }), Key("edge", elsewhere: { EdgeRule.side($0) }),
        Key("width", elsewhere: { $0.extent() }), Key("from", elsewhere: { $0.place(EdgeRule.start) }),
        Key("to", elsewhere: { $0.place(EdgeRule.end) }),
    ]
    private static let names = keys.map { $0.name }
    private static let circleKeys: [Key<Void>] = [
        Key("center", elsewhere: { PointRule($0) }), Key("radius", elsewhere: { $0.extent() }),
    ]
    private static let kindList = kinds.joined(separator: ", ")
    /// The number of corners. All of them are examined for each contact that lands.
    private static let corners = 3...256

    var lengths: [Length] {
        switch self {
        case .full: []
        case .rectangle(let rule): [rule.x, rule.y, rule.width, rule.height]
        case .circle(let center, let radius): [center.x, center.y, radius]
        case .polygon(let corners): corners.flatMap { [$0.x, $0.y] }
        case .edge(let rule): [rule.width, rule.from, rule.to]
        }
    }

    /// - Returns: `nil` after an error.
    static func read(_ value: ValueReader) -> Self? {
        let value = value.qualified
        if value.notes(.either([.choice([.init("full", Self.full)]), .table(keys.map { $0.form(in: ()) })])) {
            return nil
        }
        switch value.value.kind {
        case .string("full"):
            return .full
        case .string(let text):
            return value.error(
                .badValue, "\(value.name) cannot be \"\(text)\"; use \"full\" or a table with \(kindList)",
                suggestion: nearest(to: text, among: ["full"]))
        case .table:
            return value.table(keys: names, name: value.name).flatMap { read($0, owner: value.owner) }
        default:
            return value.wrongType("\"full\" or a table")
        }
    }

    /// - Parameter owner: the name of the region in diagnostics: `region "ok"`.
    private static func read(_ reader: TableReader, owner: String) -> Self? {
        let given = kinds.filter { reader[$0] != nil }
        guard given.count == 1, let kind = given.first, let value = reader[kind] else {
            // A misspelled kind has already been reported as an unknown key.
            let isMisspelt = given.isEmpty && reader.table.entries.contains { !names.contains($0.key) }
            if !isMisspelt {
                reader.sink.error(.badValue, "\(reader.name) must have exactly one of \(kindList)", at: reader.range)
            }
            return nil
        }
        if kind == "edge" { return EdgeRule(value, reader).map { .edge($0) } }
        for entry in reader.table.entries where names.contains(entry.key) && !kinds.contains(entry.key) {
            reader.sink.error(.badValue, "\(entry.key) belongs to an edge, not to a \(kind)", at: entry.keyRange)
        }
        switch kind {
        case "rect": return RectangleRule(value).map { .rectangle($0) }
        case "circle": return circle(value.named("circle of \(owner)"))
        default: return polygon(value)
        }
    }

    private static func circle(_ value: ValueReader) -> Self? {
        if value.notes(.table(circleKeys.map { $0.form(in: ()) })) { return nil }
        let keys = circleKeys.map { $0.name }
        guard let reader = value.table(keys: keys, name: value.name) else { return nil }
        for key in keys where reader[key] == nil {
            reader.missingKey("\(value.name) has no \(key)")
        }
        guard let center = reader["center"], let radius = reader["radius"] else { return nil }
        let (point, length) = (PointRule(center), radius.extent())
        guard let point, let length else { return nil }
        return .circle(center: point, radius: length)
    }

    private static func polygon(_ value: ValueReader) -> Self? {
        if value.notes(.list(ValueNote { PointRule($0) }, corners)) { return nil }
        guard let values = value.array(of: "points", each: "a corner") else { return nil }
        guard corners.contains(values.count) else {
            return value.error(
                .badValue, "polygon has \(values.count) corners; use \(corners.lowerBound) to \(corners.upperBound)")
        }
        let points = values.compactMap { PointRule($0) }
        guard points.count == values.count else { return nil }
        guard !isFlatAnywhere(points) else {
            return value.error(.badValue, "polygon \(flatness)")
        }
        return .polygon(points)
    }

    /// The message about a polygon without area.
    static let flatness = "has no area: all of its corners are on one line"

    /// Whether a polygon has no area on any panel. `false` if its lengths have several units, because the result then
    /// depends on the panel.
    private static func isFlatAnywhere(_ corners: [PointRule]) -> Bool {
        guard let first = corners.first,
            corners.allSatisfy({ $0.x.unit == first.x.unit && $0.y.unit == first.y.unit })
        else { return Set(corners).count == 1 }
        return Shape.polygon(corners.map { Point(x: $0.x.number, y: $0.y.number) }).isFlat
    }
}

extension Shape {
    /// Whether the shape is a polygon without area.
    var isFlat: Bool {
        guard case .polygon(let corners) = self, let first = corners.first else { return false }
        guard let direction = corners.first(where: { $0 != first }).map({ $0 - first }) else { return true }
        return corners.allSatisfy { corner in
            let offset = corner - first
            let (a, b) = (offset.dx * direction.dy, offset.dy * direction.dx)
            // The difference of fractions may be a rounding error instead of 0.
            return (a - b).magnitude <= 1e-12 * (a.magnitude + b.magnitude)
        }
    }
}

/// A point in the coordinates of the parent.
struct PointRule: Hashable, Sendable {
    var x: Length
    var y: Length

    init?(_ value: ValueReader) {
        if value.notes(.list(ValueNote { $0.coordinate() }, 2...2)) { return nil }
        guard let values = value.tuple(["x", "y"], of: "two lengths") else { return nil }
        guard let x = values[0].coordinate(), let y = values[1].coordinate() else { return nil }
        (self.x, self.y) = (x, y)
    }
}

/// A rectangle as given in the configuration: `[x, y, w, h]`.
struct RectangleRule: Hashable, Sendable {
    var x: Length
    var y: Length
    var width: Length
    var height: Length

    init?(_ value: ValueReader) {
        guard let values = value.tuple(["x", "y", "width", "height"], of: "four lengths") else { return nil }
        let (x, y) = (values[0].coordinate(), values[1].coordinate())
        let (width, height) = (values[2].extent(), values[3].extent())
        guard let x, let y, let width, let height else { return nil }
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
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
    /// The start along the side, measured from its left or upper end.
    var from = Self.start
    var to = Self.end

    static let start = Length(number: 0, unit: .percent)
    static let end = Length(number: 100, unit: .percent)

    /// - Parameter shape: the table that contains the edge.
    init?(_ value: ValueReader, _ shape: TableReader) {
        let side = Self.side(value)
        if shape["width"] == nil {
            shape.missingKey("\(shape.name) has no width")
        }
        let width = shape["width"]?.extent()
        guard let side, let width else { return nil }
        (self.side, self.width) = (side, width)
        if let from = shape["from"]?.place(Self.start) { self.from = from }
        if let to = shape["to"]?.place(Self.end) { self.to = to }
    }

    static func side(_ value: ValueReader) -> Side? { value.choice(Side.allCases.map { ($0.rawValue, $0) }) }

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

extension ValueReader {
    /// Reads a place along a side.
    fileprivate func place(_ standard: Length) -> Length? {
        noteStandard(standard)
        return coordinate()
    }
}
