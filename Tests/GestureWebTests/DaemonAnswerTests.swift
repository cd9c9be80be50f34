// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import Foundation
import GestureTestSupport
import LinuxSystem
import Testing

@testable import GestureWeb

/// Answers of the bridge that depend on replies of the daemon.
@Suite("Answers made from the daemon's replies", .serialized)
struct DaemonAnswerTests {
    private static func request(_ path: String, _ headers: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n"
    }

    /// Sends a request to the bridge, plays the daemon's part, and returns the bridge's answer.
    private func answer(
        to request: String, rights: [String] = [], _ replies: [String], _ fixture: TestBridge
    ) throws -> String {
        let page = try fixture.connect()
        try page.send(request)
        let daemon = try fixture.acceptDaemon()
        let words = rights.map { "\"\($0)\"" }.joined(separator: ",")
        try daemon.send("{\"event\":\"hello\",\"rights\":[\(words)]}\n{\"event\":\"state\"}\n")
        #expect(try daemon.until("\n") == "{\"cmd\":\"subscribe\",\"id\":\"quiet\",\"events\":[]}\n")
        try daemon.send("{\"reply\":\"subscribe\",\"id\":\"quiet\",\"ok\":true}\n")
        for (id, reply) in replies.enumerated() {
            #expect(try daemon.until("\n").contains("\"id\":\(id)}"))
            try daemon.send(reply.replacingOccurrences(of: "ID", with: "\(id)") + "\n")
        }
        return try page.rest()
    }

    private static let status =
        "{\"reply\":\"status\",\"id\":ID,\"ok\":true,\"uptime_ms\":1500,\"clients\":2,\"regions\":3,\"active\":0,\"frames\":10,"
        + "\"events\":4,\"dropped\":1,\"resyncs\":0,\"idle\":[\"dim\"],\"idle_ms\":61000,\"sessions\":7,\"wakes\":2,\"longest_turn_us\":250,\"devices\":{\"ready\":1,\"refused\":0}}"
    private static let devices =
        "{\"reply\":\"devices\",\"id\":ID,\"ok\":true,\"devices\":[{\"device\":\"a\\\"b\",\"contacts\":2}]}"
    private static let counts =
        "{\"reply\":\"counts\",\"id\":ID,\"ok\":true,\"devices\":[{\"device\":\"panel\",\"contacts\":812,\"ignored\":{\"palm\":3},\"storms\":0,\"flickers\":2}],"
        + "\"regions\":[{\"region\":\"ok\",\"gestures\":{\"tap\":12},\"failed\":{\"moved\":3}}]}"
    private static let unknown =
        "{\"reply\":null,\"id\":ID,\"ok\":false,\"error\":{\"code\":\"unknown_command\",\"message\":\"unknown\"}}"

    @Test("Figures are valid for promtool", arguments: ["", "Accept: application/openmetrics-text;version=1.0.0\r\n"])
    func metrics(accept: String) throws {
        let answer = try self.answer(
            to: Self.request("/metrics", accept), [Self.status, Self.devices, Self.counts], TestBridge())
        let text = try #require(answer.components(separatedBy: "\r\n\r\n").last)
        for line in [
            "gestured_up 1", "gestured_uptime_seconds 1.5", "gestured_longest_turn_seconds 0.00025",
            "gestured_clients 2", "gestured_idle_seconds 61", "gestured_idle 1", "gestured_sessions_total 7",
            "gestured_wakes_total 2",
            "gestured_dropped_events_total 1", "gestured_panels{state=\"ready\"} 1",
            "gestured_contacts_down{device=\"a\\\"b\"} 2",
            "gestured_contacts_total{device=\"panel\"} 812", "gestured_storms_total{device=\"panel\"} 0",
            "gestured_flickers_total{device=\"panel\"} 2",
            "gestured_ignored_contacts_total{device=\"panel\",reason=\"palm\"} 3",
            "gestured_gestures_total{region=\"ok\",gesture=\"tap\"} 12",
            "gestured_failures_total{region=\"ok\",reason=\"moved\"} 3", "gestured_web_pages 0",
            "gestured_web_connections 1",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
        #expect(text.hasSuffix("# EOF\n") == !accept.isEmpty)
        #expect(
            answer.contains(
                accept.isEmpty ? "text/plain; version=0.0.4" : "application/openmetrics-text; version=1.0.0"))
        // promtool can only read the older format.
        guard accept.isEmpty else { return }
        let file = try ScratchFolder()
        let path = try file.write(text, to: "metrics")
        let promtool = try ChildProcess.run(["/bin/sh", "-c", "promtool check metrics <\(path)"])
        #expect(promtool.status == 0, "\(promtool.errors)")
    }

