// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// `leased`: whether a client has defined a region. Its name is no authority.
@Suite("Daemon: lines of regions that clients have defined")
struct LeasedTests {
    private static let gestures = #""gestures":["press","tap",{"type":"swipe","name":"back"}]"#

    private static func put(_ id: String, isLease: Bool) -> String {
        let shape = #""shape":{"rect":[512,0,200,80]}"#
        return #"{"cmd":"put_region","id":1,"lease":\#(isLease),"region":{"id":"\#(id)",\#(shape),\#(gestures)}}"#
    }

    @Test("all lines about the region say so, with or without a lease", arguments: [true, false])
    func lines(isLease: Bool) throws {
        let harness = try PanelHarness()
        let client = harness.client
        try client.request(#"{"cmd":"subscribe","id":1,"events":["gesture","failed"]}"#)
        #expect(try client.request(Self.put("btn", isLease: isLease)).flag("ok") == true)
        try harness.panel.land(id: 1, x: 2100, y: 40)
        let press = try client.wait(for: "gesture press begin btn")
        #expect(press.description.contains(#""phase":"begin","region":"btn","leased":true,"device":"panel""#))
        let state = try client.request(#"{"cmd":"state","id":2}"#)
        #expect(state.description.contains(#"{"region":"btn","leased":true,"gesture":"press","name":"press","#))
        let greeting = try harness.daemon.connect().lines.transcript
        #expect(greeting.contains { $0.contains(#""active":[{"region":"btn","leased":true,"gesture":"press""#) })
        try harness.panel.lift()
        let failed = try client.wait(for: "failed") { $0["event"] == "failed" }
        #expect(failed.description.contains(#""name":"back","region":"btn","leased":true,"device":"panel""#))
        let tap = try client.wait(for: "gesture tap btn")
        #expect(tap.flag("leased") == true)
        let regions = try client.request(#"{"cmd":"regions","id":3}"#).objects("regions")
        #expect(regions.map { $0.flag("leased") } == [nil, true])
        let definitions = try client.request(#"{"cmd":"describe","id":4}"#).objects("definitions")
        #expect(definitions.map { $0["id"] } == ["btn"])
        #expect(definitions.first?.description.contains(#""rect":[512,0,200,80]"#) == true)
    }

    @Test("no line about a region of the files has the key")
    func files() throws {
        let harness = try PanelHarness()
        try harness.client.request(#"{"cmd":"subscribe","id":1,"events":["gesture","failed"]}"#)
        try harness.press()
        try harness.client.request(#"{"cmd":"state","id":2}"#)
        try harness.client.request(#"{"cmd":"describe","id":3}"#)
        try harness.release()
        #expect(!harness.client.lines.transcript.contains { $0.contains("leased") || $0.contains("definitions") })
    }

    @Test("a region that moves from a client into the files loses the key")
    func moves() throws {
        let harness = try PanelHarness()
        #expect(try harness.client.request(Self.put("btn", isLease: false)).flag("ok") == true)
        let file =
            TestConfiguration.button + """
                [[region]]
                id = "btn"
                shape = { rect = [512, 0, 200, 80] }
                gestures = ["press", "tap", { type = "swipe", name = "back" }]

                """
        try harness.daemon.configure(file)
        #expect(try harness.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        try harness.panel.land(id: 1, x: 2100, y: 40)
        #expect(try harness.client.wait(for: "gesture press begin btn").flag("leased") == nil)
    }

    @Test("a pattern of the files ignores the steps of such a region, unless it says leased")
    func pattern() throws {
        func patterns(_ more: String) -> String {
            """
            [[region]]
            id = "screen"
            shape = "full"
            pass = true
            gestures = [{ type = "pattern", name = "service", steps = ["tap ok", "tap btn"]\(more) }]

            """
        }
        for (more, isSeen) in [("", false), (", leased = true", true)] {
            let harness = try PanelHarness(TestConfiguration.button + patterns(more))
            #expect(try harness.client.request(Self.put("btn", isLease: true)).flag("ok") == true)
            var id = 0
            for x in [100, 2100, 100] {
                id += 1
                try harness.panel.land(id: id, x: x, y: 40)
                try harness.panel.lift()
                _ = try harness.client.wait(for: "the end") { $0["phase"] == "end" }
            }
            try harness.client.request(#"{"cmd":"ping","id":2}"#)
            let seen = harness.client.lines.transcript.contains { $0.contains("\"gesture\":\"pattern\"") }
            #expect(seen == isSeen)
        }
    }
}
