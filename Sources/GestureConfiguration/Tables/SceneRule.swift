// SPDX-License-Identifier: MIT

enum SceneKey: String, TableKey {
    case id, regions, enabled
}

/// `[[scene]]`: a named set of regions.
package struct SceneRule: Hashable, Sendable {
    package var id: String
    /// Of region ids.
    package var regions: [GlobPattern]
    package var place: Place

    /// Whether it shows a region. What lies in it is not meant with it, nor what it lies in.
    func has(_ region: String) -> Bool { regions.contains { $0.matches(region) } }

    static func read(_ reader: TableReader<SceneKey>, id: String, regionIDs: [String]) -> Self {
        var rule = SceneRule(
            id: id, regions: [], place: reader.report.place(reader.value(.id)?.region ?? reader.region))
        if id == RuntimeState.defaultScene {
            reader.report.error(
                .badValue, "scene \"\(id)\" is always there and has all regions; give it another id",
                at: reader.value(.id)?.region ?? reader.region)
        }
        if reader.value(.regions) == nil {
            reader.report.error(.missingKey, "\(reader.name) has no regions", at: reader.region(of: .id))
        }
        for value in reader.array(.regions, of: "region ids") ?? [] {
            guard let text = reader.check.name("a region of \(reader.name)", value) else { continue }
            let pattern = GlobPattern(text)
            rule.regions.append(pattern)
            if !regionIDs.contains(where: { pattern.matches($0) }) {
                reader.report.warning(
                    .unmatched, "\(reader.name): no region is named \"\(text)\"",
                    suggestion: Suggestion.nearest(to: text, among: regionIDs), at: value.region)
            }
        }
        return rule
    }
}
