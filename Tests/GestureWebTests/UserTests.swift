// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import CLinux
import Foundation
import GestureTestSupport
import LinuxSystem
import NIOCore
import Testing

@testable import GestureWeb

@Suite("Users of the loopback address", .serialized)
struct UserTests {
    private static let events = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let refusal =
        "{\"reply\":null,\"ok\":false,\"error\":{\"code\":\"busy\",\"message\":\"uid 5 has 16 connections already\"}}\n"

    /// Lets the calling thread act as this user, so that its sockets belong to that user. Requires root.
    private static func act(as user: UInt32) throws {
        typealias Call = @convention(c) (UInt32) -> CInt
        let symbol = try #require(dlsym(nil, "setfsuid"))
        _ = unsafeBitCast(symbol, to: Call.self)(user)
    }

    private func connect(_ port: UInt16, as user: UInt32 = geteuid()) throws -> Peer {
        if user != geteuid() { try Self.act(as: user) }
        let raw = linux_connect_internet("127.0.0.1", port, 60_000)
        if user != geteuid() { try Self.act(as: geteuid()) }
        try #require(raw >= 0)
        return Peer(OwnedDescriptor(adopting: raw))
    }

    /// Accepts a connection and determines the user at its other end.
    private func user(of listener: CInt) throws -> (result: CInt, user: uid_t) {
        let connection = accept(listener, nil, nil)
        try #require(connection >= 0)
        defer { close(connection) }
        let storage = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 8)
        defer { storage.deallocate() }
        let here = storage.bindMemory(to: sockaddr.self, capacity: 1)
        let there = (storage + 128).bindMemory(to: sockaddr.self, capacity: 1)
        var size = socklen_t(128)
        try #require(getsockname(connection, here, &size) == 0)
        size = 128
        try #require(getpeername(connection, there, &size) == 0)
        var user = uid_t.max
        return (linux_connection_user(here, there, &user), user)
    }

    @Test("A connection that was closed before it was accepted has no user")
    func closedConnection() throws {
        let listener = linux_listen_internet("127.0.0.1", 0)
        defer { close(listener) }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        try #require(named == 0)
        let port = UInt16(bigEndian: address.sin_port)
        let open = linux_connect_internet("127.0.0.1", port, 60_000)
        defer { close(open) }
        let found = try user(of: listener)
        #expect(found.result == 0 && found.user == geteuid())
        close(linux_connect_internet("127.0.0.1", port, 60_000))
        let closed = try user(of: listener)
        #expect(closed.result == -1 && closed.user == .max)
    }

    @Test("With users, a connection that is closed immediately is refused", .enabled(if: getuid() == 0))
    func refused() throws {
        let fixture = try TestBridge { settings, _ in settings.users = [.number(4711)] }
        let port = try fixture.listen()
        for user: UInt32 in [4711, 0] {
            let page = try connect(port, as: user)
            try page.send("GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try page.rest().hasPrefix("HTTP/1.1 404 "))
        }
        let stranger = try connect(port, as: 4712)
        #expect(try stranger.rest() == "")
    }

    @Test(
        "One user's streams make room for another's page and for the daemon's health", .enabled(if: getuid() == 0))
    func streams() throws {
        let fixture = try TestBridge()
        let port = try fixture.listen()
        var streams: [(page: Peer, daemon: Peer)] = []
        for _ in 0..<4 {
            let page = try connect(port, as: 4711)
            try page.send(Self.events)
            let daemon = try fixture.acceptDaemon()
            try daemon.send("{\"event\":\"hello\"}\n")
            _ = try page.until("hello")
            streams.append((page, daemon))
        }
        // The daemon refuses another page until one of the streams has ended.
        let page = try connect(port, as: 4712)
        try page.send(TestBridge.upgrade)
        var refusing: Peer? = try fixture.acceptDaemon()
        _ = try page.until("\r\n\r\n")
        let requests = (0..<3).map { number in
            "{\"cmd\":\"ping\",\"id\":\(number),\"x\":\"\(String(repeating: "x", count: 10_000))\"}"
        }
        for request in requests {
            try page.send(message: request)
            #expect(try refusing?.until("\n") == request + "\n")
        }
        try refusing?.send(Self.refusal)
        refusing = nil
        let newest = streams.removeLast()
        #expect(try newest.daemon.rest() == "")
        // The requests that the page had sent over the refused connection are sent again.
        let daemon = try fixture.acceptDaemon()
        for request in requests { #expect(try daemon.until("\n") == request + "\n") }
        try daemon.send("{\"event\":\"hello\"}\n")
        #expect(try page.message() == "{\"event\":\"hello\"}")
        // A health check makes room as well.
        let health = try connect(port, as: 4713)
        try health.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        do { try fixture.acceptDaemon().send(Self.refusal) }
        #expect(try streams.removeLast().daemon.rest() == "")
        try fixture.acceptDaemon().send(
            "{\"event\":\"hello\"}\n{\"reply\":\"subscribe\",\"id\":\"quiet\",\"ok\":true}\n"
                + "{\"reply\":\"ping\",\"id\":0,\"ok\":true}\n")
        #expect(try health.rest().hasPrefix("HTTP/1.1 200 "))
        // The user whose stream was ended must wait before opening another.
        let late = try connect(port, as: 4711)
        try late.send(Self.events)
        #expect(try late.rest().contains("retry: 5000\n"))
    }

    @Test("Idle connections of one user do not block others", .enabled(if: getuid() == 0))
    func idle() throws {
        let fixture = try TestBridge()
        let port = try fixture.listen()
        let idle = try (0..<200).map { _ in try connect(port, as: 4711) }
        let page = try connect(port, as: 4712)
        try page.send("GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try page.rest().hasPrefix("HTTP/1.1 404 "))
        // The oldest idle connection has been closed, but not the newest.
        #expect(try idle.first?.rest() == "")
        try idle.last?.send("GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try idle.last?.rest().hasPrefix("HTTP/1.1 404 ") == true)
    }
}
#endif
