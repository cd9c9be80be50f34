// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol

/// Changes by clients. A function that returns or throws an error has changed nothing.
extension Daemon {
    func setScene(_ scene: String) -> RequestError? {
        let scenes = store.current.sceneIDs
        guard scenes.contains(scene) else {
            return RequestError(
                .notFound, "no scene \"\(scene)\"", suggestion: Spelling.nearest(to: scene, among: scenes))
        }
        guard store.changes.currentScene != scene else { return nil }
        store.changes.scene = scene
        store.changes.idleScene = nil
        applySwitches(.scene)
        applyIdle(.scene)
        log.info("scene \"\(scene)\"")
        return nil
    }

    /// Switches all regions that match one of the globs; none if one glob matches nothing.
    ///
    /// - Returns: whether all of them can be touched now.
    func setRegions(_ patterns: [String], enabled: Bool) throws(RequestError) -> Bool {
        let ids = store.current.regions.map { $0.id }
        var chosen: Set<String> = []
        for pattern in patterns {
            let glob = Glob(pattern)
            let matching = ids.filter { glob.matches($0) }
            if matching.isEmpty { throw noRegion(pattern) }
            chosen.formUnion(matching)
        }
        var changes = store.changes
        if enabled { changes.switchedOff.subtract(chosen) } else { changes.switchedOff.formUnion(chosen) }
        if changes != store.changes {
            store.changes = changes
            applySwitches(.regions)
        }
        let current = store.current
        return zip(current.regions, current.isShown).allSatisfy { !chosen.contains($0.id) || $1 }
    }

    /// Replaces the regions that end with a connection, or those that stay.
    ///
    /// - Parameter definitions: one object for each region.
    /// - Returns: warnings.
    func defineRegions(
        _ definitions: [JSONValue], lease connection: Int64?
    ) throws(RequestError) -> [Diagnostic] {
        var changes = store.changes
        changes.define([], leasedBy: connection)
        let base = store.files(with: changes)
        if changes.state.definitions.count + definitions.count > RuntimeChanges.mostDefinitions {
            throw RequestError(.busy, "clients have defined \(RuntimeChanges.mostDefinitions) regions; no more fit")
        }
        let (rules, diagnostics) = base.readDefinitions(definitions, file: "regions")
        guard let rules else { throw .configurationInvalid(diagnostics) }
        changes.define(rules, leasedBy: connection)
        changes.adapt(to: store.written)
        guard changes != store.changes else { return diagnostics }
        store.changes = changes
        return diagnostics
            + applyChanges(.regions).filter { diagnostic in
                rules.contains { $0.location.file == diagnostic.file }
            }
    }

    /// Cancels the gestures in all regions that match a glob.
    func cancel(_ pattern: String) -> RequestError? {
        let glob = Glob(pattern)
        guard store.current.regions.contains(where: { glob.matches($0.id) }) else { return noRegion(pattern) }
        for panel in panels { panel.cancel(.client) { glob.matches($0.id) } }
        return nil
    }

    private func noRegion(_ region: String) -> RequestError {
        RequestError(
            .notFound, "no region \"\(region)\"",
            suggestion: Spelling.nearest(to: region, among: store.current.regions.map { $0.id }))
    }

    /// Removes the regions that ended connections had leased.
    ///
    /// Called once a turn: the server may find a connection ended while a panel sends, and many may end together.
    func endLeases() {
        guard !endedConnections.isEmpty else { return }
        var changes = store.changes
        changes.endLeases(of: endedConnections)
        endedConnections = []
        guard changes.leases != store.changes.leases else { return }
        changes.adapt(to: store.written)
        store.changes = changes
        applyChanges(.regions)
    }

    /// Applies the changes to every panel.
    ///
    /// - Returns: warnings about the regions on these panels.
    @discardableResult func applyChanges(_ change: EventLines.RuntimeChange) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for device in devices {
            let decision = decision(for: device)
            guard let panel = device.panel, case .ready(var setup) = decision else { continue }
            // A panel keeps its name even if the other one that matches the same `[[device]]` is gone.
            setup.device = panel.pipeline.setup.device
            panel.replaceRegions(setup, removalReason: .client)
            diagnostics += setup.diagnostics.filter { !diagnostics.contains($0) }
        }
        subjectsChanged()
        report(change)
        return diagnostics
    }

    /// Applies changes of which regions are on, and of nothing else.
    func applySwitches(_ change: EventLines.RuntimeChange) {
        let current = store.current
        let hidden = Set(zip(current.regions, current.isShown).filter { !$0.1 }.map { $0.0.id })
        for panel in panels { panel.switchRegions { !hidden.contains($0.id) } }
        report(change)
    }

    private func report(_ change: EventLines.RuntimeChange) {
        let (generation, scene) = (store.generation, store.changes.currentScene)
        broadcast { EventLines.runtime(change, generation: generation, scene: scene, into: &$0) }
        showStatus()
    }
}

extension RequestError {
    /// The reply carries the diagnostics.
    static func configurationInvalid(_ diagnostics: [Diagnostic]) -> RequestError {
        let errors = diagnostics.count { $0.severity == .error }
        return RequestError(
            .configInvalid, errors == 1 ? "1 error" : "\(errors) errors",
            details: JSONWriter.bytes { EventLines.write(diagnostics, limit: EventLines.longestReply, to: &$0) })
    }
}
