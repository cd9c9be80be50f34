// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import GestureServerHarness
import LinuxSystem
import StreamVerifier
import Testing

@testable import GestureServer

/// The client's end of a connection. Stores the requests that it sends and the lines that it receives for
/// `scripts/check-lines`.
final class TestClient {
    private let socket: OwnedDescriptor
    private let delegate: ServerHarness.Delegate
    private var lines = ConnectionLines()

    init(_ socket: consuming OwnedDescriptor, delegate: ServerHarness.Delegate) {
        self.socket = socket
        self.delegate = delegate
    }

    deinit {
        // `close` alone would not be enough: a process that another test starts may hold a copy of the socket for
        // a moment, and the server would not notice the end at once.
        shutdown(socket.rawValue, CInt(SHUT_RDWR))
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        let count = bytes.withUnsafeBytes { linux_send(socket.rawValue, $0.baseAddress, $0.count) }
        #expect(count == bytes.count)
        lines.sent(bytes)
    }

    private func keep(_ bytes: [UInt8]) {
        for (line, request) in lines.received(bytes) {
            StubLines.keep(String(decoding: line, as: UTF8.self))
            // Refusals by the tests' delegate do not depend on the request.
            guard let request, delegate.error == nil else { continue }
            LineArchive.shared?.keep(request: request, reply: line)
        }
    }

    /// Reads all data that has arrived.
    func read() -> String {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = chunk.withUnsafeMutableBytes { linux_receive(socket.rawValue, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            result += chunk[..<count]
        }
        keep(result)
        return String(decoding: result, as: UTF8.self)
    }

    /// Sends as many bytes as the kernel accepts.
    func offer(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        let count = max(0, bytes.withUnsafeBytes { linux_send(socket.rawValue, $0.baseAddress, $0.count) })
        lines.sent(bytes.prefix(count))
        return count
    }

    /// Reads up to `count` bytes of the data that has arrived.
    /// - Returns: the number of bytes that were read.
    func read(atMost count: Int) -> Int {
        var left = count
        var chunk = [UInt8](repeating: 0, count: 4096)
        while left > 0 {
            let most = min(left, chunk.count)
            let taken = chunk.withUnsafeMutableBytes { linux_receive(socket.rawValue, $0.baseAddress, most) }
            guard taken > 0 else { break }
            keep(Array(chunk[..<taken]))
            left -= taken
        }
        return count - left
    }

    /// Reads all data that has arrived, and the data that the server sends when there is room again.
    func readAll(_ harness: ServerHarness) -> String {
        var result = ""
        while true {
            harness.turn()
            let more = read()
            if more.isEmpty { return result }
            result += more
        }
    }

    /// Waits until the server has closed the connection and all data is read. Returns whether that happens in
    /// time. The wait is necessary because a process that another test starts holds a copy of the socket until it
    /// calls `exec`.
    func reachesEnd() -> Bool {
        var entry = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, 120_000)
        return isAtEnd
    }

    /// Whether the connection has ended by now.
    var isAtEnd: Bool {
        var byte: UInt8 = 0
        let count = linux_receive(socket.rawValue, &byte, 1)
        return count == 0 || (count < 0 && linux_errno() == ECONNRESET)
    }

    func endSending() { shutdown(socket.rawValue, CInt(SHUT_WR)) }

    func endReading() { shutdown(socket.rawValue, CInt(SHUT_RD)) }
}

extension String {
    /// The lines, parsed as JSON.
    var documents: [JSONValue] {
        split(separator: "\n").compactMap { line in
            let root = try? JSONDocument.read(String(line)).root
            if root == nil { Issue.record("no JSON: \(line)") }
            return root
        }
    }
}

extension ServerHarness {
    /// A client whose connection the server has not accepted yet.
    func makeClient() throws -> TestClient {
        TestClient(try UnixSocket.connect(path: path, nonBlocking: true), delegate: delegate)
    }

    /// A client with this user id that the server has accepted and greeted.
    func connect(as user: UInt32 = 0) throws -> TestClient {
        server.listener?.readCredentials = { _ in PeerCredentials(process: 1, user: user, group: user) }
        let client = try makeClient()
        turn()
        return client
    }

    /// A client that has also read `hello` and `state`.
    func connectGreeted(as user: UInt32 = 0) throws -> TestClient {
        let client = try connect(as: user)
        _ = client.read()
        return client
    }

    /// A client that has also sent a `subscribe` request with these members and read the reply.
    func connectSubscribed(_ members: String = "") throws -> TestClient {
        let client = try connectGreeted()
        client.send("{\"cmd\":\"subscribe\"\(members.isEmpty ? "" : ",")\(members)}\n")
        turn()
        _ = client.read()
        return client
    }

    /// A client with the user id of this process.
    func connectAsSelf() throws -> TestClient {
        let client = try makeClient()
        turn()
        return client
    }
}
