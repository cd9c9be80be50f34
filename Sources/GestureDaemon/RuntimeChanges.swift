// SPDX-License-Identifier: MIT
import GestureConfiguration

/// The changes by clients since the start: the scene, regions switched off, regions defined.
///
/// Each connection may lease one set of regions, and all clients share one set without a lease. A definition replaces
/// the whole of its set.
struct RuntimeChanges: Hashable, Sendable {
    /// As many as the files may have: more than any screen has room for.
    static let mostDefinitions = 4096

    struct Lease: Hashable, Sendable {
        var connection: Int64
        var rules: [RegionRule]
    }

    /// The one that clients have chosen, or the start's.
    var scene = RuntimeState.defaultScene
    /// The scene that is in force instead of it while no panel is touched.
    var idleScene: String?
    var switchedOff: Set<String> = []
    /// Defined without a lease: they stay when their connection ends.
    var lasting: [RegionRule] = []
    /// In the order in which their connections first defined something.
    var leases: [Lease] = []

    /// The scene in force.
    var currentScene: String { idleScene ?? scene }

    /// What a configuration is combined with.
    var state: RuntimeState {
        var state = RuntimeState()
        state.scene = currentScene
        state.switchedOff = switchedOff
        state.definitions = lasting + leases.flatMap { $0.rules }
        return state
    }

    /// - Parameter connection: the owner of the lease; `nil`: the regions stay.
    mutating func define(_ rules: [RegionRule], leasedBy connection: Int64?) {
        guard let connection else {
            lasting = rules
            return
        }
        if let index = leases.firstIndex(where: { $0.connection == connection }) {
            leases[index].rules = rules
        } else {
            leases.append(Lease(connection: connection, rules: rules))
        }
        leases.removeAll { $0.rules.isEmpty }
    }

    /// Removes the regions that end with these connections.
    mutating func endLeases(of connections: some Collection<Int64>) {
        leases.removeAll { connections.contains($0.connection) }
    }

    /// Forgets the scenes and the switches of regions that a new configuration does not have. Definitions stay: a
    /// later configuration may have their parents again.
    mutating func adapt(to configuration: Configuration) {
        if !configuration.sceneIDs.contains(scene) { scene = configuration.daemon.scene }
        if let idleScene, !configuration.sceneIDs.contains(idleScene) { self.idleScene = nil }
        switchedOff.formIntersection(Set(configuration.regions.map { $0.id } + state.definitions.map { $0.id }))
    }
}
