// SPDX-License-Identifier: MIT
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Reading the configuration again.
extension Daemon {
    /// Reads the configuration and, if it has no error, applies it to every device.
    func reload() -> ConfigurationStore.Outcome {
        let scene = store.changes.scene
        let outcome = store.read()
        if store.changes.scene != scene {
            let rest = store.changes.scene == RuntimeState.defaultScene ? ": all regions are on" : ""
            log.warning("scene \"\(scene)\" is no more, now \"\(store.changes.scene)\"\(rest)")
        }
        warnAboutHiddenDefinitions()
        switch outcome {
        case .rejected(let diagnostics):
            log.write(diagnostics)
            log.error("configuration rejected; the one before stays in force")
            broadcastOutcome(isAccepted: false, generation: store.generation + 1, diagnostics)
        case .accepted(let warnings):
            log.write(warnings)
            applyConfiguration()
            applyIdle(.reload)
            broadcastOutcome(isAccepted: true, generation: store.generation, warnings)
            log.info("configuration \(store.generation) in force: \(statusText)")
        }
        showStatus()
        return outcome
    }

    /// Sends clients the outcome. Diagnostics quote names: if there are private regions, only clients that may see those
    /// get them.
    private func broadcastOutcome(isAccepted: Bool, generation: Int64, _ diagnostics: [Diagnostic]) {
        func send(_ diagnostics: [Diagnostic], to audience: EventLine.Audience) {
            broadcast {
                EventLines.configuration(
                    isAccepted: isAccepted, generation: generation, diagnostics, to: audience, into: &$0)
            }
        }
        guard !store.current.privateRegionIDs.isEmpty else { return send(diagnostics, to: .everybody) }
        send(diagnostics, to: .insiders)
        send([], to: .outsiders)
    }

    /// Applies the configuration in force to every device. If only regions of a panel have changed, gestures in the
    /// others go on.
    private func applyConfiguration() {
        server.setAccess(accessLists())
        applyLogLevel()
        monitor?.rescan()
        openNewCandidates()
        var logged: Set<Diagnostic> = []
        for device in devices {
            let decision = decision(for: device)
            if let panel = device.panel, case .ready(let setup) = decision,
                setup.differsOnlyInRegions(from: panel.pipeline.setup)
            {
                panel.replaceRegions(setup)
                panel.renewGrab()
            } else {
                reopen(device)
            }
            guard let setup = device.panel?.pipeline.setup else { continue }
            // Panels of the same size have the same warnings.
            log.write(setup.diagnostics.filter { logged.insert($0).inserted })
        }
        subjectsChanged()
        warnAboutUnmatchedRules()
    }

    /// Logs regions that clients have defined and that do not fit the new files.
    private func warnAboutHiddenDefinitions() {
        let definitions = store.changes.state.definitions
        guard !definitions.isEmpty else { return }
        let present = Set(store.current.regions.dropFirst(store.written.regions.count).map { $0.id })
        for rule in definitions where !present.contains(rule.id) {
            log.warning("client: region \"\(rule.id)\" is left out: the files have that id, or not its parent")
        }
    }

    /// Logs each `[[device]]` that matches no device: a mistake, or a panel that is not plugged in.
    func warnAboutUnmatchedRules() {
        log.write(store.current.unmatchedRules(among: devices.map { $0.description }))
    }

    /// The lists of `[access]`. Names that no user and no group has are logged and left out.
    func accessLists() -> AccessLists {
        log.write(store.current.unknownMembers { Users.number(of: $0, isGroup: $1) != nil })
        return AccessLists(
            store.current.access.lists.map { right, members in
                var entry = AccessLists.Entry(right)
                for member in members {
                    switch member.id {
                    case .number(let number): entry.insert(number, isGroup: member.isGroup)
                    case .name(let name, _):
                        guard let number = Users.number(of: name, isGroup: member.isGroup) else { continue }
                        entry.insert(number, isGroup: member.isGroup)
                    }
                }
                return entry
            })
    }
}
