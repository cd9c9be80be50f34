// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// `action` of a gesture: what it does.
@Suite("Daemon: actions")
struct ActionTests {
    private static let configuration =
        TestConfiguration.panel + """
            [[region]]
            id = "ok"
            shape = { rect = ["0%", "0%", "50%", "100%"] }
            gestures = ["press", { type = "tap", name = "page", action = "next" }, { type = "swipe", action = "next" }]

            """

    @Test("the lines of a gesture have its action after its name, and no key without one")
    func lines() throws {
        let harness = try PanelHarness(Self.configuration)
        try harness.client.request(#"{"cmd":"subscribe","events":["gesture","failed"]}"#)
        try harness.panel.land(0, id: 1, x: 100, y: 100)
        let press = try harness.client.wait(for: "gesture press begin ok")
        #expect(press["action"] == nil)
        try harness.panel.lift(0)
        let failed = try harness.client.wait(for: "failed") { $0["event"] == "failed" }
        #expect(failed.description.contains(#""gesture":"swipe","name":"swipe","action":"next","region":"ok""#))
        let tap = try harness.client.wait(for: "gesture tap ok")
        #expect(tap.description.contains(#""gesture":"tap","name":"page","action":"next","region":"ok""#))
    }

    @Test("the regions list the action of a gesture that has one")
    func regions() throws {
        let harness = try PanelHarness(Self.configuration)
        let reply = try harness.client.request(#"{"cmd":"regions","id":4}"#)
        #expect(
            reply.description.contains(
                #""gestures":[{"gesture":"press","name":"press"},{"gesture":"tap","name":"page","action":"next"},"#
                    + #"{"gesture":"swipe","name":"swipe","action":"next"}]"#))
    }

    @Test("a client may give its regions actions")
    func definitions() throws {
        let harness = try PanelHarness()
        let definition = #"{"id":"app.a","shape":"full","gestures":[{"type":"tap","action":"buy"}]}"#
        let defined = try harness.client.request(#"{"cmd":"define_regions","id":5,"regions":[\#(definition)]}"#)
        #expect(defined.flag("ok") == true)
        try harness.panel.land(0, id: 1, x: 100, y: 100)
        try harness.panel.lift(0)
        #expect(try harness.client.wait(for: "gesture tap app.a")["action"] == "buy")
    }
}
