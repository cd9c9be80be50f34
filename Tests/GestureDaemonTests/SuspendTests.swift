// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: the machine slept")
struct SuspendTests {
    @Test("what is under way is cancelled at the wake-up, before anything that came meanwhile")
    func sleeps() throws {
        let bed = try PanelBed(speed: 1)
        let machine = try #require(bed.machine)
        try bed.panel.land(id: 1, x: 100, y: 100)
        let begin = try bed.client.wait(for: "gesture press begin ok")
        machine.sleep(seconds: 3600)
        // The first that the panel says: the finger has moved.
        try bed.panel.move(x: 120, y: 100)
        let cancel = try bed.client.wait(for: "gesture press cancel suspend ok")
        #expect(cancel.number("sequence") == begin.number("sequence"))
        // It was not seen to land since: ignored until it lifts.
        try bed.panel.lift()
        try bed.panel.land(id: 2, x: 100, y: 100)
        #expect(try bed.client.summaries(to: "gesture press begin ok") == ["gesture press begin ok"])
        #expect(bed.daemon.log.contains("the machine has slept"))
    }

    @Test("a finger that lifted while it slept is not waited for")
    func liftedMeanwhile() throws {
        let bed = try PanelBed(speed: 1)
        let machine = try #require(bed.machine)
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
        try bed.panel.commands("set 3 57 -1\nset 1 330 0")
        machine.sleep(seconds: 1)
        _ = try bed.client.request(#"{"cmd":"ping","id":1}"#)
        #expect(bed.client.lines.transcript.contains { $0.contains(#""reason":"suspend""#) })
        try bed.panel.land(id: 2, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
    }

    @Test("nothing is cancelled while the machine is awake, however the clocks are read")
    func awake() throws {
        let bed = try PanelBed(speed: 1)
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
        for number in 1...100 { _ = try bed.client.request(#"{"cmd":"ping","id":\#(number)}"#) }
        try bed.panel.lift()
        #expect(try bed.client.wait(for: "end") { $0["phase"] != nil }["phase"] == "end")
    }
}
