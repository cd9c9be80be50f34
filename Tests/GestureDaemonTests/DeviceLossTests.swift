// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

@Suite("Daemon: a panel breaks or changes")
struct DeviceLossTests {
    @Test("a read that finds the device gone cancels at once, before udev reports it, and the device is tried again")
    func broken() throws {
        let harness = try PanelHarness()
        try harness.press()
        try harness.panel.command("break")
        #expect(
            try harness.client.summaries(to: "device removed")
                == ["gesture press cancel device_removed ok", "device removed"])
        try harness.panel.command("mend")
        try harness.client.wait(for: "device added")
        try harness.press(id: 2)
    }

    @Test("a device is gone for good once udev reports it")
    func brokenForGood() throws {
        let harness = try PanelHarness()
        try harness.panel.command("break")
        try harness.client.wait(for: "device removed")
        try harness.panel.remove()
        var rows = 1
        // udev's events arrive on a different socket than requests, so their order is not defined.
        for _ in 0..<1000 where rows > 0 {
            rows = try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices").count
        }
        #expect(rows == 0)
    }

    @Test("the other panels are not affected")
    func otherPanel() throws {
        let harness = try PanelHarness(Self.pair) {
            try $0.command("name Other Panel")
            try $0.add(1)
            try $0.command("name Fake Panel")
            try $0.add(0)
        }
        let press = try harness.press()
        try harness.panel.commands("select 1\nbreak")
        try harness.client.wait(for: "device removed")
        try harness.panel.command("select 0")
        try harness.panel.lift()
        let end = try harness.client.wait(for: "end") { $0["phase"] != nil }
        #expect(end["phase"] == "end")
        #expect(end.number("sequence") == press.number("sequence"))
    }

    @Test(
        "a change of the axes' ranges is noticed after a loss of events, or when udev reports a change",
        arguments: ["drop", "change"])
    func otherAxes(how: String) throws {
        let harness = try PanelHarness()
        #expect(try harness.press(x: 1000, y: 1000).number("x") == 250)
        try harness.panel.commands("range 53 0 2047 0 0 13\n\(how)")
        #expect(
            try harness.client.summaries(to: "device added")
                == ["gesture press cancel sync_lost ok", "device removed", "device added"])
        // The finger is ignored until it lifts.
        try harness.panel.lift()
        try harness.panel.land(id: 2, x: 1000, y: 1000)
        // x = 1000 of 2048 is 500 of 1024 px, in the left half.
        #expect(try harness.client.wait(for: "gesture press begin ok").number("x") == 500)
    }

    @Test("a change that changes no property cancels nothing")
    func sameAxes() throws {
        let harness = try PanelHarness()
        try harness.press(x: 1000, y: 1000)
        try harness.panel.command("change")
        try harness.panel.lift()
        #expect(try harness.client.wait(for: "end") { $0["phase"] != nil }["phase"] == "end")
    }

    @Test("a panel that cannot be reopened during a reload is reopened a little later")
    func openedLater() throws {
        let harness = try PanelHarness()
        let node = try #require(harness.panel.environment["UMOCKDEV_DIR"]) + "/dev/input/event0"
        #expect(rename(node, node + ".away") == 0)
        try harness.daemon.configure(TestConfiguration.grabbed)
        #expect(try harness.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(try harness.row()["state"] == "failed")
        #expect(rename(node + ".away", node) == 0)
        try harness.client.wait(for: "device added")
        try harness.press()
    }

    private static let pair =
        TestConfiguration.button + """
            [[device]]
            id = "other"
            match = { name = "Other Panel" }
            output = { size = [1024, 1024], size_mm = [200, 200] }

            """
}
