// SPDX-License-Identifier: MIT

enum ShapeKey: String, TableKey {
    case rect, circle, polygon, edge, width, from, to
}

enum CircleKey: String, TableKey {
    case center, radius
}

extension ShapeRule {
    /// The keys that make a table a shape; the others belong to `edge`.
    private static let kinds: [ShapeKey] = [.rect, .circle, .polygon, .edge]
    /// More corners than a region can have; every one is looked at for each contact that lands.
    private static let mostCorners = 256

    /// - Parameter owner: `region "ok"`.
    static func read(_ value: TomlValue, owner: String, _ report: Report) -> Self? {
        let check = ValueReader(report: report)
        switch value.kind {
        case .string("full"):
            return .full
        case .string(let text):
            report.error(
                .badValue, "shape of \(owner) cannot be \"\(text)\"; give \"full\" or a table with \(kindList)",
                suggestion: Suggestion.nearest(to: text, among: ["full"]), at: value.region)
            return nil
        case .table:
            break
        default:
            check.wrongType("shape of \(owner)", "\"full\" or a table", value)
            return nil
        }
        guard let reader = TableReader<ShapeKey>(value, name: "shape of \(owner)", report) else { return nil }
        let given = kinds.filter { reader.value($0) != nil }
        guard given.count == 1, let kind = given.first, let shape = reader.value(kind) else {
            // A misspelt kind has been told of already.
            let isMisspelt = given.isEmpty && reader.present.count < reader.table.entries.count
            if !isMisspelt {
                report.error(.badValue, "shape of \(owner) must have exactly one of \(kindList)", at: value.region)
            }
            return nil
        }
        refuseEdgeKeys(reader, kind)
        switch kind {
        case .rect: return RectangleRule.read("rect", shape, check).map { .rectangle($0) }
        case .circle: return circle(shape, owner, report)
        case .polygon: return polygon(shape, check)
        case .edge: return edge(shape, reader)
        case .width, .from, .to: return nil
        }
    }

    private static var kindList: String { kinds.map { $0.rawValue }.joined(separator: ", ") }

    private static func refuseEdgeKeys(_ reader: TableReader<ShapeKey>, _ kind: ShapeKey) {
        guard kind != .edge else { return }
        for (key, _) in reader.present where !kinds.contains(key) {
            reader.report.error(
                .badValue, "\(key.rawValue) belongs to an edge, not to a \(kind.rawValue)", at: reader.region(of: key))
        }
    }

    private static func circle(_ value: TomlValue, _ owner: String, _ report: Report) -> Self? {
        guard let reader = TableReader<CircleKey>(value, name: "circle of \(owner)", report) else { return nil }
        for key in CircleKey.allCases where reader.value(key) == nil {
            report.error(.missingKey, "circle of \(owner) has no \(key.rawValue)", at: value.region)
        }
        guard let center = reader.value(.center), let radius = reader.value(.radius) else { return nil }
        let point = PointRule.read("center", center, reader.check)
        let length = reader.check.extent("radius", radius)
        guard let point, let length else { return nil }
        return .circle(center: point, radius: length)
    }

    private static func polygon(_ value: TomlValue, _ check: ValueReader) -> Self? {
        guard let values = check.array("polygon", of: "points", value) else { return nil }
        guard values.count >= 3, values.count <= mostCorners else {
            check.report.error(
                .badValue, "polygon has \(values.count) corners; give 3 to \(mostCorners)", at: value.region)
            return nil
        }
        let corners = values.compactMap { PointRule.read("a corner", $0, check) }
        return corners.count == values.count ? .polygon(corners) : nil
    }

    private static func edge(_ value: TomlValue, _ reader: TableReader<ShapeKey>) -> Self? {
        let side = reader.check.word("edge", value, EdgeRule.Side.allCases.map { ($0.rawValue, $0) })
        if reader.value(.width) == nil {
            reader.report.error(.missingKey, "\(reader.name) has no width", at: reader.region)
        }
        let width = reader.value(.width).flatMap { reader.check.extent("width", $0) }
        guard let side, let width else { return nil }
        var rule = EdgeRule(side: side, width: width)
        if let from = reader.value(.from).flatMap({ reader.check.coordinate("from", $0) }) { rule.from = from }
        if let to = reader.value(.to).flatMap({ reader.check.coordinate("to", $0) }) { rule.to = to }
        return .edge(rule)
    }
}
