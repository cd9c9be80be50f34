// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: touches become lines")
struct TouchTests {
    @Test("a panel that is present at the start is listed")
    func enumerates() throws {
        let harness = try PanelHarness { try $0.add(4) }
        let reply = try harness.client.request(#"{"cmd":"devices","id":3}"#)
        let device = try #require(reply.objects("devices").first)
        #expect(reply.objects("devices").count == 1)
        #expect(device["device"] == "panel")
        #expect(device["node"] == "/dev/input/event4")
        #expect(device["name"] == "Fake Panel")
        #expect(device["state"] == "ready")
        #expect(device.object("output")?.number("width") == 1024)
        #expect(device.object("output")?.number("width_mm") == 200)
        #expect(try harness.daemon.stop() == .exited(0))
    }

    @Test("the lines have the kernel's values and times, to the microsecond")
    func touches() throws {
        let harness = try PanelHarness()
        // The times are in the future, so that no deadline expires between the two frames, even on a slow
        // machine.
        let start = try harness.panel.now() + 10_000_000
        try harness.panel.at(start)
        try harness.panel.land(id: 7, x: 1000, y: 2000)
        try harness.panel.at(start + 84_000)
        try harness.panel.lift()
        let begin = try harness.client.wait(for: "gesture press begin ok")
        #expect(begin["device"] == "panel")
        #expect(begin.number("x") == 250)
        #expect(begin.number("y") == 500)
        #expect(begin.number("u") == 0.4883)
        #expect(begin.number("time_us") == Double(start))
        let tap = try harness.client.wait(for: "gesture tap ok")
        #expect(tap.number("duration_ms") == 84)
        #expect(tap.number("time_us") == Double(start + 84_000))
        let end = try harness.client.wait(for: "gesture press end ok")
        #expect(end.number("held_ms") == 84)
        #expect(end.flag("inside") == true)
        #expect(end.number("sequence") == begin.number("sequence"))
        #expect([begin, tap, end].map { $0.number("seq") } == [1, 2, 3])
    }

    @Test("touches reports contacts that a filter hides, with the key of the filter")
    func filtered() throws {
        let filters = """
            [filter]
            mask = [["50%", "0%", "50%", "50%"]]
            max_contact_age = "2s"
            storm = { contacts_per_second = 3, quiet = "1ms" }

            """
        let harness = try PanelHarness(TestConfiguration.button + filters) { panel in
            // Adds axes for the width and the type of a contact.
            try panel.commands("axis 48 0 4095 0 0 0\naxis 55 0 2 0 0 0")
            try panel.add()
        }
        try harness.client.request(#"{"cmd":"subscribe","events":["touches"],"id":1}"#)
        let start = try harness.panel.now() + 10_000_000
        func expect(_ filter: String?, at milliseconds: Int64, _ frame: String) throws {
            try harness.panel.at(start + milliseconds * 1000)
            try harness.panel.command("frame 3 47 0 " + frame)
            let line = try harness.client.wait(for: "touches of \(filter ?? "none")") {
                $0["event"] == "touches" && $0.objects("ignored").first?["filter"] == filter
            }
            if filter != nil { #expect(line.objects("ignored").first?.number("slot") == 0) }
        }
        try expect("palm", at: 0, "3 57 1 3 53 100 3 54 100 3 55 2 1 330 1")
        try expect(nil, at: 10, "3 57 -1 1 330 0")
        try expect("mask", at: 2000, "3 57 2 3 53 4000 3 55 0 1 330 1")
        try expect(nil, at: 2010, "3 57 -1 1 330 0")
        // The filter `max_touch` applies from the second report on. 4000 units are 195 mm.
        try expect(nil, at: 4000, "3 57 3 3 53 100 3 48 4000 1 330 1")
        try expect("max_touch", at: 4010, "3 53 101")
        try expect(nil, at: 4020, "3 57 -1 1 330 0")
        try expect(nil, at: 6000, "3 57 4 3 48 9 1 330 1")
        try expect("max_contact_age", at: 8001, "3 53 102")
        try expect(nil, at: 8010, "3 57 -1 1 330 0")
        for id in 5...7 {
            try expect(nil, at: 9000 + 20 * Int64(id), "3 57 \(id) 1 330 1")
            try expect(nil, at: 9010 + 20 * Int64(id), "3 57 -1 1 330 0")
        }
        try expect("storm", at: 9300, "3 57 8 1 330 1")
        #expect(
            try harness.client.request(#"{"cmd":"counts","id":2}"#).description.contains(
                #""contacts":5,"ignored":{"palm":1,"max_touch":1,"mask":1,"max_contact_age":1,"storm":1},"#
                    + #""storms":1,"flickers":2,"bridged":0,"exchanges":0}"#))
    }

    @Test("a touch outside every region causes no line; the next one does")
    func elsewhere() throws {
        let harness = try PanelHarness()
        try harness.panel.land(id: 1, x: 3000, y: 100)
        try harness.panel.lift()
        #expect(try harness.press(id: 2).number("seq") == 1)
    }

    @Test("touchpads, and devices that udev does not call touchscreens, are ignored")
    func refuses() throws {
        let harness = try PanelHarness(waitsFor: nil) {
            try $0.commands(
                """
                property ID_INPUT_TOUCHSCREEN=
                property ID_INPUT_TOUCHPAD=1
                noprop 0
                key 0x145
                name Fake Touchpad
                """)
            try $0.add()
        }
        let devices = try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        #expect(!devices.contains { $0["state"] == "ready" })
        #expect(devices.allSatisfy { $0["name"] != "Fake Touchpad" || $0["state"] == "refused" })
    }

    @Test("a single-touch panel without slots")
    func singleTouch() throws {
        let harness = try PanelHarness {
            try $0.commands("noaxis 47\nnoaxis 57\nnoaxis 53\nnoaxis 54")
            try $0.add()
        }
        try harness.panel.command("frame 1 330 1 3 0 400 3 1 800")
        #expect(try harness.client.wait(for: "gesture press begin ok").number("x") == 100)
        try harness.panel.command("frame 1 330 0")
        try harness.client.wait(for: "gesture press end ok")
    }

    @Test("a finger that is down when the panel is opened is ignored until it lifts")
    func alreadyDown() throws {
        let harness = try PanelHarness {
            try $0.add()
            try $0.commands("set 3 57 5\nset 3 53 100\nset 3 54 100\nset 1 330 1")
        }
        try harness.panel.move(x: 200, y: 200)
        try harness.panel.lift()
        let begin = try harness.press(id: 6, x: 400, y: 400)
        #expect(begin.number("seq") == 1)
        #expect(begin.number("x") == 100)
    }

    @Test("grab gives the panel to the daemon only", arguments: [(false, "grab=0"), (true, "grab=1")])
    func grab(isGrabbed: Bool, state: String) throws {
        let text = TestConfiguration.panel + "grab = \(isGrabbed)\n"
        let harness = try PanelHarness(text)
        #expect(try harness.panel.command("state").contains(state))
    }
}
