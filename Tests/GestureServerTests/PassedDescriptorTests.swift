// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import GestureServerHarness
import LinuxSystem
import Testing

@testable import GestureServer

/// A TCP socket on the loopback interface. Closing the last reference to it takes 18 hours, unless its other
/// end is closed meanwhile.
private final class LingeringSocket {
    private let other: OwnedDescriptor
    private var held: OwnedDescriptor?

    init() throws {
        let listener = try Self.create()
        let passive = listener.rawValue
        _ = try retryingOnInterrupt("listen") { listen(passive, 1) }
        // A `struct sockaddr_in`, which CLinux does not declare. A socket that listens without an address gets
        // a free port.
        var address = [UInt8](repeating: 0, count: 16)
        var size = socklen_t(address.count)
        let client = try Self.create()
        let active = client.rawValue
        try address.withUnsafeMutableBytes { bytes in
            let start = bytes.bindMemory(to: sockaddr.self).baseAddress
            _ = try retryingOnInterrupt("getsockname") { getsockname(passive, start, &size) }
            bytes[4] = 127
            bytes[7] = 1
            _ = try retryingOnInterrupt("connect") { connect(active, start, size) }
        }
        other = OwnedDescriptor(adopting: try retryingOnInterrupt("accept4") { linux_accept(passive) })
        var wait = linger(l_onoff: 1, l_linger: 65535)
        setsockopt(active, SOL_SOCKET, SO_LINGER, &wait, socklen_t(MemoryLayout<linger>.size))
        let bytes = [UInt8](repeating: 0, count: 65536)
        while linux_send(active, bytes, bytes.count) > 0 {}
        held = consume client
    }

    private static func create() throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(
            adopting: try retryingOnInterrupt("socket") { socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) })
    }

    var rawValue: CInt { held?.rawValue ?? -1 }

    /// Closes this reference. It does not block, because the receiver now has the last one.
    func letGo() { held = nil }
}

@Suite("Descriptors that clients pass")
struct PassedDescriptorTests {
    /// Situations in which the server receives a passed descriptor.
    enum Way: CaseIterable {
        case received, urgent, afterRequests, hungUp, refused, unread, stopped
    }

    @Test("the kernel refuses them if it can")
    func refused() throws {
        let harness = try ServerHarness()
        let file = try OwnedDescriptor(opening: "/dev/null", flags: O_RDONLY)
        let connection = try UnixSocket.connect(path: harness.path)
        let canRefuse = linux_refuse_descriptors(connection.rawValue) == 0
        #expect(pass(file.rawValue, over: connection.rawValue) == (canRefuse ? -1 : 1))
        harness.turn()
        #expect(harness.server.clientCount == (canRefuse ? 1 : 0))
    }

    @Test("no client waits while they are closed", arguments: Way.allCases)
    func slow(way: Way) throws {
        var limits = ServerLimits()
        limits.clientsPerUser = 1
        let harness = try ServerHarness(limits: limits, takesDescriptors: true)
        harness.server.listener?.readCredentials = { _ in PeerCredentials(process: 2, user: 1001, group: 1001) }
        let first = way == .refused ? try harness.connect(as: 1001) : nil
        var connection: OwnedDescriptor? = try UnixSocket.connect(path: harness.path)
        let raw = connection?.rawValue ?? -1
        if way != .refused, way != .hungUp { harness.turn() }
        let slow = try LingeringSocket()
        if way == .afterRequests { _ = linux_send(raw, "{\"cmd\":\"ping\"}\n", 15) }
        if way == .unread {
            // Sends more bytes than one read takes. They form a line that is too long, so the rest stays unread.
            let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 80_000)
            #expect(linux_send(raw, bytes, bytes.count) == bytes.count)
        }
        try #require(pass(slow.rawValue, over: raw, flags: way == .urgent ? CInt(MSG_OOB) : 0) == 1)
        slow.letGo()
        if way == .hungUp { connection = nil }
        let begun = MonotonicClock.now()
        if way == .stopped { harness.server.stop() } else { harness.turn() }
        #expect(MonotonicClock.now() - begun < 60_000_000)
        #expect(harness.server.clientCount == (first == nil ? 0 : 1))
        connection = nil
        guard way != .stopped else { return }
        waitForCloser(of: harness)
        #expect(harness.server.closer.count == 0)
        if first == nil { #expect(try harness.connect(as: 1001).read().contains("hello")) }
    }

    @Test("no client waits for descriptors in the queue of a passed socket")
    func nested() throws {
        let harness = try ServerHarness(takesDescriptors: true)
        let connection = try UnixSocket.connect(path: harness.path)
        let slow = try LingeringSocket()
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        try #require(pass(slow.rawValue, over: ends[0]) == 1)
        try #require(pass(ends[1], over: connection.rawValue) == 1)
        slow.letGo()
        for end in ends { close(end) }
        harness.turn()
        waitForCloser(of: harness)
        #expect(harness.server.closer.count == 0)
    }

