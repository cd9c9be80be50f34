// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: panels come and go")
struct HotPlugTests {
    @Test("a panel that is plugged in later")
    func laterPanel() throws {
        let harness = try PanelHarness(waitsFor: nil) { _ in }
        try harness.panel.add()
        let added = try harness.client.wait(for: "device added")
        #expect(added["device"] == "panel")
        #expect(added["node"] == "/dev/input/event0")
        #expect(added["name"] == "Fake Panel")
        try harness.press()
    }

    @Test("unplugged under a finger: the press is cancelled first; plugged in again, it works as before")
    func unplugged() throws {
        let harness = try PanelHarness()
        for round in 1...3 {
            let begin = try harness.press(id: round)
            try harness.panel.remove()
            #expect(
                try harness.client.summaries(to: "device removed")
                    == ["gesture press cancel device_removed ok", "device removed"])
            try harness.panel.add()
            try harness.client.wait(for: "device added")
            let next = try harness.press(id: 100 + round)
            #expect((next.number("sequence") ?? 0) > (begin.number("sequence") ?? .infinity))
            try harness.release()
        }
    }

    @Test("with two panels, unplugging one leaves the press on the other in progress")
    func twoPanels() throws {
        let harness = try PanelHarness(twinsOf: TestConfiguration.twinButtons)
        let (panel, client) = (harness.panel, harness.client)
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

    @Test("with two panels without regions, their positions do not merge")
    func touchesApart() throws {
        let harness = try PanelHarness(twinsOf: TestConfiguration.twins)
        let (panel, client) = (harness.panel, harness.client)
        // The rate allows each panel one line in ten seconds.
        try client.request(#"{"cmd":"subscribe","id":1,"events":["touches","frame"],"max_rate_hz":0.1}"#)
        for (number, name) in [(0, "left"), (1, "right")] {
            try panel.command("select \(number)")
            try panel.land(id: 1, x: 100, y: 100)
            // Both lines arrive in the same batch.
            _ = try client.wait(for: name) { $0["event"] == "frame" && $0["device"] == name }
            try client.request(#"{"cmd":"ping","id":2}"#)
            #expect(
                client.lines.transcript.contains {
                    $0.contains(#""event":"touches""#) && $0.contains("\"device\":\"\(name)\"")
                })
        }
    }

    @Test("lost events of udev that are reported: the devices are listed again")
    func overrun() throws {
        let harness = try PanelHarness(speed: 1, waitsFor: nil) { _ in }
        harness.machine?.udevEvents = .overrun
        try harness.panel.add()
        try harness.client.wait(for: "device added")
        harness.machine?.udevEvents = .overrun
        try harness.panel.remove()
        try harness.client.wait(for: "device removed")
    }

    @Test("lost events of udev that are not reported: the devices are listed again every thirty seconds")
    func deaf() throws {
        // At this speed, thirty seconds take 0.15 s.
        let harness = try PanelHarness(speed: 200, waitsFor: nil) { _ in }
        harness.machine?.udevEvents = .lost
        try harness.panel.add()
        try harness.client.wait(for: "device added")
        try harness.panel.vanish()
        try harness.client.wait(for: "device removed")
    }

    @Test("a panel that udev temporarily cannot describe is not gone")
    func undescribed() throws {
        let harness = try PanelHarness(speed: 1)
        let machine = try #require(harness.machine)
        try harness.press()
        machine.missingNodes = 1
        // The overrun makes the daemon list all devices again.
        machine.udevEvents = .overrun
        try harness.panel.command("change")
        for _ in 0..<1000 where machine.missingNodes > 0 { _ = try harness.client.request(#"{"cmd":"ping","id":2}"#) }
        #expect(machine.missingNodes == 0)
        try harness.panel.lift()
        #expect(try harness.client.wait(for: "end") { $0["phase"] != nil }["phase"] == "end")
    }

    @Test("a reload lists udev's devices only if the kernel's list has changed")
    func reloads() throws {
        let harness = try PanelHarness(speed: 1)
        let machine = try #require(harness.machine)
        machine.missingNodes = 1
        #expect(try harness.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(machine.missingNodes == 1)
        machine.missingNodes = 0
        machine.udevEvents = .lost
        try harness.panel.vanish()
        #expect(try harness.client.request(#"{"cmd":"reload","id":3}"#).flag("ok") == true)
        #expect(try harness.client.request(#"{"cmd":"devices","id":4}"#).objects("devices").isEmpty)
    }

    @Test("panels that came without an event are opened one per turn: a request does not wait for all")
    func manyAtOnce() throws {
        let harness = try PanelHarness(TestConfiguration.twinButtons, speed: 1, waitsFor: nil) { _ in }
        harness.machine?.udevEvents = .lost
        for number in 0..<8 { try harness.panel.command("add \(number)") }
        // Both arrive at once, however busy the machine is.
        try harness.client.send(#"{"cmd":"reload","id":2}"# + "\n" + #"{"cmd":"devices","id":3}"#)
        let devices = try harness.client.wait(for: "devices") { $0.description.hasPrefix(#"{"reply":"devices""#) }
        let ready = devices.objects("devices").count { $0["state"] == "ready" }
        #expect(ready < 8)
        for _ in ready..<8 { try harness.client.wait(for: "device added") }
        #expect(try harness.client.request(#"{"cmd":"devices","id":4}"#).objects("devices").count == 8)
    }

    @Test("a new device that cannot be described is examined again")
    func undescribedAtFirst() throws {
        let harness = try PanelHarness(speed: 1, waitsFor: nil) { _ in }
        harness.machine?.missingNodes = 1
        try harness.panel.add()
        try harness.client.wait(for: "device added")
        #expect(harness.machine?.missingNodes == 0)
    }

    @Test("a node that belongs to another device now: no trace of the first one remains")
    func reusedNode() throws {
        let harness = try PanelHarness(TestConfiguration.twinButtons.replacing("left", with: "panel"), speed: 1) {
            try $0.command("name Left Panel")
            try $0.add()
        }
        let machine = try #require(harness.machine)
        try harness.press()
        machine.udevEvents = .lost
        try harness.panel.vanish()
        machine.udevEvents = .delivered
        try harness.panel.command("name Right Panel")
        // `event0` now belongs to another input device.
        try harness.panel.command("parent 7")
        try harness.panel.add()
        #expect(
            try harness.client.summaries(to: "device added")
                == ["gesture press cancel device_removed ok", "device removed", "device added"])
        let rows = try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        #expect(rows.map { $0["device"] } == ["right"])
    }

    @Test("identical panels are told apart by their sockets")
    func twinsByPath() throws {
        let harness = try PanelHarness(
            twinsOf: TestConfiguration.twinButtons.replacing(#"name = "Left*""#, with: #"path = "*:2""#)
                .replacing(#"name = "Right*""#, with: #"path = "*:1""#),
            ("property ID_PATH=pci-usb-0:1", "property ID_PATH=pci-usb-0:2"))
        let rows = try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        #expect(
            Set(rows.map { "\($0["device"] ?? "") \($0["node"] ?? "")" }) == [
                "left /dev/input/event1", "right /dev/input/event0",
            ])
    }

    @Test("identical panels that nothing tells apart get different names")
    func sameMatch() throws {
        let harness = try PanelHarness {
            try $0.add(0)
            try $0.add(3)
        }
        _ = try harness.daemon.connect(toPanel: "panel@event3")
        #expect(harness.daemon.log.contains("match = { path = \"platform-fake-i2c\" } tells them apart"))
        try harness.panel.command("select 3")
        let begin = try harness.press()
        #expect(begin["device"] == "panel@event3")
        // After a reload the panels keep their names, so gestures in progress continue.
        #expect(try harness.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        try harness.panel.lift()
        #expect(try harness.client.wait(for: "end") { $0["phase"] != nil }["phase"] == "end")
    }

    @Test("a panel keeps its name when an identical one is unplugged")
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
        #expect(try harness.press()["device"] == "panel@event3")
    }

    @Test("the mouse node that a touchscreen has beside its own is ignored", arguments: [true, false])
    func mouseNode(isThereAtStart: Bool) throws {
        let harness = try PanelHarness(waitsFor: isThereAtStart ? "panel" : nil) {
            try $0.command("mouse 1")
            if isThereAtStart { try $0.add() }
        }
        if !isThereAtStart {
            try harness.panel.add()
            try harness.client.wait(for: "device added")
            // When the second panel is reported, the daemon has handled all events for the first one.
            try harness.panel.add(1)
            try harness.client.wait(for: "device added")
        }
        let rows = try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        let nodes = isThereAtStart ? ["/dev/input/event0"] : ["/dev/input/event0", "/dev/input/event1"]
        #expect(rows.map { $0["node"] } == nodes)
    }

    @Test("a device that udev has not processed yet waits for udev")
    func notInitialised() throws {
        let harness = try PanelHarness(speed: 1, waitsFor: nil) {
            try $0.commands("property ID_INPUT=\nproperty ID_INPUT_TOUCHSCREEN=")
            try $0.add()
        }
        #expect(try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices").isEmpty)
        try harness.panel.remove()
        try harness.panel.commands("property ID_INPUT=1\nproperty ID_INPUT_TOUCHSCREEN=1")
        try harness.panel.add()
        try harness.client.wait(for: "device added")
    }

    @Test("a device is not missed where udev's events do not arrive, or where udev does not run")
    func noEvents() throws {
        // At this speed, thirty seconds take 1.5 s.
        let harness = try PanelHarness(speed: 20, waitsFor: nil) { _ in }
        let machine = try #require(harness.machine)
        machine.udevEvents = .lost
        try harness.panel.add()
        try harness.client.wait(for: "device added")
        try harness.press()
        try harness.panel.remove()
        try harness.client.wait(for: "device removed")
        machine.udevEvents = .absent
        try harness.panel.commands("property ID_INPUT=\nproperty ID_INPUT_TOUCHSCREEN=")
        try harness.panel.add()
        try harness.client.wait(for: "device added")
        try harness.press()
    }

    @Test("a udev rule turns a present device into a touchscreen")
    func ruleThatComesLater() throws {
        let harness = try PanelHarness(TestConfiguration.button.replacing("Fake Panel", with: "*"), waitsFor: nil) {
            try $0.command("property ID_INPUT_TOUCHSCREEN=")
            try $0.add()
        }
        #expect(try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices").isEmpty)
        try harness.panel.commands("property ID_INPUT_TOUCHSCREEN=1\nchange")
        try harness.client.wait(for: "device added")
        try harness.press()
    }

    @Test("200 times unplugged and plugged in: no descriptor stays open")
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
}
