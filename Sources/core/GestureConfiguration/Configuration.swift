// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine
package import GestureProtocol

/// A configuration without errors. Its lengths keep their units, because their values in millimetres depend
/// on the panel (`regions(for:)`, `filter(for:rule:)`).
package struct Configuration: Hashable, Sendable {
    package internal(set) var daemon = DaemonSettings()
    package internal(set) var access = AccessSettings()
    /// The rules, in the order in which they appear in the files. The first one that matches a device applies.
    package internal(set) var devices: [DeviceRule] = []
    /// The regions, in the order in which they appear in the files, except that parents come before their children.
    package internal(set) var regions: [RegionRule] = []
    package internal(set) var scenes: [SceneRule] = []
    package internal(set) var idle: [IdleRule] = []
    /// The profiles that the files define, and the shipped ones that they do not replace or remove.
    package internal(set) var profiles = ProfileRule.shipped
    package internal(set) var arbitration = ArbitrationSettings()
    /// Changes that clients have made: see `applying(_:)`.
    package internal(set) var runtime = RuntimeState()
    /// The ids of the regions that are defined in files; these come first in `regions`.
    package internal(set) var writtenIDs: Set<String> = []
    var defaults = GestureDefaults()
    var filter = FilterRule()

    /// The configuration of a daemon that has no files.
    package init() {}

    /// Returns the first `[[device]]` that matches a device.
    package func rule(for device: DeviceDescription) -> DeviceRule? {
        devices.first { $0.match.matches(device) }
    }

    /// Returns the key of `RuntimeState.outputs` for a device: the id of its `[[device]]`. Other names contain the node,
    /// which may differ after a boot, so for these it is the device's identity.
    package func outputKey(of device: DeviceDescription, named name: String) -> String {
        rule(for: device)?.id == name ? name : device.identity
    }

    /// Returns the output that clients have set for a device with this name on the wire; `nil` if there is none. A device
    /// keeps its output if a `[[device]]` is added for it. Devices whose identities are equal have outputs by name.
    package func outputChange(for device: DeviceDescription, named name: String) -> OutputChange? {
        runtime.outputs[outputKey(of: device, named: name)] ?? runtime.outputs[name] ?? runtime.outputs[device.identity]
    }

    /// Returns the filter that decides which contacts of a panel are ignored.
    /// - Parameter rule: the `[[device]]` of the panel.
    package func filter(for panel: PanelSize, rule: DeviceRule? = nil) -> FilterSettings {
        var settings = FilterSettings()
        for layer: FilterRule? in [filter, rule?.filter, profile?.filter] { layer?.apply(to: &settings, on: panel) }
        return settings
    }

    /// The ids of the regions whose events are sent only to users that `[access]` lists: regions with `private
    /// = true`, and their children.
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

    /// Returns the users and groups to which `[access]` grants each right, and a warning for every name that does not
    /// exist.
    /// - Parameter number: looks up the number of a user or group; called once for each occurrence of a name in a list.
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

    /// Returns a warning if this configuration has no region, or fewer than half as many as the one that it replaces.
    ///
    /// - Parameter file: the file that the warning names.
    package func lostRegions(since before: Configuration?, file: String) -> Diagnostic? {
        let message: String
        if regions.isEmpty {
            message = "there are no regions; nothing is recognized until a client defines some"
        } else if let before, regions.count * 2 < before.regions.count {
            message = "fewer than half of the previous regions are left; is a file missing or truncated?"
        } else {
            return nil
        }
        return Diagnostic(severity: .warning, code: .fewRegions, message: message, at: SourceLocation(file: file))
    }

    /// Returns a warning for every file of `wake` that cannot be read.
    /// - Parameter problem: returns what is wrong with a file, and what to do; `nil` if it can be read.
    package func displayWarnings(_ problem: (String) -> String?) -> [Diagnostic] {
        devices.filter { !$0.ignore }.compactMap { rule in
            rule.wake?.display.flatMap(problem).map {
                Diagnostic(severity: .warning, code: .unmatched, message: $0, at: rule.location)
            }
        }
    }

    /// Returns a warning for every `[[device]]` that applies to none of these devices.
    package func unmatchedRules(among devices: [DeviceDescription]) -> [Diagnostic] {
        let used = devices.compactMap { rule(for: $0)?.id }
        return self.devices.filter { !used.contains($0.id) }.map { rule in
            Diagnostic(
                severity: .warning, code: .unmatched, message: "device \"\(rule.id)\" matches no connected device",
                at: rule.location)
        }
    }
}

/// Changes that clients have made while the daemon runs.
package struct RuntimeState: Hashable, Sendable {
    /// The scene that shows all regions. It always exists.
    package static let defaultScene = "default"

    /// The id of the current scene. Of the regions in the files, a scene other than `default` shows only those that it
    /// lists.
    package var scene = Self.defaultScene
    /// The profile that changes nothing. It always exists.
    package static let defaultProfile = "default"
    /// The id of the profile in force.
    package var profile = Self.defaultProfile
    /// The ids of regions that are off in every scene, together with their children.
    package var switchedOff: Set<String> = []
    /// The value of `switchedOff` that applies to private regions. It leaves out regions that were switched off by clients
    /// without the right `private`. If `nil`, `switchedOff` applies.
    package var privateSwitchedOff: Set<String>?
    /// Regions that clients have defined. They lie above the regions in the files, later ones on top, and are on in
    /// every scene.
    package var definitions: [RegionRule] = []
    /// The outputs that clients have set. The keys are those of `Configuration.outputKey`, or names of panels on the wire.
    /// In a configuration, these are the outputs that are used.
    package var outputs: [String: OutputChange] = [:]

    package init() {}
}

extension Configuration {
    /// The ids of all scenes, `default` first.
    package var sceneIDs: [String] { [RuntimeState.defaultScene] + scenes.map { $0.id } }

    /// The ids of all profiles, `default` first.
    package var profileIDs: [String] { [RuntimeState.defaultProfile] + profiles.map { $0.id } }

    /// The profile in force; `nil` if it is `default`.
    var profile: ProfileRule? { profiles.first { $0.id == runtime.profile } }

    /// The ids of the scenes that say that the display is off.
    package var darkScenes: [String] { scenes.filter { $0.isDark }.map { $0.id } }

    /// Whether the current scene says that the display is off.
    package var isDark: Bool { scenes.first { $0.id == runtime.scene }?.isDark ?? false }

    /// Whether each region is on: neither it nor one of its parents is switched off, and the scene lists it or
    /// a client has defined it.
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
