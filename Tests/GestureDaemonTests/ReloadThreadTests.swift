// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// Events that occur while a thread reads the configuration.
@Suite("Daemon: while the configuration is read")
struct ReloadThreadTests {
    private static let scenes = TestConfiguration.twoButtons + "[[scene]]\nid = \"right\"\nregions = [\"no\"]\n"

    /// Starts a daemon and a reload that stays in progress until the test sets `holdsThreads` to false.
    private func begin(
        _ configuration: String = TestConfiguration.button, then next: String = TestConfiguration.twoButtons
    ) throws -> (PanelHarness, FakeMachine, asker: SocketClient) {
        let harness = try PanelHarness(configuration, speed: 1)
        let machine = try #require(harness.machine)
        let asker = try harness.daemon.connect(toPanel: "panel")
        machine.holdsThreads = true
        try harness.daemon.configure(next)
        try asker.send(#"{"cmd":"reload","id":9}"#)
        // The daemon reads requests in the order of their arrival, so after this reply it has read the
        // request of `asker`.
        _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
        return (harness, machine, asker)
    }

    private func generation(_ client: SocketClient) throws -> Double? {
        try client.request(#"{"cmd":"status","id":2}"#).object("config")?.number("generation")
    }

    private func reply(_ client: SocketClient, to command: String) throws -> JSONLine {
        try client.wait(for: "reply") { $0["reply"] == command }
    }

    private func regions(_ client: SocketClient) throws -> [String] {
        try client.request(#"{"cmd":"regions","id":4}"#).objects("regions").compactMap { $0["region"] }
    }

    @Test("touches and other clients' requests are served; the client's next requests wait")
    func othersGoOn() throws {
        let (harness, machine, asker) = try begin()
        try asker.send(#"{"cmd":"regions","id":10}"#)
        try harness.press()
        #expect(try generation(harness.client) == 1)
        #expect(!asker.lines.transcript.contains { $0.contains(#""id":10"#) })
        machine.holdsThreads = false
        #expect(try reply(asker, to: "reload").number("config_generation") == 2)
        #expect(try reply(asker, to: "regions").objects("regions").count == 2)
        try harness.release()
    }

    @Test("a second reload that comes meanwhile runs after the first")
    func second() throws {
        let (harness, machine, asker) = try begin()
        try harness.daemon.configure(TestConfiguration.wrong)
        try harness.client.send(#"{"cmd":"reload","id":11}"#)
        machine.holdsThreads = false
        _ = try reply(asker, to: "reload")
        #expect(try reply(harness.client, to: "reload").object("error")?["code"] == "config_invalid")
    }

    @Test("SIGHUP twice: the last file is applied, and the manager is notified only then")
    func signals() throws {
        let (harness, machine, asker) = try begin()
        harness.daemon.program.signal(SIGHUP)
        try harness.daemon.manager.wait(for: "RELOADING=1")
        try harness.daemon.configure(TestConfiguration.button)
        harness.daemon.program.signal(SIGHUP)
        try harness.daemon.manager.wait(for: "RELOADING=1")
        machine.holdsThreads = false
        _ = try reply(asker, to: "reload")
        try harness.daemon.manager.wait(for: "READY=1")
        #expect(try generation(harness.client) == 3)
        #expect(try regions(harness.client) == ["ok"])
    }

    @Test("regions and scenes that clients set meanwhile stay active, if the new files permit it")
    func changes() throws {
        let (harness, machine, asker) = try begin(Self.scenes, then: TestConfiguration.twoButtons)
        #expect(try harness.client.request(#"{"cmd":"set_scene","id":1,"scene":"right"}"#).flag("ok") == true)
        let region = #"{"id":"new","parent":"no","shape":"full","gestures":["press"]}"#
        let define = "{\"cmd\":\"define_regions\",\"id\":2,\"regions\":[\(region)]}"
        #expect(try harness.client.request(define).flag("ok") == true)
        machine.holdsThreads = false
        _ = try reply(asker, to: "reload")
        #expect(try harness.client.request(#"{"cmd":"state","id":3}"#)["scene"] == "default")
        #expect(try regions(harness.client) == ["ok", "no", "new"])
        try harness.press(x: 3000, y: 100, on: "new")
    }

    @Test("regions of a client that the new files define as well are left out")
    func hidden() throws {
        let (harness, machine, asker) = try begin()
        let define = #"{"cmd":"define_regions","id":2,"regions":[{"id":"no","shape":"full","gestures":["tap"]}]}"#
        #expect(try harness.client.request(define).flag("ok") == true)
        machine.holdsThreads = false
        _ = try reply(asker, to: "reload")
        let shapes = try harness.client.request(#"{"cmd":"regions","id":4}"#).objects("regions")
        #expect(shapes.map { $0["region"] } == ["ok", "no"])
        #expect(harness.daemon.log.contains("region \"no\" is omitted"))
    }

    @Test("a panel that is plugged in meanwhile has the new regions too")
    func plugged() throws {
        let (harness, machine, asker) = try begin()
        try harness.panel.commands("default\nname Fake Panel")
        try harness.panel.add(1)
        _ = try harness.client.wait(for: "device added") { $0["change"] == "added" }
        machine.holdsThreads = false
        _ = try reply(asker, to: "reload")
        #expect(try regions(harness.client) == ["ok", "no", "ok", "no"])
    }

    @Test("a client that has disconnected meanwhile does not matter")
    func gone() throws {
        let harness: PanelHarness
        let machine: FakeMachine
        do {
            let begun = try begin()
            (harness, machine) = (begun.0, begun.1)
        }
        _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
        machine.holdsThreads = false
        _ = try harness.client.wait(for: "config event") { $0["event"] == "config" }
        #expect(try regions(harness.client) == ["ok", "no"])
    }

    @Test("SIGTERM does not wait for it")
    func stops() throws {
        let (harness, _, asker) = try begin()
        #expect(try harness.daemon.stop() == .exited(0))
        #expect(try asker.wait(for: "bye") { $0["event"] == "bye" }["reason"] == "shutdown")
    }
}
