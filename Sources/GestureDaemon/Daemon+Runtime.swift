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
        let ids = changeableRegions(for: peer)
        var chosen: Set<String> = []
        for pattern in patterns {
            let glob = Glob(pattern)
            let matching = ids.filter { glob.matches($0) }
            if matching.isEmpty { throw noRegion(pattern, for: peer) }
            chosen.formUnion(matching)
        }
        var changes = store.changes
        changes.switchRegions(chosen, isOn: enabled, by: peer.mayControl ? nil : peer.credentials.user)
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
        let glob = Glob(pattern)
        let chosen = Set(changeableRegions(for: peer).filter { glob.matches($0) })
        guard !chosen.isEmpty else { throw noRegion(pattern, for: peer) }
        for panel in panels { panel.cancel(.client) { chosen.contains($0.id) } }
    }

    /// The regions that a peer may switch and cancel: all, or those that its user has leased.
    private func changeableRegions(for peer: Peer) -> [String] {
        let ids = store.current.regions.map { $0.id }
        guard !peer.mayControl else { return ids }
        let own = store.changes.ids(leasedBy: peer.credentials.user).subtracting(store.written.regions.map { $0.id })
        return ids.filter { own.contains($0) }
    }

    /// What a peer's regions may be; `nil`: anything.
    /// - Throws: if there would be too many, or too many of its user.
    func guestRules(
        for peer: Peer, besides changes: RuntimeChanges, adding count: Int
    ) throws(RequestError) -> GuestRules? {
        if changes.state.definitions.count + count > RuntimeChanges.mostDefinitions {
            throw RequestError(.busy, "clients have defined \(RuntimeChanges.mostDefinitions) regions; no more fit")
        }
        guard !peer.mayControl else { return nil }
        let access = store.current.access
        let own = changes.ids(leasedBy: peer.credentials.user)
        if own.count + count > access.defineLimit {
            throw RequestError(
                .busy,
                "uid \(peer.credentials.user) may define \(access.defineLimit) regions (define_limit); no more fit")
        }
        return GuestRules(access, own: own, mayBePrivate: peer.seesPrivate)
    }

    private func noRegion(_ region: String, for peer: Peer) -> RequestError {
        let hidden = peer.seesPrivate ? [] : store.current.privateRegionIDs
        return RequestError(
            .notFound,
            peer.mayControl ? "no region \"\(region)\"" : "no region \"\(region)\" that this user has leased",
            suggestion: Spelling.nearest(
                to: region, among: changeableRegions(for: peer).filter { !hidden.contains($0) }))
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
    ///   - audience: who is told.
    ///   - reads: what can be read from the panels comes before it.
    ///   - prepared: what a thread has made of the panels.
    func applyChanges(
        _ change: EventLines.RuntimeChange, to audience: EventLine.Audience = .everybody, reads: Bool = true,
        _ prepared: PreparedPanels? = nil
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
        report(change, to: audience)
    }

    /// Applies changes of which regions are on, and of nothing else.
    func applySwitches(_ change: EventLines.RuntimeChange) {
        let current = store.current
        // What clients have defined above a private region stays off, whatever they switch.
        if !store.changes.leases.isEmpty, !current.privateRegionIDs.isEmpty { applyChanges(change); return }
        let hidden = NameSet(Set(zip(current.regions, current.isShown).filter { !$0.1 }.map { $0.0.id }))
        for panel in panels { panel.switchRegions { !hidden.contains($0.id) } }
        report(change)
    }

    private func report(_ change: EventLines.RuntimeChange, to audience: EventLine.Audience = .everybody) {
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
