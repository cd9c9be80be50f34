// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import GestureServerHarness
import LinuxSystem
import Testing

@testable import GestureServer

/// A TCP socket on the loopback whose last close takes 5 s, unless its other end is closed meanwhile.
private final class LingeringSocket {
    private let other: OwnedDescriptor
    private var held: OwnedDescriptor?

    init() throws {
        let listener = try Self.create()
        let passive = listener.rawValue
        _ = try retryingOnInterrupt("listen") { listen(passive, 1) }
        // struct sockaddr_in, which CLinux does not have. A socket that listens unbound gets a port of its own.
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
        var wait = linger(l_onoff: 1, l_linger: 5)
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

    /// From now on whoever got it has the last reference, so this does not wait.
    func letGo() { held = nil }
}

@Suite("Descriptors that clients pass")
struct PassedDescriptorTests {
    /// How the server comes upon one.
    enum Way: CaseIterable {
        case received, urgent, afterRequests, hungUp, refused, unread, stopped
    }

    @Test("the kernel refuses them, if it can")
    func refused() throws {
        let harness = try ServerHarness()
        let file = try OwnedDescriptor(opening: "/dev/null", flags: O_RDONLY)
        let connection = try UnixSocket.connect(path: harness.path)
        let canRefuse = linux_refuse_descriptors(connection.rawValue) == 0
        #expect(pass(file.rawValue, over: connection.rawValue) == (canRefuse ? -1 : 1))
        harness.turn()
        #expect(harness.server.clientCount == (canRefuse ? 1 : 0))
    }

    @Test("the loop does not wait for their close, and the user's places are taken until then", arguments: Way.allCases)
    func slow(way: Way) throws {
        var limits = ServerLimits()
        limits.clientsPerUser = 1
        let harness = try ServerHarness(limits: limits, takesDescriptors: true)
        harness.server.readCredentials = { _ in PeerCredentials(process: 2, user: 1001, group: 1001) }
        let first = way == .refused ? try harness.connect(as: 1001) : nil
        var connection: OwnedDescriptor? = try UnixSocket.connect(path: harness.path)
        let raw = connection?.rawValue ?? -1
        if way != .refused, way != .hungUp { harness.turn() }
        var slow: LingeringSocket? = try LingeringSocket()
        if way == .afterRequests { _ = linux_send(raw, "{\"cmd\":\"ping\"}\n", 15) }
        if way == .unread {
            // More than one read takes, and then too long a line: the rest stays unread.
            let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 80_000)
            #expect(linux_send(raw, bytes, bytes.count) == bytes.count)
        }
        try #require(pass(slow?.rawValue ?? -1, over: raw, flags: way == .urgent ? CInt(MSG_OOB) : 0) == 1)
        slow?.letGo()
        if way == .hungUp { connection = nil }
        let begun = MonotonicClock.now()
        if way == .stopped { harness.server.stop() } else { harness.turn() }
        #expect(MonotonicClock.now() - begun < 1_000_000)
        #expect(harness.server.clientCount == (first == nil ? 0 : 1))
        #expect(harness.server.closer.count(of: 1001) == 1)
        connection = nil
        guard way != .stopped else { return }
        _ = try harness.connect(as: 1001)
        #expect(harness.notices.contains { $0.contains("uid 1001 has \(first == nil ? 1 : 2) connections already") })
        slow = nil
        waitForCloser(of: harness)
        #expect(harness.server.closer.count == 0)
        if first == nil { #expect(try harness.connect(as: 1001).read().contains("hello")) }
    }

    /// Until its thread, which may wait for the processor, has closed everything.
    private func waitForCloser(of harness: ServerHarness) {
        let end = MonotonicClock.now() + 10_000_000
        while harness.server.closer.count > 0, MonotonicClock.now() < end { harness.loop.turn(timeout: 10) }
    }

    @Test("nobody new is accepted while too many are being closed")
    func tooMany() throws {
        var limits = ServerLimits()
        limits.closings = 1
        let harness = try ServerHarness(limits: limits, takesDescriptors: true)
        let good = try harness.connectGreeted(as: 1000)
        harness.server.readCredentials = { _ in PeerCredentials(process: 2, user: 1001, group: 1001) }
        let connection = try UnixSocket.connect(path: harness.path)
        var slow: LingeringSocket? = try LingeringSocket()
        try #require(pass(slow?.rawValue ?? -1, over: connection.rawValue) == 1)
        slow?.letGo()
        harness.turn()
        let late = try harness.connect(as: 1002)
        #expect(late.read().isEmpty)
        harness.broadcast()
        #expect(good.read().contains("gesture"))
        slow = nil
        waitForCloser(of: harness)
        harness.pass(limits.acceptPause.upperBound)
        #expect(late.read().contains("hello"))
    }
}
