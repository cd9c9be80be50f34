// SPDX-License-Identifier: MIT
#if Web
import GestureEngine
import GestureTestSupport
import Testing

@testable import GestureWeb

/// Requests and frames of all kinds: valid ones, and others with random damage.
@Suite("Arbitrary requests and frames", .serialized)
struct FuzzTests {
    /// The number of random requests; `scripts/long web-fuzz` sends a million.
    private static let count = LongRuns.count("web-fuzz") ?? 2000

    private static let requests: [[UInt8]] = [
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n",
        "GET /events?events=gesture,failed&regions=%6dap HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n\r\n",
        "POST /check?width=1&height=2&width_mm=3&height_mm=4 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\nversion = 1",
        "POST /replay HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"recording\":\"a\"\r\n1\r\n}\r\n0\r\n\r\n",
        "HEAD /inspector/x.js HTTP/1.0\r\nHost: localhost:1\r\nConnection: keep-alive\r\n\r\n",
        TestBridge.upgrade,
    ].map { Array($0.utf8) }

    private static let pieces: [[UInt8]] = [
        [0], [0x0D, 0x0A], [0xFF], Array("%00".utf8), Array("Content-Length: 99999999999999999999\r\n".utf8),
        Array("/../".utf8),
        Array("Transfer-Encoding: chunked\r\n".utf8), Array("Host: evil.example\r\n".utf8),
        Array("Upgrade: websocket\r\n".utf8),
        [0x81, 0xFE, 0xFF, 0xFF], [0x88, 0x80, 1, 2, 3, 4],
        [0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ]

    private static func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
            case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.removeSubrange(place...)
            case 3: bytes += bytes[place...]
            default: bytes.removeSubrange(place..<min(bytes.count, place + 4))
            }
        }
        return bytes
    }

    @Test("Each connection is answered or closed, and the bridge serves the next")
    func requests() throws {
        let fixture = try TestBridge()
        fixture.stopDaemon()
        var random = SeededRandom(13)
        for _ in 0..<Self.count {
            let request = Self.damaged(Self.requests.randomElement(using: &random) ?? [], &random)
            let peer = try fixture.connect()
            // The bridge reads no more data after it has answered, so sending may fail.
            try? peer.send(request)
            peer.finish()
            let answer = try peer.rest()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 ") || answer.hasPrefix("HTTP/1.0 "), "\(request)")
        }
        #expect(try fixture.answer(to: "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
        #expect(
            try fixture.answer(to: "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").contains(
                "gestured_web_connections 1\n"))
    }

    @Test("The daemon gets only whole lines of allowed requests, for any frames of a page")
    func frames() throws {
        let fixture = try TestBridge()
        var random = SeededRandom(31)
        var (page, daemon) = try fixture.openSocket()
        let messages = [
            "{\"cmd\":\"ping\",\"id\":1}", "{\"cmd\":\"reload\"}", "{\"cmd\":\"subscribe\",\"events\":[\"gesture\"]}",
            "{\"cmd\":\"ping\"}\n{\"cmd\":\"reload\"}", "# comment", "",
        ].map { Array($0.utf8) }
        var opened = 1
        for _ in 0..<Self.count {
            let opcode: UInt8 = [1, 1, 1, 1, 0, 9, 10, 2, 8, 3].randomElement(using: &random) ?? 1
            let payload = Self.damaged(messages.randomElement(using: &random) ?? [], &random)
            let isLast = Int.random(in: 0..<8, using: &random) > 0
            let isSent = (try? page.send(frame: opcode, payload, isLast: isLast)) != nil
            guard !isSent || [8, 2, 3].contains(opcode) || !isLast else { continue }
            page.finish()
            for line in try daemon.rest().split(separator: "\n") {
                let allowed = ["\"cmd\":\"ping\"", "\"cmd\":\"subscribe\""].contains { line.contains($0) }
                #expect(line.hasPrefix("{") && line.hasSuffix("}") && allowed, "\(line)")
            }
            (page, daemon) = try fixture.openSocket()
            opened += 1
        }
        #expect(opened > Self.count / 20)
    }
}
#endif
