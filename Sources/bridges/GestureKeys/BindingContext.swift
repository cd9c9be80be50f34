// SPDX-License-Identifier: MIT
package import GestureClient
package import GestureConfiguration
import GestureProtocol

/// The panels, regions and scenes with which bindings are compared, as far as they are known.
package struct BindingContext: Sendable {
    /// Whether `gestured-keys` receives the gestures of private regions.
    package enum PrivateRegions: Hashable, Sendable {
        case seen, hidden, unknown
    }

    struct Panel: Sendable {
        let id: String
        /// The reason why the panel cannot be used; `nil` if it can.
        let problem: String?
    }

    struct Scene: Sendable {
        let id: String
        /// The ids of the regions that are on; `nil`: any may be on.
        let regions: Set<String>?

        func has(_ region: String) -> Bool { regions?.contains(region) ?? true }
    }

    /// The regions of each panel.
    let regions: [GestureClient.Region]
    /// The ids of the regions that are on no panel.
    let strayRegions: [String]
    let panels: [Panel]
    let scenes: [Scene]
    /// Whether `regions` includes the private ones.
    let showsPrivate: Bool
    let privateRegions: PrivateRegions
    /// Whether the context was made from files. They name neither a second panel of a `[[device]]` (`left@event5`) nor a
    /// panel without a `[[device]]` (`event5`).
    let isFromFiles: Bool

    /// - Parameter regions: the regions of the panels that the files describe.
    package init(
        _ configuration: Configuration, regions: [GestureClient.Region], privateRegions: PrivateRegions
    ) {
        self.regions = regions
        let placed = Set(regions.map { $0.id })
        strayRegions = configuration.regions.map { $0.name }.filter { !placed.contains($0) }
        panels = configuration.devices.map {
            Panel(id: $0.id, problem: $0.ignore ? "ignore = true in its [[device]]" : nil)
        }
        scenes =
            [Scene(id: RuntimeState.defaultScene, regions: nil)]
            + configuration.scenes.map { scene in
                Scene(id: scene.id, regions: placed.filter { id in scene.regions.contains { $0.matches(id) } })
            }
        (showsPrivate, self.privateRegions, isFromFiles) = (true, privateRegions, true)
    }

    /// Creates the context from what a daemon has now.
    /// - Parameters:
    ///   - scene: the current scene; `nil` treats regions that are off like the others.
    ///   - rights: the rights of the user to whom the daemon has replied.
    package init(
        regions: [GestureClient.Region], devices: [GestureClient.Device], scenes: [String], scene: String? = nil,
        rights: [String], privateRegions: PrivateRegions
    ) {
        self.regions = regions
        strayRegions = []
        panels = devices.map { Panel(id: $0.id, problem: $0.state == "ready" ? nil : $0.reason ?? $0.state) }
        let shown = Set(regions.filter { $0.isEnabled }.map { $0.id })
        self.scenes = (scenes.isEmpty ? [RuntimeState.defaultScene] : scenes).map {
            Scene(id: $0, regions: $0 == scene ? shown : nil)
        }
        (showsPrivate, self.privateRegions, isFromFiles) = (rights.contains("private"), privateRegions, false)
    }
}
