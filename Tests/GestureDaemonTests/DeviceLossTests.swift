// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

@Suite("Daemon: a panel breaks or changes")
struct DeviceLossTests {
    @Test("a read finds the device gone: cancelled at once, before udev says anything, and tried again")
    func broken() throws {
        let bed = try PanelBed()
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
        try bed.panel.command("break")
        #expect(
            try bed.client.summaries(to: "device removed")
                == ["gesture press cancel device_removed ok", "device removed"])
        try bed.panel.command("mend")
        try bed.client.wait(for: "device added")
        try bed.panel.land(id: 2, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
    }

    @Test("one that is gone for good is gone once udev says so")
    func brokenForGood() throws {
        let bed = try PanelBed()
        try bed.panel.command("break")
        try bed.client.wait(for: "device removed")
        try bed.panel.remove()
        var rows = 1
        // udev's news come on another way than the requests.
        for _ in 0..<1000 where rows > 0 {
            rows = try bed.client.request(#"{"cmd":"devices","id":1}"#).objects("devices").count
        }
        #expect(rows == 0)
    }

    @Test("the other panels are left alone")
    func otherPanel() throws {
        let bed = try PanelBed(Self.pair) {
            try $0.command("name Other Panel")
            try $0.add(1)
            try $0.command("name Fake Panel")
            try $0.add(0)
        }
        try bed.panel.land(id: 1, x: 100, y: 100)
        let press = try bed.client.wait(for: "gesture press begin ok")
        try bed.panel.commands("select 1\nbreak")
        try bed.client.wait(for: "device removed")
        try bed.panel.command("select 0")
        try bed.panel.lift()
        let end = try bed.client.wait(for: "end") { $0["phase"] != nil }
        #expect(end["phase"] == "end")
        #expect(end.number("sequence") == press.number("sequence"))
    }

    @Test(
        "other ranges of its axes: seen after a loss of events, or when udev tells of a change",
        arguments: ["drop", "change"])
    func otherAxes(how: String) throws {
        let bed = try PanelBed()
        try bed.panel.land(id: 1, x: 1000, y: 1000)
        #expect(try bed.client.wait(for: "gesture press begin ok").number("x") == 250)
        try bed.panel.commands("range 53 0 2047 0 0 13\n\(how)")
        #expect(
            try bed.client.summaries(to: "device added")
                == ["gesture press cancel sync_lost ok", "device removed", "device added"])
        // The finger is ignored until it lifts.
        try bed.panel.lift()
        try bed.panel.land(id: 2, x: 1000, y: 1000)
        // 1000 of 2048 of 1024 px lie in the left half.
        #expect(try bed.client.wait(for: "gesture press begin ok").number("x") == 500)
    }

    @Test("a change that changes nothing cancels nothing")
    func sameAxes() throws {
        let bed = try PanelBed()
        try bed.panel.land(id: 1, x: 1000, y: 1000)
        try bed.client.wait(for: "gesture press begin ok")
        try bed.panel.command("change")
        try bed.panel.lift()
        #expect(try bed.client.wait(for: "end") { $0["phase"] != nil }["phase"] == "end")
    }

    @Test("one that cannot be opened anew while a configuration is read is opened a little later")
    func openedLater() throws {
        let bed = try PanelBed()
        let node = try #require(bed.panel.environment["UMOCKDEV_DIR"]) + "/dev/input/event0"
        #expect(rename(node, node + ".away") == 0)
        try bed.daemon.configure(TestConfiguration.grabbed)
        #expect(try bed.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(try bed.row()["state"] == "failed")
        #expect(rename(node + ".away", node) == 0)
        try bed.client.wait(for: "device added")
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
    }

    private static let pair =
        TestConfiguration.button + """
            [[device]]
            id = "other"
            match = { name = "Other Panel" }
            output = { size = [1024, 1024], size_mm = [200, 200] }

            """
}
