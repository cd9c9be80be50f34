// SPDX-License-Identifier: MIT

/// Regions as a tree: panels, in them the regions without a parent, in these their children; what
/// is on top of the glass comes first, as in a layer list.
enum RegionTree {
    /// - Parameter regions: from bottom to top.
    static func text(_ regions: [RegionEntry]) -> String {
        var devices: [String] = []
        for region in regions where !devices.contains(region.device) { devices.append(region.device) }
        return devices.map { device in
            let members = regions.filter { $0.device == device }
            let ids = Set(members.map(\.id))
            let roots = members.filter { region in region.parent.map { !ids.contains($0) } ?? true }
            return device + "\n" + branches(roots, of: members, indent: "")
        }.joined()
    }

    /// Ends on circles too: each level takes only regions that are not among its ancestors.
    private static func branches(_ siblings: [RegionEntry], of all: [RegionEntry], indent: String) -> String {
        let rest = all.filter { region in !siblings.contains(region) }
        return siblings.reversed().enumerated().map { index, region in
            let isLast = index == siblings.count - 1
            let children = rest.filter { $0.parent == region.id }
            return indent + (isLast ? "└─ " : "├─ ") + line(region) + "\n"
                + branches(children, of: rest, indent: indent + (isLast ? "   " : "│  "))
        }.joined()
    }

    private static func line(_ region: RegionEntry) -> String {
        let gestures = region.gestures.map(\.label).joined(separator: ", ")
        let parts = [region.id, region.shape.label] + region.flags.map { "[\($0)]" } + [gestures]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
