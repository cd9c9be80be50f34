// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureProtocol
import NIOHTTP1
import Testing

@testable import GestureWeb

@Suite("Permissions of pages")
struct PolicyTests {
    private let policy: Policy = {
        var settings = WebSettings()
        settings.hosts = ["kiosk.example"]
        settings.origins = ["https://app.example", "http://localhost:3000"]
        return Policy(settings: settings)
    }()

    @Test(
        "A request must name this bridge",
        arguments: [
            ("127.0.0.1:8990", true), ("localhost", true), ("LOCALHOST:9000", true), ("[::1]:8990", true),
            ("[::1]", true), ("kiosk.example", true), ("kiosk.example:8443", true), ("evil.example", false),
            ("localhost.evil.example", false), ("127.0.0.1.evil.example:8990", false), ("", false),
            ("127.0.0.2", false),
            ("evil.example:localhost", false), ("[::1].evil.example", false),
        ])
    func host(name: String, isOwn: Bool) {
        #expect(policy.isOwn(["Host": name]) == isOwn)
    }

    @Test("A request without a host, or with two, is refused")
    func hosts() {
        #expect(!policy.isOwn(HTTPHeaders()))
        #expect(!policy.isOwn(HTTPHeaders([("Host", "localhost"), ("Host", "localhost")])))
    }

    @Test(
        "The relation of an origin to the bridge",
        arguments: [
            ("http://localhost:8990", "localhost:8990", Policy.Relation.sameOrigin),
            ("http://localhost:3000", "localhost:8990", .allowed("http://localhost:3000")),
            ("http://localhost:3001", "localhost:8990", .stranger), ("null", "localhost:8990", .stranger),
            ("https://localhost:8990", "localhost:8990", .stranger),
            ("https://kiosk.example", "kiosk.example", .sameOrigin),
            ("https://kiosk.example:8443", "kiosk.example:8443", .sameOrigin),
            ("http://kiosk.example", "kiosk.example", .stranger),
            ("http://kiosk.example:8443", "kiosk.example:8443", .stranger),
            ("https://evil.example", "kiosk.example", .stranger),
            ("https://app.example", "localhost:8990", .allowed("https://app.example")),
            ("https://app.example.evil", "localhost:8990", .stranger), ("", "localhost:8990", .stranger),
        ])
    func origin(origin: String, host: String, relation: Policy.Relation) {
        let headers: HTTPHeaders = ["Host": host, "Origin": origin]
        #expect(policy.relation(headers) == relation)
    }

    @Test("Without an origin: programs, and the browser's statement about the page")
    func withoutOrigin() {
        #expect(policy.relation(["Host": "localhost"]) == .sameOrigin)
        for (site, relation) in [
            ("same-origin", Policy.Relation.sameOrigin), ("none", .sameOrigin), ("same-site", .stranger),
            ("cross-site", .stranger), ("else", .stranger),
        ] {
            #expect(policy.relation(["Host": "localhost", "Sec-Fetch-Site": site]) == relation)
        }
    }

    @Test("A page may use the listed commands, one request per message", arguments: WebSettings.readOnlyCommands)
    func commands(name: String) {
        #expect(policy.refusal(of: Array("{\"cmd\":\"\(name)\",\"id\":1}".utf8)) == nil)
    }

    @Test(
        "All commands with an effect are refused", arguments: CommandName.allCases.filter { $0.changesSomething })
    func changes(name: CommandName) throws {
        let refusal = try #require(policy.refusal(of: Array("{\"cmd\":\"\(name.rawValue)\",\"id\":\"a\"}".utf8)))
        let text = String(decoding: refusal, as: UTF8.self)
        #expect(text.hasPrefix("{\"reply\":\"\(name.rawValue)\",\"id\":\"a\",\"ok\":false,"))
        #expect(text.contains("permission_denied"))
    }

    @Test(
        "A malformed request never reaches the daemon",
        arguments: [
            ("", "bad_json"), ("# a comment", "bad_json"), ("{\"cmd\":\"ping\"}\n{\"cmd\":\"reload\"}", "bad_json"),
            ("{\"cmd\":\"ping\",\n\"id\":1}", "bad_request"), ("{\"cmd\":\"ping\",\"cmd\":\"reload\"}", "bad_json"),
            ("[]", "bad_request"), ("{\"cmd\":1}", "bad_request"), ("{\"cmd\":\"ping\"}\n", "bad_request"),
            ("{\"cmd\":\"re\\u006coad\"}", "permission_denied"), ("{\"cmd\":\"x\\u0000\"}", "bad_json"),
        ])
    func broken(message: String, code: String) throws {
        let refusal = try #require(policy.refusal(of: Array(message.utf8)))
        #expect(String(decoding: refusal, as: UTF8.self).contains("\"code\":\"\(code)\""))
    }
}
#endif