    @Test("A daemon that does not count yet has the other figures")
    func withoutCounts() throws {
        let answer = try self.answer(
            to: Self.request("/metrics"), [Self.status, Self.devices, Self.unknown], TestBridge())
        #expect(answer.contains("gestured_up 1\n") && !answer.contains("gestured_gestures"))
    }

    @Test("The reply to the subscription is the first one, even if others contain the same words")
    func quietPanel() throws {
        let devices = Self.devices.replacingOccurrences(of: "a\\\"b", with: "quiet")
        let answer = try self.answer(
            to: Self.request("/metrics"), [Self.status, devices, Self.counts], TestBridge())
        #expect(answer.contains("gestured_up 1\n") && answer.contains("gestured_contacts_down{device=\"quiet\"} 2"))
    }

    @Test("Health")
    func health() throws {
        let pong = "{\"reply\":\"ping\",\"id\":ID,\"ok\":true}"
        #expect(try answer(to: Self.request("/healthz"), [pong], TestBridge()).hasSuffix("\r\n\r\nok\n"))
        let fixture = try TestBridge()
        fixture.stopDaemon()
        #expect(try fixture.answer(to: Self.request("/healthz")).hasPrefix("HTTP/1.1 503 "))
        #expect(try fixture.answer(to: Self.request("/metrics")).contains("gestured_up 0\n"))
        #expect(try fixture.answer(to: Self.request("/bridge")).contains("\"daemon\":false"))
    }

