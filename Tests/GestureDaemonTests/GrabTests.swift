// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: grab = true")
struct GrabTests {
    @Test("the panel is grabbed at once, and released at the end")
    func taken() throws {
        let harness = try PanelHarness(TestConfiguration.grabbed)
        #expect(try harness.panel.isGrabbed)
        #expect(try harness.row()["grab"] == "held")
        try harness.press()
        #expect(try harness.daemon.stop() == .exited(0))
        #expect(try !harness.panel.isGrabbed)
    }

    @Test("a finger on it at the start: grabbed when it lifts")
    func fingerAtStart() throws {
        let harness = try PanelHarness(TestConfiguration.grabbed) {
            try $0.add()
            try $0.commands("set 3 57 1\nset 3 53 100\nset 3 54 100\nset 1 330 1")
        }
        #expect(try harness.row()["grab"] == "waiting")
        try harness.panel.move(x: 120, y: 100)
        #expect(try harness.row()["grab"] == "waiting")
        #expect(try !harness.panel.isGrabbed)
        try harness.panel.lift()
        for _ in 0..<1000 where try !harness.panel.isGrabbed {
            _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
        }
        #expect(try harness.panel.isGrabbed)
        #expect(try harness.row()["grab"] == "held")
    }

    @Test("grabbed by another process: the panel is ready, and the daemon grabs it when that process releases it")
    func busy() throws {
        let harness = try PanelHarness(TestConfiguration.grabbed) {
            try $0.add()
            try $0.command("elsewhere 1")
        }
        #expect(try harness.row()["grab"] == "other")
        #expect(try harness.row()["state"] == "ready")
        try harness.panel.command("elsewhere 0")
        try harness.press()
        #expect(try harness.row()["grab"] == "waiting")
        try harness.release()
        #expect(try harness.row()["grab"] == "held")
    }

    @Test("five fingers that stay for three seconds release it; a reload grabs it again")
    func givenBack() throws {
        let harness = try PanelHarness(TestConfiguration.grabbed)
        try harness.panel.at(try harness.panel.now() - 3_100_000)
        for slot in 0..<5 { try harness.panel.land(slot, id: slot + 1, x: 100 + 300 * slot, y: 100) }
        try harness.client.wait(for: "gesture press begin ok")
        try waitForLog("given back", harness)
        #expect(try !harness.panel.isGrabbed)
        #expect(try harness.row()["grab"] == "given_back")
        // The panel stays released when the fingers lift.
        for slot in 0..<5 { try harness.panel.lift(slot) }
        try harness.client.wait(for: "gesture press end ok")
        #expect(try !harness.panel.isGrabbed)
        #expect(try harness.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(try harness.panel.isGrabbed)
    }

    /// Puts down five fingers, and waits until they have given the panel back.
    private func giveBack(_ harness: PanelHarness) throws {
        try harness.panel.at(try harness.panel.now() - 3_100_000)
        for slot in 0..<5 { try harness.panel.land(slot, id: slot + 1, x: 100 + 300 * slot, y: 100) }
        try harness.panel.at(nil)
        for _ in 0..<1000 { if try harness.row()["grab"] == "given_back" { return } }
    }

    @Test("a scene that is set takes the panel again, also the scene in force, and clients get a line each time")
    func scene() throws {
        let harness = try PanelHarness(
            TestConfiguration.grabbed
                + "[[scene]]\nid = \"locked\"\nregions = []\n[[scene]]\nid = \"open\"\nregions = [\"*\"]\n")
        for (scene, isUnderFingers) in [("locked", false), ("locked", true), ("open", false)] {
            try giveBack(harness)
            if !isUnderFingers { for slot in 0..<5 { try harness.panel.lift(slot) } }
            #expect(try harness.client.request(#"{"cmd":"set_scene","id":2,"scene":"\#(scene)"}"#).flag("ok") == true)
            #expect(try harness.row()["grab"] == (isUnderFingers ? "waiting" : "held"))
            if isUnderFingers { for slot in 0..<5 { try harness.panel.lift(slot) } }
            #expect(try harness.row()["grab"] == "held")
            #expect(try harness.panel.isGrabbed)
        }
        let changes = harness.client.lines.transcript.compactMap { JSONLine($0) }.filter { $0["event"] == "device" }
        #expect(
            changes.map { $0["change"] } == ["given_back", "grabbed", "given_back", "grabbed", "given_back", "grabbed"])
    }

    @Test("five fingers do not release it with five_fingers = \"off\", and only after the time that it says")
    func withoutFive() throws {
        for value in ["off", "4s"] {
            let text = TestConfiguration.grabbed.replacing(
                "grab = true", with: "grab = true\nfive_fingers = \"\(value)\"")
            let harness = try PanelHarness(text)
            try harness.panel.at(try harness.panel.now() - 3_100_000)
            for slot in 0..<5 { try harness.panel.land(slot, id: slot + 1, x: 100 + 300 * slot, y: 100) }
            try harness.client.wait(for: "gesture press begin ok")
            _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
            #expect(try harness.panel.isGrabbed)
        }
    }

    @Test("five fingers that a mask hides release it as well")
    func givenBackUnderMask() throws {
        let mask = "[filter]\nmask = [[\"0%\", \"0%\", \"100%\", \"100%\"]]\n"
        let harness = try PanelHarness(TestConfiguration.grabbed + mask)
        try harness.panel.at(try harness.panel.now() - 3_100_000)
        for slot in 0..<5 { try harness.panel.land(slot, id: slot + 1, x: 100 + 300 * slot, y: 100) }
        try waitForLog("given back", harness)
        #expect(try !harness.panel.isGrabbed)
        #expect(!harness.client.lines.transcript.contains { $0.contains("begin") })
    }

    @Test("four fingers do not release it")
    func fourFingers() throws {
        let harness = try PanelHarness(TestConfiguration.grabbed)
        try harness.panel.at(try harness.panel.now() - 3_100_000)
        for slot in 0..<4 { try harness.panel.land(slot, id: slot + 1, x: 100 + 300 * slot, y: 100) }
        try harness.client.wait(for: "gesture press begin ok")
        _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
        #expect(try harness.panel.isGrabbed)
    }

    @Test("five fingers that lifted while events were lost do not release it")
    func liftedUnseen() throws {
        let harness = try PanelHarness(TestConfiguration.grabbed)
        try harness.panel.at(try harness.panel.now() - 3_100_000)
        // Uses the ids that the kernel assigns first, so that the daemon does not suspect a missed contact.
        var commands: [String] = []
        for slot in 0..<5 {
            commands.append("ev 3 47 \(slot)\nev 3 57 \(slot)\nev 3 53 \(100 + 300 * slot)\nev 3 54 100")
        }
        commands.append("ev 0 0 0")
        for slot in 0..<5 { commands.append("set 3 47 \(slot)\nset 3 57 -1") }
        // All events are in one write.
        try harness.panel.commands(commands.joined(separator: "\n") + "\ndrop")
        try harness.client.wait(for: "gesture press cancel sync_lost ok")
        _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
        #expect(try harness.panel.isGrabbed)
        #expect(try harness.row()["grab"] == "held")
    }

    private func waitForLog(_ text: String, _ harness: PanelHarness) throws {
        // The daemon writes to the log before it replies to the next request.
        for _ in 0..<100 where !harness.daemon.log.contains(text) {
            _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
        }
        #expect(harness.daemon.log.contains(text))
    }
}
