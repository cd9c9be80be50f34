// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import GestureProtocol

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
    package internal(set) var idle: [IdleRule] = []
    package internal(set) var arbitration = ArbitrationSettings()
    /// What clients have changed: see `applying(_:)`.
    package internal(set) var runtime = RuntimeState()
    /// Ids of the files' regions, which come first in `regions`.
    package internal(set) var writtenIDs: Set<String> = []
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
        for index in regions.indices
        where regions[index].isPrivate || (!result.isEmpty && regions[index].isIn(result)) {
            result.insert(regions[index].id)
        }
        return result
    }

    /// Whether there are private regions.
    package var hasPrivateRegions: Bool { regions.indices.contains { regions[$0].isPrivate } }

    /// Who has which right by `[access]`, and a warning for every name that no user or no group has.
    /// - Parameter number: looks a name up, once for each place in a list.
    package func accessLists(
        number: (_ name: String, _ isGroup: Bool) -> UInt32?
    ) -> (lists: [(right: Rights, users: Set<UInt32>, groups: Set<UInt32>)], warnings: [Diagnostic]) {
        var warnings: [Diagnostic] = []
        let lists = access.lists.map { right, members in
            var list = (right: right, users: Set<UInt32>(), groups: Set<UInt32>())
            for member in members {
                let id: UInt32
                switch member.id {
                case .number(let number): id = number
                case .name(let name, let location):
                    guard let found = number(name, member.isGroup) else {
                        let key = right.words.map { "\($0)_uids" }.joined()
                        let kind = member.isGroup ? "group" : "user"
                        warnings.append(
                            Diagnostic(
                                severity: .warning, code: .unmatched,
                                message: "\(key): no \(kind) is called \"\(name)\"", at: location))
                        continue
                    }
                    id = found
                }
                if member.isGroup { list.groups.insert(id) } else { list.users.insert(id) }
            }
            return list
        }
        return (lists, warnings)
    }

    /// A warning if this configuration, which is to replace another, has no region, or less than half of those before.
    ///
    /// - Parameter file: the file to look into.
    package func lostRegions(since before: Configuration?, file: String) -> Diagnostic? {
        let message: String
        if regions.isEmpty {
            message = "no region: nothing is recognized"
        } else if let before, regions.count * 2 < before.regions.count {
            message = "less than half of the regions before are left; is a file missing or cut off?"
        } else {
            return nil
        }
        return Diagnostic(severity: .warning, code: .fewRegions, message: message, at: SourceLocation(file: file))
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

/// What clients have changed while the daemon runs.
package struct RuntimeState: Hashable, Sendable {
    /// The scene that has all regions. It always exists.
    package static let defaultScene = "default"

    /// The id of a scene. Of the files' regions only those are on that it lists.
    package var scene = Self.defaultScene
    /// Ids of regions that are off, with their children, whatever the scene.
    package var switchedOff: Set<String> = []
    /// Ids of the regions that switch off the private regions in them, without those that clients without the right
    /// `private` have switched off. `nil`: `switchedOff` applies to private regions too.
    package var privateSwitchedOff: Set<String>?
    /// Regions that clients have defined: above those of the files, later ones on top, on in every scene.
    package var definitions: [RegionRule] = []

    package init() {}
}

extension Configuration {
    /// The ids of all scenes, `default` first.
    package var sceneIDs: [String] { [RuntimeState.defaultScene] + scenes.map { $0.id } }

    /// For each region, whether it is on: neither it nor one of its parents is switched off, and the scene
    /// has it or a client has defined it.
    package var isShown: [Bool] {
        let shown = isShown(without: runtime.switchedOff)
        guard let other = runtime.privateSwitchedOff, other != runtime.switchedOff else { return shown }
        let hidden = privateRegionIDs
        if hidden.isEmpty { return shown }
        let privateShown = isShown(without: other)
        return regions.indices.map { hidden.contains(regions[$0].id) ? privateShown[$0] : shown[$0] }
    }

    private func isShown(without switchedOff: Set<String>) -> [Bool] {
        let scene = scenes.first { $0.id == runtime.scene }
        if scene == nil, switchedOff.isEmpty { return [Bool](repeating: true, count: regions.count) }
        let defined = scene == nil ? [] : Set(runtime.definitions.map { $0.id })
        var off: Set<String> = []
        return regions.indices.map { index in
            let id = regions[index].id
            if switchedOff.contains(id)
                || (!off.isEmpty && regions[index].isIn(off))
            {
                off.insert(id)
                return false
            }
            return scene.map { $0.has(id) || defined.contains(id) } ?? true
        }
    }
}
