// SPDX-License-Identifier: MIT
import GestureConfiguration

/// The changes by clients since the start: the scene, regions switched off, regions defined.
///
/// Each connection may lease one set of regions, and the clients that may control share one set without a lease. A
/// definition replaces the whole of its set.
struct RuntimeChanges: Hashable, Sendable {
    /// More than any screen has room for.
    static let mostDefinitions = 2000

    struct Lease: Hashable, Sendable {
        var connection: Int64
        /// The uid of the connection.
        var user: UInt32
        var rules: [RegionRule] = []
        /// Ids of its own regions that its user has switched off.
        var switchedOff: Set<String> = []
    }

    /// The one that clients have chosen, or the start's.
    var scene = RuntimeState.defaultScene
    /// The scene that is in force instead of it while no panel is touched.
    var idleScene: String?
    /// By clients that may control.
    var switchedOff: Set<String> = []
    /// By those of them that may see private regions: it alone holds for these.
    var privateSwitchedOff: Set<String> = []
    /// Defined without a lease: they stay when their connection ends.
    var lasting: [RegionRule] = []
    /// In the order in which their connections first defined something.
    var leases: [Lease] = []

    /// The scene in force.
    var currentScene: String { idleScene ?? scene }

    /// The changes in the form that a configuration is combined with.
    var state: RuntimeState {
        var state = RuntimeState()
        state.scene = currentScene
        let leased = leases.reduce(into: Set()) { $0.formUnion($1.switchedOff) }
        state.switchedOff = switchedOff.union(leased)
        state.privateSwitchedOff = privateSwitchedOff.union(leased)
        state.definitions = lasting
        for lease in leases { state.definitions += lease.rules }
        return state
    }

    /// The regions of a connection's lease; `nil`: those that stay.
    func rules(of connection: Int64?) -> [RegionRule] {
        guard let connection else { return lasting }
        return leases.first { $0.connection == connection }?.rules ?? []
    }

    /// - Parameter lease: whose regions they are; `nil`: the regions stay.
    mutating func define(_ rules: [RegionRule], lease: Lease?) {
        guard var lease else {
            lasting = rules
            return
        }
        if let index = leases.firstIndex(where: { $0.connection == lease.connection }) {
            leases[index].rules = rules
        } else {
            lease.rules = rules
            leases.append(lease)
        }
        leases.removeAll { $0.rules.isEmpty }
    }

    /// The regions of a set that a client may replace: without the right to see private regions those that such clients
    /// have defined. So nobody without the right moves what lies in a region of somebody else.
    func rules(of connection: Int64?, seesPrivate: Bool) -> [RegionRule] {
        let rules = rules(of: connection)
        return seesPrivate ? rules : rules.filter { $0.isOutsider }
    }

    /// Replaces those of a set that a client may replace.
    mutating func define(_ rules: [RegionRule], lease: Lease?, seesPrivate: Bool) {
        let kept = seesPrivate ? [] : self.rules(of: lease?.connection).filter { !$0.isOutsider }
        define(kept + rules, lease: lease)
    }

    /// A copy with other regions in one set, as far as they fit the files.
    func defining(_ rules: [RegionRule], lease: Lease?, seesPrivate: Bool, files: Configuration) -> Self {
        var changes = self
        changes.define(rules, lease: lease, seesPrivate: seesPrivate)
        changes.adapt(to: files)
        return changes
    }

    /// Removes the regions that end with these connections, and their switches.
    mutating func endLeases(of connections: some Collection<Int64>) {
        leases.removeAll { connections.contains($0.connection) }
    }

    /// The ids of the regions that a user has leased.
    func ids(leasedBy user: UInt32) -> Set<String> {
        Set(leases.filter { $0.user == user }.flatMap { $0.rules.map { $0.id } })
    }

    /// Switches regions off, or on again.
    /// - Parameters:
    ///   - user: whose regions they are, and whose switches; `nil`: on behalf of those that may control.
    ///   - seesPrivate: whether it also holds for private regions, which may lie in these.
    mutating func switchRegions(_ ids: Set<String>, isOn: Bool, by user: UInt32?, seesPrivate: Bool = true) {
        for i in leases.indices where user == leases[i].user || (user == nil && isOn) {
            let own = ids.intersection(leases[i].rules.map { $0.id })
            if isOn { leases[i].switchedOff.subtract(own) } else { leases[i].switchedOff.formUnion(own) }
        }
        guard user == nil else { return }
        if isOn { switchedOff.subtract(ids) } else { switchedOff.formUnion(ids) }
        guard seesPrivate else { return }
        if isOn { privateSwitchedOff.subtract(ids) } else { privateSwitchedOff.formUnion(ids) }
    }

    /// Forgets the scenes and the switches of regions that a new configuration does not have. Definitions stay: a
    /// later configuration may have their parents again.
    mutating func adapt(to configuration: Configuration) {
        if !configuration.sceneIDs.contains(scene) { scene = configuration.daemon.scene }
        if let idleScene, !configuration.sceneIDs.contains(idleScene) { self.idleScene = nil }
        guard !switchedOff.isEmpty || !privateSwitchedOff.isEmpty || leases.contains(where: { !$0.switchedOff.isEmpty })
        else { return }
        let written = Set(configuration.regions.map { $0.id })
        let present = written.union(state.definitions.map { $0.id })
        switchedOff.formIntersection(present)
        privateSwitchedOff.formIntersection(present)
        // A region of the files that has the id of a lease's is not the lease's.
        for i in leases.indices {
            leases[i].switchedOff.formIntersection(Set(leases[i].rules.map { $0.id }).subtracting(written))
        }
    }
}
