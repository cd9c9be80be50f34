// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Fake panel")
struct FakePanelTests {
    @Test("a reader gets whole frames with one time each, in order")
    func frames() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.add()
        try panel.at(1_234_000_567)
        try panel.land(3, id: 7, x: 100, y: 200)
        try panel.command("drop")
        // Eight events: slot, id, x, y, BTN_TOUCH, SYN_REPORT, SYN_DROPPED, SYN_REPORT.
        let reader = try ChildProcess.run(
            ["/bin/sh", "-c", "head -c \(8 * 24) /dev/input/event0 | od -A n -v -w24 -t d8"],
            environment: ChildProcess.inherited.merging(panel.environment) { $1 })
        let rows = reader.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int64($0) } }
        #expect(rows.map { Array($0.prefix(2)) } == Array(repeating: [1234, 567], count: 8))
        let events = rows.map { row in [row[2] & 0xffff, row[2] >> 16 & 0xffff, row[2] >> 32] }
        #expect(
            events == [
                [3, 47, 3], [3, 57, 7], [3, 53, 100], [3, 54, 200], [1, 330, 1], [0, 0, 0], [0, 3, 0], [0, 0, 0],
            ])
    }

    @Test("a wrong command is answered with an error, and has no effect")
    func mistakes() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        #expect(throws: TestFailure.self) { try panel.move(x: 1, y: 1) }
        #expect(throws: TestFailure.self) { try panel.command("swim 1") }
        try panel.add()
        #expect(throws: TestFailure.self) { try panel.add() }
        #expect(throws: TestFailure.self) { try panel.command("frame 3 47") }
        try panel.remove()
        try panel.add()
        #expect(try panel.command("state").hasPrefix("OK state grab=0"))
    }

    /// The daemon queries the slots when the first finger lands, so the fake panel must not set them too
    /// early.
    @Test("during the replay of a recording, the slots are never ahead of the events")
    func playing() throws {
        let harness = try PanelHarness()
        let tap = try harness.folder.write(
            """
            E: 0.000000 0003 0039 500
            E: 0.000000 0003 0035 400
            E: 0.000000 0003 0036 400
            E: 0.000000 0000 0000 0
            E: 0.060000 0003 0039 -1
            E: 0.060000 0000 0000 0
            """, to: "tap.evemu")
        try harness.panel.command("play \(tap)")
        try harness.client.wait(for: "gesture press begin ok")
        try harness.client.wait(for: "gesture tap ok")
        try harness.client.wait(for: "gesture press end ok")
    }
}
