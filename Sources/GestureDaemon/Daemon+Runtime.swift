// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem

/// Changes by clients. A function that throws an error has changed nothing.
extension Daemon {
    func setScene(_ scene: String) throws(RequestError) {
        let scenes = store.current.sceneIDs
        guard scenes.contains(scene) else {
            throw RequestError(
                .notFound, "no scene \"\(scene)\"", suggestion: Spelling.nearest(to: scene, among: scenes))
        }
        guard store.changes.currentScene != scene else { return }
        store.changes.scene = scene
        store.changes.idleScene = nil
        applySwitches(.scene)
        applyIdle(.scene)
        log.info("scene: \"\(scene)\"")
    }

    /// Switches all regions that match one of the globs; none if one glob matches nothing.
    ///
    /// - Parameter peer: switches only regions of its own, if it may not control.
    /// - Returns: whether all of them can be touched now.
    func setRegions(_ patterns: [String], enabled: Bool, by peer: Peer) throws(RequestError) -> Bool {
        let changeable = changeableRegions(for: peer)
        var chosen: Set<String> = []
        for pattern in patterns { chosen.formUnion(try ids(of: pattern, in: changeable, for: peer)) }
        var changes = store.changes
        changes.switchRegions(
            chosen, isOn: enabled, by: peer.mayControl ? nil : peer.credentials.user, seesPrivate: peer.seesPrivate)
        if changes != store.changes {
            store.changes = changes
            applySwitches(.regions)
        }
        let current = store.current
        return zip(current.regions, current.isShown).allSatisfy { !chosen.contains($0.id) || $1 }
    }

    /// The warnings about some regions on all panels, each once.
    func layoutWarnings(about ids: Set<String>) -> [Diagnostic] {
        var listed: Set<Diagnostic> = []
        return panels.flatMap { $0.pipeline.setup.layout.diagnostics(of: ids) }.filter { listed.insert($0).inserted }
    }

    /// Whose regions a request is about; `nil`: those that stay.
    func lease(
        _ isLease: Bool, of peer: Peer, for command: CommandName
    ) throws(RequestError) -> RuntimeChanges.Lease? {
        let user = peer.credentials.user
        if isLease { return RuntimeChanges.Lease(connection: peer.connection, user: user) }
        guard peer.mayControl else {
            throw Rights.control.denial(of: "\"\(command.rawValue)\" without \"lease\"", to: user)
        }
        return nil
    }

    /// Cancels the gestures in all regions that match a glob.
    ///
    /// - Parameter peer: cancels only those of its own regions, if it may not control.
    func cancel(_ pattern: String, by peer: Peer) throws(RequestError) {
        let chosen = Set(try ids(of: pattern, in: changeableRegions(for: peer), for: peer))
        for panel in panels { panel.cancel(.client) { chosen.contains($0.id) } }
    }

    /// The regions that a peer may switch and cancel: of those that it may know of, all, or those that its user has leased.
    private func changeableRegions(for peer: Peer) -> [RegionRule] {
        let regions = store.current.view(seesPrivate: peer.seesPrivate).regions
        guard !peer.mayControl else { return regions }
        let own = store.changes.ids(leasedBy: peer.credentials.user).subtracting(store.written.writtenIDs)
        return regions.filter { own.contains($0.id) }
    }

    /// The ids of the regions whose names match a glob.
    /// - Throws: if there is none.
    private func ids(
        of pattern: String, in regions: [RegionRule], for peer: Peer
    ) throws(RequestError) -> [String] {
        let glob = Glob(pattern)
        let ids = regions.filter { glob.matches($0.name) }.map { $0.id }
        guard ids.isEmpty else { return ids }
        throw RequestError(
            .notFound,
            peer.mayControl ? "no region \"\(pattern)\"" : "no region \"\(pattern)\" that this user has leased",
            suggestion: Spelling.nearest(to: pattern, among: regions.map { $0.name }))
    }

