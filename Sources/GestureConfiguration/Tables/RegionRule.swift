// SPDX-License-Identifier: MIT
import GestureEngine

enum RegionKey: String, TableKey {
    case id, shape, parent, z, margin, pass
    case isPrivate = "private"
    case enabled, capture, defaults, gestures
}

/// `[[region]]` as the configuration gives it; a panel makes a `Region` of it.
package struct RegionRule: Hashable, Sendable {
    package var id: String
    package var parent: String?
    /// Its events go only to the users of `[access]`; so do those of its children.
    package var isPrivate = false
    package var gestures: [GestureRule] = []
    /// Of the id.
    package var place: Place
    var shape: ShapeRule
    /// Of the shape's value.
    var shapePlace: Place
    var z = 0
    var margin: Length?
    var pass = false
    var capture = Region.Capture.implicit
    var defaults = GestureDefaults()

    /// - Returns: `nil` after an error without which there is no region.
    static func read(_ reader: TableReader<RegionKey>, id: String) -> Self? {
        let (check, report) = (reader.check, reader.report)
        guard let shapeValue = reader.value(.shape) else {
            report.error(
                .missingKey, "\(reader.name) has no shape; give \"full\" or { rect = [x, y, w, h] }",
                at: reader.region(of: .id))
            return nil
        }
        // A broken shape must not hide what else is wrong with the region.
        let shape = ShapeRule.read(shapeValue, owner: reader.name, report) ?? .full
        var rule = RegionRule(
            id: id, place: report.place(reader.value(.id)?.region ?? reader.region), shape: shape,
            shapePlace: report.place(shapeValue.region))
        for (key, value) in reader.present {
            let word = key.rawValue
            switch key {
            case .id, .shape, .enabled: break
            case .parent: rule.parent = check.identifier(word, value)
            case .z: rule.z = check.integer(word, value, -1_000_000...1_000_000) ?? 0
            case .margin: rule.margin = check.threshold(word, value)
            case .pass: rule.pass = check.boolean(word, value) ?? false
            case .isPrivate: rule.isPrivate = check.boolean(word, value) ?? false
            case .capture:
                rule.capture = check.word(word, value, [("implicit", .implicit), ("follow", .follow)]) ?? .implicit
            case .defaults:
                let defaults = TableReader<DefaultsKey>(value, name: "defaults of \(reader.name)", report)
                rule.defaults = defaults.map { GestureDefaults.read($0) } ?? GestureDefaults()
            case .gestures:
                let values = check.array(word, of: "gestures", value) ?? []
                rule.gestures = GestureReader(owner: reader.name, report).read(values)
            }
        }
        return rule
    }
}
