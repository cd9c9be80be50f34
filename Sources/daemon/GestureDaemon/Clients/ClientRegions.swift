// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureProtocol
import GestureServer
import LinuxSystem

/// Switches regions and cancels gestures at the request of clients. Owns the objects that handle the other changes to
/// regions by clients.
///
/// A function that throws an error has not changed anything.
struct ClientRegions {
    let changes: RegionChanges
    let profiles: Profiles
    let leases: Leases
    let definitions: Definitions
    private let updates: PanelUpdates
    private let store: ConfigurationStore
    private let schedule: TurnSchedule

    init(loop: EventLoop, _ server: GestureServer, _ updates: PanelUpdates, _ statistics: PanelStatistics) {
        (self.updates, store, schedule) = (updates, updates.store, loop.schedule)
        changes = RegionChanges(updates)
        profiles = Profiles(updates)
        leases = Leases(changes, profiles, statistics)
        definitions = Definitions(loop: loop, server, updates, changes, leases)
    }

    var hasWork: Bool { leases.hasEnded || definitions.isWaiting || changes.isWaiting || profiles.isWaiting }

    /// Does the work that requests and ended connections have deferred to the end of the turn. If this turn has already
    /// taken a long time, the work is done in the next one.
    func workSoon() {
        guard schedule.isTurnLong else { return work() }
        if hasWork { schedule.tryAgain { work() } }
    }

    private func work() {
        leases.end()
        definitions.startNext()
        changes.applyWaiting()
        profiles.applyWaiting()
    }

    /// Switches all regions that match any of the globs. If one of the globs matches no region, throws an error and
    /// switches none.
    ///
    /// - Parameter peer: the client. Without the right to control, it can switch only its own regions.
    /// - Returns: whether all matching regions can be touched now.
    func switchRegions(_ patterns: [String], enabled: Bool, by peer: Peer) throws(RequestError) -> Bool {
        let changeable = changeableRegions(for: peer)
        var chosen: Set<String> = []
        for pattern in patterns { chosen.formUnion(try ids(of: pattern, in: changeable, for: peer)) }
        var changes = store.changes
        changes.switchRegions(
            chosen, isOn: enabled, by: peer.mayControl ? nil : peer.credentials.user, seesPrivate: peer.seesPrivate)
        if changes != store.changes {
            store.changes = changes
            updates.applySwitches(.regions)
        }
        let current = store.current
        return zip(current.regions, current.isShown).allSatisfy { !chosen.contains($0.id) || $1 }
    }

    /// Cancels the gestures in all regions that match a glob.
    ///
    /// - Parameter peer: the client. Without the right to control, it can cancel only gestures in its own regions.
    func cancel(_ pattern: String, by peer: Peer) throws(RequestError) {
        let chosen = Set(try ids(of: pattern, in: changeableRegions(for: peer), for: peer))
        for panel in updates.panels.devices.panels { panel.cancel(.client) { chosen.contains($0.id) } }
    }

    /// The visible regions in which a peer may switch and cancel gestures: all of them if it has the right to control,
    /// otherwise those leased by its user.
    private func changeableRegions(for peer: Peer) -> [RegionRule] {
        let regions = store.current.view(seesPrivate: peer.seesPrivate).regions
        guard !peer.mayControl else { return regions }
        let own = store.changes.ids(leasedBy: peer.credentials.user).subtracting(store.written.writtenIDs)
        return regions.filter { own.contains($0.id) }
    }

    /// The ids of the regions whose names match a glob.
    /// - Throws: an error if no name matches.
    private func ids(
        of pattern: String, in regions: [RegionRule], for peer: Peer
    ) throws(RequestError) -> [String] {
        let glob = Glob(pattern)
        let ids = regions.filter { glob.matches($0.name) }.map { $0.id }
        guard ids.isEmpty else { return ids }
        let names = regions.map { $0.name }
        let nearest = Spelling.nearest(to: pattern, among: names)
        let owner = peer.mayControl ? "" : " that this user has leased"
        throw RequestError(
            .notFound, "no region \"\(pattern)\"\(owner)" + (nearest == nil ? Self.list(names) : ""),
            suggestion: nearest)
    }

    /// Returns the end of a message about a region that does not exist. Requests for the list of regions get only those
    /// on panels that are ready.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(mostShown).joined(separator: ", ")
        let rest = names.count - mostShown
        switch names.count {
        case 0: return "; there are none"
        case 1: return "; there is only \(shown)"
        default: return "; there are \(shown)" + (rest > 0 ? " and \(rest) more" : "")
        }
    }

    /// The maximum number of ids in a message.
    private static let mostShown = 10
}
