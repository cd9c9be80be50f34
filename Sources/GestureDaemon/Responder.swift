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
        line.append(",\"scene\":\"default\",\"active\":[")
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
            daemon?.status.write(into: &line)
        case .devices:
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
            if !peer.mayControl, panel.pipeline.setup.regions.contains(where: { $0.isPrivate }) {
                return RequestError(
                    .permissionDenied, "\"describe\" would show private regions: for [access] control_uids only")
            }
            DescribeReply.write(panel, into: &line)
        case .reload:
            return reload(into: &line)
        case .subscribe, .state, .ping, .cancel, .setRegion, .setScene, .defineRegions:
            return RequestError(.unsupported, "\(request.name.rawValue) is not supported by this version")
        }
        return nil
    }

    func interestChanged() { daemon?.applyInterest() }

    private func reload(into line: inout LineBuffer) -> RequestError? {
        guard let daemon else { return RequestError(.busy, "not ready yet; ask again") }
        switch daemon.reload() {
        case .accepted(let warnings):
            line.appendKey("config_generation")
            line.appendInteger(daemon.store.generation)
            line.appendKey("warnings")
            line.appendInteger(warnings.count)
            return nil
        case .rejected(let diagnostics):
            let errors = diagnostics.count { $0.severity == .error }
            return RequestError(
                .configInvalid, errors == 1 ? "1 error" : "\(errors) errors",
                details: JSONFragment { NoticeLines.append(diagnostics, limit: 32 * 1024, to: &$0) })
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
            suggestion: Suggestion.nearest(to: device, among: panels.map { $0.pipeline.setup.device }))
    }
}
