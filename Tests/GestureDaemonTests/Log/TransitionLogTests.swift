// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// At the level debug the log has a line for each transition of a gesture's state machine.
@Suite("Daemon: log of transitions")
struct TransitionLogTests {
    private static let configuration =
        TestConfiguration.button + """
            [[region]]
            id = "secret"
            shape = { rect = ["50%", "0%", "50%", "100%"] }
            private = true
            gestures = ["press", "tap"]

            """

    /// One finger moves 4.9 mm from its landing point in the button, and another one does so in the private region.
    private func play(_ harness: PanelHarness) throws {
        // The times are in the future, so that no deadline expires between the frames, even on a slow
        // machine.
        let start = try harness.panel.now() + 10_000_000
        for (id, x) in [(1, 1000), (2, 3000)] {
            let landing = start + Int64(id * 1_000_000)
            try harness.panel.at(landing)
            try harness.panel.land(id: id, x: x, y: 2000)
            try harness.panel.at(landing + 20_000)
            try harness.panel.move(x: x + 100, y: 2000)
            try harness.panel.at(landing + 40_000)
            try harness.panel.lift()
            _ = try harness.client.wait(for: "press end") { $0["gesture"] == "press" && $0["phase"] == "end" }
        }
        // The file contains the whole log after the daemon has ended.
        _ = try harness.daemon.stop()
    }

    @Test("names region, contact, gesture, states and measured values, but no private region")
    func debug() throws {
        let harness = try PanelHarness(Self.configuration, arguments: ["--log-level", "debug"])
        try play(harness)
        let lines = harness.daemon.log.split(separator: "\n").filter { $0.contains(" → ") }
        #expect(
            lines == [
                "gestured: debug: panel: region ok, contact 1: press: possible → recognized",
                "gestured: debug: panel: region ok, contact 1: tap: possible → failed, moved 4.9 mm > 3 mm",
                "gestured: debug: panel: region ok, contact 1: press: recognized → ended",
            ])
    }

    @Test("is empty at other levels")
    func info() throws {
        let harness = try PanelHarness(Self.configuration)
        try play(harness)
        #expect(!harness.daemon.log.contains("→"))
    }
}
