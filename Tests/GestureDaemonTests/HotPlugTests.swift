// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: panels come and go")
struct HotPlugTests {
    @Test("a panel that is plugged in later")
    func laterPanel() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder, panel: panel)
        let client = try daemon.connect()
        try panel.add()
        let added = try client.wait(for: "device added")
        #expect(added["device"] == "panel")
        #expect(added["node"] == "/dev/input/event0")
        #expect(added["name"] == "Fake Panel")
        try panel.land(id: 1, x: 100, y: 100)
        try client.wait(for: "gesture press begin ok")
    }

    @Test("unplugged under a finger: the press is cancelled first; plugged in again, it works anew")
    func unplugged() throws {
        let bed = try PanelBed()
        for round in 1...3 {
            try bed.panel.land(id: round, x: 100, y: 100)
            let begin = try bed.client.wait(for: "gesture press begin ok")
            try bed.panel.remove()
            #expect(
                try bed.client.summaries(to: "device removed")
                    == ["gesture press cancel device_removed ok", "device removed"])
            try bed.panel.add()
            try bed.client.wait(for: "device added")
            try bed.panel.land(id: 100 + round, x: 100, y: 100)
            let next = try bed.client.wait(for: "gesture press begin ok")
            #expect((next.number("sequence") ?? 0) > (begin.number("sequence") ?? .infinity))
            try bed.panel.lift()
            try bed.client.wait(for: "gesture press end ok")
        }
    }

    @Test("of two panels, one is unplugged: the other one's press goes on")
    func twoPanels() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.command("name Left Panel")
        try panel.add(0)
        try panel.command("name Right Panel")
        try panel.add(1)
        let daemon = try DaemonProcess(Self.twins, in: folder, panel: panel)
        _ = try daemon.connect(toPanel: "left")
        let client = try daemon.connect(toPanel: "right")
        try panel.command("select 0")
        try panel.land(id: 1, x: 100, y: 100)
        let left = try client.wait(for: "gesture press begin ok")
        try panel.command("select 1")
        try panel.land(id: 1, x: 100, y: 100)
        let right = try client.wait(for: "gesture press begin ok")
        #expect(left["device"] == "left")
        #expect(right["device"] == "right")
        #expect(left.number("sequence") != right.number("sequence"))
        try panel.remove(0)
        let cancelled = try client.wait(for: "gesture press cancel device_removed ok")
        #expect(cancelled["device"] == "left")
        try panel.command("select 1")
        try panel.lift()
        #expect(try client.wait(for: "gesture press end ok")["device"] == "right")
    }

    private static let twins = """
        version = 1
        [[device]]
        id = "left"
        match = { name = "Left*" }
        [[device]]
        id = "right"
        match = { name = "Right*" }
        [[region]]
        id = "ok"
        shape = "full"
        gestures = ["press"]

        """
}
