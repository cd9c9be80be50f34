// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureTestSupport
import Glibc
import Testing

@testable import GestureWeb

@Suite("Requests")
struct RequestTests {
    private func fixture() throws -> TestBridge {
        try TestBridge { settings, folder in
            for name in ["assets", "assets/inspector", "assets/calibrate", "root", "root/deep"] {
                mkdir(folder.path + "/" + name, 0o755)
            }
            try folder.write("inspector page", to: "assets/inspector/index.html")
            try folder.write("calibration page", to: "assets/calibrate/index.html")
            try folder.write("export {}", to: "assets/gestured.js")
            try folder.write("site", to: "root/site.html")
            try folder.write("deep", to: "root/deep/index.html")
            try folder.write("hidden", to: "root/.hidden")
            try folder.write("secret", to: "secret.txt")
            symlink(folder.path + "/secret.txt", folder.path + "/root/link.txt")
            symlink("..", folder.path + "/root/up")
            settings.root = folder.path + "/root"
        }
    }

    private func get(_ path: String, host: String = "localhost", _ more: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(more)\r\n"
    }

    @Test(
        "Files",
        arguments: [
            ("/", 200, "inspector page"), ("/inspector/index.html", 200, "inspector page"),
            ("/inspector/", 200, "inspector page"), ("/calibrate", 200, "calibration page"),
            ("/calibrate/", 200, "calibration page"), ("/calibrate/../gestured.js", 404, ""), ("/calibrated", 404, ""),
            ("/gestured.js", 200, "export {}"), ("/site.html", 200, "site"), ("/site.html?x=1", 200, "site"),
            ("/deep/", 200, "deep"), ("/deep", 404, ""), ("/.hidden", 404, ""), ("/link.txt", 404, ""),
            ("/up/secret.txt", 404, ""), ("/../secret.txt", 404, ""), ("/%2e%2e/secret.txt", 404, ""),
            ("/deep/../../secret.txt", 404, ""), ("//secret.txt", 404, ""), ("/site.html%00", 404, ""),
            ("/%ff", 404, ""),
            ("/%2", 404, ""), ("/inspector/../gestured.js", 404, ""), ("/gestured.d.ts", 404, ""), ("*", 404, ""),
        ])
    func files(path: String, status: Int, body: String) throws {
        let answer = try fixture().answer(to: get(path))
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        if status == 200 { #expect(answer.hasSuffix("\r\n\r\n" + body)) }
        #expect(!answer.contains("secret"))
    }

    @Test("A large file arrives whole")
    func largeFile() throws {
        let text = String(repeating: "0123456789abcdef", count: 100_000)
        let fixture = try TestBridge { settings, folder in
            try folder.write(text, to: "large.txt")
            settings.root = folder.path
        }
        let answer = try fixture.answer(to: get("/large.txt"))
        #expect(answer.contains("Content-Length: 1600000\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n" + text))
    }

    @Test(
        "Hosts, origins and methods",
        arguments: [
            ("/", "evil.example", "", 421), ("/events", "evil.example", "", 421), ("/socket", "evil.example", "", 421),
            ("/events", "localhost", "Origin: https://evil.example\r\n", 403),
            ("/events", "localhost", "Origin: null\r\n", 403),
            ("/events", "localhost", "Sec-Fetch-Site: cross-site\r\n", 403),
            ("/events?unknown=1", "localhost", "", 400), ("/socket", "localhost", "", 426),
            ("/socket", "localhost", "Origin: https://evil.example\r\n", 403),
            ("/socket", "localhost", "Sec-Fetch-Site: cross-site\r\n", 403),
            ("/socket", "localhost", "Origin: http://localhost\r\n", 426), ("/no", "localhost", "", 404),
        ])
    func refusals(path: String, host: String, headers: String, status: Int) throws {
        #expect(try fixture().answer(to: get(path, host: host, headers)).hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test("Another method is refused")
    func methods() throws {
        for (method, path, allowed) in [
            ("POST", "/", "GET, HEAD"), ("PUT", "/", "GET, HEAD"), ("DELETE", "/", "GET, HEAD"),
            ("OPTIONS", "/", "GET, HEAD"), ("TRACE", "/", "GET, HEAD"), ("HEAD", "/check", "POST"),
            ("GET", "/replay", "POST"), ("GET", "/command", "POST"),
        ] {
            let answer = try fixture().answer(to: "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 405 ") && answer.contains("\r\nAllow: \(allowed)\r\n"))
        }
    }

    @Test(
        "HEAD is answered as GET without the body",
        arguments: [
            ("/", "localhost", 200), ("/site.html", "localhost", 200), ("/no", "localhost", 404),
            ("/", "evil.example", 421), ("/events?unknown=1", "localhost", 400), ("/%2", "localhost", 404),
        ])
    func head(path: String, host: String, status: Int) throws {
        let (fixture, whole) = (try fixture(), get(path, host: host))
        let head = try fixture.answer(to: "HEAD" + whole.dropFirst(3))
        #expect(head.hasPrefix("HTTP/1.1 \(status) ") && head.hasSuffix("\r\n\r\n"))
        let answer = try fixture.answer(to: whole)
        #expect(answer.hasPrefix(head) && answer.count > head.count)
    }

    @Test("HEAD of a stream ends, and needs no connection to the daemon")
    func headOfStream() throws {
        let answer = try fixture().answer(to: "HEAD /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n"))
        #expect(answer.contains("\r\nContent-Type: text/event-stream\r\n"))
    }

    @Test("A page without an icon gets the inspector's, unless the site has one", arguments: [false, true])
    func icon(isOwn: Bool) throws {
        let fixture = try fixture()
        try fixture.folder.write("<svg/>", to: "assets/inspector/icon.svg")
        if isOwn { try fixture.folder.write("own", to: "root/favicon.ico") }
        let answer = try fixture.answer(to: get("/favicon.ico"))
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix(isOwn ? "\r\n\r\nown" : "\r\n\r\n<svg/>"))
        #expect(answer.contains("\r\nContent-Type: image/\(isOwn ? "x-icon" : "svg+xml")\r\n"))
    }

    @Test(
        "Malformed HTTP is refused, and heads have a maximum size",
        arguments: [
            "nonsense\r\n\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nX: \u{1}\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "A: b\r\n", count: 100) + "\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nA: " + String(repeating: "b", count: 20_000) + "\r\n\r\n",
            "GET /" + String(repeating: "b", count: 200_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ])
    func broken(request: String) throws {
        let peer = try fixture().connect()
        try? peer.send(request)
        let answer = try peer.rest()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
    }
}
#endif
