// SPDX-License-Identifier: MIT

enum ArbitrationKey: String, TableKey {
    case simultaneous, priority
}

/// `[arbitration]`: checked, and ignored by this version.
enum ArbitrationRule {
    static func check(_ reader: TableReader<ArbitrationKey>, regions: [RegionRule]) {
        for (key, value) in reader.present {
            switch key {
            case .simultaneous:
                for pair in reader.check.array("simultaneous", of: "pairs", value) ?? [] {
                    checkPair(pair, regions, reader.check)
                }
            case .priority:
                for word in reader.check.array("priority", of: "gestures", value) ?? [] {
                    _ = reader.check.word("a gesture", word, GestureWord.allCases.map { ($0.rawValue, $0) })
                }
            }
        }
        if !reader.present.isEmpty { reader.report.unsupported("[arbitration]", at: reader.region) }
    }

    /// `["map.drag", "map.pinch"]`: a region's id, a dot, a gesture's name.
    private static func checkPair(_ pair: TomlValue, _ regions: [RegionRule], _ check: ValueReader) {
        guard let items = check.array("a pair", of: "two names such as \"map.drag\"", pair) else { return }
        if items.count != 2 {
            check.report.error(
                .badValue, "a pair must be two names such as \"map.drag\", not \(items.count)", at: pair.region)
        }
        let names = regions.flatMap { region in region.gestures.map { "\(region.id).\($0.name)" } }
        for item in items {
            guard let text = check.string("a name", item), !names.contains(text) else { continue }
            check.report.warning(
                .unmatched, "no region has a gesture \"\(text)\"",
                suggestion: Suggestion.nearest(to: text, among: names), at: item.region)
        }
    }
}
