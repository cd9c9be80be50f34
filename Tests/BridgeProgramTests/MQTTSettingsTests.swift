// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

@testable import BridgeProgram

@Suite("mqtt.toml")
struct SettingsTests {
    private func read(_ text: String) -> (settings: MQTTSettings?, headlines: [String]) {
        let (settings, diagnostics) = MQTTSettings.read(Array(text.utf8), path: "mqtt.toml")
        return (settings, diagnostics.map { $0.headline })
    }

    @Test("All settings")
    func all() throws {
        let (read, headlines) = read(
            """
            version = 1
            panel = "kiosk-17"
            prefix = "site/touch"
            socket = "/run/other.sock"
            state = "/srv/state"
            positions = true
            max_age = "500ms"
            [broker]
            host = "broker.example"
            port = 8884
            protocol = "3.1.1"
            client_id = "k17"
            user = "kiosk"
            password_file = "/etc/gestured/mqtt.password"
            keepalive = "10s"
            session_expiry = "1h"
            timeout = "5s"
            retry = "1min"
            [tls]
            ca = "/etc/ssl/ca.pem"
            certificate = "/etc/ssl/kiosk.pem"
            key = "/etc/ssl/kiosk.key"
            [[gesture]]
            regions = ["door*"]
            devices = ["panel"]
            gestures = ["tap"]
            names = ["open"]
            phases = ["begin", "update"]
            qos = 2
            [[gesture]]
            [spool]
            max_messages = 7
            max_mb = 2
            fsync = "checkpoint"
            [statistics]
            every = "2min"
            [health]
            every = "30s"
            [commands]
            scene = true
            enable = true
            disable = true
            reload = true
            config = true
            record = true
            [config]
            file = "/srv/state/fleet.toml"
            confirm = "2min"
            [homeassistant]
            discovery = true
            prefix = "ha"
            """)
        #expect(headlines == [])
        let settings = try #require(read)
        #expect(settings.panelName == "kiosk-17" && settings.prefix == "site/touch" && settings.clientID == "k17")
        #expect(settings.socket == "/run/other.sock" && settings.state == "/srv/state" && settings.positions)
        #expect(settings.maxAge == .milliseconds(500))
        var broker = MQTTSettings.Broker()
        broker.host = "broker.example"
        broker.port = 8884
        broker.version = .threeOneOne
        broker.clientID = "k17"
        broker.user = "kiosk"
        broker.password = .file("/etc/gestured/mqtt.password")
        broker.keepalive = .milliseconds(10_000)
        broker.sessionExpiry = .milliseconds(3_600_000)
        broker.timeout = .milliseconds(5000)
        broker.retry = .milliseconds(60_000)
        #expect(settings.broker == broker)
        #expect(settings.tls?.ca == "/etc/ssl/ca.pem" && settings.tls?.certificate == "/etc/ssl/kiosk.pem")
        #expect(settings.gestures.count == 2 && settings.gestures.last == MQTTSettings.GestureSelection())
        let rule = try #require(settings.gestures.first)
        #expect(rule.regions == ["door*"] && rule.devices == ["panel"] && rule.gestures == ["tap"])
        #expect(rule.names == ["open"] && rule.phases == ["begin", "update"] && rule.qualityOfService == 2)
        #expect(settings.spool.messages == 7 && settings.spool.megabytes == 2 && !settings.spool.isDurable)
        #expect(settings.statistics.interval == .milliseconds(120_000))
        #expect(settings.health.interval == .milliseconds(30_000))
        let commands = settings.commands
        #expect(commands.scene && commands.enable && commands.disable && commands.reload)
        #expect(commands.config && commands.record)
        #expect(settings.config.file == "/srv/state/fleet.toml" && settings.config.confirm == .milliseconds(120_000))
        #expect(settings.homeAssistant.isOn && settings.homeAssistant.prefix == "ha")
    }

    @Test("Where answers may go, and whether the daemon needs access to the spool's folder")
    func placement() throws {
        for topic in ["fleet/answers", "gestured/p/response/x", "gestured/other/response"] {
            let text = "version = 1\npanel = \"p\"\n[commands]\nresponses = \"\(topic)\""
            #expect(try #require(read(text).settings).commands.responses == topic)
        }
        var settings = MQTTSettings()
        settings.commands.config = true
        #expect(!settings.keepsConfigurationInState)
        settings.config.file = settings.state + "/fleet.toml"
        #expect(settings.keepsConfigurationInState)
        settings.commands.config = false
        #expect(!settings.keepsConfigurationInState)
    }

    @Test("By default commands are refused, and no message contains positions")
    func defaults() throws {
        let settings = try #require(read("version = 1").settings)
        #expect(settings == MQTTSettings())
        #expect(settings.commands == MQTTSettings.Commands() && !settings.commands.scene && !settings.positions)
        #expect(settings.port == 1883 && settings.gestures.isEmpty && !settings.homeAssistant.isOn)
        #expect(!settings.panelName.isEmpty)
        #expect(try #require(read("version = 1\n[tls]").settings).port == 8883)
    }

