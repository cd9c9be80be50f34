// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: the machine slept")
struct SuspendTests {
    @Test("gestures in progress are cancelled at the wake-up, before later lines")
    func sleeps() throws {
        let harness = try PanelHarness(speed: 1)
        let machine = try #require(harness.machine)
        let begin = try harness.press()
        machine.sleep(seconds: 3600)
        // The panel's first event after the wake-up is a movement of the finger.
        try harness.panel.move(x: 120, y: 100)
        let cancel = try harness.client.wait(for: "gesture press cancel suspend ok")
        #expect(cancel.number("sequence") == begin.number("sequence"))
        // The finger landed before the wake-up, so it is ignored until it lifts.
        try harness.panel.lift()
        try harness.panel.land(id: 2, x: 100, y: 100)
        #expect(try harness.client.summaries(to: "gesture press begin ok") == ["gesture press begin ok"])
        #expect(harness.daemon.log.contains("the machine has slept"))
    }

    @Test("a recording marks it, before later lines")
    func mark() throws {
        let harness = try PanelHarness(speed: 1)
        let machine = try #require(harness.machine)
        try harness.client.request(#"{"cmd":"subscribe","id":1,"events":["frame"]}"#)
        try harness.panel.land(id: 1, x: 100, y: 100)
        let landing = try harness.client.wait(for: "frame") { $0["event"] == "frame" }
        machine.sleep(seconds: 3600)
        try harness.panel.move(x: 120, y: 100)
        let mark = try harness.client.wait(for: "frame") { $0["event"] == "frame" }
        #expect(mark.flag("suspended") == true)
        #expect(mark.description.contains(#""events":[]"#))
        #expect((mark.number("time_us") ?? 0) >= (landing.number("time_us") ?? .infinity))
        #expect(try harness.client.wait(for: "frame") { $0["event"] == "frame" }.flag("resync") == true)
    }

    @Test("a finger that lifted during the sleep is not waited for")
    func liftedMeanwhile() throws {
        let harness = try PanelHarness(speed: 1)
        let machine = try #require(harness.machine)
        try harness.press()
        try harness.panel.commands("set 3 57 -1\nset 1 330 0")
        machine.sleep(seconds: 1)
        _ = try harness.client.request(#"{"cmd":"ping","id":1}"#)
        #expect(harness.client.lines.transcript.contains { $0.contains(#""reason":"suspend""#) })
        try harness.press(id: 2)
    }

    @Test("nothing is cancelled while the machine is awake, however the clocks are read")
    func awake() throws {
        let harness = try PanelHarness(speed: 1)
        try harness.press()
        for number in 1...100 { _ = try harness.client.request(#"{"cmd":"ping","id":\#(number)}"#) }
        try harness.panel.lift()
        #expect(try harness.client.wait(for: "end") { $0["phase"] != nil }["phase"] == "end")
    }
}
