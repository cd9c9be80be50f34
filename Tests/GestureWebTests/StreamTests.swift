// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureTestSupport
import Testing

@testable import GestureWeb

@Suite("Streams", .serialized)
struct StreamTests {
    private static let hello = "{\"event\":\"hello\",\"protocol\":1}"

    @Test("A line is a message in each direction")
    func webSocket() throws {
        let fixture = try TestBridge()
        let (page, daemon) = try fixture.openSocket()
        try daemon.send(Self.hello + "\n{\"event\":\"state\"}\n")
        #expect(try page.message() == Self.hello)
        #expect(try page.message() == "{\"event\":\"state\"}")
        try page.send(message: "{\"cmd\":\"ping\",\"id\":1}")
        #expect(try daemon.until("\n") == "{\"cmd\":\"ping\",\"id\":1}\n")
    }

    @Test("A line that comes in parts is one message")
    func parts() throws {
        let fixture = try TestBridge()
        let (page, daemon) = try fixture.openSocket()
        try daemon.send("{\"event\":")
        #expect(try page.frame().isLast == false)
        // The bridge's own reply must not come before the end of the line.
        try page.send(message: "{\"cmd\":\"reload\"}")
        try page.send(frame: 9, Array("there?".utf8))
        let pong = try page.frame()
        #expect(pong.opcode == 10 && pong.payload == Array("there?".utf8))
        try daemon.send("1}\n")
        #expect(try page.message() == "1}")
        #expect(try page.message().contains("permission_denied"))
    }

    @Test("A request in fragments")
    func fragments() throws {
        let fixture = try TestBridge()
        let (page, daemon) = try fixture.openSocket()
        try page.send(frame: 1, Array("{\"cmd\":".utf8), isLast: false)
        try page.send(frame: 0, Array("\"ping\"}".utf8))
        #expect(try daemon.until("\n") == "{\"cmd\":\"ping\"}\n")
    }

    @Test("When the daemon disconnects, the page gets 1013 after the last line")
    func daemonGone() throws {
        let fixture = try TestBridge()
        var (page, daemon): (Peer, Peer?) = try fixture.openSocket()
        try daemon?.send("{\"event\":\"bye\"}\n")
        daemon = nil
        #expect(try page.message() == "{\"event\":\"bye\"}")
        let end = try page.frame()
        #expect(end.opcode == 8 && end.payload == [0x03, 0xF5])
        try page.send(frame: 8, end.payload)
        #expect(try page.rest() == "")
    }

    @Test(
        "A message that is not allowed ends the stream",
        arguments: [(opcode: UInt8(2), status: 1003), (0, 1002)])
    func wrongFrames(opcode: UInt8, status: Int) throws {
        let fixture = try TestBridge()
        let (page, daemon) = try fixture.openSocket()
        try page.send(frame: opcode, [1])
        let end = try page.frame()
        #expect(try daemon.rest() == "")
        #expect(end.opcode == 8 && end.payload == [UInt8(status >> 8), UInt8(status & 0xFF)])
    }

    @Test("A message longer than the daemon's lines ends the stream")
    func tooLong() throws {
        let fixture = try TestBridge()
        let (page, daemon) = try fixture.openSocket()
        let half = [UInt8](repeating: 32, count: 40_000)
        try page.send(frame: 1, half, isLast: false)
        try page.send(frame: 0, half)
        let end = try page.frame()
        #expect(end.opcode == 8)
        #expect(try daemon.rest() == "")
        #expect(end.payload == [UInt8(1009 >> 8), UInt8(1009 & 0xFF)])
    }

    @Test("A page that closes is answered, and its connection to the daemon is closed")
    func pageCloses() throws {
        let fixture = try TestBridge()
        let (page, daemon) = try fixture.openSocket()
        try page.send(frame: 8, [0x03, 0xE8])
        let end = try page.frame()
        #expect(end.opcode == 8 && end.payload == [0x03, 0xE8])
        #expect(try daemon.rest() == "")
    }

    @Test("A page that does not read leaves the lines in the daemon")
    func backpressure() throws {
        let fixture = try TestBridge()
        let (page, daemon) = try fixture.openSocket()
        let line = Array((String(repeating: "x", count: 1023) + "\n").utf8)
        var taken = 0
        // The sizes of all buffers between the daemon and the page are limited. Together they hold much less than
        // 64 MB.
        while taken < 64_000_000 {
            var count = daemon.sendWhatFits(line)
            if count == 0, daemon.canSend(within: 500) { count = daemon.sendWhatFits(line) }
            if count == 0 { break }
            taken += count
        }
        #expect(taken < 4_000_000)
        // All lines arrive when the page reads them.
        var read = 0
        while read < taken - 2048 { read += try page.message().utf8.count + 1 }
    }

