// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import CLinux
import GestureTestSupport
import LinuxSystem
import NIOCore
import NIOPosix
import Testing

@testable import GestureWeb

/// A bridge on a Unix socket, and the socket on which the test acts as its daemon.
final class TestBridge {
    let folder: ScratchFolder
    let bridge: Bridge
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let daemon: OwnedDescriptor

    /// - Parameter milliseconds: the time limit for a job. The default ends no job, also on a busy machine.
    init(
        milliseconds: Int64 = 600_000, _ change: (inout WebSettings, ScratchFolder) throws -> Void = { _, _ in }
    ) throws {
        folder = try ScratchFolder()
        var settings = WebSettings()
        settings.socket = folder.path + "/daemon.sock"
        settings.assets = folder.path + "/assets"
        try change(&settings, folder)
        daemon = try ListenSockets.bind(path: settings.socket)
        bridge = Bridge(settings, loop: group.next()) { name, limits, arguments in
            var limits = limits
            limits.milliseconds = milliseconds
            // Programs with a sanitizer need much more memory.
            if getenv("GESTURED_SANITIZER") != nil { limits.memory = .max }
            return ChildJob(name, limits, arguments: arguments, program: BuildProducts.program("gestured-web"))
        }
        _ = try bridge.listen(at: ListenSockets.bind(path: folder.path + "/web.sock").release()).wait()
    }

    /// Removes the daemon's socket, so that the bridge can no longer connect.
    func stopDaemon() { unlink(folder.path + "/daemon.sock") }

    deinit {
        try? bridge.shutDown()
        try? group.syncShutdownGracefully()
    }

    /// Also listens on the loopback address.
    /// - Returns: the port.
    func listen() throws -> UInt16 {
        let socket = try ListenSockets.bind(host: "127.0.0.1", port: 0)
        let channel = try bridge.listen(at: socket.release()).wait()
        return try #require(channel.localAddress?.port.flatMap { UInt16(exactly: $0) })
    }

    func connect() throws -> Peer { try Peer(UnixSocket.connect(path: folder.path + "/web.sock")) }

    /// The next connection that the bridge makes to the daemon.
    func acceptDaemon() throws -> Peer {
        var waiting = pollfd(fd: daemon.rawValue, events: Int16(POLLIN), revents: 0)
        try #require(poll(&waiting, 1, Peer.patience) == 1, "the bridge does not connect to the daemon")
        guard let socket = try UnixSocket.accept(daemon.rawValue) else { throw TestFailure("no connection") }
        return Peer(socket)
    }

    /// The bridge's answer, until it closes the connection.
    func answer(to request: String) throws -> String {
        let peer = try connect()
        try peer.send(request)
        return try peer.rest()
    }

    /// A page that has opened a WebSocket, and the bridge's connection to the daemon for it.
    func openSocket() throws -> (page: Peer, daemon: Peer) {
        let page = try connect()
        try page.send(Self.upgrade)
        let daemon = try acceptDaemon()
        let head = try page.until("\r\n\r\n")
        try #require(head.hasPrefix("HTTP/1.1 101 "), "\(head)")
        return (page, daemon)
    }

    static let upgrade =
        "GET /socket HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
}

/// The test's end of a connection to the bridge.
final class Peer {
    /// The maximum wait in milliseconds. It only matters if the expected data does not come.
    static let patience = CInt(LineReader.patience * 1000)

    private let socket: OwnedDescriptor
    private var bytes: [UInt8] = []
    private(set) var isClosed = false

