// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import CLinux
import Foundation
import GestureTestSupport
import LinuxSystem
import Testing

@testable import GestureWeb

/// The bridge behind nginx with TLS, as described in docs/web.md.
@Suite("Behind nginx", .serialized)
struct ProxyTests {
    /// An nginx with the configuration from the documentation.
    private final class Proxy {
        let port: Int
        private let folder: ScratchFolder
        private let process: ChildProcess

        init(_ fixture: TestBridge) throws {
            let folder = try ScratchFolder()
            self.folder = folder
            port = try Self.freePort()
            try Self.makeSecrets(folder)
            let page = try String(contentsOfFile: BuildProducts.root + "/docs/web.md", encoding: .utf8)
            var example = try #require(
                page.components(separatedBy: "```nginx\n").last?.components(separatedBy: "```")[0])
            for (written, here) in [
                ("listen 443 ssl", "listen 127.0.0.1:\(port) ssl"), ("/etc/ssl/kiosk.pem", folder("kiosk.pem")),
                ("/etc/ssl/kiosk.key", folder("kiosk.key")), ("/etc/nginx/kiosk.passwords", folder("passwords")),
                ("http://127.0.0.1:8990", "http://unix:\(fixture.folder("web.sock")):"),
            ] {
                try #require(example.contains(written), "docs/web.md has no \(written)")
                example = example.replacingOccurrences(of: written, with: here)
            }
            try folder.write(
                "daemon off; pid \(folder("pid")); error_log \(folder("log")); events {}\nhttp { access_log off;\n"
                    + ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder($0));" }
                    .joined()
                    + example + "}\n", to: "nginx.conf")
            // If root starts nginx, its worker runs as another user, who needs access to these folders.
            chmod(folder.path, 0o755)
            chmod(fixture.folder.path, 0o755)
            chmod(fixture.folder("web.sock"), 0o666)
            chmod(folder("passwords"), 0o644)
            process = try ChildProcess(["/usr/sbin/nginx", "-p", folder.path, "-c", folder("nginx.conf")])
            try #require(Self.waits(for: port), "nginx does not start")
        }

        deinit {
            process.signal(SIGTERM)
            _ = try? process.waitForExit()
        }

        private static func makeSecrets(_ folder: ScratchFolder) throws {
            let made = try ChildProcess.run([
                "/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
                "/CN=kiosk.example",
                "-keyout", folder("kiosk.key"), "-out", folder("kiosk.pem"),
            ])
            try #require(made.status == 0, "\(made.errors)")
            try folder.write("technician:{PLAIN}secret\n", to: "passwords")
        }

        private static func freePort() throws -> Int {
            let socket = try ListenSockets.bind(host: "127.0.0.1", port: 0)
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.rawValue, $0, &size) }
            }
            try #require(result == 0)
            return Int(UInt16(bigEndian: address.sin_port))
        }

        private static func waits(for port: Int) -> Bool {
            waitUntil {
                let raw = linux_connect_internet("127.0.0.1", UInt16(port), 1000)
                if raw >= 0 { close(raw) }
                return raw >= 0
            }
        }

        func curl(_ path: String, _ options: [String] = ["-u", "technician:secret"]) -> Process {
            let curl = Process()
            curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
            curl.arguments =
                ["-sikN", "--http1.1", "--max-time", "120", "--resolve", "kiosk.example:\(port):127.0.0.1"] + options
                + ["https://kiosk.example:\(port)\(path)"]
            return curl
        }
    }

    private func fixture() throws -> TestBridge {
        try TestBridge { settings, _ in settings.hosts = ["kiosk.example"] }
    }

    @Test("A password is required, and the host is that of the proxy")
    func page() throws {
        let fixture = try self.fixture()
        let proxy = try Proxy(fixture)
        let (refused, _) = try run(proxy.curl("/nothing", []))
        #expect(refused.hasPrefix("HTTP/1.1 401 "))
        let (answer, _) = try run(proxy.curl("/nothing"))
        #expect(answer.hasPrefix("HTTP/1.1 404 ") && answer.hasSuffix("there is no such page\n"))
        let (stranger, _) = try run(
            proxy.curl("/events", ["-u", "technician:secret", "-H", "Origin: https://evil.example"]))
        #expect(stranger.hasPrefix("HTTP/1.1 403 "))
    }

    @Test("A WebSocket and an event stream pass without delay")
    func streams() throws {
        let fixture = try self.fixture()
        let proxy = try Proxy(fixture)
        let upgrade = [
            "-u", "technician:secret", "-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H",
            "Sec-WebSocket-Version: 13",
            "-H", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "-H", "Origin: https://kiosk.example",
        ]
        for (curl, status) in [(proxy.curl("/socket", upgrade), "101"), (proxy.curl("/events"), "200")] {
            let (answer, _) = try run(curl) {
                let daemon = try fixture.acceptDaemon()
                try daemon.send("{\"event\":\"hello\"}\n")
            }
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.contains("{\"event\":\"hello\"}"))
        }
    }

    private func run(_ process: Process, _ meanwhile: () throws -> Void = {}) throws -> (output: String, status: Int32)
    {
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        try meanwhile()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (output, process.terminationStatus)
    }
}
#endif
