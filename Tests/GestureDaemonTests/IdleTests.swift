// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: idle times")
struct IdleTests {
    /// The region `ok` is on the left, `no` on the right. Each belongs to one scene.
    private static let scenes =
        TestConfiguration.twoButtons + """
            [[scene]]
            id = "shop"
            regions = ["ok"]
            [[scene]]
            id = "saver"
            regions = ["no"]
            [daemon]
            scene = "shop"

            """
    private static let saver = "[[idle]]\nid = \"saver\"\nafter = \"100ms\"\nin = [\"shop\"]\nscene = \"saver\"\n"

    private func idle(_ client: SocketClient) throws -> JSONLine {
        try client.wait(for: "idle") { $0["event"] == "idle" }
    }

    private func scene(_ client: SocketClient) throws -> String? {
        try client.wait(for: "scene") { $0["event"] == "config" }["scene"]
    }

    /// Touches the panel and waits until it is idle. On a slow machine the panel may already have been idle before
    /// the touch.
    private func waitUntilIdle(_ harness: PanelHarness) throws {
        try harness.client.request(
            #"{"cmd":"subscribe","id":1,"events":["gesture","idle","config","touches"]}"#)
        try harness.panel.land(id: 90, x: 3000, y: 100)
        _ = try harness.client.wait(for: "touches") { !$0.objects("contacts").isEmpty }
        try harness.panel.lift()
        while try idle(harness.client)["change"] != "idle" {}
    }

    @Test("the initial scene is active, even after a reload of a configuration without it")
    func startScene() throws {
        let harness = try PanelHarness(Self.scenes)
        func scene() throws -> String? { try harness.client.request(#"{"cmd":"state","id":1}"#)["scene"] }
        #expect(try scene() == "shop")
        try harness.client.request(#"{"cmd":"set_scene","id":1,"scene":"saver"}"#)
        try harness.daemon.configure(Self.scenes.replacing("id = \"saver\"", with: "id = \"other\""))
        try harness.client.request(#"{"cmd":"reload","id":9}"#)
        #expect(try scene() == "shop")
        #expect(harness.daemon.log.contains("scene \"saver\" no longer exists; switched to \"shop\""))
    }

    @Test("one line when a panel becomes idle, and one before the touch that ends it")
    func touch() throws {
        let harness = try PanelHarness(TestConfiguration.button + "[[idle]]\nafter = \"100ms\"\n")
        try harness.panel.land(id: 1, x: 100, y: 100)
        try harness.panel.lift()
        // On a slow machine the panel may already have been idle before this touch.
        try harness.client.wait(for: "gesture press end ok")
        var begin = try idle(harness.client)
        while begin["change"] != "idle" { begin = try idle(harness.client) }
        #expect(begin["name"] == "idle")
        #expect(begin.number("idle_ms") == 100)
        // A client that connects now finds the idle time in its first `state` line.
        let other = try SocketClient(path: harness.daemon.socketPath)
        #expect(try other.wait(for: "state").description.contains(#""idle":["idle"]"#))
        try harness.client.request(#"{"cmd":"set_profile","id":2,"profile":"steady"}"#)
        let third = try SocketClient(path: harness.daemon.socketPath)
        #expect(try third.wait(for: "state").description.contains(#""profile":"steady","idle":["idle"]"#))
        try harness.panel.land(id: 2, x: 100, y: 100)
        let end = try other.wait(for: "event") { $0["event"] == "idle" || $0["event"] == "gesture" }
        #expect((end["change"], end["reason"]) == ("active", "touch"))
        #expect((end.number("idle_ms") ?? 0) >= 100)
        try other.wait(for: "gesture press begin ok")
        #expect(!(try harness.client.request(#"{"cmd":"state","id":1}"#).description.contains("\"idle\"")))
    }

    @Test("the request activity ends idle times and their scene, and status counts it")
    func activity() throws {
        let harness = try PanelHarness(Self.scenes + Self.saver)
        try waitUntilIdle(harness)
        while try harness.client.request(#"{"cmd":"state","id":4}"#)["scene"] != "saver" {}
        // The line comes before the reply, so another client waits for it.
        let other = try SocketClient(path: harness.daemon.socketPath)
        try other.wait(for: "state")
        let reply = try harness.client.request(#"{"cmd":"activity","id":5}"#)
        #expect(reply.description == #"{"reply":"activity","id":5,"ok":true}"#)
        let end = try idle(other)
        #expect((end["change"], end["reason"]) == ("active", "activity"))
        #expect(try scene(other) == "shop")
        let status = try harness.client.request(#"{"cmd":"status","id":6}"#)
        #expect((status.number("sessions") ?? 0) >= 1 && status.number("wakes") == 0)
    }

    @Test("the daemon switches the scene; the touch that ends the idle time belongs to it until it lifts")
    func switchesScene() throws {
        let harness = try PanelHarness(Self.scenes + Self.saver)
        try waitUntilIdle(harness)
        #expect(try scene(harness.client) == "saver")
        try harness.panel.land(0, id: 1, x: 100, y: 100)
        #expect(try idle(harness.client)["change"] == "active")
        try harness.panel.land(1, id: 2, x: 3000, y: 100)
        // The scene with `ok` is not active yet: the first gesture belongs to `no`.
        let first = try harness.client.wait(for: "gesture") { $0["event"] == "gesture" }
        #expect(first.summary == "gesture press begin no")
        try harness.panel.lift(1)
        try harness.client.wait(for: "gesture press end no")
        #expect(try harness.client.request(#"{"cmd":"state","id":1}"#)["scene"] == "saver")
        try harness.panel.lift(0)
        #expect(try scene(harness.client) == "shop")
        try harness.press(id: 3)
    }

    @Test("a scene that a client sets meanwhile stays")
    func clientsScene() throws {
        let harness = try PanelHarness(Self.scenes + Self.saver)
        try waitUntilIdle(harness)
        #expect(try scene(harness.client) == "saver")
        try harness.client.send(#"{"cmd":"set_scene","id":1,"scene":"default"}"#)
        let end = try idle(harness.client)
        #expect((end["change"], end["reason"]) == ("active", "scene"))
        try harness.press()
        try harness.release()
        #expect(try harness.client.request(#"{"cmd":"state","id":1}"#)["scene"] == "default")
    }

    @Test("a reload that removes the idle time ends it, and the earlier scene returns")
    func reload() throws {
        let harness = try PanelHarness(Self.scenes + Self.saver)
        try waitUntilIdle(harness)
        #expect(try scene(harness.client) == "saver")
        try harness.daemon.configure(Self.scenes)
        try harness.client.send(#"{"cmd":"reload","id":9}"#)
        let end = try idle(harness.client)
        #expect((end["change"], end["reason"]) == ("active", "reload"))
        _ = try harness.client.wait(for: "scene") { $0["change"] == "scene" && $0["scene"] == "shop" }
    }

    @Test("a panel that is unplugged under a finger is not touched any more; time passes without a panel, too")
    func unplugged() throws {
        let harness = try PanelHarness(TestConfiguration.button + "[[idle]]\nafter = \"300ms\"\n")
        try harness.press()
        try harness.panel.remove()
        try harness.client.wait(for: "gesture press cancel device_removed ok")
        var line = try idle(harness.client)
        while line["change"] != "idle" { line = try idle(harness.client) }
        #expect(line.number("idle_ms") == 300)
    }

    @Test("the time that the machine sleeps does not count")
    func sleeps() throws {
        let harness = try PanelHarness(TestConfiguration.button + "[[idle]]\nafter = \"600s\"\n", speed: 1)
        let machine = try #require(harness.machine)
        try harness.press()
        machine.sleep(seconds: 3600)
        try harness.panel.lift()
        try harness.client.wait(for: "gesture press cancel suspend ok")
        #expect(!(try harness.client.request(#"{"cmd":"state","id":1}"#).description.contains("\"idle\"")))
    }
}
