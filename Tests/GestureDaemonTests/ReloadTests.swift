// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

@Suite("Daemon: reload")
struct ReloadTests {
    enum Way: CaseIterable {
        case signal, command
    }

    /// Reloads, and returns whether the new configuration was accepted.
    private func reload(_ harness: PanelHarness, by way: Way) throws -> Bool {
        switch way {
        case .signal:
            harness.daemon.program.signal(SIGHUP)
            return try harness.client.wait(for: "config event") { $0["event"] == "config" }["change"] != "rejected"
        case .command:
            return try harness.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true
        }
    }

    private func regions(_ harness: PanelHarness) throws -> [String] {
        try harness.client.request(#"{"cmd":"regions","id":4}"#).objects("regions").compactMap { $0["region"] }
    }

    @Test("valid, invalid, valid", arguments: Way.allCases)
    func goodBadGood(way: Way) throws {
        let harness = try PanelHarness()
        #expect(try regions(harness) == ["ok"])
        try harness.daemon.configure(TestConfiguration.wrong)
        #expect(try !reload(harness, by: way))
        #expect(try regions(harness) == ["ok"])
        #expect(try harness.client.request(#"{"cmd":"status","id":2}"#).object("config")?["state"] == "rejected")
        try harness.daemon.configure(TestConfiguration.twoButtons)
        #expect(try reload(harness, by: way))
        #expect(try regions(harness) == ["ok", "no"])
        #expect(try harness.client.request(#"{"cmd":"status","id":2}"#).object("config")?["state"] == "ok")
        try harness.press(x: 3000, y: 100, on: "no")
    }

    @Test("an emptied file is rejected; one that has lost most of its regions causes a warning")
    func lostRegions() throws {
        let many = (0..<3).map { "[[region]]\nid = \"r\($0)\"\nshape = \"full\"\n" }.joined()
        let harness = try PanelHarness(TestConfiguration.panel + many)
        try harness.daemon.configure("")
        #expect(try !reload(harness, by: .command))
        #expect(try regions(harness).count == 3)
        try harness.daemon.configure(TestConfiguration.button)
        let reply = try harness.client.request(#"{"cmd":"reload","id":9}"#)
        #expect(reply.objects("diagnostics").compactMap { $0["code"] } == ["few_regions"])
        #expect(try harness.client.request(#"{"cmd":"status","id":2}"#).object("config")?.number("warnings") == 1)
        let line = harness.daemon.log.split(separator: "\n")
            .first { $0.contains("fewer than half of the previous regions") }
        #expect(line?.ranges(of: "warning: ").count == 1)
    }

    @Test("the reply of a rejected reload states position and problem")
    func diagnostics() throws {
        let harness = try PanelHarness()
        try harness.daemon.configure(TestConfiguration.wrong)
        let reply = try harness.client.request(#"{"cmd":"reload","id":9}"#)
        let error = try #require(reply.object("error"))
        #expect(error["code"] == "config_invalid")
        let first = try #require(error.objects("diagnostics").first)
        #expect(first["severity"] == "error")
        #expect(first["code"] == "unknown_key")
        #expect(first.number("line") == 9)
        #expect(first.number("column") == 1)
        #expect(first["suggestion"] == "gestures")
    }

    @Test("a press in an unchanged region goes on; one in a changed region is cancelled")
    func underWay() throws {
        let harness = try PanelHarness(TestConfiguration.twoButtons)
        try harness.press()
        try harness.press(1, id: 2, x: 3000, y: 100, on: "no")
        // The new configuration has only the first button.
        try harness.daemon.configure(TestConfiguration.button)
        try harness.client.send(#"{"cmd":"reload","id":9}"#)
        let cancelled = try harness.client.wait(for: "cancel") { $0["phase"] == "cancel" }
        #expect(cancelled.summary == "gesture press cancel reload no")
        try harness.panel.lift(0)
        let end = try harness.client.wait(for: "end or cancel") { $0["gesture"] == "press" }
        #expect(end.summary == "gesture press end ok")
    }

    @Test("a device is opened when the new configuration accepts it, and closed again")
    func wantedLater() throws {
        let harness = try PanelHarness()
        try harness.panel.commands("default\nname Odd Device\nproperty ID_INPUT_TOUCHSCREEN=0")
        try harness.panel.add(1)
        #expect(try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices").count == 1)
        try harness.daemon.configure(
            "version = 1\n[[device]]\nid = \"odd\"\nmatch = { name = \"Odd*\" }\n"
                + TestConfiguration.button.replacing("version = 1\n", with: ""))
        try harness.client.send(#"{"cmd":"reload","id":2}"#)
        _ = try harness.client.wait(for: "device added odd") { $0["change"] == "added" && $0["device"] == "odd" }
        try harness.daemon.configure(TestConfiguration.button)
        try harness.client.send(#"{"cmd":"reload","id":3}"#)
        _ = try harness.client.wait(for: "device removed odd") { $0["change"] == "removed" && $0["device"] == "odd" }
    }
}
