// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: the kernel dropped events")
struct LostEventsTests {
    @Test("a finger that lifted meanwhile is cancelled")
    func lifted() throws {
        let harness = try PanelHarness()
        try harness.press(id: 7)
        try harness.panel.commands("set 3 57 -1\nset 1 330 0\ndrop")
        try harness.client.wait(for: "gesture press cancel sync_lost ok")
        try harness.press(id: 8)
    }

    @Test("another finger in the same slot is another press")
    func replaced() throws {
        let harness = try PanelHarness()
        let begin = try harness.press(id: 7)
        try harness.panel.commands("set 3 57 8\nset 3 53 400\nset 3 54 400\ndrop")
        try harness.client.wait(for: "gesture press cancel sync_lost ok")
        let next = try harness.client.wait(for: "gesture press begin ok")
        #expect(next.number("x") == 100)
        #expect(next.number("sequence") != begin.number("sequence"))
        try harness.release()
    }

    @Test("the same finger goes on at its present position")
    func survived() throws {
        let harness = try PanelHarness()
        let begin = try harness.press(id: 7)
        let watcher = try harness.daemon.connect()
        _ = try watcher.request(#"{"cmd":"subscribe","id":1,"events":["touches"]}"#)
        try harness.panel.commands("set 3 53 800\nset 3 54 400\ndrop")
        // Waits until the daemon has read the finger's position from the slots.
        _ = try watcher.wait(for: "touch at 200") { $0.objects("contacts").first?.number("x") == 200 }
        let end = try harness.release()
        #expect(end.number("sequence") == begin.number("sequence"))
        #expect(end.number("x") == 200)
        #expect(end.number("seq") == 2, "there must be no cancel line between them")
        #expect(try harness.client.request(#"{"cmd":"status","id":1}"#).number("resyncs") == 1)
    }
}