    @Test("other clients connect while a client passes them over many waiting connections")
    func crowd() throws {
        let harness = try ServerHarness(takesDescriptors: true)
        var (slow, connections): ([LingeringSocket], [Peer]) = ([], [])
        for _ in 0..<60 {
            let peer = Peer(try UnixSocket.connect(path: harness.path))
            let socket = try LingeringSocket()
            try #require(pass(socket.rawValue, over: peer.socket.rawValue) == 1)
            socket.letGo()
            slow.append(socket)
            connections.append(peer)
        }
        let users: [UInt32] = [0, 1002]
        let others = try users.map { _ in
            TestClient(try UnixSocket.connect(path: harness.path, nonBlocking: true), delegate: harness.delegate)
        }
        var accepted = 0
        harness.server.listener?.readCredentials = { _ in
            accepted += 1
            let user = accepted > 60 ? users[accepted - 61] : 1001
            return PeerCredentials(process: 2, user: user, group: user)
        }
        let end = MonotonicClock.now() + 120_000_000
        while accepted < 62, MonotonicClock.now() < end { harness.loop.turn(timeout: 10) }
        // The server's clock is stopped, so no client can have waited for a pause to end.
        for other in others { #expect(other.read().contains("hello")) }
        waitForCloser(of: harness)
        #expect(harness.server.closer.count == 0)
    }

    private final class Peer {
        let socket: OwnedDescriptor

        init(_ socket: consuming OwnedDescriptor) { self.socket = socket }
    }

    @Test("waiting connections do not delay the server when it stops")
    func waiting() throws {
        let harness = try ServerHarness(takesDescriptors: true)
        let connection = try UnixSocket.connect(path: harness.path)
        let slow = try LingeringSocket()
        try #require(pass(slow.rawValue, over: connection.rawValue) == 1)
        slow.letGo()
        let begun = MonotonicClock.now()
        harness.server.stop()
        #expect(MonotonicClock.now() - begun < 60_000_000)
        // The other end is closed, and all data has arrived.
        var byte: UInt8 = 0
        var pending = pollfd(fd: connection.rawValue, events: Int16(POLLIN), revents: 0)
        #expect(poll(&pending, 1, 120_000) == 1)
        #expect(recv(connection.rawValue, &byte, 1, 0) <= 0)
    }

    /// Waits until the helper thread has closed all descriptors. The thread may first have to wait for a
    /// processor.
    private func waitForCloser(of harness: ServerHarness) {
        let end = MonotonicClock.now() + 600_000_000
        while harness.server.closer.count > 0, MonotonicClock.now() < end { harness.loop.turn(timeout: 10) }
    }

    /// A helper that closes descriptors only when the test allows it.
    private final class SlowHelper {
        private var end: CInt = -1

        func start() -> CInt {
            var ends: [CInt] = [-1, -1]
            guard socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else { return -1 }
            end = ends[1]
            return ends[0]
        }

        /// Allows the helper to close one descriptor.
        func proceed() {
            var next = linux_closing()
            let size = MemoryLayout<linux_closing>.size
            guard recv(end, &next, size, CInt(MSG_DONTWAIT)) == size else { return }
            close(next.fd)
            _ = send(end, &next, size, 0)
        }

        deinit { close(end) }
    }

    @Test("no client is accepted while too many descriptors are being closed")
    func tooMany() throws {
        var limits = ServerLimits()
        limits.closings = 1
        let harness = try ServerHarness(limits: limits, takesDescriptors: true)
        let helper = SlowHelper()
        harness.server.closer.startHelper = helper.start
        let file = try OwnedDescriptor(opening: "/dev/null", flags: O_RDONLY)
        let good = try harness.connectGreeted(as: 1000)
        harness.server.listener?.readCredentials = { _ in PeerCredentials(process: 2, user: 1001, group: 1001) }
        let connection = try UnixSocket.connect(path: harness.path)
        try #require(pass(file.rawValue, over: connection.rawValue) == 1)
        harness.turn()
        let late = try harness.connect(as: 1002)
        #expect(late.read().isEmpty)
        harness.broadcast()
        #expect(good.read().contains("gesture"))
        helper.proceed()
        harness.turn()
        #expect(late.read().contains("hello"))
    }

    @Test("connections that are being closed count for their own user only")
    func places() throws {
        var limits = ServerLimits()
        limits.clients = 4
        limits.reservedForRoot = 1
        limits.clientsPerUser = 2
        let harness = try ServerHarness(limits: limits, takesDescriptors: true)
        let helper = SlowHelper()
        harness.server.closer.startHelper = helper.start
        let file = try OwnedDescriptor(opening: "/dev/null", flags: O_RDONLY)
        harness.server.listener?.readCredentials = { _ in PeerCredentials(process: 2, user: 1001, group: 1001) }
        for _ in 0..<6 {
            let connection = try UnixSocket.connect(path: harness.path)
            try #require(pass(file.rawValue, over: connection.rawValue) == 1)
            harness.turn()
        }
        #expect(harness.server.closer.count(of: 1001) == 6)
        #expect(try harness.connect(as: 1001).read().contains("busy"))
        let other = try harness.connect(as: 1002)
        #expect(other.read().contains("hello"))
        #expect(try harness.connect(as: 1003).read().contains("all 3 connections are in use"))
        #expect(try harness.connect(as: 0).read().contains("hello"))
    }
}
