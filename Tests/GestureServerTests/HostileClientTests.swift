// SPDX-License-Identifier: MIT
import CLinux
import GestureEngine
import GestureProtocol
import GestureServerHarness
import GestureTestSupport
import LinuxSystem
import Testing

@testable import GestureServer

/// Kinds of hostile clients. Each acts while a well-behaved client listens.
enum HostileKind: String, CaseIterable, CustomTestStringConvertible {
    case neverReads, readsAByteAtATime, halfCloses, floodsWithRequests, sendsNoLineEnd, sendsBinary, nestsDeeply
    case passesDescriptors, connectsAgainAndAgain, diesAtRandomBytes, subscribesAgainAndAgain, holdsAllItMay

    var testDescription: String { rawValue }
}

/// A hostile client, which may open many connections one after the other.
private final class HostileClient {
    private let kind: HostileKind
    private let harness: ServerHarness
    private var generator: SeededRandom
    private var sockets: [OwnedSocket] = []

    /// Owns a descriptor. A class, because an array cannot store noncopyable values.
    private final class OwnedSocket {
        let descriptor: OwnedDescriptor

        init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

        func send(_ bytes: [UInt8]) {
            _ = bytes.withUnsafeBytes { linux_send(descriptor.rawValue, $0.baseAddress, $0.count) }
        }

        func receive(_ count: Int) {
            var bytes = [UInt8](repeating: 0, count: count)
            _ = bytes.withUnsafeMutableBytes { linux_receive(descriptor.rawValue, $0.baseAddress, $0.count) }
        }
    }

    init(_ kind: HostileKind, _ harness: ServerHarness, seed: UInt64) throws {
        self.kind = kind
        self.harness = harness
        generator = SeededRandom(seed)
        // Gives the connections a user id that differs from the well-behaved client's.
        harness.server.listener?.readCredentials = { _ in PeerCredentials(process: 2, user: 1001, group: 1001) }
        for _ in 0..<(kind == .holdsAllItMay ? 20 : 1) { try connect() }
    }

    private func connect() throws {
        sockets.append(OwnedSocket(try UnixSocket.connect(path: harness.path, nonBlocking: true)))
        harness.turn()
    }

    /// Performs one hostile action; called between two events.
    func act() throws {
        guard let socket = sockets.last else { return }
        switch kind {
        case .neverReads, .holdsAllItMay: break
        case .readsAByteAtATime: socket.receive(1)
        case .halfCloses: shutdown(socket.descriptor.rawValue, CInt(SHUT_WR))
        case .floodsWithRequests: for _ in 0..<40 { socket.send(Array("{\"cmd\":\"status\",\"id\":1}\n".utf8)) }
        case .sendsNoLineEnd: socket.send([UInt8](repeating: UInt8(ascii: "a"), count: 3000))
        case .sendsBinary: socket.send((0..<300).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        case .nestsDeeply:
            let depth = 1 + Int(generator.next() % 2000)
            socket.send(Array((String(repeating: "[", count: depth) + "\n").utf8))
        case .passesDescriptors:
            let file = try OwnedDescriptor(opening: "/dev/null", flags: O_RDONLY)
            // If the kernel does not refuse the descriptor, the server closes the connection.
            if pass(file.rawValue, over: socket.descriptor.rawValue) != 1, linux_errno() != EPERM { try again() }
        case .connectsAgainAndAgain: for _ in 0..<4 { try again() }
        case .diesAtRandomBytes:
            let request = Array("{\"cmd\":\"subscribe\",\"events\":[\"touches\"]}\n".utf8)
            socket.send(Array(request.prefix(Int(generator.next() % UInt64(request.count + 1)))))
            try again()
        case .subscribesAgainAndAgain:
            for _ in 0..<3 { socket.send(Array("{\"cmd\":\"subscribe\",\"regions\":[\"*a*b*c*\"]}\n".utf8)) }
        }
    }

    private func again() throws {
        sockets.removeAll()
        try connect()
    }
}

@Suite("Hostile clients")
struct HostileClientTests {
    /// The lines that a well-behaved client reads while hostile clients act: 600 events in 5 s.
    private func stream(beside kinds: [HostileKind]) throws -> String {
        let harness = try ServerHarness()
        let good = try harness.connect(as: 1000)
        let hostile = try kinds.enumerated().map { try HostileClient($1, harness, seed: UInt64($0 + 1)) }
        var generator = SeededRandom(23)
        var result = ""
        for round in 0..<600 {
            harness.clock.now += 8333
            for client in hostile { try client.act() }
            harness.turn()
            let phase: LinePhase = [.begin, .update, .end, .cancel, .none][Int(generator.next() % 5)]
            harness.broadcast(
                subject: Int(generator.next() % 3), phase: phase, identity: Int64(generator.next() % 5), note: round,
                padding: Int(generator.next() % 200))
            harness.turn()
            result += good.read()
        }
        return result
    }

    @Test("change no byte of a good client's stream", arguments: HostileKind.allCases)
    func one(kind: HostileKind) throws {
        let alone = try stream(beside: [])
        #expect(alone.split(separator: "\n").count > 400)
        #expect(try stream(beside: [kind]) == alone)
    }

    @Test("all kinds together change no byte either")
    func all() throws {
        #expect(try stream(beside: HostileKind.allCases) == stream(beside: []))
    }
}
