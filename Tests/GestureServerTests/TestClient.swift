// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import GestureServerHarness
import LinuxSystem
import StreamVerifier
import Testing

@testable import GestureServer

/// The other end of a connection. Saves the lines that it reads and the requests that it sends for
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
        // The server must notice it at once, even while a process that another test starts holds a copy of the
        // socket.
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
            // A refusal by the tests' delegate is independent of the request.
            guard let request, delegate.error == nil else { continue }
            LineArchive.shared?.keep(request: request, reply: line)
        }
    }

    /// Reads everything that has arrived.
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

    /// Sends as much as the kernel accepts.
    func offer(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        let count = max(0, bytes.withUnsafeBytes { linux_send(socket.rawValue, $0.baseAddress, $0.count) })
        lines.sent(bytes.prefix(count))
        return count
    }

    /// Reads some of the data that has arrived.
    /// - Returns: the number of bytes.
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

    /// Reads everything that has arrived, and data that arrives when that has made room.
    func readAll(_ harness: ServerHarness) -> String {
        var result = ""
        while true {
            harness.turn()
            let more = read()
            if more.isEmpty { return result }
            result += more
        }
    }

    /// Whether the server has closed the connection, and all data was read. Waits for that, because a process that
    /// another test starts meanwhile holds a copy of the socket until it runs its program.
    func reachesEnd() -> Bool {
        var entry = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, 120_000)
        return isAtEnd
    }

    /// Whether that is true now.
    var isAtEnd: Bool {
        var byte: UInt8 = 0
        let count = linux_receive(socket.rawValue, &byte, 1)
        return count == 0 || (count < 0 && linux_errno() == ECONNRESET)
    }

    func endSending() { shutdown(socket.rawValue, CInt(SHUT_WR)) }

    func endReading() { shutdown(socket.rawValue, CInt(SHUT_RD)) }
}

extension String {
    /// The lines as JSON.
    var documents: [JSONValue] {
        split(separator: "\n").compactMap { line in
            let root = try? JSONDocument.read(String(line)).root
            if root == nil { Issue.record("no JSON: \(line)") }
            return root
        }
    }
}

extension ServerHarness {
    /// A client that the server has not accepted yet.
    func makeClient() throws -> TestClient {
        TestClient(try UnixSocket.connect(path: path, nonBlocking: true), delegate: delegate)
    }

    /// A client that is connected and greeted, with this user id.
    func connect(as user: UInt32 = 0) throws -> TestClient {
        server.listener?.readCredentials = { _ in PeerCredentials(process: 1, user: user, group: user) }
        let client = try makeClient()
        turn()
        return client
    }

    /// Likewise, after hello and state were read.
    func connectGreeted(as user: UInt32 = 0) throws -> TestClient {
        let client = try connect(as: user)
        _ = client.read()
        return client
    }

    /// Likewise, after a `subscribe` request with these members and its reply.
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
