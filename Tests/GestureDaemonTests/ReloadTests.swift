// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

@Suite("Daemon: reload")
struct ReloadTests {
    enum Way: CaseIterable {
        case signal, command
    }

    /// Reloads, and says whether the new configuration was taken.
    private func reload(_ bed: PanelBed, by way: Way) throws -> Bool {
        switch way {
        case .signal:
            bed.daemon.program.signal(SIGHUP)
            return try bed.client.wait(for: "config event") { $0["event"] == "config" }["change"] != "rejected"
        case .command:
            return try bed.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true
        }
    }

    private func regions(_ bed: PanelBed) throws -> [String] {
        try bed.client.request(#"{"cmd":"regions","id":4}"#).objects("regions").compactMap { $0["region"] }
    }

    @Test("good, bad, good", arguments: Way.allCases)
    func goodBadGood(way: Way) throws {
        let bed = try PanelBed()
        #expect(try regions(bed) == ["ok"])
        try bed.daemon.configure(TestConfiguration.wrong)
        #expect(try !reload(bed, by: way))
        #expect(try regions(bed) == ["ok"])
        #expect(try bed.client.request(#"{"cmd":"status","id":2}"#).object("config")?["state"] == "rejected")
        try bed.daemon.configure(TestConfiguration.twoButtons)
        #expect(try reload(bed, by: way))
        #expect(try regions(bed) == ["ok", "no"])
        #expect(try bed.client.request(#"{"cmd":"status","id":2}"#).object("config")?["state"] == "ok")
        try bed.panel.land(id: 1, x: 3000, y: 100)
        try bed.client.wait(for: "gesture press begin no")
    }

    @Test("the reply of a rejected one says where and what")
    func diagnostics() throws {
        let bed = try PanelBed()
        try bed.daemon.configure(TestConfiguration.wrong)
        let reply = try bed.client.request(#"{"cmd":"reload","id":9}"#)
        let error = try #require(reply.object("error"))
        #expect(error["code"] == "config_invalid")
        let first = try #require(error.objects("diagnostics").first)
        #expect(first["severity"] == "error")
        #expect(first["code"] == "unknown_key")
        #expect(first.number("line") == 9)
        #expect(first.number("column") == 1)
        #expect(first["suggestion"] == "gestures")
    }

    @Test("a press in a region that stays as it was goes on; one in a changed region is cancelled")
    func underWay() throws {
        let bed = try PanelBed(TestConfiguration.twoButtons)
        try bed.panel.land(0, id: 1, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
        try bed.panel.land(1, id: 2, x: 3000, y: 100)
        try bed.client.wait(for: "gesture press begin no")
        // Only the first button is left.
        try bed.daemon.configure(TestConfiguration.button)
        try bed.client.send(#"{"cmd":"reload","id":9}"#)
        let cancelled = try bed.client.wait(for: "cancel") { $0["phase"] == "cancel" }
        #expect(cancelled.summary == "gesture press cancel reload no")
        try bed.panel.lift(0)
        let end = try bed.client.wait(for: "end or cancel") { $0["gesture"] == "press" }
        #expect(end.summary == "gesture press end ok")
    }

    @Test("a device that nobody wanted is taken when the new configuration asks for it, and let go again")
    func wantedLater() throws {
        let bed = try PanelBed()
        try bed.panel.commands("default\nname Odd Device\nproperty ID_INPUT_TOUCHSCREEN=0")
        try bed.panel.add(1)
        #expect(try bed.client.request(#"{"cmd":"devices","id":1}"#).objects("devices").count == 1)
        try bed.daemon.configure(
            "version = 1\n[[device]]\nid = \"odd\"\nmatch = { name = \"Odd*\" }\n"
                + TestConfiguration.button.replacing("version = 1\n", with: ""))
        try bed.client.send(#"{"cmd":"reload","id":2}"#)
        _ = try bed.client.wait(for: "device added odd") { $0["change"] == "added" && $0["device"] == "odd" }
        try bed.daemon.configure(TestConfiguration.button)
        try bed.client.send(#"{"cmd":"reload","id":3}"#)
        _ = try bed.client.wait(for: "device removed odd") { $0["change"] == "removed" && $0["device"] == "odd" }
    }
}
