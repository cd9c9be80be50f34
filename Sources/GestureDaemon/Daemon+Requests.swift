// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem

/// Answers the requests of clients.
extension Daemon: GestureServerDelegate {
    var configGeneration: Int64 { store.generation }

    func writeState(into json: inout JSONWriter, for peer: Peer) {
        DevicesReply.writeSummary(devices, into: &json)
        json.member("scene", store.changes.currentScene)
        let idle = self.idle.names
        if !idle.isEmpty { json.member("idle", idle) }
        json.array("active") { json in
            for panel in panels { writeActive(panel, seesPrivate: peer.seesPrivate, into: &json) }
        }
    }

    /// Writes an object for each continuous gesture that has begun and not ended.
    private func writeActive(_ panel: Panel, seesPrivate: Bool, into json: inout JSONWriter) {
        let regions = panel.pipeline.setup.regions
        panel.pipeline.forEachActive(seesPrivate: seesPrivate) { region, gesture, sequence in
            let region = regions[region]
            json.object { json in
                json.member("region", region.id)
                json.member("gesture", region.gestures[gesture].word)
                json.member("name", region.gestures[gesture].name)
                json.member("device", panel.pipeline.setup.device)
                json.member("sequence", sequence.rawValue)
            }
        }
    }

    func respond(to request: Request, from peer: Peer, into json: inout JSONWriter) -> RequestAnswer {
        switch request.command {
        case .reload:
            requestReload(for: .client(peer.connection))
            return .pending
        case .defineRegions(let isLease, let values, let waits):
            return define(Definition(values, isLease: isLease, waits: waits), by: peer, into: &json)
        default:
            return writeReply(to: request, from: peer, into: &json).map { .refused($0) } ?? .complete
        }
    }

    private func writeReply(to request: Request, from peer: Peer, into json: inout JSONWriter) -> RequestError? {
        switch request.command {
        case .status:
            for panel in panels { panel.checkForOtherGrab() }
            writeStatus(seesPrivate: peer.seesPrivate, into: &json)
        case .devices:
            for panel in panels { panel.checkForOtherGrab() }
            DevicesReply.write(devices, seesPrivate: peer.seesPrivate, into: &json)
        case .regions(let pattern):
            let glob = Glob(pattern ?? "*")
            RegionsReply.write(
                panels.map { $0.pipeline.setup }, matching: { glob.matches($0) }, seesPrivate: peer.seesPrivate,
                into: &json)
        case .at(let x, let y, let device):
            guard let panel = panel(device) else { return noPanel(device) }
            return AtReply.write(&panel.pipeline, x: x, y: y, seesPrivate: peer.seesPrivate, into: &json)
        case .describe(let device):
            guard let panel = panel(device) else { return noPanel(device) }
            // The slots hold the last positions of contacts.
            if !peer.seesPrivate, !store.current.privateRegionIDs.isEmpty {
                return Rights.seesPrivate.denial(of: "\"describe\"", to: peer.credentials.user)
            }
            DescribeReply.write(panel, seesPrivate: peer.seesPrivate, into: &json)
        case .counts:
            writeCounts(seesPrivate: peer.seesPrivate, into: &json)
        case .touchMap(let device):
            guard let panel = panel(device) else { return noPanel(device) }
            writeTouchMap(of: panel, for: peer.connection, into: &json)
        case .cancel, .setRegion, .setScene, .putRegion, .removeRegion:
            return change(request.command, peer, into: &json)
        case .reload, .defineRegions, .subscribe, .clients, .state, .ping:
            return RequestError(.internal, "\(request.name.rawValue) is not answered here")
        }
        return nil
    }

    func interestChanged() {
        for panel in panels { panel.pipeline.interest = server.interest }
    }

    func connectionEnded(_ connection: Int64) { endedConnections.append(connection) }

    private func change(_ command: Request.Command, _ peer: Peer, into json: inout JSONWriter) -> RequestError? {
        do throws(RequestError) {
            switch command {
            case .cancel(let region): return cancel(region, by: peer)
            case .setScene(let scene): return setScene(scene)
            case .setRegion(let regions, let enabled):
                let isShown = try setRegions(regions, enabled: enabled, by: peer)
                json.member("enabled", isShown)
            case .putRegion(let lease, let definition, let below, let waits):
                let place = RegionPlace(isLease: lease, below: below, waits: waits)
                let (isWaiting, warnings) = try putRegion(definition, place, by: peer)
                json.member("waiting", isWaiting)
                if !warnings.isEmpty { EventLines.write(warnings, limit: EventLines.longestReply, to: &json) }
            case .removeRegion(let lease, let region, let waits):
                json.member("waiting", try removeRegion(region, isLease: lease, waits: waits, by: peer))
            case .subscribe, .status, .clients, .devices, .regions, .state, .ping, .at, .describe, .counts, .touchMap,
                .reload, .defineRegions:
                break
            }
            return nil
        } catch {
            return error
        }
    }

    /// The panel with a name, or the first.
    private func panel(_ device: String?) -> Panel? {
        guard let device else { return panels.first }
        return panels.first { $0.pipeline.setup.device == device }
    }

    private func noPanel(_ device: String?) -> RequestError {
        guard let device else {
            return RequestError(.notFound, "no panel is ready; gesturectl devices says why")
        }
        return RequestError(
            .notFound, "no panel \"\(device)\" is ready",
            suggestion: Spelling.nearest(to: device, among: panels.map { $0.pipeline.setup.device }))
    }
}
