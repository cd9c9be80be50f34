// SPDX-License-Identifier: MIT
import GestureEngine

/// `[arbitration]`: rules between the gestures of all regions.
struct ArbitrationRule {
    /// The maximum number of pairs. Every claim is compared with all pairs.
    private static let mostPairs = 256

    private let regions: [RegionRule]
    fileprivate var settings = ArbitrationSettings()

    fileprivate static let keys: [Key<ArbitrationRule>] = [
        Key("simultaneous") { $1.readPairs($0) },
        Key("priority") { $1.readPriority($0) },
    ]

    fileprivate init(regions: [RegionRule]) {
        self.regions = regions
    }

    private mutating func readPriority(_ value: ValueReader) {
        let kinds = GestureType.kinds.map { ($0.name, $0.kind) }
        for item in value.array(of: "gestures", each: "a gesture") ?? [] {
            guard let kind = item.choice(kinds), !settings.priority.contains(kind) else { continue }
            settings.priority.append(kind)
        }
    }

    private mutating func readPairs(_ value: ValueReader) {
        let pairs = value.array(of: "pairs", each: "a pair", most: Self.mostPairs) ?? []
        guard !pairs.isEmpty else { return }
        let links = RegionLinks(regions)
        for pair in pairs { readPair(pair, links) }
    }

    /// Reads a pair such as `["map.drag", "map.pinch"]`.
    private mutating func readPair(_ pair: ValueReader, _ links: RegionLinks) {
        if pair.notes(.list(ValueNote { $0.string() }, 2...2)) { return }
        guard let items = pair.array(of: "two names such as \"map.drag\"", each: "a name") else { return }
        if items.count != 2 {
            pair.error(.badValue, "a pair must be two names such as \"map.drag\", not \(items.count)")
        }
        let found = items.map { references($0) }
        guard found.count == 2 else { return }
        let all = found[0].flatMap { first in found[1].map { ArbitrationSettings.Pair(first, $0) } }
        settings.simultaneous += all
        if !all.isEmpty, all.allSatisfy({ links.areApart($0.first.region, $0.second.region) }) {
            pair.sink.warning(
                .noEffect, "this pair never shares a contact: the border of a private region lies between the two",
                at: pair.value.range)
        }
    }

    /// Reads a region's id, a dot and a gesture's name. Both names may contain dots: if a split names an existing gesture,
    /// it is preferred; otherwise the last dot separates the names. Names that do not exist are kept, because a client may
    /// define the region while the daemon runs.
    private func references(_ item: ValueReader) -> [ArbitrationSettings.Reference] {
        guard let text = item.string() else { return [] }
        var found: [ArbitrationSettings.Reference] = []
        for region in regions where text.hasPrefix(region.id + ".") {
            let name = String(text.dropFirst(region.id.count + 1))
            if region.gestures.contains(where: { $0.name == name }) {
                found.append(.init(region: region.id, gesture: name))
            }
        }
        if !found.isEmpty { return found }
        guard let dot = text.lastIndex(of: "."), dot > text.startIndex, text.index(after: dot) < text.endIndex else {
            item.error(
                .badValue,
                "\"\(text)\" does not name a gesture; use a region and a gesture, such as \"map.drag\"")
            return []
        }
        let names = regions.flatMap { region in region.gestures.map { "\(region.id).\($0.name)" } }
        item.sink.warning(
            .unmatched, "no region has a gesture \"\(text)\"", suggestion: nearest(to: text, among: names),
            at: item.value.range)
        return [.init(region: String(text[..<dot]), gesture: String(text[text.index(after: dot)...]))]
    }
}

extension ValueReader {
    func arbitration(among regions: [RegionRule]) -> ArbitrationSettings {
        var rule = ArbitrationRule(regions: regions)
        table(ArbitrationRule.keys, into: &rule, name: "[arbitration]")
        return rule.settings
    }
}
