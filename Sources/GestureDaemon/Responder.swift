// SPDX-License-Identifier: MIT
import CLinux
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Answers what clients ask of the daemon.
final class Responder: GestureServerDelegate {
    /// The server needs a responder before there is a daemon; until then there is nothing to tell.
    var daemon: Daemon?

    var configGeneration: Int64 { daemon?.store.generation ?? 0 }

    private var devices: [AttachedDevice] { daemon?.devices ?? [] }
    private var panels: [Panel] { daemon?.panels ?? [] }

    func writeState(into line: inout LineBuffer, for peer: Peer) {
        DevicesReply.writeSummary(devices, into: &line)
        line.appendKey("scene")
        line.appendQuoted(daemon?.store.changes.scene ?? RuntimeState.defaultScene)
        line.append(",\"active\":[")
        var isFirst = true
        for panel in panels {
            let regions = panel.pipeline.setup.regions
            panel.pipeline.forEachActive { region, gesture, sequence in
                guard peer.mayControl || !regions[region].isPrivate else { return }
                line.append(isFirst ? "{\"region\":" : ",{\"region\":")
                isFirst = false
                line.appendQuoted(regions[region].id)
                line.appendKey("gesture")
                line.appendQuoted(regions[region].gestures[gesture].word)
                line.appendKey("name")
                line.appendQuoted(regions[region].gestures[gesture].name)
                line.appendKey("sequence")
                line.appendInteger(sequence.rawValue)
                line.append("}")
            }
        }
        line.append("]")
    }

    func respond(to request: Request, from peer: Peer, into line: inout LineBuffer) -> RequestError? {
        switch request.command {
        case .status:
            for panel in panels { panel.look() }
            daemon?.status(seesPrivate: peer.mayControl).write(into: &line)
        case .devices:
            for panel in panels { panel.look() }
            DevicesReply.write(devices, into: &line)
        case .regions(let pattern):
            let glob = Glob(pattern ?? "*")
            RegionsReply.write(
                panels, matching: { glob.matches($0) }, seesPrivate: peer.mayControl, into: &line)
        case .at(let x, let y, let device):
            guard let panel = panel(device) else { return noPanel(device) }
            return AtReply.write(panel, x: x, y: y, seesPrivate: peer.mayControl, into: &line)
        case .describe(let device):
            guard let panel = panel(device) else { return noPanel(device) }
            // Its slots hold where fingers were last: as good as touches.
            if !peer.mayControl, daemon?.store.current.privateRegionIDs.isEmpty == false {
                return RequestError(
                    .permissionDenied, "\"describe\" would show private regions: for [access] control_uids only")
            }
            DescribeReply.write(panel, into: &line)
        case .reload:
            return reload(into: &line)
        case .cancel, .setRegion, .setScene, .defineRegions:
            return change(request.command, peer, into: &line)
        case .subscribe, .clients, .state, .ping:
            return RequestError(.internal, "\(request.name.rawValue) is the server's")
        }
        return nil
    }

    func interestChanged() { daemon?.applyInterest() }

    func connectionEnded(_ connection: Int64) { daemon?.endedConnections.append(connection) }

    private func change(_ command: Request.Command, _ peer: Peer, into line: inout LineBuffer) -> RequestError? {
        guard let daemon else { return notReady }
        do throws(RequestError) {
            switch command {
            case .cancel(let region): return daemon.cancel(region)
            case .setScene(let scene): return daemon.setScene(scene)
            case .setRegion(let region, let enabled):
                let isShown = try daemon.setRegion(region, enabled: enabled)
                line.appendKey("enabled")
                line.appendBool(isShown)
            case .defineRegions(let lease, let definitions):
                let warnings = try daemon.defineRegions(definitions, lease: lease ? peer.connection : nil)
                line.appendKey("regions")
                line.appendInteger(definitions.count)
                if !warnings.isEmpty { NoticeLines.append(warnings, limit: NoticeLines.longestReply, to: &line) }
            case .subscribe, .status, .clients, .devices, .regions, .state, .ping, .at, .describe, .reload: break
            }
            return nil
        } catch {
            return error
        }
    }

    private var notReady: RequestError { RequestError(.busy, "not ready yet; ask again") }

    private func reload(into line: inout LineBuffer) -> RequestError? {
        guard let daemon else { return notReady }
        switch daemon.reload() {
        case .accepted(let warnings):
            line.appendKey("config_generation")
            line.appendInteger(daemon.store.generation)
            line.appendKey("warnings")
            line.appendInteger(warnings.count)
            if !warnings.isEmpty { NoticeLines.append(warnings, limit: NoticeLines.longestReply, to: &line) }
            return nil
        case .rejected(let diagnostics):
            return .configurationInvalid(diagnostics)
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
            suggestion: LikelyWord.nearest(to: device, among: panels.map { $0.pipeline.setup.device }))
    }
}
