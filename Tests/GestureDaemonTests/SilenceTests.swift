// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: a panel falls silent")
struct SilenceTests {
    @Test("a finger that the kernel has lifted without telling is cancelled after ten seconds")
    func sticky() throws {
        let bed = try PanelBed()
        // The number after this one is no reason to look at the slots.
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.panel.lift()
        try bed.client.wait(for: "gesture press end ok")
        try bed.panel.at(try bed.panel.now() - 10_100_000)
        // The landing is told, the lift is not.
        try bed.panel.commands("ev 3 57 2\nev 3 53 100\nev 3 54 100\nset 3 57 -1\nsyn")
        #expect(
            try bed.client.summaries(to: "gesture press cancel sync_lost ok")
                == ["gesture press begin ok", "gesture press cancel sync_lost ok"])
        #expect(try bed.client.request(#"{"cmd":"status","id":1}"#).number("resyncs") == 1)
    }

    @Test("a finger that rests is left alone")
    func resting() throws {
        let bed = try PanelBed()
        try bed.panel.at(try bed.panel.now() - 10_100_000)
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
        // By the reply, the deadline that was due at once has been seen.
        _ = try bed.client.request(#"{"cmd":"ping","id":1}"#)
        #expect(try bed.client.request(#"{"cmd":"status","id":1}"#).number("resyncs") == 0)
        try bed.panel.lift()
        #expect(try bed.client.wait(for: "end") { $0["phase"] != nil }["phase"] == "end")
    }

    @Test("another process has grabbed the panel: status and devices say so, until it lets go")
    func elsewhere() throws {
        let bed = try PanelBed()
        #expect(try bed.row()["grab"] == nil)
        try bed.panel.command("elsewhere 1")
        // Nothing has been missed yet.
        #expect(try bed.row()["grab"] == nil)
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.panel.lift()
        #expect(try bed.row()["grab"] == "other")
        let status = try bed.client.request(#"{"cmd":"status","id":1}"#)
        #expect(status.description.contains(#""grabbed_by_others":1"#))
        #expect(bed.daemon.log.contains("another process has grabbed it"))
        try bed.panel.command("elsewhere 0")
        try bed.panel.land(id: 2, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
        #expect(try bed.row()["grab"] == nil)
        #expect(
            !bed.client.lines.transcript.contains { $0.contains(#""phase":"cancel""#) },
            "who asks changes nothing")
    }

    @Test("fingers that land for another process are not ours, also when ten seconds of silence are over")
    func landedElsewhere() throws {
        // Ten seconds are 0.05 of the test's.
        let bed = try PanelBed(speed: 200)
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.client.wait(for: "gesture press begin ok")
        try bed.panel.command("elsewhere 1")
        try bed.panel.lift()
        try bed.panel.land(1, id: 2, x: 200, y: 200)
        try bed.client.wait(for: "gesture press cancel sync_lost ok")
        #expect(try bed.row().number("contacts") == 0)
        try bed.panel.command("elsewhere 0")
        // It is ours as soon as we are told of it.
        try bed.panel.move(1, x: 240, y: 200)
        #expect(try bed.client.wait(for: "gesture press begin ok").number("x") == 60)
    }

    @Test("what another process was told alone is not forgotten: the kernel tells only what is new to it")
    func placeMissed() throws {
        let bed = try PanelBed()
        try bed.panel.land(id: 1, x: 100, y: 100)
        let before = try bed.client.wait(for: "gesture press begin ok")
        try bed.panel.lift()
        try bed.panel.command("elsewhere 1")
        try bed.panel.land(id: 2, x: 100, y: 180)
        try bed.panel.lift()
        #expect(try bed.row()["grab"] == "other")
        try bed.panel.command("elsewhere 0")
        // A landing at the same y.
        try bed.panel.command("frame 3 47 0 3 57 3 3 53 140 1 330 1")
        let after = try bed.client.wait(for: "gesture press begin ok")
        #expect(after.number("x") == before.number("x").map { $0 + 10 })
        #expect(after.number("y") == before.number("y").map { $0 + 20 })
        #expect(try bed.row()["grab"] == nil)
    }

    /// The kernel tells only what changes: here neither the slot nor `y`.
    @Test("what another process was told is not missing afterwards", arguments: [true, false])
    func afterwards(isLookedAt: Bool) throws {
        let bed = try PanelBed()
        try bed.panel.land(id: 1, x: 100, y: 100)
        try bed.panel.lift()
        try bed.client.wait(for: "gesture press end ok")
        try bed.panel.command("elsewhere 1")
        try bed.panel.land(1, id: 2, x: 200, y: 3000)
        try bed.panel.lift(1)
        if isLookedAt { #expect(try bed.row()["grab"] == "other") }
        try bed.panel.command("elsewhere 0")
        try bed.panel.command("frame 3 57 3 3 53 400 1 330 1")
        let begin = try bed.client.wait(for: "gesture press begin ok")
        #expect(begin.number("x") == 100)
        #expect(begin.number("y") == 750)
        #expect(try bed.row()["grab"] == nil)
        try bed.panel.command("frame 3 57 -1 1 330 0")
        try bed.client.wait(for: "gesture press end ok")
    }
}