    @Test(
        "Each mistake is reported with its position",
        arguments: [
            ("panel = \"a/b\"", "mqtt.toml:2:9: error: panel must be one level of a topic"),
            ("prefix = \"a/#\"", "mqtt.toml:2:10: error: prefix must be a topic without + and #"),
            ("max_age = 2", "mqtt.toml:2:11: error: max_age has no unit"),
            ("[broker]\nhost = \"\"", "mqtt.toml:3:8: error: host must be a name or an address"),
            ("[broker]\nport = 0", "mqtt.toml:3:8: error: port is 0; it must be 1 to 65535"),
            ("[broker]\nprotocol = \"4\"", "mqtt.toml:3:12: error: protocol cannot be \"4\"; use one of \"auto\""),
            ("[broker]\npasword_file = \"/x\"", "mqtt.toml:3:1: error: unknown key \"pasword_file\" in [broker]"),
            ("[broker]\nuser = \"a\"\npassword_credential = \"/x\"", "mqtt.toml:4:23: error: password_credential must"),
            ("[broker]\npassword_file = \"/x\"", "mqtt.toml: error: [broker]: a password requires a user"),
            ("[[gesture]]\nqos = 3", "mqtt.toml:3:7: error: qos is 3; it must be 0 to 2"),
            ("[[gesture]]\nphases = [\"start\"]", "mqtt.toml:3:11: error: a phase cannot be \"start\""),
            ("[tls]\ncertificate = \"/x\"", "mqtt.toml: error: [tls]: certificate and key belong together"),
            ("[tls]\npsk_identity = \"x\"", "mqtt.toml: error: [tls]: psk_identity and psk_file"),
            (
                "[tls]\nca = \"/x\"\npsk_identity = \"x\"\npsk_file = \"/y\"",
                "mqtt.toml: error: [tls]: use certificates or a pre-shared key, not both"
            ),
            ("[commands]\nconfig = true", "mqtt.toml: error: [commands]: config requires [tls]"),
            ("[commands]\nresponses = \"a/+\"", "mqtt.toml:3:13: error: responses must be a topic without + and #"),
            ("[commands]\nresponses = \"gestured\"", "mqtt.toml: error: [commands]: responses cannot be \"gestured\""),
            (
                "panel = \"p\"\n[commands]\nresponses = \"gestured/p/gesture\"",
                "mqtt.toml: error: [commands]: responses cannot be"
            ),
        ])
    func mistakes(line: String, expected: String) throws {
        let (settings, headlines) = read("version = 1\n" + line)
        #expect(settings == nil)
        #expect(headlines.contains { $0.hasPrefix(expected) }, "\(headlines)")
    }

    private func file(_ path: String) throws -> String {
        try String(contentsOfFile: BuildProducts.root + path, encoding: .utf8)
    }

    @Test("The installed file lists every default")
    func installed() throws {
        let text = try file("/config/mqtt.toml")
        // Keys without a default value are shown with an example.
        let examples = [
            "panel", "port", "client_id", "user", "password_file", "password_credential", "ca", "certificate", "key",
            "psk_identity", "psk_file", "psk_credential", "responses", "lock", "regions", "devices", "gestures",
            "names", "qos",
            "[tls]", "[[gesture]]",
            "phases",
        ]
        var isRead = true
        let on = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            let words = line.drop { $0 == "#" || $0 == " " }
            if line.hasPrefix("[") || words.hasPrefix("[") { isRead = line.hasPrefix("[") }
            let key = String(words.prefix { $0 != " " })
            guard line.hasPrefix("# "), words.contains(" = "), isRead, !examples.contains(key) else {
                return String(line)
            }
            return String(words)
        }
        let (settings, headlines) = read(on.joined(separator: "\n"))
        #expect(headlines == [])
        #expect(settings == MQTTSettings())
    }

    @Test("Examples in the documentation are valid")
    func page() throws {
        let text = try file("/docs/mqtt.md")
        let blocks = text.components(separatedBy: "```toml # mqtt.toml\n").dropFirst()
        #expect(blocks.count >= 1)
        for block in blocks { #expect(read(block.components(separatedBy: "```")[0]).headlines == []) }
    }

    @Test("The file of the add-on for Home Assistant is valid")
    func addOn() throws {
        let (settings, headlines) = read(try file("/packaging/home-assistant/mqtt.toml"))
        #expect(headlines == [] && settings?.homeAssistant.isOn == true)
    }

    @Test("A missing file is an error only if it was named")
    func missing() throws {
        #expect(MQTTSettings.read(path: "/nonexistent/mqtt.toml").settings == nil)
    }
}