    init(_ socket: consuming OwnedDescriptor) {
        self.socket = socket
        _ = linux_set_non_blocking(self.socket.rawValue)
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard canSend(within: Self.patience) else { throw TestFailure("the bridge does not accept more data") }
            let count = rest.withUnsafeBytes { linux_send(socket.rawValue, $0.baseAddress, $0.count) }
            guard count > 0 else { throw TestFailure("the bridge has closed the connection") }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether the socket accepts data within `milliseconds`.
    func canSend(within milliseconds: CInt) -> Bool {
        var waiting = pollfd(fd: socket.rawValue, events: Int16(POLLOUT), revents: 0)
        return poll(&waiting, 1, milliseconds) == 1
    }

    /// Sends as many of the bytes as the socket accepts.
    /// - Returns: the number of bytes that were sent.
    func sendWhatFits(_ bytes: [UInt8]) -> Int {
        max(0, bytes.withUnsafeBytes { linux_send(socket.rawValue, $0.baseAddress, $0.count) })
    }

    /// Shuts down the sending direction.
    func finish() { shutdown(socket.rawValue, CInt(SHUT_WR)) }

    /// Sends a masked frame, as a browser does. The payload may have at most 65 535 bytes.
    func send(frame opcode: UInt8, _ payload: [UInt8], isLast: Bool = true) throws {
        var frame: [UInt8] = [(isLast ? 0x80 : 0) | opcode]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [UInt8(0x80 | 126), UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        let mask: [UInt8] = [1, 2, 3, 4]
        try send(frame + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] })
    }

    func send(message: String) throws { try send(frame: 1, Array(message.utf8)) }

    /// Waits until data arrives, for at most `milliseconds`, and reads it.
    private func receive(_ milliseconds: CInt = patience) throws {
        var waiting = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) == 1 else { throw TestFailure("no data arrives; before that: \(text)") }
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = linux_receive(socket.rawValue, &block, block.count)
        if count <= 0 { isClosed = true } else { bytes += block.prefix(count) }
    }

    private var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Reads until `end` has arrived, and returns the text including it.
    func until(_ end: String) throws -> String {
        let end = Array(end.utf8)
        while true {
            if let start = start(of: end) {
                defer { bytes.removeFirst(start + end.count) }
                return String(decoding: bytes[..<(start + end.count)], as: UTF8.self)
            }
            guard !isClosed else { throw TestFailure("the connection ended; before that: \(text)") }
            try receive()
        }
    }

    private func start(of text: [UInt8]) -> Int? {
        guard bytes.count >= text.count else { return nil }
        return (0...bytes.count - text.count).first { bytes[$0..<($0 + text.count)].elementsEqual(text) }
    }

    /// Waits until the bridge has closed the connection. Does not read any data.
    func waitForEnd() throws {
        var waiting = pollfd(fd: socket.rawValue, events: Int16(0x2000 /* POLLRDHUP */), revents: 0)
        guard poll(&waiting, 1, Self.patience) == 1 else {
            throw TestFailure("the bridge does not close the connection")
        }
    }

    /// Reads all data until the connection is closed.
    func rest() throws -> String {
        while !isClosed { try receive() }
        defer { bytes = [] }
        return text
    }

    /// Reads the next frame from the bridge. Frames from a server are not masked.
    func frame() throws -> (opcode: UInt8, isLast: Bool, payload: [UInt8]) {
        try fill(2)
        var start = 2
        var length = Int(bytes[1])
        if length == 126 {
            try fill(4)
            (start, length) = (4, Int(bytes[2]) << 8 | Int(bytes[3]))
        } else if length == 127 {
            try fill(10)
            (start, length) = (10, bytes[2..<10].reduce(0) { $0 << 8 | Int($1) })
        }
        try fill(start + length)
        defer { bytes.removeFirst(start + length) }
        return (bytes[0] & 0x0F, bytes[0] & 0x80 != 0, Array(bytes[start..<(start + length)]))
    }

    /// Reads the next message, which may consist of several frames.
    func message() throws -> String {
        var payload: [UInt8] = []
        while true {
            let part = try frame()
            guard part.opcode <= 1 else { throw TestFailure("a frame with opcode \(part.opcode), not a message") }
            payload += part.payload
            if part.isLast { return String(decoding: payload, as: UTF8.self) }
        }
    }

    private func fill(_ count: Int) throws {
        while bytes.count < count {
            guard !isClosed else { throw TestFailure("the connection ended within a frame") }
            try receive()
        }
    }
}
#endif
