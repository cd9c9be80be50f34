// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// Lines about private regions to a user who is not root, not the daemon's user, and not listed in `[access]`.
@Suite("Daemon: private regions", .enabled(if: getuid() == 0, "only root can change the user"))
struct PrivateRegionTests {
    /// A private pad with a key in it, a private region without gestures, and a button.
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

    @Test("no line reveals their names or touches to others")
    func nothing() throws {
        let harness = try StrangerHarness(Self.configuration)
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

    /// All lines that a stranger receives while the pad is touched at `place` and a button beside it is touched
    /// too. Values that depend on the clock are removed.
    private func linesOfStranger(whilePadIsTouchedAt place: (x: Int, y: Int)) throws -> [String] {
        let surrounded =
            Self.configuration + """
                [[region]]
                id = "list"
                shape = "full"
                z = -1
                gestures = ["press", "tap", "two_finger_tap", "drag"]
                [[region]]
                id = "screen"
                shape = "full"
                pass = true
                gestures = ["press", "double_tap", "pinch", { type = "pattern", steps = ["tap ok", "tap secret.key"] }]

                """
        let harness = try StrangerHarness(
            surrounded.replacing("private = true", with: "private = true\nparent = \"list\"\ngestures = [\"press\"]")
                + "[access]\nraw_uids = [65534]\n")
        _ = try harness.ask(#"{"cmd":"subscribe","events":["gesture","failed","device","config"]}"#)
        let panel = harness.panel.panel
        func ask() throws {
            for request in ["state", "status", "devices", "clients", "counts", "touch_map"] {
                _ = try harness.ask("{\"cmd\":\"\(request)\"}")
            }
            _ = try harness.ask(#"{"cmd":"at","x":600,"y":10}"#)
        }
        func waitForPad(_ phase: String) throws {
            _ = try harness.panel.client.wait(for: "the pad") {
                $0["region"]?.hasPrefix("secret.") == true && $0["phase"] == phase
            }
        }
        // The times are in the future, so that no deadline expires between the frames, even on a slow machine.
        var time = try panel.now() + 10_000_000
        func frame(_ play: () throws -> Void) throws {
            time += 60_000
            try panel.at(time)
            try play()
        }
        for id in [1, 10, 20] {
            try frame { try panel.land(0, id: id, x: place.x, y: place.y) }
            try waitForPad("begin")
            try ask()
            try frame { try panel.land(1, id: id + 1, x: 100, y: 100) }
            try harness.receive("gesture")
            try ask()
            try frame { try panel.lift(0) }
            try frame { try panel.lift(1) }
            try harness.receive("gesture")
            try waitForPad("end")
            try ask()
        }
        return harness.stranger.output.transcript.map { line in
            ["time_us", "uptime_ms", "instance", "pid", "files", "longest_turn_us"].reduce(line) {
                Self.without($1, in: $0)
                // It depends on the clock.
            }.replacing(#/"idle_ms":\d+,/#, with: "")
        }
    }

    private static func without(_ key: String, in line: String) -> String {
        var parts = line.split(separator: "\"\(key)\":", omittingEmptySubsequences: false).map(String.init)
        for i in parts.indices.dropFirst() { parts[i] = String(parts[i].drop { $0 != "," && $0 != "}" }) }
        return parts.joined()
    }

    @Test("the position of touches on the pad changes no line and no reply of others")
    func sameLines() throws {
        let key = try linesOfStranger(whilePadIsTouchedAt: (2500, 100))
        let board = try linesOfStranger(whilePadIsTouchedAt: (4000, 2000))
        #expect(key.contains { $0.contains("\"region\":\"screen\"") })
        #expect(key.contains { $0.contains("\"gestures\":{\"press\":") })
        #expect(key.contains { $0.hasPrefix("{\"reply\":\"touch_map\"") && $0.contains("\"counts\":[3,") })
        #expect(key == board)
    }

    @Test(
        "requests that would reveal the positions of touches are refused",
        arguments: [
            #"{"cmd":"subscribe","id":1,"events":["touches"]}"#,
            #"{"cmd":"subscribe","id":1,"events":["gesture","frame"]}"#,
            #"{"cmd":"describe","id":1}"#,
        ])
    func refused(request: String) throws {
        // The requests are refused even if the only private region has no gestures.
        let keyless =
            TestConfiguration.button + """
                [[region]]
                id = "secret.pad"
                shape = { rect = ["50%", "0%", "50%", "50%"] }
                private = true

                """
        for configuration in [Self.configuration, keyless] {
            let harness = try StrangerHarness(configuration)
            #expect(try harness.ask(request).object("error")?["code"] == "permission_denied")
            #expect(try harness.panel.client.request(request).flag("ok") == true)
            let raw = try StrangerHarness(configuration + "[access]\nraw_uids = [65534]\n")
            let error = try #require(raw.ask(request).object("error"))
            #expect(error["code"] == "permission_denied")
            #expect(error["message"]?.contains("private_uids") == true)
        }
        let harness = try StrangerHarness(TestConfiguration.button + "[access]\nraw_uids = [65534]\n")
        #expect(try harness.ask(request).flag("ok") == true)
    }

    @Test("diagnostics, which quote names, go only to clients that may see the names")
    func diagnostics() throws {
        let harness = try StrangerHarness(Self.configuration)
        let wrong = Self.configuration.replacing("parent = \"secret.pad\"", with: "parent = \"secret.pda\"")
        try harness.panel.daemon.configure(wrong)
        harness.panel.daemon.program.signal(SIGHUP)
        let full = try harness.panel.client.wait(for: "config event") { $0["event"] == "config" }
        #expect(full["change"] == "rejected")
        #expect(full.description.contains("secret.pda"))
        let short = try harness.receive("config")
        #expect(short["change"] == "rejected")
        #expect(short.description.contains(#""diagnostics":[]"#))
        // Without private regions, all clients receive the diagnostics.
        try harness.panel.daemon.configure(TestConfiguration.button)
        harness.panel.daemon.program.signal(SIGHUP)
        #expect(try harness.receive("config")["change"] == "applied")
        try harness.panel.daemon.configure(TestConfiguration.wrong)
        harness.panel.daemon.program.signal(SIGHUP)
        #expect(try harness.receive("config").objects("diagnostics").count == 1)
        #expect(!harness.stranger.output.transcript.contains { $0.contains("secret") })
    }

    @Test("the status of the service, which everybody may read, does not count them")
    func serviceStatus() throws {
        let harness = try PanelHarness(Self.configuration)
        try harness.client.request(#"{"cmd":"put_region","region":{"id":"new","shape":"full"}}"#)
        try harness.daemon.manager.wait(for: "STATUS=1 touchscreen, 2 regions")
    }

    @Test("a subscription to touches from before a private region gets none of its touches")
    func later() throws {
        let access = "[access]\nraw_uids = [65534]\n"
        let harness = try StrangerHarness(TestConfiguration.button + access)
        #expect(try harness.ask(#"{"cmd":"subscribe","events":["touches","config"]}"#).flag("ok") == true)
        try harness.panel.panel.land(0, id: 1, x: 100, y: 100)
        try harness.receive("touches")
        try harness.panel.daemon.configure(Self.configuration + access)
        harness.panel.daemon.program.signal(SIGHUP)
        try harness.receive("config")
        let count = harness.stranger.output.transcript.count
        try harness.panel.panel.lift(0)
        try harness.panel.panel.land(0, id: 2, x: 2500, y: 100)
        #expect(try harness.ask(#"{"cmd":"ping"}"#).flag("ok") == true)
        #expect(harness.stranger.output.transcript[count...].allSatisfy { !$0.contains("touches") })
    }

    @Test(
        "others cannot change them",
        arguments: [
            #"{"cmd":"reload"}"#, #"{"cmd":"cancel","region":"ok"}"#,
            #"{"cmd":"set_region","region":"ok","enabled":false}"#,
            #"{"cmd":"set_scene","scene":"default"}"#, #"{"cmd":"define_regions","regions":[]}"#,
        ])
    func rights(request: String) throws {
        let harness = try StrangerHarness(TestConfiguration.button)
        #expect(try harness.ask(request).object("error")?["code"] == "permission_denied")
        // When the configuration lists the user, the right applies at once, without a new connection.
        try harness.panel.daemon.configure(TestConfiguration.button + "[access]\ncontrol_uids = [65534]\n")
        harness.panel.daemon.program.signal(SIGHUP)
        #expect(try harness.receive("config")["change"] == "applied")
        #expect(try harness.ask(request).flag("ok") == true)
    }
}
