// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Reading the configuration again, all or nothing.
extension Daemon {
    /// Reads the configuration, and when it has no error brings every device under it.
    func reload() -> ConfigurationStore.Outcome {
        let scene = store.changes.scene
        let outcome = store.read()
        if store.changes.scene != scene { log.warning("scene \"\(scene)\" is no more: all regions are on") }
        warnAboutHiddenDefinitions()
        switch outcome {
        case .rejected(let diagnostics):
            DiagnosticLog.write(diagnostics, to: log)
            log.error("configuration rejected; the one before stays in force")
            tell(isAccepted: false, generation: store.generation + 1, diagnostics)
        case .accepted(let warnings):
            DiagnosticLog.write(warnings, to: log)
            applyConfiguration()
            tell(isAccepted: true, generation: store.generation, warnings)
            log.info("configuration \(store.generation) in force: \(statusText)")
        }
        showStatus()
        ProgramCode.release()
        return outcome
    }

    /// Tells clients what came of reading. Diagnostics quote names: where a region is private, only those
    /// who may know of it get them.
    private func tell(isAccepted: Bool, generation: Int64, _ diagnostics: [Diagnostic]) {
        func send(_ diagnostics: [Diagnostic], to audience: Int) {
            broadcast {
                NoticeLines.configuration(
                    isAccepted: isAccepted, generation: generation, diagnostics, to: audience, into: &$0)
            }
        }
        guard !store.current.privateRegionIDs.isEmpty else { return send(diagnostics, to: EventLine.everybody) }
        send(diagnostics, to: EventLine.insiders)
        send([], to: EventLine.outsiders)
    }

    /// Brings every device under the configuration in force. A panel of which only regions have
    /// changed keeps what is under way in the others.
    private func applyConfiguration() {
        server.setControlUsers(ControlUsers.identifiers(store.current.access, log: log))
        applyLogLevel()
        monitor?.rescan()
        openWantedBystanders()
        var told: [Diagnostic] = []
        for device in devices {
            let decision = decision(for: device)
            if let panel = device.panel, case .ready(let setup) = decision,
                setup.differsOnlyInRegions(from: panel.pipeline.setup)
            {
                panel.replaceRegions(setup)
                panel.wantAlone()
            } else {
                reopen(device)
            }
            guard let setup = device.panel?.pipeline.setup else { continue }
            // What is odd about a region is odd on every panel of that size.
            let news = setup.diagnostics.filter { !told.contains($0) }
            told += news
            DiagnosticLog.write(news, to: log)
        }
        subjectsChanged()
        warnAboutUnmatchedRules()
    }

    /// What a client has defined and the files have no place for, until they have.
    private func warnAboutHiddenDefinitions() {
        for rule in store.changes.state.definitions where !store.current.regions.contains(rule) {
            log.warning("client: region \"\(rule.id)\" is left out: the files have that id, or not its parent")
        }
    }

    /// A `[[device]]` that matches nothing is a slip of the pen, or a panel that is not plugged in.
    func warnAboutUnmatchedRules() {
        DiagnosticLog.write(store.current.unmatchedRules(among: devices.map { $0.description }), to: log)
    }
}
