// SPDX-License-Identifier: MIT
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem

/// The configuration and panels that a reload has replaced. This class can be sendable because the loop only creates an
/// object and a thread only frees its values.
private final class Replaced: @unchecked Sendable {
    private var values: (Configuration, [PanelSetup])?

    init(configuration: Configuration, setups: [PanelSetup]) { values = (configuration, setups) }

    /// Frees the values on the calling thread, even if the loop still refers to this object.
    func free() { values = nil }
}

/// Reads the configuration again, one reload at a time, and answers the requests for it.
final class Reloads {
    /// The origin of a request for a reload.
    enum Asker: Hashable, Sendable {
        case signal
        /// A client on this connection, which waits for the reply.
        case client(Int64)
    }

    private let loop: EventLoop
    private let server: GestureServer
    private let service: ServiceStatus
    private let devices: Devices
    private let store: ConfigurationStore
    private let log: Log
    private let installation: Installation
    /// The thread of the current reload, if there is one.
    private var reading: BackgroundWork<Reload.Outcome>?
    /// The requests that the current reload answers.
    private var askers: [Asker] = []
    /// The requests that the next reload answers.
    private var waiting: [Asker] = []
    /// The thread that frees the previous configuration after a reload.
    private var releasing: BackgroundWork<Void>?

    init(loop: EventLoop, _ installation: Installation) {
        (self.loop, self.installation) = (loop, installation)
        (server, service) = (installation.server, installation.service)
        let updates = installation.updates
        (devices, store, log) = (updates.panels.devices, updates.store, updates.log)
    }

    /// Reads the configuration on a thread, and then applies it to every device if it has no error. Requests that
    /// arrive in the meantime share the next reload, because the files may have changed since this one began.
    func request(for asker: Asker) {
        if asker == .signal { service.notifier.reloading() }
        if !waiting.contains(asker) { waiting.append(asker) }
        start()
    }

    /// Abandons a configuration that is being read.
    func stop() {
        reading?.abandon()
        releasing?.abandon()
        installation.keeper.stop()
    }

    private func start() {
        guard askers.isEmpty, !waiting.isEmpty else { return }
        swap(&askers, &waiting)
        let reload = store.reload(panels: devices.openPanels)
        do throws(SystemError) {
            reading = try BackgroundWork(loop: loop, { reload.run() }) { [unowned self] in finish($0) }
        } catch {
            log.warning("configuration: cannot start a thread, so the loop reads it: \(error)")
            loop.schedule.tryAgain { [unowned self] in finish(reload.run()) }
        }
    }

    /// Applies the configuration, and answers the requests for it.
    private func finish(_ outcome: Reload.Outcome) {
        reading = nil
        let asked = askers
        askers = []
        let old = Replaced(
            configuration: store.current, setups: devices.panels.map { $0.pipeline.setup })
        if case .accepted = installation.apply(outcome) { release(old) }
        // For a signal that arrived in the meantime, another reload has already been announced to the service manager.
        if asked.contains(.signal), !waiting.contains(.signal) { service.notifier.ready(status: service.text) }
        for case .client(let connection) in asked {
            guard let peer = server.peer(of: connection) else { continue }
            server.answerPending(of: connection) { write(store.last(seesPrivate: peer.seesPrivate), into: &$0) }
        }
        start()
    }

    /// Frees the previous configuration on a thread, because that takes a long time with many regions. Only one such
    /// thread runs at a time.
    private func release(_ old: Replaced) {
        guard releasing == nil else { return }
        releasing = try? BackgroundWork(loop: loop, { old.free() }) { [unowned self] in releasing = nil }
    }

    private func write(_ result: ConfigurationStore.Outcome, into json: inout JSONWriter) -> RequestAnswer {
        switch result {
        case .accepted(let warnings):
            json.member("config_generation", store.generation)
            json.member("warnings", warnings.count)
            if !warnings.isEmpty { warnings.write(into: &json) }
            return .complete
        case .rejected(let diagnostics):
            var error = RequestError.configurationInvalid(diagnostics)
            if diagnostics.isEmpty {
                error.message = "the files have errors, which are only shown to users in private_uids"
            }
            return .refused(error)
        }
    }
}

extension RequestError {
    /// The error for a rejected configuration. Its reply contains the diagnostics.
    static func configurationInvalid(_ diagnostics: [Diagnostic]) -> RequestError {
        let errors = diagnostics.count { $0.severity == .error }
        return RequestError(
            .configInvalid, counted(errors, "error"), details: JSONWriter.bytes { diagnostics.write(into: &$0) })
    }
}
