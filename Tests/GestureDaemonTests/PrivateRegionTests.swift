// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// What a user receives of private regions who is neither root, nor the daemon's own, nor in `[access]`.
@Suite("Daemon: private regions", .enabled(if: getuid() == 0, "only root can be somebody else"))
struct PrivateRegionTests {
    /// A pad with a key in it, a private region without gestures, and a button.
    private static let configuration =
        TestConfiguration.button + """
            [[region]]
            id = "secret.pad"
            shape = { rect = ["50%", "0%", "50%", "50%"] }
            private = true
            [[region]]
            id = "secret.key"
            parent = "secret.pad"
            shape = { rect = ["0%", "0%", "50%", "50%"] }
            gestures = ["press", "tap"]

            """

    private struct Harness {
        let panel: PanelHarness
        /// Somebody else.
        let stranger: ChildProcess

        init(_ configuration: String = configuration) throws {
            panel = try PanelHarness(configuration)
            let path = panel.daemon.socketPath
            chmod(panel.folder.path, 0o711)
            chmod(path, 0o666)
            stranger = try ChildProcess([
                "setpriv", "--reuid=65534", "--clear-groups", "socat", "-t100", "STDIO", "UNIX-CONNECT:\(path)",
            ])
            try receive("hello")
            try receive("state")
        }

        /// The next line of an event that the stranger receives.
        @discardableResult
        func receive(_ event: String) throws -> JSONLine {
            let line = try stranger.output.wait(for: event) { JSONLine($0)?["event"] == event }
            return try #require(JSONLine(line))
        }

