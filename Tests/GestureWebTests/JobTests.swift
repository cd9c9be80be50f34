// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import Foundation
import GestureTestSupport
import Testing

@testable import GestureWeb

@Suite("Checks and replays", .serialized)
struct JobTests {
    private static let configuration =
        "version = 1\n[[region]]\nid = \"ok\"\nshape = \"full\"\ngestures = [\"press\", \"tap\"]\n"

    private func post(_ path: String, _ body: String, _ headers: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    /// The lines in a chunked answer, without the lines that separate the chunks.
    private func lines(_ answer: String) -> [String] {
        answer.utf8.split(separator: UInt8(ascii: "\n")).filter { $0.first == UInt8(ascii: "{") }.map {
            String($0) ?? ""
        }
    }

    private static func recording() throws -> String {
        try String(contentsOfFile: BuildProducts.root + "/config/demo.evemu", encoding: .utf8)
    }

    private static func body(_ object: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    @Test("A check reports mistakes, the delay of each gesture, and the positions of regions")
    func check() throws {
        let fixture = try TestBridge()
        let right = try fixture.answer(
            to: post("/check?width=1000&height=500&width_mm=200&height_mm=100", Self.configuration))
        #expect(
            right.contains("{\"ok\":true,\"diagnostics\":[],\"gestures\":[{\"region\":\"ok\",\"gesture\":\"press\""))
        #expect(right.contains("\"shape\":{\"rect\":[0.0,0.0,1000.0,500.0]}"))
        let wrong = try fixture.answer(to: post("/check", Self.configuration + "margn = \"1mm\"\n"))
        #expect(
            wrong.contains("\"line\":6,\"column\":1,\"code\":\"unknown_key\"")
                && wrong.contains("\"suggestion\":\"margin\""))
        let files = try Self.body([
            "files": [["path": "a.toml", "text": Self.configuration], ["path": "b.toml", "text": "x"]]
        ])
        let merged = try fixture.answer(to: post("/check", files, "Content-Type: application/json\r\n"))
        #expect(merged.contains("\"file\":\"b.toml\",\"line\":1"))
    }

    @Test("A check reports barriers if the page asks for them")
    func accessibility() throws {
        let fixture = try TestBridge()
        let size = "width=1000&height=500&width_mm=200&height_mm=100"
        let text = Self.configuration.replacing("\"full\"", with: "{ rect = [0, 0, 40, 40] }")
        let found = try fixture.answer(to: post("/check?\(size)&accessibility=true", text))
        #expect(found.contains("\"accessibility\":[{\"severity\":\"hint\",\"code\":\"finger_size\""))
        #expect(try !fixture.answer(to: post("/check?\(size)", text)).contains("\"accessibility\""))
        #expect(try fixture.answer(to: post("/check?accessibility=yes", text)).contains("accessibility must be true"))
    }

    @Test(
        "An invalid check is refused",
        arguments: [
            ("/check?width=1", "version = 1", "", 400),
            ("/check?width=a&height=1&width_mm=1&height_mm=1", "version = 1", "", 400),
            ("/check", "{", "Content-Type: application/json\r\n", 400),
            ("/check", "{}", "Content-Type: application/json\r\n", 400),
            ("/check", "version = 1", "Origin: https://evil.example\r\n", 403),
            ("/check", "version = 1", "Sec-Fetch-Site: cross-site\r\n", 403),
            ("/replay", "{}", "Origin: null\r\n", 403),
        ])
    func refusals(path: String, body: String, headers: String, status: Int) throws {
        #expect(try TestBridge().answer(to: post(path, body, headers)).hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test("A body that is too large is refused, before and after it has arrived")
    func large() throws {
        let fixture = try TestBridge { settings, _ in settings.limits.bodyMegabytes = 1 }
        let head = "POST /check HTTP/1.1\r\nHost: localhost\r\n"
        #expect(try fixture.answer(to: head + "Content-Length: 1048577\r\n\r\n").hasPrefix("HTTP/1.1 413 "))
        let peer = try fixture.connect()
        try peer.send(head + "Transfer-Encoding: chunked\r\n\r\n")
        let chunk = "8000\r\n" + String(repeating: "x", count: 32_768) + "\r\n"
        var count = 0
        while count < 64, (try? peer.send(chunk)) != nil { count += 1 }
        #expect(count < 64)
        let answer = try fixture.answer(to: post("/check", "# " + String(repeating: "x", count: 1_048_000)))
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer.prefix(300))")
    }

