// SPDX-License-Identifier: MIT
package import GestureProtocol

/// `[[scene]]`: a named set of regions.
package struct SceneRule: Hashable, Sendable {
    package var id: String
    /// Of region ids.
    package var regions: [Glob] = []

    static let keys: [Key<SceneRule>] = [Key("id"), Key("regions"), Key("enabled")]

    /// - Parameter regions: those that a scene can show.
    init(_ reader: TableReader, id: String, regions: [RegionRule]) {
        self.id = id
        if id == RuntimeState.defaultScene {
            reader["id"]?.error(.badValue, "scene \"\(id)\" is always there and has all regions; give it another id")
        }
        guard let value = reader["regions"] else {
            reader.sink.error(.missingKey, "\(reader.name) has no regions", at: reader.range(of: "id"))
            return
        }
        let ids = regions.map { $0.id }
        for item in value.array(of: "region ids", each: "a region of \(reader.name)") ?? [] {
            guard let text = item.label() else { continue }
            let glob = Glob(text)
            self.regions.append(glob)
            if !ids.contains(where: { glob.matches($0) }) {
                reader.sink.warning(
                    .unmatched, "\(reader.name): no region is named \"\(text)\"",
                    suggestion: nearest(to: text, among: ids), at: item.value.range)
            }
        }
    }

    /// Whether it shows a region. That says nothing about the region's children or its parent.
    func has(_ region: String) -> Bool { regions.contains { $0.matches(region) } }
}
