// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine

/// A configuration without mistakes. Its lengths are still in its own units: what they are in millimetres
/// depends on the panel (`regions(for:)`, `filter(for:)`).
package struct Configuration: Hashable, Sendable {
    package internal(set) var daemon = DaemonSettings()
    package internal(set) var access = AccessSettings()
    /// In the order of the files: the first that matches a device applies.
    package internal(set) var devices: [DeviceRule] = []
    /// In the order of the files, but parents before their children.
    package internal(set) var regions: [RegionRule] = []
    package internal(set) var scenes: [SceneRule] = []
    package internal(set) var arbitration = ArbitrationSettings()
    /// What clients have changed: see `applying(_:)`.
    package internal(set) var runtime = RuntimeState()
    var defaults = GestureDefaults()
    var filter = FilterRule()

    /// The configuration of a daemon that has no file.
    package init() {}

    /// The first `[[device]]` that matches.
    package func rule(for device: DeviceDescription) -> DeviceRule? {
        devices.first { $0.match.matches(device) }
    }

    /// Which contacts of a panel are ignored.
    package func filter(for panel: PanelSize) -> FilterSettings { filter.resolved(panel) }

    /// Ids of the regions whose events only the users of `[access]` get: those with `private = true`, and
    /// their children.
    package var privateRegionIDs: Set<String> {
        var result: Set<String> = []
        for region in regions where region.isPrivate || region.parent.map({ result.contains($0) }) == true {
            result.insert(region.id)
        }
        return result
    }

    /// A warning for every `[[device]]` that applies to none of these devices.
    package func unmatchedRules(among devices: [DeviceDescription]) -> [Diagnostic] {
        let used = devices.compactMap { rule(for: $0)?.id }
        return self.devices.filter { !used.contains($0.id) }.map { rule in
            Diagnostic(
                severity: .warning, code: .unmatched, message: "device \"\(rule.id)\" matches nothing now",
                at: rule.location)
        }
    }
}