    @Test("An event stream has the lines as events, and the subscription in its address")
    func events() throws {
        let fixture = try TestBridge()
        let page = try fixture.connect()
        try page.send("GET /events?events=gesture,failed&regions=ma%70* HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let daemon = try fixture.acceptDaemon()
        #expect(
            try daemon.until("\n")
                == "{\"cmd\":\"subscribe\",\"events\":[\"gesture\",\"failed\"],\"regions\":[\"map*\"]}\n")
        let head = try page.until("\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"))
        #expect(try page.until("\n\n").contains("retry: 500\n"))
        try daemon.send(Self.hello + "\n")
        #expect(try page.until("\n\n").contains("data: \(Self.hello)\n"))
    }

    @Test("Beyond the maximum number of pages, an event stream is asked to reconnect later, and a WebSocket is refused")
    func full() throws {
        let fixture = try TestBridge { settings, _ in settings.limits.pages = 1 }
        let first = try fixture.openSocket()
        let late = try fixture.answer(to: "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(late.hasPrefix("HTTP/1.1 200 ") && late.contains("retry: 5000\n"))
        let refused = try fixture.answer(to: TestBridge.upgrade)
        #expect(refused.hasPrefix("HTTP/1.1 503 "), "\(refused)")
        try first.page.send(frame: 8, [])
        _ = try first.daemon.rest()
        let next = try fixture.openSocket()
        #expect(!next.page.isClosed)
    }

    /// Invalid frames: flags and opcode, length with or without the mask bit, mask, payload.
    static let violations: [(name: String, frame: [UInt8], status: Int)] = [
        ("unmasked", [0x81, 2] + Array("{}".utf8), 1002),
        ("unmasked ping", [0x89, 0], 1002),
        ("first reserved bit", [0xC1, 0x82, 0, 0, 0, 0] + Array("{}".utf8), 1002),
        ("second reserved bit", [0xA1, 0x82, 0, 0, 0, 0] + Array("{}".utf8), 1002),
        ("third reserved bit, ping", [0x99, 0x80, 0, 0, 0, 0], 1002),
        ("reserved opcode", [0x83, 0x80, 0, 0, 0, 0], 1002),
        ("reserved control opcode", [0x8B, 0x80, 0, 0, 0, 0], 1002),
        ("ping in parts", [0x09, 0x80, 0, 0, 0, 0], 1002),
        ("long ping", [0x89, 0xFE, 0, 126, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 126), 1002),
        ("close with half a status", [0x88, 0x81, 0, 0, 0, 0, 3], 1002),
        ("close with a status that must not be sent", [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xED], 1002),
        ("close with a reason that is not UTF-8", [0x88, 0x83, 0, 0, 0, 0, 0x03, 0xE8, 0xFF], 1007),
        ("no UTF-8", [0x81, 0x84, 0, 0, 0, 0] + [0x22, 0xC3, 0x28, 0x22], 1007),
        ("half a character", [0x81, 0x83, 0, 0, 0, 0] + [0x22, 0xE2, 0x82], 1007),
        ("surrogate", [0x81, 0x85, 0, 0, 0, 0] + [0x22, 0xED, 0xA0, 0x80, 0x22], 1007),
        ("too long", [0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0], 1009),
    ]

    @Test(
        "Violations of the WebSocket protocol end the stream, and no part of them reaches the daemon",
        arguments: violations)
    func violation(name: String, frame: [UInt8], status: Int) throws {
        let fixture = try TestBridge()
        let (page, daemon) = try fixture.openSocket()
        try page.send(frame)
        let end = try page.frame()
        #expect(end.opcode == 8 && end.payload == [UInt8(status >> 8), UInt8(status & 0xFF)], "\(end)")
        #expect(try daemon.rest() == "")
    }

    @Test("A character may be split between the frames of a message")
    func splitCharacter() throws {
        let fixture = try TestBridge()
        let (page, daemon) = try fixture.openSocket()
        let text = Array("{\"cmd\":\"ping\",\"id\":\"€\"}".utf8)
        let middle = try #require(text.firstIndex(of: 0xE2)) + 1
        try page.send(frame: 1, Array(text[..<middle]), isLast: false)
        try page.send(frame: 0, Array(text[middle...]))
        #expect(try daemon.until("\n") == "{\"cmd\":\"ping\",\"id\":\"€\"}\n")
    }

    private static let refusal =
        "{\"reply\":null,\"ok\":false,\"error\":{\"code\":\"busy\",\"message\":\"uid 5 has 16 connections already\"}}"

    @Test("A page gets the daemon's refusal, however its bytes are split", arguments: [1, 30, 500])
    func refused(first: Int) throws {
        let fixture = try TestBridge()
        var (page, daemon): (Peer, Peer?) = try fixture.openSocket()
        let bytes = Array((Self.refusal + "\n").utf8)
        try daemon?.send(Array(bytes.prefix(first)))
        try daemon?.send(Array(bytes.dropFirst(first)))
        daemon = nil
        #expect(try page.message() == Self.refusal)
        let end = try page.frame()
        #expect(end.opcode == 8 && end.payload == [0x03, 0xF5])
    }

    @Test("Long messages reach the daemon in order, with short ones between them")
    func longMessages() throws {
        let fixture = try TestBridge()
        let (page, daemon) = try fixture.openSocket()
        for number in 0..<6 {
            let rest = String(repeating: "[0,1],", count: number % 2 * 9000)
            try page.send(message: "{\"cmd\":\"ping\",\"id\":\(number),\"x\":[\(rest)0]}")
            try page.send(message: "{\"cmd\":\"reload\",\"id\":\(number),\"x\":[\(rest)0]}")
        }
        for number in 0..<6 {
            #expect(try daemon.until("\n").hasPrefix("{\"cmd\":\"ping\",\"id\":\(number),"))
            let refusal = try page.message()
            #expect(refusal.contains("\"id\":\(number),") && refusal.contains("permission_denied"), "\(refusal)")
        }
    }
}
#endif
