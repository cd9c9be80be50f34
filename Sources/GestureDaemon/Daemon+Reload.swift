// SPDX-License-Identifier: MIT
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// What was in force before a reload. Sendable, because the loop only makes it, and a thread only frees it.
private final class Replaced: @unchecked Sendable {
    private var values: (Configuration, [PanelSetup])?

    init(configuration: Configuration, setups: [PanelSetup]) { values = (configuration, setups) }

    /// Frees the values where this is called, even if the loop still refers to this object.
    func free() { values = nil }
}

/// Reading the configuration again.
extension Daemon {
    /// Who wants the configuration to be read again.
    enum ReloadAsker: Hashable, Sendable {
        case signal
        /// On this connection, which waits for the reply.
        case client(Int64)
    }

    /// Reads the configuration on a thread, and then applies it to every device if it has no error. Those who ask while
    /// it is read share the next reload: the files may have changed since it began.
    func requestReload(for asker: ReloadAsker) {
        if !reloadsWaiting.contains(asker) { reloadsWaiting.append(asker) }
        startReload()
    }

    private func startReload() {
        guard reloadAskers.isEmpty, !reloadsWaiting.isEmpty else { return }
        swap(&reloadAskers, &reloadsWaiting)
        let reload = store.reload(panels: openPanels)
        let daemon = Unmanaged.passUnretained(self)
        do throws(SystemError) {
            reading = try BackgroundWork(loop: loop, { reload.run() }) {
                daemon.takeUnretainedValue().finishReload($0)
            }
        } catch {
            log.warning("configuration: read on the loop, which waits for it: \(error)")
            loop.schedule.tryAgain { daemon.takeUnretainedValue().finishReload(reload.run()) }
        }
    }

    /// Puts in force what was read, and tells those who have asked for it.
    private func finishReload(_ outcome: Reload.Outcome) {
        reading = nil
        let askers = reloadAskers
        reloadAskers = []
        let old = Replaced(configuration: store.current, setups: panels.map { $0.pipeline.setup })
        let result = apply(outcome)
        if case .accepted = result { release(old) }
        // A signal that has come meanwhile has told the manager that another reload is under way.
        if askers.contains(.signal), !reloadsWaiting.contains(.signal) { notifier.ready(status: statusText) }
        for case .client(let connection) in askers {
            guard let peer = server.peer(of: connection) else { continue }
            server.answerPending(of: connection) {
                writeReload(store.last(seesPrivate: peer.seesPrivate), for: peer, into: &$0)
            }
        }
        startReload()
    }

    /// Frees in a thread what was in force before: with many regions that takes long. One at a time.
    private func release(_ old: Replaced) {
        guard releasing == nil else { return }
        let daemon = Unmanaged.passUnretained(self)
        releasing = try? BackgroundWork(loop: loop, { old.free() }) {
            daemon.takeUnretainedValue().releasing = nil
        }
    }

    private func writeReload(
        _ result: ConfigurationStore.Outcome, for peer: Peer, into json: inout JSONWriter
    ) -> RequestAnswer {
        switch result {
        case .accepted(let warnings):
            json.member("config_generation", store.generation)
            json.member("warnings", warnings.count)
            if !warnings.isEmpty { EventLines.write(warnings, limit: EventLines.longestReply, to: &json) }
            return .complete
        case .rejected(let diagnostics):
            var error = RequestError.configurationInvalid(diagnostics)
            if diagnostics.isEmpty {
                error.message = "the files have errors, which are only shown to users in private_uids"
            }
            return .refused(error)
        }
    }

    private func apply(_ read: Reload.Outcome) -> ConfigurationStore.Outcome {
        let scene = store.changes.scene
        let outcome = store.install(read.files)
        if store.changes.scene != scene {
            let rest = store.changes.scene == RuntimeState.defaultScene ? ": all regions are on" : ""
            log.warning("scene: \"\(scene)\" is no more, now \"\(store.changes.scene)\"\(rest)")
        }
        warnAboutHiddenDefinitions()
        switch outcome {
        case .rejected(let diagnostics):
            log.write(diagnostics)
            log.error("configuration: rejected; the one before stays in force")
            broadcastOutcome()
            refusalTold = MonotonicClock.now()
        case .accepted(let warnings):
            log.write(warnings)
            applyConfiguration(read)
            applyIdle(.reload)
            broadcastOutcome()
            log.info("configuration: generation \(store.generation) in force: \(statusText)")
            keepConfiguration()
        }
        showStatus()
        return outcome
    }

    /// Sends clients the outcome of reading the files.
    func broadcastOutcome() {
        let generation = store.generation
        func send(_ outcome: ConfigurationStore.Outcome, to audience: EventLine.Audience) {
            let isAccepted = if case .accepted = outcome { true } else { false }
            broadcast {
                EventLines.configuration(
                    isAccepted: isAccepted, generation: isAccepted ? generation : generation + 1, outcome.diagnostics,
                    to: audience, into: &$0)
            }
        }
        let (all, open) = (store.last(seesPrivate: true), store.last(seesPrivate: false))
        if all == open { return send(all, to: .everybody) }
        send(all, to: .insiders)
        send(open, to: .outsiders)
    }

    /// Applies the configuration in force to every device. If only regions of a panel have changed, gestures in the
    /// others go on.
    private func applyConfiguration(_ read: Reload.Outcome) {
        if let access = read.access { apply(access) }
        applyLogLevel()
        // To ask udev for all devices takes milliseconds.
        monitor?.rescanIfChanged()
        openNewCandidates()
        var logged: Set<Diagnostic> = []
        for device in devices {
            let decision = decision(for: device, read.panels)
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
            log.warning("client: region \"\(rule.name)\" is left out: the files have that id, or not its parent")
        }
    }

    /// Logs each `[[device]]` that matches no device: a mistake, or a panel that is not plugged in.
    func warnAboutUnmatchedRules() {
        log.write(store.current.unmatchedRules(among: devices.map { $0.description }))
    }

    /// Puts the lists of `[access]` in force. Names that no user and no group has are logged and left out.
    func apply(_ access: ResolvedAccess) {
        log.write(access.warnings)
        server.setAccess(access.lists)
    }
}
