// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: grab = true")
struct GrabTests {
    @Test("the panel is taken at once, and let go at the end")
    func taken() throws {
        let bed = try PanelBed(TestConfiguration.grabbed)
        #expect(try bed.panel.isGrabbed)
        #expect(try bed.row()["grab"] == "held")
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
        #expect(try bed.daemon.stop() == .exited(0))
        #expect(try !bed.panel.isGrabbed)
    }

    @Test("a finger on it at the start: at its lift")
    func fingerAtStart() throws {
        let bed = try PanelBed(TestConfiguration.grabbed) {
            try $0.add()
            try $0.commands("set 3 57 1\nset 3 53 100\nset 3 54 100\nset 1 330 1")
        }
        #expect(try bed.row()["grab"] == "waiting")
        try bed.panel.move(x: 120, y: 100)
        #expect(try bed.row()["grab"] == "waiting")
        #expect(try !bed.panel.isGrabbed)
        try bed.panel.lift()
        for _ in 0..<1000 where try !bed.panel.isGrabbed { _ = try bed.client.request(#"{"cmd":"ping","id":1}"#) }
        #expect(try bed.panel.isGrabbed)
        #expect(try bed.row()["grab"] == "held")
    }

    @Test("another process has it: the panel is there, and is taken when that lets go")
    func busy() throws {
        let bed = try PanelBed(TestConfiguration.grabbed) {
            try $0.add()
            try $0.command("elsewhere 1")
        }
        #expect(try bed.row()["grab"] == "other")
        #expect(try bed.row()["state"] == "ready")
        try bed.panel.command("elsewhere 0")
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
        #expect(try bed.row()["grab"] == "waiting")
        try bed.panel.lift()
        try bed.client.wait(for: "gesture press end ok")
        #expect(try bed.row()["grab"] == "held")
    }

    @Test("five fingers that rest for three seconds give it back; a reload takes it again")
    func givenBack() throws {
        let bed = try PanelBed(TestConfiguration.grabbed)
        try bed.panel.at(try bed.panel.now() - 3_100_000)
        for slot in 0..<5 { try bed.panel.land(slot, id: slot + 1, x: 100 + 300 * slot, y: 100) }
        try bed.client.wait(for: "gesture press begin ok")
        try waitForLog("given back", bed)
        #expect(try !bed.panel.isGrabbed)
        #expect(try bed.row()["grab"] == "given_back")
        // Still everybody's, whatever is touched.
        for slot in 0..<5 { try bed.panel.lift(slot) }
        try bed.client.wait(for: "gesture press end ok")
        #expect(try !bed.panel.isGrabbed)
        #expect(try bed.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(try bed.panel.isGrabbed)
    }

    @Test("five fingers that a mask hides give it back as well")
    func givenBackUnderMask() throws {
        let mask = "[filter]\nmask = [[\"0%\", \"0%\", \"100%\", \"100%\"]]\n"
        let bed = try PanelBed(TestConfiguration.grabbed + mask)
        try bed.panel.at(try bed.panel.now() - 3_100_000)
        for slot in 0..<5 { try bed.panel.land(slot, id: slot + 1, x: 100 + 300 * slot, y: 100) }
        try waitForLog("given back", bed)
        #expect(try !bed.panel.isGrabbed)
        #expect(!bed.client.lines.transcript.contains { $0.contains("begin") })
    }

    @Test("four fingers do not")
    func fourFingers() throws {
        let bed = try PanelBed(TestConfiguration.grabbed)
        try bed.panel.at(try bed.panel.now() - 3_100_000)
        for slot in 0..<4 { try bed.panel.land(slot, id: slot + 1, x: 100 + 300 * slot, y: 100) }
        try bed.client.wait(for: "gesture press begin ok")
        _ = try bed.client.request(#"{"cmd":"ping","id":1}"#)
        #expect(try bed.panel.isGrabbed)
    }

    @Test("five fingers that lifted while events were lost do not")
    func liftedUnseen() throws {
        let bed = try PanelBed(TestConfiguration.grabbed)
        try bed.panel.at(try bed.panel.now() - 3_100_000)
        // Numbered as the first that the kernel counts: nothing was missed before.
        var commands: [String] = []
        for slot in 0..<5 {
            commands.append("ev 3 47 \(slot)\nev 3 57 \(slot)\nev 3 53 \(100 + 300 * slot)\nev 3 54 100")
        }
        commands.append("ev 0 0 0")
        for slot in 0..<5 { commands.append("set 3 47 \(slot)\nset 3 57 -1") }
        // All of it in one write.
        try bed.panel.commands(commands.joined(separator: "\n") + "\ndrop")
        try bed.client.wait(for: "gesture press cancel sync_lost ok")
        _ = try bed.client.request(#"{"cmd":"ping","id":1}"#)
        #expect(try bed.panel.isGrabbed)
        #expect(try bed.row()["grab"] == "held")
    }

    private func waitForLog(_ text: String, _ bed: PanelBed) throws {
        // The line is written within a turn of the loop: a reply comes after it.
        for _ in 0..<100 where !bed.daemon.log.contains(text) {
            _ = try bed.client.request(#"{"cmd":"ping","id":1}"#)
        }
        #expect(bed.daemon.log.contains(text))
    }
}