    private static func command(_ body: String, _ headers: String = "", host: String = "localhost") -> String {
        "POST /command HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    @Test(
        "A command is answered with the daemon's reply",
        arguments: [
            (#"{"reply":"status","id":0,"ok":true,"scene":"default"}"#, 200),
            (#"{"reply":"status","id":0,"ok":false,"error":{"code":"permission_denied","message":"no"}}"#, 403),
            (#"{"reply":"status","id":0,"ok":false,"error":{"code":"not_found","message":"no"}}"#, 404),
            (#"{"reply":null,"ok":false,"error":{"code":"busy","message":"later"}}"#, 503),
            (#"{"reply":"status","id":0,"ok":false,"error":{"code":"bad_value","message":"no"}}"#, 400),
        ])
    func command(reply: String, status: Int) throws {
        let answer = try self.answer(to: Self.command(#"{"cmd":"status","id":0}"#), [reply], TestBridge())
        #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.hasSuffix("\r\n\r\n\(reply)\n"), "\(answer)")
        #expect(answer.contains("\r\nContent-Type: application/json\r\n"))
    }

    @Test(
        "A command that pages may not send, or that is no request, does not reach the daemon",
        arguments: [
            (#"{"cmd":"set_scene","id":"a","scene":"night"}"#, "", 403, #""id":"a","ok":false"#),
            ("", "", 400, "bad_json"), ("[]", "", 400, "bad_request"), ("{", "", 400, "bad_json"),
            (#"{"cmd":1}"#, "", 400, "bad_request"), ("{\"cmd\":\"ping\",\n\"id\":1}", "", 400, "one line"),
            (#"{"cmd":"ping"}"#, "Origin: https://evil.example\r\n", 403, "origin"),
            (#"{"cmd":"ping"}"#, "Origin: null\r\n", 403, "origin"),
            (#"{"cmd":"ping"}"#, "Sec-Fetch-Site: cross-site\r\n", 403, "origin"),
            (String(repeating: " ", count: 65_536), "", 413, "too large"),
            (String(repeating: "[", count: 65_535), "", 400, "bad_json"),
        ])
    func refusedCommand(body: String, headers: String, status: Int, text: String) throws {
        let fixture = try TestBridge()
        fixture.stopDaemon()
        let answer = try fixture.answer(to: Self.command(body, headers))
        #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains(text), "\(answer)")
    }

    @Test("A command for another host, or without a daemon, is answered")
    func unreachableCommand() throws {
        let fixture = try TestBridge()
        fixture.stopDaemon()
        let ping = #"{"cmd":"ping"}"#
        #expect(try fixture.answer(to: Self.command(ping, host: "evil.example")).hasPrefix("HTTP/1.1 421 "))
        #expect(try fixture.answer(to: Self.command(ping)).hasPrefix("HTTP/1.1 503 "))
    }

    @Test("A daemon that hangs up, or is full, is reported as unavailable")
    func hangsUp() throws {
        let fixture = try TestBridge()
        let page = try fixture.connect()
        try page.send(Self.request("/healthz"))
        do { _ = try fixture.acceptDaemon() }
        #expect(try page.rest().hasPrefix("HTTP/1.1 503 "))
        let next = try fixture.connect()
        try next.send(Self.request("/healthz"))
        let daemon = try fixture.acceptDaemon()
        try daemon.send(
            "{\"reply\":null,\"ok\":false,\"error\":{\"code\":\"busy\",\"message\":\"uid 5 has 16 connections\"}}\n")
        #expect(try next.rest().hasSuffix("uid 5 has 16 connections\n"))
    }

    @Test("The permissions of a page, and the configuration for more")
    func permissions() throws {
        let pong = "{\"reply\":\"ping\",\"id\":ID,\"ok\":true}"
        let none = try answer(to: Self.request("/bridge"), [pong], TestBridge())
        for part in ["\"readonly\":true", "\"raw\":false", "\"private\":false", "\"raw\":\"[access]\\nraw_uids = ["] {
            #expect(none.contains(part), "\(part)")
        }
        let fixture = try TestBridge { settings, _ in settings.commands += ["define_regions", "describe"] }
        let all = try answer(to: Self.request("/bridge"), rights: ["define", "raw", "private"], [pong], fixture)
        for part in ["\"readonly\":false", "\"raw\":true", "\"define\":true", "\"recording\":true", "\"cures\":{}"] {
            #expect(all.contains(part), "\(part)")
        }
    }

    @Test("The names of the users of clients, if a page may ask for the clients")
    func users() throws {
        let clients =
            "{\"reply\":\"clients\",\"id\":ID,\"ok\":true,"
            + "\"clients\":[{\"uid\":0},{\"uid\":0},{\"uid\":4294967294},{}]}"
        let fixture = try TestBridge { settings, _ in settings.commands += ["clients"] }
        let answer = try self.answer(to: Self.request("/users"), [clients], fixture)
        #expect(answer.hasSuffix("\r\n\r\n{\"users\":[{\"uid\":0,\"name\":\"root\"}]}\n"))
        let none = try self.answer(to: Self.request("/users"), [], TestBridge())
        #expect(none.hasSuffix("\r\n\r\n{\"users\":[]}\n"))
    }

    @Test("The files of the configuration, unless they contain private regions", arguments: [false, true])
    func configuration(isPrivate: Bool) throws {
        let fixture = try TestBridge()
        let text = "version = 1\n[[region]]\nid = \"pin\"\nshape = \"full\"\nprivate = \(isPrivate)\n"
        let path = try fixture.folder.write(text, to: "gestured.toml")
        let status = "{\"reply\":\"status\",\"id\":ID,\"ok\":true,\"config\":{\"files\":[\"\(path)\"]}}"
        let answer = try self.answer(to: Self.request("/config"), [status], fixture)
        #expect(answer.hasPrefix(isPrivate ? "HTTP/1.1 403 " : "HTTP/1.1 200 "))
        #expect(answer.contains("pin") == !isPrivate)
        // The refusal names the user, the list, the file and the command.
        let user = Users.name(of: geteuid()) ?? "\(geteuid())"
        let cure = "add \\\"\(user)\\\" to private_uids in [access] of \(path), then run, as root: gesturectl reload"
        #expect(answer.contains("has private regions, which the user \(user) may not see; \(cure)") == isPrivate)
        let entitled = try self.answer(to: Self.request("/config"), rights: ["private"], [status], fixture)
        #expect(entitled.contains("{\"files\":[{\"path\":\"\(path)\",\"text\":\"version = 1\\n[[region]]"))
        // A file with a syntax error may contain private regions.
        try fixture.folder.write(text + "x", to: "gestured.toml")
        let broken = try self.answer(to: Self.request("/config"), [status], fixture)
        #expect(broken.hasPrefix("HTTP/1.1 403 ") && broken.contains("has errors and may have private regions"))
        let gone = status.replacingOccurrences(of: path, with: "/nowhere")
        let missing = try self.answer(to: Self.request("/config"), [gone], fixture)
        #expect(missing.contains("/nowhere: No such file or directory; let its user \(user) read this file"))
    }

    @Test("HEAD is answered as GET without the body", arguments: ["/config", "/healthz", "/bridge", "/metrics"])
    func head(path: String) throws {
        let fixture = try TestBridge()
        let file = try fixture.folder.write("version = 1\n", to: "gestured.toml")
        let replies =
            switch path {
            case "/config":
                ["{\"reply\":\"status\",\"id\":ID,\"ok\":true,\"config\":{\"files\":[\"\(file)\"]}}"]
            case "/metrics": [Self.status, Self.devices, Self.counts]
            default: ["{\"reply\":\"ping\",\"id\":ID,\"ok\":true}"]
            }
        let whole = try answer(to: Self.request(path), replies, fixture)
        let request = "HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let head = try answer(to: request, replies, fixture)
        #expect(head.hasPrefix("HTTP/1.1 200 ") && head.hasSuffix("\r\n\r\n"))
        #expect(whole.hasPrefix(head) && whole.count > head.count)
    }
}
#endif
