// SPDX-License-Identifier: MIT
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import GestureServer

/// Sends lines about devices, the configuration and idle times.
final class Announcements {
    /// A change of a panel.
    enum PanelChange: String {
        case added, removed
        /// Five fingers have given it to the application.
        case givenBack = "given_back"
        /// The daemon has taken it again.
        case grabbed
    }

    /// A change made by clients or idle times.
    enum Change: String { case scene, profile, regions, output }

    private let server: GestureServer
    private let store: ConfigurationStore
    private let service: ServiceStatus
    /// This line is reused for each announcement.
    private var line = EventLine()

    init(_ server: GestureServer, _ store: ConfigurationStore, _ service: ServiceStatus) {
        (self.server, self.store, self.service) = (server, store, service)
    }

    /// Sends a `device` line.
    /// - Parameter panel: the panel, which is open or about to be removed.
    func device(_ change: PanelChange, _ device: AttachedDevice, _ panel: Panel) {
        line.start(.device, subject: panel.pipeline.panelSubject, identity: Int64(panel.pipeline.panel))
        line.body.member("change", change.rawValue)
        line.body.member("device", device.device)
        line.body.member("node", device.node)
        line.body.member("name", device.name)
        server.broadcast(line)
    }

    /// Sends the result of reading the configuration files.
    func outcome() {
        let (all, open) = (store.last(seesPrivate: true), store.last(seesPrivate: false))
        if all == open { return send(all, to: .everybody) }
        send(all, to: .insiders)
        send(open, to: .outsiders)
    }

    private func send(_ outcome: ConfigurationStore.Outcome, to audience: EventLine.Audience) {
        let isAccepted = if case .accepted = outcome { true } else { false }
        line.start(.config, to: audience)
        line.body.member("change", isAccepted ? "applied" : "rejected")
        // The next generation is the one that the rejected configuration would have had.
        line.body.member("generation", isAccepted ? store.generation : store.generation + 1)
        outcome.diagnostics.write(limit: Self.longestLine - line.body.bytes.count, into: &line.body)
        server.broadcast(line)
    }

    /// The maximum length in bytes of a `config` event up to the end of its diagnostics. A line has at most 4 KiB; the
    /// remaining bytes are reserved for a final diagnostic with the number of omitted ones.
    private static let longestLine = 3699

    /// Announces a change that was applied, and updates the status of the service.
    func runtime(_ change: Change) {
        // A change that affects only private regions is announced only to clients with access to them.
        line.start(.config, to: store.takeOpenChange() ? .everybody : .insiders)
        line.body.member("change", change.rawValue)
        line.body.member("generation", store.generation)
        store.changes.writeScene(into: &line.body, namesDefault: change == .profile)
        server.broadcast(line)
        service.show()
    }

    func idle(_ changes: [IdleWatch.Change]) {
        for change in changes {
            change.encode(into: &line)
            server.broadcast(line)
        }
    }
}

extension [Diagnostic] {
    /// The maximum size in bytes of the diagnostics in a reply. Thousands of typical diagnostics fit into it. Without a
    /// limit, the diagnostics could take megabytes.
    private static var longestReply: Int { 512 * 1024 }

    /// Writes `"diagnostics":[…]`: the first diagnostics that fit into `limit` bytes, followed by the number of omitted
    /// ones.
    func write(limit: Int = Self.longestReply, into json: inout JSONWriter) {
        json.array("diagnostics") { json in
            var length = 0
            for (i, diagnostic) in enumerated() {
                let text = JSONWriter.bytes { $0.object { diagnostic.write(into: &$0) } }
                length += text.count + (i > 0 ? 1 : 0)
                guard length <= limit else {
                    let more = Diagnostic(
                        severity: diagnostic.severity, code: .more, message: "and \(count - i) more",
                        at: SourceLocation(file: ""))
                    return json.object { more.write(into: &$0) }
                }
                json.append(json: text)
            }
        }
    }
}
