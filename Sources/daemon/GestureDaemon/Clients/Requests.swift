// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem

/// Answers the requests of clients.
final class Requests: GestureServerDelegate {
    private let server: GestureServer
    private let store: ConfigurationStore
    private let devices: Devices
    private let status: StatusReply
    private let scenes: Scenes
    private let reloads: Reloads
    private let clients: ClientRegions
    private let outputs: Outputs

    init(_ status: StatusReply, _ scenes: Scenes, _ outputs: Outputs, _ reloads: Reloads, _ clients: ClientRegions) {
        (server, store, devices) = (status.server, status.store, status.devices)
        (self.status, self.scenes, self.reloads, self.clients) = (status, scenes, reloads, clients)
        self.outputs = outputs
    }

    var configGeneration: Int64 { store.generation }
    var configurationFiles: [String] { store.files }

    func writeState(into json: inout JSONWriter, for peer: Peer) {
        DevicesReply.writeSummary(devices.attached, into: &json)
        store.changes.writeScene(into: &json)
        let idle = scenes.watch.names
        if !idle.isEmpty { json.member("idle", idle) }
        json.array("active") { json in
            for panel in devices.panels { writeActive(panel, seesPrivate: peer.seesPrivate, into: &json) }
        }
    }

    /// Writes an object for each continuous gesture that has begun but not ended.
    private func writeActive(_ panel: Panel, seesPrivate: Bool, into json: inout JSONWriter) {
        let regions = panel.pipeline.setup.regions
        panel.pipeline.forEachActive(seesPrivate: seesPrivate) { region, gesture, sequence in
            let region = regions[region]
            json.object { json in
                json.member("region", region.name)
                if region.isLeased { json.member("leased", true) }
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
            reloads.request(for: .client(peer.connection))
            return .pending
        case .defineRegions(let isLease, let values, let waits):
            let definition = Definition(values, isLease: isLease, waits: waits)
            return clients.definitions.define(definition, by: peer, into: &json)
        default:
            do throws(RequestError) {
                try writeReply(to: request, from: peer, into: &json)
                return .complete
            } catch {
                return .refused(error)
            }
        }
    }

    private func writeReply(to request: Request, from peer: Peer, into json: inout JSONWriter) throws(RequestError) {
        switch request.command {
        case .status:
            for panel in devices.panels { panel.checkForOtherGrab() }
            status.write(seesPrivate: peer.seesPrivate, scenes.watch, into: &json)
        case .devices:
            for panel in devices.panels {
                panel.checkForOtherGrab()
                panel.lookAtDisplay()
            }
            DevicesReply.write(devices.attached, seesPrivate: peer.seesPrivate, into: &json)
        case .regions(let pattern):
            let glob = Glob(pattern ?? "*")
            RegionsReply.write(
                devices.panels.map { $0.pipeline.setup }, matching: { glob.matches($0) }, seesPrivate: peer.seesPrivate,
                into: &json)
        case .at(let x, let y, let device):
            let panel = try devices.panel(device)
            let error = AtReply.write(panel.pipeline, x: x, y: y, seesPrivate: peer.seesPrivate, into: &json)
            if let error { throw error }
        case .describe(let device):
            DescribeReply.write(try devices.panel(device), seesPrivate: peer.seesPrivate, into: &json)
        case .counts:
            status.statistics.writeCounts(seesPrivate: peer.seesPrivate, into: &json)
        case .touchMap(let device):
            status.statistics.writeTouchMap(of: try devices.panel(device), for: peer.connection, into: &json)
        case .cancel, .activity, .setScene, .setProfile, .setOutput, .setRegion, .putRegion, .removeRegion:
            try change(request, by: peer, into: &json)
        case .reload, .defineRegions, .subscribe, .clients, .state, .ping:
            throw RequestError(.internal, "\(request.name.rawValue) is not handled here")
        }
    }

    /// Carries out a request that changes something.
    private func change(_ request: Request, by peer: Peer, into json: inout JSONWriter) throws(RequestError) {
        switch request.command {
        case .cancel(let region): try clients.cancel(region, by: peer)
        case .activity: scenes.noteActivity()
        case .setScene(let scene, let milliseconds): try scenes.choose(scene, for: milliseconds)
        case .setProfile(let profile, let isLease):
            try clients.profiles.choose(profile, isLease: isLease, by: peer)
        case .setOutput(let device, let rotation, let size):
            let output = OutputChange(rotation: rotation, size: size, isOutsider: !peer.seesPrivate)
            try outputs.set(output, of: device)
        case .setRegion(let regions, let enabled):
            json.member("enabled", try clients.switchRegions(regions, enabled: enabled, by: peer))
        case .putRegion(let lease, let definition, let below, let waits):
            let place = RegionPlace(isLease: lease, below: below, waits: waits)
            let (isWaiting, warnings) = try clients.changes.put(definition, place, by: peer)
            json.member("waiting", isWaiting)
            if !warnings.isEmpty { warnings.write(into: &json) }
        case .removeRegion(let lease, let region, let waits):
            json.member("waiting", try clients.changes.remove(region, isLease: lease, waits: waits, by: peer))
        default: break
        }
    }

    func interestChanged() {
        for panel in devices.panels { panel.pipeline.interest = server.interest }
    }

    func connectionEnded(_ connection: Int64) { clients.leases.connectionEnded(connection) }
}