    /// The limits on the regions that a peer defines.
    /// - Throws: if there would be too many, or too many of its user.
    func definer(
        for peer: Peer, besides changes: RuntimeChanges, adding count: Int
    ) throws(RequestError) -> Definer {
        // Its number must not show how many private ones there are.
        let hidden = store.current.view(seesPrivate: peer.seesPrivate).hidden
        let present = changes.state.definitions.count { !hidden.contains($0.id) }
        if present + count > RuntimeChanges.mostDefinitions {
            throw RequestError(.busy, "clients have defined \(RuntimeChanges.mostDefinitions) regions; no more fit")
        }
        guard !peer.mayControl else { return Definer(seesPrivate: peer.seesPrivate) }
        let access = store.current.access
        let own = changes.ids(leasedBy: peer.credentials.user)
        if own.count + count > access.defineLimit {
            throw RequestError(
                .busy,
                "uid \(peer.credentials.user) may define \(access.defineLimit) regions (define_limit); no more fit")
        }
        let names = own.filter { !hidden.contains($0) }.map { RegionID.name(of: $0) }
        return Definer(guest: GuestRules(access, own: Set(names)), seesPrivate: peer.seesPrivate)
    }

    var hasFollowUps: Bool { !endedConnections.isEmpty || !definitions.isEmpty || !waitingChanges.isEmpty }

    /// Does what requests and ended connections have left for the end of a turn.
    func followUp() {
        if !endedConnections.isEmpty { endConnections() }
        if !definitions.isEmpty { startDefinition() }
        if !waitingChanges.isEmpty { applyWaitingChanges() }
    }

    /// Forgets what ended connections had: leases, changes that wait, maps of touches.
    ///
    /// Called once a turn, if there are any: the server may find a connection ended while a panel sends, and many may end together.
    func endConnections() {
        forgetTouchMaps(of: endedConnections)
        var changes = store.changes
        changes.endLeases(of: endedConnections)
        waitingChanges.removeAll { $0.lease.map { endedConnections.contains($0.connection) } ?? false }
        endedConnections = []
        guard changes.leases != store.changes.leases else { return }
        changes.adapt(to: store.written)
        store.changes = changes
        applyChanges(.regions)
    }

    /// Applies the changes to every panel.
    ///
    /// - Parameters:
    ///   - reads: what can be read from the panels comes before it.
    ///   - prepared: what a thread has made of the panels.
    func applyChanges(
        _ change: EventLines.RuntimeChange, reads: Bool = true, _ prepared: PreparedPanels? = nil
    ) {
        for device in devices {
            let decision = decision(for: device, prepared)
            guard let panel = device.panel, case .ready(var setup) = decision else { continue }
            // A panel keeps its name even if the other one that matches the same `[[device]]` is gone.
            setup.device = panel.pipeline.setup.device
            if setup.hidesPrivate == panel.pipeline.setup.hidesPrivate {
                panel.replaceRegions(setup, removalReason: .client, reads: reads)
            } else {
                reopen(device)
            }
        }
        subjectsChanged()
        report(change)
    }

    /// Applies changes of which regions are on, and of nothing else.
    func applySwitches(_ change: EventLines.RuntimeChange) {
        let current = store.current
        let hidden = NameSet(Set(zip(current.regions, current.isShown).filter { !$0.1 }.map { $0.0.id }))
        for panel in panels { panel.switchRegions { !hidden.contains($0.id) } }
        report(change)
    }

    private func report(_ change: EventLines.RuntimeChange) {
        // A change of private regions alone is announced to clients with the right only.
        let audience: EventLine.Audience = store.takeOpenChange() ? .everybody : .insiders
        let (generation, scene) = (store.generation, store.changes.currentScene)
        broadcast { EventLines.runtime(change, generation: generation, scene: scene, to: audience, into: &$0) }
        showStatus()
    }
}

extension RequestError {
    /// The reply carries the diagnostics.
    static func configurationInvalid(_ diagnostics: [Diagnostic]) -> RequestError {
        let errors = diagnostics.count { $0.severity == .error }
        return RequestError(
            .configInvalid, counted(errors, "error"),
            details: JSONWriter.bytes { EventLines.write(diagnostics, limit: EventLines.longestReply, to: &$0) })
    }
}
