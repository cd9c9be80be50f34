// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureProtocol
import GestureServer

/// Switches profiles at the request of clients. What is in progress keeps the values of the earlier profile.
final class Profiles {
    private let updates: PanelUpdates
    private let store: ConfigurationStore
    /// Whether a panel keeps values of an earlier profile.
    private(set) var isWaiting = false

    init(_ updates: PanelUpdates) { (self.updates, store) = (updates, updates.store) }

    /// Puts a profile in force.
    /// - Parameter isLease: whether it ends with the connection.
    /// - Throws: if there is no such profile, or if the peer has no right to set it. In that case, nothing changes.
    func choose(_ profile: String, isLease: Bool, by peer: Peer) throws(RequestError) {
        let lease = try peer.lease(isLease, for: .setProfile, files: store.files)
        let profiles = store.current.profileIDs
        guard profiles.contains(profile) else {
            throw RequestError(
                .notFound, "no profile \"\(profile)\"", suggestion: Spelling.nearest(to: profile, among: profiles))
        }
        var changes = store.changes
        changes.setProfile(profile, of: lease?.connection)
        apply(changes)
    }

    /// Ends the profiles that closed connections have set.
    func endLeases(of connections: [Int64]) {
        var changes = store.changes
        changes.profiles.removeAll { $0.connection.map { connections.contains($0) } ?? false }
        apply(changes)
    }

    /// Applies the profile to what has become idle. Call this at the end of a turn.
    func applyWaiting() {
        guard isWaiting else { return }
        isWaiting = false
        for panel in updates.panels.devices.panels where panel.changeProfile() { isWaiting = true }
    }

    private func apply(_ changes: RuntimeChanges) {
        let before = store.changes
        guard changes.profiles != before.profiles else { return }
        store.changes = changes
        guard changes.profile != before.profile else { return }
        isWaiting = updates.applyProfile()
        updates.log.info("profile: \"\(changes.profile)\"")
    }
}
