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
        let harness = try PanelHarness()
        for round in 1...3 {
            try harness.panel.land(id: round, x: 100, y: 100)
            let begin = try harness.client.wait(for: "gesture press begin ok")
            try harness.panel.remove()
            #expect(
                try harness.client.summaries(to: "device removed")
                    == ["gesture press cancel device_removed ok", "device removed"])
            try harness.panel.add()
            try harness.client.wait(for: "device added")
            try harness.panel.land(id: 100 + round, x: 100, y: 100)
            let next = try harness.client.wait(for: "gesture press begin ok")
            #expect((next.number("sequence") ?? 0) > (begin.number("sequence") ?? .infinity))
            try harness.panel.lift()
            try harness.client.wait(for: "gesture press end ok")
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

    @Test("of two panels without regions, the positions do not merge")
    func touchesApart() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.command("name Left Panel")
        try panel.add(0)
        try panel.command("name Right Panel")
        try panel.add(1)
        let daemon = try DaemonProcess(Self.panels, in: folder, panel: panel)
        _ = try daemon.connect(toPanel: "left")
        let client = try daemon.connect(toPanel: "right")
        // One line in ten seconds for each panel.
        try client.request(#"{"cmd":"subscribe","id":1,"events":["touches","frame"],"max_rate_hz":0.1}"#)
        for (number, name) in [(0, "left"), (1, "right")] {
            try panel.command("select \(number)")
            try panel.land(id: 1, x: 100, y: 100)
            // Both lines are sent together.
            _ = try client.wait(for: name) { $0["event"] == "frame" && $0["device"] == name }
            try client.request(#"{"cmd":"ping","id":2}"#)
            #expect(
                client.lines.transcript.contains {
                    $0.contains(#""event":"touches""#) && $0.contains("\"device\":\"\(name)\"")
                })
        }
    }

    @Test("events of udev are lost, and it is told: what is there is listed anew")
    func overrun() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        let machine = try FakeMachine(in: folder)
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder, panel: panel, machine: machine)
        let client = try daemon.connect()
        machine.udevEvents = .overrun
        try panel.add()
        try client.wait(for: "device added")
        machine.udevEvents = .overrun
        try panel.remove()
        try client.wait(for: "device removed")
    }

    @Test("events of udev are lost, and nobody tells: every thirty seconds what is there is listed anew")
    func deaf() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        // Thirty seconds are 0.15 of the test's.
        let machine = try FakeMachine(in: folder, speed: 200)
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder, panel: panel, machine: machine)
        let client = try daemon.connect()
        machine.udevEvents = .lost
        try panel.add()
        try client.wait(for: "device added")
        try panel.vanish()
        try client.wait(for: "device removed")
    }

    @Test("a panel that udev cannot describe at the moment is not gone")
    func undescribed() throws {
        let harness = try PanelHarness(speed: 1)
        let machine = try #require(harness.machine)
        try harness.panel.land(id: 1, x: 100, y: 100)
        try harness.client.wait(for: "gesture press begin ok")
        machine.missingNodes = 1
        // Lists what is there.
        #expect(try harness.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(machine.missingNodes == 0)
        try harness.panel.lift()
        #expect(try harness.client.wait(for: "end") { $0["phase"] != nil }["phase"] == "end")
    }

    @Test("one that comes and cannot be described is looked at again")
    func undescribedAtFirst() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        let machine = try FakeMachine(in: folder)
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder, panel: panel, machine: machine)
        let client = try daemon.connect()
        machine.missingNodes = 1
        try panel.add()
        try client.wait(for: "device added")
        #expect(machine.missingNodes == 0)
    }

    @Test("a node that another device has now: nothing of the first is left")
    func reusedNode() throws {
        let harness = try PanelHarness(Self.twins.replacing("left", with: "panel"), speed: 1) {
            try $0.command("name Left Panel")
            try $0.add()
        }
        let machine = try #require(harness.machine)
        try harness.panel.land(id: 1, x: 100, y: 100)
        try harness.client.wait(for: "gesture press begin ok")
        machine.udevEvents = .lost
        try harness.panel.vanish()
        machine.udevEvents = .delivered
        try harness.panel.command("name Right Panel")
        // The same event0, under another input device.
        try harness.panel.command("parent 7")
        try harness.panel.add()
        #expect(
            try harness.client.summaries(to: "device added")
                == ["gesture press cancel device_removed ok", "device removed", "device added"])
        let rows = try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        #expect(rows.map { $0["device"] } == ["right"])
    }

    @Test("twins are told apart by the socket that they are plugged into")
    func twinsByPath() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.command("property ID_PATH=pci-usb-0:1")
        try panel.add(0)
        try panel.command("property ID_PATH=pci-usb-0:2")
        try panel.add(1)
        let daemon = try DaemonProcess(
            Self.twins.replacing(#"name = "Left*""#, with: #"path = "*:2""#)
                .replacing(#"name = "Right*""#, with: #"path = "*:1""#), in: folder, panel: panel)
        _ = try daemon.connect(toPanel: "left")
        let client = try daemon.connect(toPanel: "right")
        let rows = try client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        #expect(
            Set(rows.map { "\($0["device"] ?? "") \($0["node"] ?? "")" }) == [
                "left /dev/input/event1", "right /dev/input/event0",
            ])
    }

    @Test("twins that nothing tells apart have names of their own all the same")
    func sameMatch() throws {
        let harness = try PanelHarness {
            try $0.add(0)
            try $0.add(3)
        }
        _ = try harness.daemon.connect(toPanel: "panel@event3")
        #expect(harness.daemon.log.contains("match = { path = \"platform-fake-i2c\" } tells them apart"))
        try harness.panel.command("select 3")
        try harness.panel.land(id: 1, x: 100, y: 100)
        let begin = try harness.client.wait(for: "gesture press begin ok")
        #expect(begin["device"] == "panel@event3")
        // A reload keeps the names, and so what is under way.
        #expect(try harness.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        try harness.panel.lift()
        #expect(try harness.client.wait(for: "end") { $0["phase"] != nil }["phase"] == "end")
    }

    @Test("a twin keeps its name when the other one is gone")
    func nameOfTwin() throws {
        let harness = try PanelHarness {
            try $0.add(0)
            try $0.add(3)
        }
        _ = try harness.daemon.connect(toPanel: "panel@event3")
        try harness.panel.remove(0)
        try harness.client.wait(for: "device removed")
        try harness.panel.command("select 3")
        for flag in ["false", "true"] {
            _ = try harness.client.request(#"{"cmd":"set_region","id":2,"region":"ok","enabled":\#(flag)}"#)
        }
        try harness.panel.land(id: 1, x: 100, y: 100)
        #expect(try harness.client.wait(for: "gesture press begin ok")["device"] == "panel@event3")
    }

    @Test("the mouse node that a touchscreen has beside its own is left alone", arguments: [true, false])
    func mouseNode(isThereAtStart: Bool) throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.command("mouse 1")
        if isThereAtStart { try panel.add() }
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder, panel: panel)
        let client = isThereAtStart ? try daemon.connect(toPanel: "panel") : try daemon.connect()
        if !isThereAtStart {
            try panel.add()
            try client.wait(for: "device added")
            // By the next one, all events of the first have been handled.
            try panel.add(1)
            try client.wait(for: "device added")
        }
        let nodes = try client.request(#"{"cmd":"devices","id":1}"#).objects("devices").map { $0["node"] ?? "" }
        #expect(!nodes.contains { $0.contains("mouse") })
        #expect(nodes.contains("/dev/input/event0"))
    }

    @Test("what udev has not looked at yet waits for it")
    func notInitialised() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.commands("property ID_INPUT=\nproperty ID_INPUT_TOUCHSCREEN=")
        try panel.add()
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder, panel: panel)
        let client = try daemon.connect()
        #expect(try client.request(#"{"cmd":"devices","id":1}"#).objects("devices").isEmpty)
        try panel.remove()
        try panel.commands("property ID_INPUT=1\nproperty ID_INPUT_TOUCHSCREEN=1")
        try panel.add()
        try client.wait(for: "device added")
    }

    @Test("a rule that makes a touchscreen of what is there already")
    func ruleThatComesLater() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.command("property ID_INPUT_TOUCHSCREEN=")
        try panel.add()
        let daemon = try DaemonProcess(
            TestConfiguration.button.replacing("match = { name = \"Fake Panel\" }", with: "match = { name = \"*\" }"),
            in: folder,
            panel: panel)
        let client = try daemon.connect()
        #expect(try client.request(#"{"cmd":"devices","id":1}"#).objects("devices").isEmpty)
        try panel.commands("property ID_INPUT_TOUCHSCREEN=1\nchange")
        try client.wait(for: "device added")
        try panel.land(id: 1, x: 100, y: 100)
        try client.wait(for: "gesture press begin ok")
    }

    @Test("200 times unplugged and plugged in: no descriptor is left open")
    func replugs() throws {
        let harness = try PanelHarness()
        func descriptors() throws -> Int {
            try ChildProcess.run(["/bin/ls", "/proc/\(harness.daemon.program.pid)/fd"]).output.split(separator: "\n")
                .count
        }
        let before = try descriptors()
        for round in 1...200 {
            if round % 2 == 0 { try harness.panel.land(id: round, x: 100, y: 100) }
            try harness.panel.remove()
            try harness.client.wait(for: "device removed")
            try harness.panel.add()
            try harness.client.wait(for: "device added")
        }
        #expect(try descriptors() == before)
    }

    private static let panels = """
        version = 1
        [[device]]
        id = "left"
        match = { name = "Left*" }
        [[device]]
        id = "right"
        match = { name = "Right*" }

        """
    private static let twins =
        panels + """
            [[region]]
            id = "ok"
            shape = "full"
            gestures = ["press"]

            """
}
