// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// Definitions of many regions; a thread parses them and computes their layout.
@Suite("Daemon: while many regions are defined")
struct DefinitionThreadTests {
    /// A request that defines `count` regions side by side, below the button.
    private static func define(
        _ name: String, count: Int = 20, gesture: String = "press", _ more: String = ""
    ) -> String {
        let regions = (0..<count).map { number in
            #"{"id":"\#(name)\#(number)","shape":{"rect":[\#(number * 10),700,10,10]},"gestures":["\#(gesture)"]}"#
        }
        return #"{"cmd":"define_regions","id":7,"lease":true,"regions":[\#(regions.joined(separator: ","))]\#(more)}"#
    }

    private static func put(_ id: String) -> String {
        let region = #"{"id":"\#(id)","shape":{"rect":[600,700,50,50]},"gestures":["press"]}"#
        return #"{"cmd":"put_region","id":8,"lease":true,"region":\#(region)}"#
    }

    /// Starts a daemon whose thread works on a request from `asker` until the test sets `holdsThreads` to
    /// false.
    private func begin(
        _ request: String, with configuration: String = TestConfiguration.button
    ) throws -> (PanelHarness, FakeMachine, asker: SocketClient) {
        let harness = try PanelHarness(configuration, speed: 1)
        let machine = try #require(harness.machine)
        let asker = try harness.daemon.connect(toPanel: "panel")
        machine.holdsThreads = true
        try asker.send(request)
        // The daemon reads requests in the order of their arrival, so after this reply it has read the
        // request of `asker`.
        _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
        return (harness, machine, asker)
    }

    private func reply(_ client: SocketClient, to command: String = "define_regions") throws -> JSONLine {
        try client.wait(for: "reply") { $0["reply"] == command }
    }

    private func ids(_ client: SocketClient) throws -> [String] {
        try client.request(#"{"cmd":"regions","id":4}"#).objects("regions").compactMap { $0["region"] }
    }

    private func names(_ name: String, _ count: Int = 20) -> [String] { (0..<count).map { "\(name)\($0)" } }

    @Test("touches and other clients' requests are served; the client's next requests wait")
    func othersGoOn() throws {
        let (harness, machine, asker) = try begin(Self.define("a"))
        try asker.send(#"{"cmd":"regions","id":10}"#)
        try harness.press()
        #expect(try ids(harness.client) == ["ok"])
        #expect(!asker.lines.transcript.contains { $0.contains(#""id":10"#) })
        machine.holdsThreads = false
        let reply = try reply(asker)
        #expect((reply.flag("ok"), reply.number("id"), reply.number("regions")) == (true, 7, 20))
        #expect(try self.reply(asker, to: "regions").objects("regions").count == 21)
        let notice = try harness.client.wait(for: "config event") { $0["event"] == "config" }
        #expect(notice["change"] == "regions")
        try harness.release()
    }

    @Test("several requests take effect in order, each with the earlier changes of other clients")
    func inOrder() throws {
        let (harness, machine, asker) = try begin(Self.define("a"))
        let (second, third) = (
            try harness.daemon.connect(toPanel: "panel"), try harness.daemon.connect(toPanel: "panel")
        )
        try second.send(Self.define("b"))
        _ = try harness.client.request(Self.put("single"))
        try third.send(Self.define("a"))
        _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
        machine.holdsThreads = false
        #expect(try reply(asker).flag("ok") == true)
        #expect(try reply(second).flag("ok") == true)
        #expect(try reply(third).object("error")?["code"] == "config_invalid")
        #expect(try ids(harness.client) == ["ok", "single"] + names("a") + names("b"))
        // Replaces one client's regions with an empty set, and the other's with fewer regions.
        #expect(try second.request(Self.define("b", count: 0)).flag("ok") == true)
        #expect(try asker.request(Self.define("c", count: 2)).flag("ok") == true)
        #expect(try ids(harness.client) == ["ok", "single", "c0", "c1"])
    }

    @Test("an id that another client takes meanwhile is in use")
    func taken() throws {
        let (harness, machine, asker) = try begin(Self.define("a"))
        #expect(try harness.client.request(Self.put("a3")).flag("ok") == true)
        machine.holdsThreads = false
        let error = try #require(try reply(asker).object("error"))
        #expect(error["code"] == "config_invalid")
        #expect(error.objects("diagnostics").map { $0["code"] } == ["duplicate_id"])
        #expect(try ids(harness.client) == ["ok", "a3"])
    }

    @Test("a reload meanwhile and the definition both take effect")
    func reload() throws {
        let (harness, machine, asker) = try begin(Self.define("a"))
        try harness.daemon.configure(TestConfiguration.twoButtons)
        try harness.client.send(#"{"cmd":"reload","id":9}"#)
        machine.holdsThreads = false
        #expect(try reply(asker).flag("ok") == true)
        #expect(try reply(harness.client, to: "reload").flag("ok") == true)
        #expect(try ids(harness.client) == ["ok", "no"] + names("a"))
    }

    @Test("one mistake refuses all regions")
    func mistake() throws {
        let (harness, machine, asker) = try begin(Self.define("a", gesture: "pres"))
        machine.holdsThreads = false
        let error = try #require(try reply(asker).object("error"))
        #expect(error["code"] == "config_invalid")
        #expect(error.objects("diagnostics").map { $0["file"] } == (0..<20).map { "regions[\($0)]" })
        #expect(try ids(harness.client) == ["ok"])
    }

    @Test("with wait, a region with a gesture in progress stays unchanged until the gesture ends")
    func waits() throws {
        let harness = try PanelHarness(speed: 1)
        try harness.client.request(Self.put("a3"))
        try harness.press(x: 2500, y: 2820, on: "a3")
        let reply = try harness.client.request(Self.define("a", #","wait":true"#))
        #expect((reply.number("regions"), reply.number("waiting")) == (20, 1))
        try harness.panel.lift()
        #expect(try harness.client.wait(for: "gesture") { $0["event"] == "gesture" }.summary == "gesture press end a3")
        #expect(try ids(harness.client) == ["ok"] + names("a"))
    }

    @Test("the regions of a client that has disconnected are removed")
    func gone() throws {
        let harness: PanelHarness
        let machine: FakeMachine
        do {
            let begun = try begin(Self.define("a"))
            (harness, machine) = (begun.0, begun.1)
        }
        _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
        machine.holdsThreads = false
        for _ in 0..<2 { _ = try harness.client.wait(for: "config event") { $0["event"] == "config" } }
        #expect(try ids(harness.client) == ["ok"])
    }

    @Test("SIGTERM does not wait for the thread")
    func stops() throws {
        let (harness, _, asker) = try begin(Self.define("a"))
        #expect(try harness.daemon.stop() == .exited(0))
        #expect(try asker.wait(for: "bye") { $0["event"] == "bye" }["reason"] == "shutdown")
    }
}
