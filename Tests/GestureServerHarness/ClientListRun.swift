// SPDX-License-Identifier: MIT
import CLinux
import GestureEngine
import GestureProtocol
import GestureServer
import GestureTestSupport
import LinuxSystem

/// A server with clients that connect, send requests, hang up and read in random order. While the server's delegate
/// handles a request, anything that is possible at that time may happen. Gestures begin and end, and the lines of each
/// client are checked.
package final class ClientListRun {
    /// The number of steps with one server. Each run creates a new server with other limits.
    package static let steps = 1000

    /// A rule that the server has broken.
    package struct Violation: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs `steps` steps, then closes all clients.
    /// - Throws: `Violation`, or a `SystemError` if the system has no resources left.
    package static func play(seed: UInt64) throws {
        let run = try ClientListRun(seed: seed)
        for step in 0..<steps {
            try run.step()
            let count = run.harness.server.clientCount
            guard count <= run.limits.clients else {
                throw Violation(description: "step \(step): \(count) clients, at most \(run.limits.clients)")
            }
            if let complaint = run.complaint { throw Violation(description: "step \(step): \(complaint)") }
        }
        try run.finishStreams()
        try run.finish()
    }

    private final class Peer {
        let socket: OwnedDescriptor
        /// `nil` if the client has passed a descriptor, because the server may then not read its later requests.
        var laws: ClientLaws?

        init(_ socket: consuming OwnedDescriptor, _ model: GestureModel) {
            self.socket = socket
            laws = ClientLaws(model)
        }
    }

    private let harness: ServerHarness
    private let model: GestureModel
    /// The complaint about the first client whose lines violate a law.
    private var complaint: String?
    private let limits: ServerLimits
    private let file: OwnedDescriptor
    private var peers: [Peer] = []
    private var generator: SeededRandom
    private static let most = 24

    private init(seed: UInt64) throws {
        generator = SeededRandom(seed)
        var limits = ServerLimits()
        limits.clients = 1 + Int(generator.next() % 16)
        limits.clientsPerUser = 1 + Int(generator.next() % 8)
        limits.queuedLines = 8
        limits.queuedBytes = 4096
        limits.unsentTogether = 16 * 1024 << Int(generator.next() % 4)
        limits.requestBurst = 1 + Int64(generator.next() % 20)
        limits.closings = 1 + Int(generator.next() % 4)
        self.limits = limits
        harness = try ServerHarness(limits: limits, controlUsers: [1000], takesDescriptors: generator.next() % 2 == 0)
        model = GestureModel(harness)
        file = try OwnedDescriptor(opening: "/dev/null", flags: O_RDONLY)
        harness.delegate.whileAnswering = { [unowned self] in interfere() }
        harness.delegate.leavesReloadsPending = true
        harness.delegate.whenEnded = { [unowned self] in if random(4) == 0 { harness.broadcast(isLast: false) } }
    }

    private func random(_ sides: Int) -> Int { Int(generator.next() % UInt64(sides)) }

    /// Simulates something that may happen while a delegate handles a request: time passes, lines are sent, subjects
    /// change, or a client disconnects.
    private func interfere() {
        switch random(8) {
        case 0: harness.clock.now += Int64(random(6000))
        case 1: harness.broadcast(padding: random(3000), isLast: false)
        case 2: model.step(random)
        case 3:
            harness.server.setAccess(
                AccessLists(random(2) == 0 ? [] : [AccessLists.Entry(.control, users: [1000, 1001])]))
        case 4: harness.delegate.reply = ",\"x\":\"" + String(repeating: "x", count: random(6000)) + "\""
        case 5: harness.delegate.error = random(2) == 0 ? nil : RequestError(.busy, "later")
        case 6: if !peers.isEmpty { peers.remove(at: random(peers.count)) }
        default: break
        }
    }

    private static let requests = [
        "{\"cmd\":\"status\",\"id\":1}\n", "{\"cmd\":\"clients\"}\n", "{\"cmd\":\"reload\"}\n", "{\"cmd\":\"ping\"}\n",
        "{\"cmd\":\"set_scene\",\"scene\":\"a\"}\n", "{\"cmd\":\"state\"}\n", "nonsense\n", "#\n", "{\"cmd\":",
        "{\"cmd\":\"subscribe\",\"events\":[\"gesture\",\"touches\"],\"max_rate_hz\":5}\n",
        "{\"cmd\":\"subscribe\",\"regions\":[\"*o*k*\",\"pin\"]}\n", "{\"cmd\":\"define_regions\",\"regions\":[]}\n",
        "{\"cmd\":\"subscribe\",\"max_rate_hz\":50,\"max_age_ms\":0}\n", "{\"cmd\":\"subscribe\"}\n",
        "{\"cmd\":\"subscribe\",\"phases\":[\"begin\",\"update\"],\"max_rate_hz\":1}\n",
        "{\"cmd\":\"subscribe\",\"events\":[\"touches\",\"device\"],\"max_rate_hz\":1}\n",
    ]

    private func step() throws {
        switch random(24) {
        case 15...22: stepModel()
        case 13: answerPending()
        case 0, 1: try connect()
        case 2: if !peers.isEmpty { peers.remove(at: random(peers.count)) }
        case 3, 4, 5: withPeer { peer in for _ in 0...random(12) { ask(over: peer) } }
        case 6:
            withPeer { _ = shutdown($0.socket.rawValue, [CInt(SHUT_RD), CInt(SHUT_WR), CInt(SHUT_RDWR)][random(3)]) }
        case 7: withPeer(passFile)
        case 8: withPeer { send(String(repeating: "a", count: random(70_000)), over: $0) }
        case 9: withPeer(read)
        case 10: harness.broadcast(phase: random(2) == 0 ? .update : .none, padding: random(1000))
        case 11: harness.pass(Int64(random(3) == 0 ? 40_000_000 : 20_000))
        case 12:
            harness.broadcast(padding: random(500), count: random(70))
        default: harness.loop.turn(timeout: 0)
        }
    }

    /// Replies to a pending request whose client may have disconnected meanwhile.
    private func answerPending() {
        guard !harness.delegate.pending.isEmpty else { return }
        let connection = harness.delegate.pending.remove(at: random(harness.delegate.pending.count))
        harness.server.answerPending(of: connection) { json in
            interfere()
            json.member("config_generation", 1)
            return random(2) == 0 ? .complete : .refused(RequestError(.busy, "later"))
        }
    }

    private func connect() throws {
        guard peers.count < Self.most else { return }
        let user = UInt32([0, 1000, 1001, 1002][random(4)])
        harness.server.listener?.readCredentials = { _ in PeerCredentials(process: 1, user: user, group: user) }
        peers.append(Peer(try UnixSocket.connect(path: harness.path, nonBlocking: true), model))
        if random(2) == 0 { harness.loop.turn(timeout: 0) }
    }

    private func withPeer(_ body: (Peer) -> Void) {
        guard !peers.isEmpty else { return }
        // Keeps a strong reference, because `body` may remove the peer.
        let peer = peers[random(peers.count)]
        body(peer)
    }

    /// Advances the gestures by a few steps. The lines of a turn are sent together.
    private func stepModel() {
        for _ in 0...random(4) { model.step(random) }
        harness.clock.now += Int64(random(20_000))
        harness.turn()
    }

    private func passFile(over peer: Peer) {
        peer.laws = nil
        _ = pass(file.rawValue, over: peer.socket.rawValue, flags: random(2) == 0 ? CInt(MSG_OOB) : 0)
    }

    private func ask(over peer: Peer) { send(Self.requests[random(Self.requests.count)], over: peer) }

    private func send(_ text: String, over peer: Peer) {
        var text = text
        let count = text.withUTF8 { linux_send(peer.socket.rawValue, $0.baseAddress, $0.count) }
        peer.laws?.sent(text.utf8.prefix(max(0, count)))
    }

    private func read(_ peer: Peer) { read(peer, 1 + random(8000)) }

    /// - Returns: the number of bytes received.
    @discardableResult
    private func read(_ peer: Peer, _ most: Int) -> Int {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = max(0, linux_receive(peer.socket.rawValue, &bytes, bytes.count))
        peer.laws?.received(bytes[..<count])
        if complaint == nil { complaint = peer.laws?.complaint }
        return count
    }

    /// Ends all gestures and reads all remaining lines; each client must have received the ends.
    private func finishStreams() throws {
        harness.delegate.whileAnswering = {}
        harness.delegate.whenEnded = {}
        harness.delegate.leavesReloadsPending = false
        while !harness.delegate.pending.isEmpty { answerPending() }
        model.endAll()
        for _ in 0..<8 {
            harness.pass(1_000_000)
            for peer in peers { while read(peer, 64 * 1024) > 0 { harness.turn() } }
        }
        for peer in peers {
            // Clients that the server has closed are left out, because they have not received all lines.
            var byte: UInt8 = 0
            guard linux_receive(peer.socket.rawValue, &byte, 1) < 0, linux_errno() == EAGAIN else { continue }
            peer.laws?.finish()
            if complaint == nil { complaint = peer.laws?.complaint }
        }
        if let complaint { throw Violation(description: "at the end: \(complaint)") }
    }

    /// Closes all clients; the server must report the end of each once.
    private func finish() throws {
        peers = []
        harness.turn()
        for _ in 0..<100 where harness.server.clientCount > 0 { harness.pass(1_000_000) }
        let left = harness.server.clientCount
        guard left == 0 else { throw Violation(description: "\(left) clients remain after all have disconnected") }
        let ended = harness.delegate.ended.sorted()
        let accepted = harness.server.listener?.connectionsAccepted ?? 0
        guard ended == Array(1..<accepted + 1) else {
            throw Violation(description: "\(accepted) connections were accepted; ends were reported of: \(ended)")
        }
        guard harness.server.interest == LineInterest() else {
            throw Violation(description: "lines are requested with no client connected: \(harness.server.interest)")
        }
    }
}