        func ask(_ request: String) throws -> JSONLine {
            try stranger.send(request)
            return try #require(
                JSONLine(stranger.output.wait(for: "reply to \(request)") { $0.hasPrefix("{\"reply\":") }))
        }
    }

    @Test("no line names them to others, or tells that they are touched")
    func nothing() throws {
        let harness = try Harness()
        _ = try harness.ask(
            #"{"cmd":"subscribe","events":["gesture","failed","device","config"],"phases":["begin","end","cancel"]}"#)
        let insider = harness.panel.client
        try insider.request(#"{"cmd":"subscribe","events":["gesture","failed"]}"#)
        try harness.panel.panel.land(0, id: 1, x: 2500, y: 100)
        try insider.wait(for: "gesture press begin secret.key")
        #expect(try insider.request(#"{"cmd":"state"}"#).objects("active").count == 1)
        #expect(try insider.request(#"{"cmd":"status"}"#).number("active") == 1)
        #expect(try insider.request(#"{"cmd":"status"}"#).number("regions") == 3)
        #expect(try insider.request(#"{"cmd":"at","x":600,"y":10}"#)["owner"] == "secret.key")
        #expect(try harness.ask(#"{"cmd":"state"}"#).objects("active").isEmpty)
        #expect(try harness.ask(#"{"cmd":"status"}"#).number("active") == 0)
        #expect(try harness.ask(#"{"cmd":"status"}"#).number("regions") == 1)
        #expect(try harness.ask(#"{"cmd":"regions"}"#).objects("regions").compactMap { $0["region"] } == ["ok"])
        #expect(try harness.ask(#"{"cmd":"regions","region":"secret.*"}"#).objects("regions").isEmpty)
        #expect(
            try harness.ask(#"{"cmd":"at","x":600,"y":10}"#).description
                == #"{"reply":"at","ok":true,"device":"panel","x":600.0,"y":10.0,"owner":null,"chain":[],"pass":[]}"#)
        _ = try harness.ask(#"{"cmd":"devices"}"#)
        try harness.panel.panel.lift(0)
        try insider.wait(for: "gesture press end secret.key")
        try harness.panel.panel.land(0, id: 2, x: 100, y: 100)
        try harness.receive("gesture")
        let unmatched = try harness.ask(#"{"cmd":"subscribe","regions":["secret.pad","secret.k*","ok"]}"#)
        #expect(unmatched.description.contains(#""unmatched":["secret.pad","secret.k*"]"#))
        for line in harness.stranger.output.transcript where !line.contains("unmatched") {
            #expect(!line.contains("secret"))
        }
    }

    @Test(
        "what would show where they are touched is refused",
        arguments: [
            #"{"cmd":"subscribe","id":1,"events":["touches"]}"#,
            #"{"cmd":"subscribe","id":1,"events":["gesture","frame"]}"#,
            #"{"cmd":"describe","id":1}"#,
        ])
    func refused(request: String) throws {
        // Also where the only private region has no gestures.
        let keyless =
            TestConfiguration.button + """
                [[region]]
                id = "secret.pad"
                shape = { rect = ["50%", "0%", "50%", "50%"] }
                private = true

                """
        for configuration in [Self.configuration, keyless] {
            let harness = try Harness(configuration)
            #expect(try harness.ask(request).object("error")?["code"] == "permission_denied")
            #expect(try harness.panel.client.request(request).flag("ok") == true)
        }
        let harness = try Harness(TestConfiguration.button)
        #expect(try harness.ask(request).flag("ok") == true)
    }

    @Test("diagnostics, which quote names, go to those who may know them")
    func diagnostics() throws {
        let harness = try Harness()
        let wrong = Self.configuration.replacing("parent = \"secret.pad\"", with: "parent = \"secret.pda\"")
        try harness.panel.daemon.configure(wrong)
        harness.panel.daemon.program.signal(SIGHUP)
        let full = try harness.panel.client.wait(for: "config event") { $0["event"] == "config" }
        #expect(full["change"] == "rejected")
        #expect(full.description.contains("secret.pda"))
        let short = try harness.receive("config")
        #expect(short["change"] == "rejected")
        #expect(short.description.contains(#""diagnostics":[]"#))
        // With nothing private in force everybody gets them.
        try harness.panel.daemon.configure(TestConfiguration.button)
        harness.panel.daemon.program.signal(SIGHUP)
        #expect(try harness.receive("config")["change"] == "applied")
        try harness.panel.daemon.configure(TestConfiguration.wrong)
        harness.panel.daemon.program.signal(SIGHUP)
        #expect(try harness.receive("config").objects("diagnostics").count == 1)
        #expect(!harness.stranger.output.transcript.contains { $0.contains("secret") })
    }

    @Test("a subscription to touches that is older than a private region gets no more of them")
    func later() throws {
        let harness = try Harness(TestConfiguration.button)
        #expect(try harness.ask(#"{"cmd":"subscribe","events":["touches","config"]}"#).flag("ok") == true)
        try harness.panel.panel.land(0, id: 1, x: 100, y: 100)
        try harness.receive("touches")
        try harness.panel.daemon.configure(Self.configuration)
        harness.panel.daemon.program.signal(SIGHUP)
        try harness.receive("config")
        let count = harness.stranger.output.transcript.count
        try harness.panel.panel.lift(0)
        try harness.panel.panel.land(0, id: 2, x: 2500, y: 100)
        #expect(try harness.ask(#"{"cmd":"ping"}"#).flag("ok") == true)
        #expect(harness.stranger.output.transcript[count...].allSatisfy { !$0.contains("touches") })
    }

    @Test(
        "others change nothing",
        arguments: [
            #"{"cmd":"reload"}"#, #"{"cmd":"cancel","region":"ok"}"#,
            #"{"cmd":"set_region","region":"ok","enabled":false}"#,
            #"{"cmd":"set_scene","scene":"default"}"#, #"{"cmd":"define_regions","regions":[]}"#,
        ])
    func rights(request: String) throws {
        let harness = try Harness(TestConfiguration.button)
        #expect(try harness.ask(request).object("error")?["code"] == "permission_denied")
        // Until the configuration names them; who is connected need not connect anew.
        try harness.panel.daemon.configure(TestConfiguration.button + "[access]\ncontrol_uids = [65534]\n")
        harness.panel.daemon.program.signal(SIGHUP)
        #expect(try harness.receive("config")["change"] == "applied")
        #expect(try harness.ask(request).flag("ok") == true)
    }
}
