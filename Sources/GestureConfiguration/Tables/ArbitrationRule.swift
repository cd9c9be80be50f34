// SPDX-License-Identifier: MIT
import GestureEngine

enum ArbitrationKey: String, TableKey {
    case simultaneous, priority
}

/// `[arbitration]`: what holds between gestures of all regions.
enum ArbitrationRule {
    /// Every claim is compared with all of them.
    private static let mostPairs = 256

    static let kinds: [(String, GestureKind)] = [
        ("press", .press), ("tap", .tap), ("long_press", .longPress), ("repeat", .repeat), ("drag", .drag),
        ("swipe", .swipe), ("pinch", .pinch), ("rotate", .rotate), ("pattern", .pattern),
    ]

    static func read(_ reader: TableReader<ArbitrationKey>, regions: [RegionRule]) -> ArbitrationSettings {
        var result = ArbitrationSettings()
        for (key, value) in reader.present {
            switch key {
            case .simultaneous:
                let values = reader.check.array("simultaneous", of: "pairs", value) ?? []
                if values.count > mostPairs {
                    reader.report.error(
                        .tooMany, "simultaneous has \(values.count) pairs; give at most \(mostPairs)",
                        at: value.region)
                }
                for pair in values.prefix(mostPairs) {
                    result.simultaneous += pairs(pair, regions, reader.check)
                }
            case .priority:
                for word in reader.check.array("priority", of: "gestures", value) ?? [] {
                    guard let kind = reader.check.word("a gesture", word, kinds) else { continue }
                    if !result.priority.contains(kind) { result.priority.append(kind) }
                }
            }
        }
        return result
    }

    /// `["map.drag", "map.pinch"]`: a region's id, a dot, a gesture's name. Names that do not exist
    /// are kept: a client may define the region while the daemon runs.
    private static func pairs(
        _ pair: TomlValue, _ regions: [RegionRule], _ check: ValueReader
    ) -> [ArbitrationSettings.Pair] {
        guard let items = check.array("a pair", of: "two names such as \"map.drag\"", pair) else { return [] }
        if items.count != 2 {
            check.report.error(
                .badValue, "a pair must be two names such as \"map.drag\", not \(items.count)", at: pair.region)
        }
        let found = items.map { references($0, regions, check) }
        guard found.count == 2 else { return [] }
        return found[0].flatMap { first in found[1].map { .init(first, $0) } }
    }

    /// Ids and names may both have dots: what exists is meant, else the last dot parts them.
    private static func references(
        _ item: TomlValue, _ regions: [RegionRule], _ check: ValueReader
    ) -> [ArbitrationSettings.Reference] {
        guard let text = check.string("a name", item) else { return [] }
        var found: [ArbitrationSettings.Reference] = []
        for region in regions where text.hasPrefix(region.id + ".") {
            let name = String(text.dropFirst(region.id.count + 1))
            if region.gestures.contains(where: { $0.name == name }) {
                found.append(.init(region: region.id, gesture: name))
            }
        }
        if !found.isEmpty { return found }
        guard let dot = text.lastIndex(of: "."), dot > text.startIndex, text.index(after: dot) < text.endIndex else {
            check.report.error(
                .badValue, "a name cannot be \"\(text)\"; give a region and a gesture: \"map.drag\"", at: item.region)
            return []
        }
        let names = regions.flatMap { region in region.gestures.map { "\(region.id).\($0.name)" } }
        check.report.warning(
            .unmatched, "no region has a gesture \"\(text)\"",
            suggestion: Suggestion.nearest(to: text, among: names), at: item.region)
        return [.init(region: String(text[..<dot]), gesture: String(text[text.index(after: dot)...]))]
    }
}