    @Test("A replay has the daemon's lines, with the panel before and the result after")
    func replay() throws {
        let body = try Self.body(["config": Self.configuration, "recording": Self.recording(), "explain": true])
        let answer = try TestBridge().answer(to: post("/replay", body))
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"))
        let lines = self.lines(answer)
        #expect(
            lines.first?.hasPrefix("{\"reply\":\"devices\",\"ok\":true,\"devices\":[{\"device\":\"panel\",") == true)
        #expect(
            lines.dropFirst().first?.hasPrefix("{\"reply\":\"regions\",\"ok\":true,\"regions\":[{\"region\":\"ok\"")
                == true)
        #expect(lines.last == "{\"reply\":\"replay\",\"ok\":true}")
        for event in ["frame", "touches", "gesture", "failed"] {
            #expect(lines.contains { $0.hasPrefix("{\"event\":\"\(event)\",\"seq\":") }, "\(event)")
        }
    }

    @Test("The last line of a refused replay is the reason")
    func replayRefusals() throws {
        let fixture = try TestBridge()
        for (object, part) in [
            (["config": "version = 1\nx = 1", "recording": try Self.recording()], "\"code\":\"config_invalid\""),
            (["config": Self.configuration, "recording": "nonsense"], "\"code\":\"bad_value\",\"message\":\"line 1: "),
            (["config": Self.configuration], "\"recording\\\" is missing"),
            (["config": 1, "recording": ""], "\"code\":\"bad_value\""),
        ] as [([String: Any], String)] {
            let last = try #require(lines(try fixture.answer(to: post("/replay", try Self.body(object)))).last)
            #expect(last.hasPrefix("{\"reply\":\"replay\",\"ok\":false,\"error\":{") && last.contains(part), "\(last)")
        }
    }

    @Test("A replay with the running configuration requests its files from the daemon, and shows nothing private")
    func running() throws {
        let fixture = try TestBridge()
        let path = try fixture.folder.write(
            Self.configuration.replacingOccurrences(of: "gestures", with: "private = true\ngestures"), to: "g.toml")
        for isEntitled in [false, true] {
            let page = try fixture.connect()
            try page.send(post("/replay", try Self.body(["config": NSNull(), "recording": try Self.recording()])))
            let daemon = try fixture.acceptDaemon()
            try daemon.send(
                "{\"event\":\"hello\",\"rights\":[\(isEntitled ? "\"private\"" : "")]}\n"
                    + "{\"reply\":\"subscribe\",\"id\":\"quiet\",\"ok\":true}\n"
                    + "{\"reply\":\"status\",\"id\":0,\"ok\":true,\"config\":{\"files\":[\"\(path)\"]}}\n")
            let last = try #require(lines(try page.rest()).last)
            #expect(last.contains(isEntitled ? "\"ok\":true" : "permission_denied"), "\(last)")
        }
    }

    @Test("A page that does not read its replay delays others only briefly")
    func slowReplay() throws {
        let body = try Self.body(["config": Self.configuration, "recording": Self.recording(), "explain": true])
        var (isAnswered, isCut) = (false, false)
        for milliseconds in Self.limits where !isAnswered || !isCut {
            let fixture = try TestBridge(milliseconds: milliseconds)
            let slow = try fixture.connect()
            try slow.send(post("/replay", body))
            _ = try slow.until("\r\n\r\n")
            isAnswered = try fixture.answer(to: post("/check", Self.configuration)).hasPrefix("HTTP/1.1 200 ")
            // The bridge closes the connection before the page has read the whole answer.
            try slow.waitForEnd()
            isCut = !(try slow.rest()).contains("\"reply\":\"replay\"")
        }
        #expect(isAnswered && isCut)
    }

    /// Limits for a job that should come further than its first line. On a busy machine, it may need more than a second.
    private static let limits: [Int64] = [1000, 5000, 25_000]

    /// A configuration whose check takes a long time: many overlapping regions in many scenes.
    private static func expensive() -> String {
        let regions = (0..<2000).map { number in
            "[[region]]\nid = \"r\(number)\"\nshape = \"full\"\ngestures = [\"tap\"]\n"
        }
        let scenes = (0..<500).map { "[[scene]]\nid = \"s\($0)\"\nregions = [\"*\"]\n" }
        return "version = 1\n" + regions.joined() + scenes.joined()
    }

    @Test("The time of a check is limited, and others are answered meanwhile")
    func longCheck() throws {
        let fixture = try TestBridge(milliseconds: 300)
        let page = try fixture.connect()
        try page.send(post("/check", Self.expensive()))
        #expect(try fixture.answer(to: "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
        let answer = try page.rest()
        #expect(
            answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("check takes longer than"), "\(answer.prefix(300))")
    }

    /// A press that reports its progress for years, in regions that all receive it.
    private static func longReplay() throws -> String {
        let regions = (0..<20).map { number in
            "[[region]]\nid = \"r\(number)\"\nshape = \"full\"\npass = true\n"
                + "gestures = [{ type = \"press\", progress = \"10ms\" }]\n"
        }
        let lines = try recording().split(separator: "\n")
        let head = lines.filter { !$0.hasPrefix("E:") }
        let touch = [
            "0003 0039 1", "0003 0035 500", "0003 0036 500", "0000 0000 0",
        ].map { "E: 1.000000 \($0)" }
        let lift = ["0003 0039 -1", "0000 0000 0"].map { "E: 900000000.000000 \($0)" }
        return try body([
            "config": "version = 1\n[filter]\nmax_contact_age = \"1h\"\n" + regions.joined(),
            "recording": (head.map { String($0) } + touch + lift).joined(separator: "\n") + "\n",
        ])
    }

    @Test("The time of a replay is limited, and its last line states the reason")
    func longReplay() throws {
        var lines: [String] = []
        func isPlaying() -> Bool { lines.contains { $0.contains("\"phase\":\"update\"") } }
        for milliseconds in Self.limits where !isPlaying() {
            let fixture = try TestBridge(milliseconds: milliseconds)
            let page = try fixture.connect()
            try page.send(post("/replay", Self.longReplay()))
            #expect(
                try fixture.answer(to: "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
            lines = self.lines(try page.rest())
        }
        #expect(isPlaying())
        #expect(lines.last?.hasPrefix("{\"reply\":\"replay\",\"ok\":false,\"error\":{") == true, "\(lines.last ?? "")")
        #expect(lines.last?.contains("replay ") == true)
    }

    @Test(
        "Bodies of JSON that would take hundreds of megabytes are refused",
        arguments: ["/check", "/replay"])
    func manyValues(path: String) throws {
        let fixture = try TestBridge()
        let values = "[" + String(repeating: "{},", count: 300_000) + "{}]"
        let answer = try fixture.answer(to: post(path, values, "Content-Type: application/json\r\n"))
        #expect(answer.contains("more than 4096 values"), "\(answer.prefix(300))")
    }

    @Test("A configuration that would take too much memory is refused")
    func memory() throws {
        let fixture = try TestBridge()
        let text = "version = 1\nx = [" + String(repeating: "{},", count: 340_000) + "]\n"
        let answer = try fixture.answer(to: post("/check", text))
        #expect(answer.contains("more than 100000 values"), "\(answer.prefix(300))")
    }

    @Test("One owner may use three of the four job slots, and jobs of disconnected pages are ended")
    func jobPlaces() throws {
        let fixture = try TestBridge()
        let head = "POST /check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n"
        var pages: [Peer] = []
        for _ in 0..<3 {
            pages.append(try fixture.connect())
            try pages.last?.send(head)
            _ = try pages.last?.until("100 Continue\r\n\r\n")
        }
        let refused = try fixture.answer(to: post("/check", Self.configuration))
        #expect(refused.hasPrefix("HTTP/1.1 503 "), "\(refused)")
        pages.removeLast()
        // The bridge may notice the disconnection some time later.
        var answer = refused
        for _ in 0..<1000 where answer.hasPrefix("HTTP/1.1 503 ") {
            answer = try fixture.answer(to: post("/check", Self.configuration))
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
    }

    @Test("A job ends with its page's connection")
    func pageGoes() throws {
        let fixture = try TestBridge()
        for _ in 0..<8 {
            // The pages outnumber the jobs that may run at the same time, and each job takes ten minutes. A page
            // is only served if the jobs of disconnected pages end.
            var answer = ""
            for _ in 0..<1000 {
                let page = try fixture.connect()
                try page.send(post("/replay", Self.longReplay()))
                answer = try page.until("\n")
                if answer.hasPrefix("HTTP/1.1 200 ") { break }
            }
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
        }
    }
}
#endif
