// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureProtocol
import GestureTestSupport
import Testing

@testable import gesturectl

/// `explain` with the real daemon and a fake panel.
@Suite("Explain with the daemon")
struct LiveExplainTests {
    private static let configuration =
        panelTable([1920, 1080], millimeters: [344, 194]) + """
            [[region]]
            id = "carousel"
            shape = { rect = [0, 0, "50%", "100%"] }
            gestures = ["press", { type = "swipe", name = "page" }]
            """

    private func run(
        _ configuration: String, _ arguments: [String], defining regions: String? = nil,
        _ touch: (FakePanel) throws -> Void, then: (FakePanel, SocketClient) throws -> Void = { _, _ in }
    ) throws -> (lines: [String], ending: ChildProcess.Ending) {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.add()
        let daemon = try DaemonProcess(configuration, in: folder, panel: panel, isProxied: true)
        let client = try daemon.connect(toPanel: "panel")
        if let regions { _ = try client.request(#"{"cmd":"define_regions","lease":true,"regions":[\#(regions)]}"#) }
        defer { withExtendedLifetime(client) {} }
        let tool = try ChildProcess(
            ["/bin/sh", "-c", "exec \"$0\" explain \"$@\" 2>&1", BuildProducts.program("gesturectl")] + arguments
                + ["--socket", daemon.socketPath])
        _ = try tool.output.wait(for: "touch") { $0.hasPrefix("gesturectl: touch \"panel\"") }
        try touch(panel)
        try then(panel, client)
        let ending = try tool.waitForExit()
        try tool.output.waitForEnd()
        return (tool.output.transcript, ending)
    }

    /// A stroke to the right in the left half, and a tap in the right half.
    private func strokeAndMiss(_ panel: FakePanel) throws {
        let start = try panel.now() - 700_000
        try panel.at(start)
        try panel.land(id: 1, x: 400, y: 1000)
        for step in 1...6 {
            try panel.at(start + Int64(step) * 100_000)
            try panel.move(x: 400 + step * 200, y: 1000)
        }
        try panel.lift()
        try panel.land(id: 2, x: 3000, y: 1000)
        try panel.lift()
    }

    @Test("explains the touches, and ends after --count of them")
    func explains() throws {
        let (lines, ending) = try run(Self.configuration, ["-n", "2", "-r", "car*", "-r", "nobody*"]) { panel in
            try strokeAndMiss(panel)
        }
        #expect(ending == .exited(0))
        #expect(lines.first == "gesturectl: no region matches \"nobody*\" at present")
        let told = lines.drop { !$0.contains("  carousel  ") }
        // The line without the time of day at its start.
        #expect(told.first?.drop { $0 != " " } == "  carousel  1 finger 187.5,263.7 → 750,263.7, 600 ms")
        #expect(told.dropFirst().first == "  +  press")
        // The tool has recorded the frames and replays them with a changed value to verify it.
        let swipe = told.dropFirst(2).first ?? ""
        let start = "  -  swipe \"page\"  600 ms > max_time 500 ms  needs max_time = \"600ms\""
        #expect(swipe.hasPrefix(start), "\(swipe)")
        #expect(!swipe.contains("not verified"))
        #expect(told.contains { $0.contains("  no region  1 finger at 1406.3,263.7, 0 ms: no region is there") })
        #expect(told.contains("1 touch in regions, 1 in none"))
        #expect(told.last == "carousel  swipe \"page\"  0           1       600 ms > max_time 500 ms")
    }

    @Test("a touch on a region that covers one with the gesture, and contacts that end without a lift")
    func causes() throws {
        let covering =
            Self.configuration + """

                [[region]]
                id = "ok"
                shape = { rect = [0, 0, "25%", "100%"] }
                gestures = ["press"]
                [filter]
                max_contact_age = "1s"

                """
        let (covered, _) = try run(covering, ["-n", "1", "-g", "swipe"], strokeAndMiss)
        #expect(
            covered.contains(
                "     ok owns this touch and has no swipe; it covers carousel, which has swipe \"page\""), "\(covered)")
        let (held, _) = try run(covering, ["-n", "1"]) { panel in
            try panel.at(panel.now() - 900_000)
            try panel.land(id: 1, x: 400, y: 1000)
        }
        #expect(
            held.contains("  +  press  cancelled: the contact was down for 1 s, see [filter] max_contact_age"),
            "\(held)")
        let (lost, _) = try run(covering, ["-n", "1"]) { panel in
            try panel.land(id: 1, x: 400, y: 1000)
        } then: { panel, client in
            try client.wait(for: "gesture press begin ok")
            try panel.commands("set 3 57 -1\nset 1 330 0\ndrop")
        }
        #expect(lost.contains("  +  press  cancelled: events of the panel were lost"), "\(lost)")
    }

    @Test("a touch that wakes the display is shown with what has switched it off, and with the key")
    func wake() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("off", to: "display")
        let guarded = Self.configuration.replacing("[[region]]", with: "wake = { display = \"\(file)\" }\n[[region]]")
        let (lines, _) = try run(guarded, ["-n", "1"]) { panel in
            try panel.land(id: 1, x: 400, y: 1000)
            try panel.lift()
        }
        let line = lines.first { $0.contains("  ignored  1 finger at ") }
        #expect(
            line?.hasSuffix(": the display was off according to \(file), see wake in [[device]]") == true, "\(lines)")
        let dark =
            Self.configuration.replacing("[[region]]", with: "wake = {}\n[[region]]") + """

                [[scene]]
                id = "night"
                regions = []
                dark = true
                [[scene]]
                id = "cinema"
                regions = []
                dark = true

                """
        let (night, _) = try run(dark, ["-n", "1"]) { _ in
        } then: { panel, client in
            _ = try client.request(#"{"cmd":"set_scene","id":1,"scene":"night"}"#)
            try panel.land(id: 1, x: 400, y: 1000)
            try panel.lift()
        }
        #expect(night.contains { $0.hasSuffix(": scene \"night\" is dark, see wake in [[device]]") }, "\(night)")
    }

    @Test("regions that clients have defined are replayed, too: in them, and below them")
    func defined() throws {
        let strip =
            #"{"id":"bar","shape":{"rect":[50,50,100,100]},"gestures":["press"]},"#
            + #"{"id":"key","parent":"bar","shape":{"rect":[0,20,100,60]},"margin":"10px","gestures":["press",{"type":"swipe","max_time":"0.55s"}]}"#
        let (lines, ending) = try run(Self.configuration, ["-n", "2"], defining: strip) { panel in
            // One stroke is on the key, the other one is beside the bar on the carousel. Both are too slow for a
            // swipe. They start after the definition, which has advanced the daemon's time.
            let now = try panel.now()
            for (number, y) in [(1, 400), (2, 2000)] {
                let start = now + Int64(number) * 2_000_000
                try panel.at(start)
                try panel.land(id: number, x: 300, y: y)
                for step in 1...6 {
                    try panel.at(start + Int64(step) * 100_000)
                    try panel.move(x: 300 + step * 200, y: y)
                }
                try panel.lift()
            }
        }
        #expect(ending == .exited(0))
        let needs = lines.filter { $0.contains("swipe") && $0.contains("needs max_time") }
        #expect(needs.count == 2, "\(lines)")
        #expect(needs.allSatisfy { !$0.contains("not verified") }, "\(lines)")
        // The settings of the client's region are its own.
        #expect(needs.contains { $0.contains("600 ms > max_time 550 ms") }, "\(lines)")
        #expect(lines.contains { $0.contains("  key  ") } && lines.contains { $0.contains("  carousel  ") })
    }

    @Test("with private regions it works without the positions of contacts")
    func hidden() throws {
        // Root always has access to private regions, so this test uses a fake daemon that denies it.
        let denied = try FakeDaemon { request in
            if request.contains("regions") && !request.contains("subscribe") {
                return .init(RegionTests.reply)
            }
            if request.contains("touches") {
                return .init(
                    #"{"reply":"subscribe","id":2,"ok":false,"error":{"code":"permission_denied","message":"private"}}"#
                )
            }
            return .init(
                #"{"reply":"subscribe","id":2,"ok":true}"#,
                #"{"event":"failed","seq":9,"gesture":"swipe","name":"page","region":"carousel","device":"panel","sequence":873,"code":"too_slow","key":"max_time","value":612,"limit":500,"unit":"ms","message":"took 612 ms, max_time is 500 ms","time_us":1}"#,
                hangsUp: true)
        }
        let outcome = try Tool.run(["explain", "--socket", denied.path, "-r", "carousel", "-r", "nobody"])
        #expect(outcome.status == 69)
        #expect(
            outcome.errors.hasPrefix(
                """
                gesturectl: where fingers land is not shown: private
                gesturectl: no region matches "nobody" at present
                gesturectl: touch "panel"; end with Ctrl-C

                """))
        #expect(
            outcome.output.contains(
                "  carousel  sees the touch\n  -  swipe \"page\"  612 ms > max_time 500 ms  needs max_time = \"613ms\" or more (not verified)\n"
            ))
        #expect(denied.requests.count == 3)
    }

    @Test("without the definitions of all regions of clients, as with an older daemon, nothing is verified by a replay")
    func missingDefinitions() throws {
        func json(_ text: String) throws -> JSONValue { try #require(JSONValue(parsing: Array(text.utf8))) }
        let regions = try ["app.a", "list"].map { id in
            GestureClient.Region(
                try json(#"{"region":"\#(id)","device":"panel","leased":\#(id == "app.a"),"gestures":[]}"#))
        }
        let (configuration, _) = ConfigurationReader.read([("gestured.toml", Array(Self.configuration.utf8))])
        let description =
            #"{"reply":"describe","id":3,"ok":true,"device":"panel","idle":true,"next_contact":1,"next_sequence":1,"description":{"name":"p","phys":"","id":[24,1,1,1],"properties":[1],"keys":[330],"axes":[[53,0,999,0,0,0,0],[54,0,999,0,0,0,0]],"slots":[],"udev":{}}DEFINITIONS}"#
        func begins(_ definitions: String) throws -> Bool {
            let recordings = LiveRecordings()
            recordings.reset(configuration, regions)
            return recordings.begin(try json(description.replacing("DEFINITIONS", with: definitions)))
        }
        let definition = #"{"id":"app.a","shape":{"rect":[0,0,9,9]},"gestures":["tap"]}"#
        #expect(try begins(#","definitions":[\#(definition)]"#))
        #expect(try !begins(#","definitions":[\#(definition.replacing("app.a", with: "app.b"))]"#))
        #expect(try !begins(""))
    }

    @Test("with an older daemon it reports missing features, and shows the messages")
    func older() throws {
        let greeting = [FakeDaemon.hello.replacing("[\"routes\"]", with: "[]"), FakeDaemon.state]
        let daemon = try FakeDaemon(greeting: greeting) { request in
            if !request.contains("subscribe") { return .init(RegionTests.reply) }
            return .init(
                #"{"reply":"subscribe","id":2,"ok":true}"#,
                #"{"event":"failed","seq":9,"gesture":"swipe","name":"page","region":"carousel","device":"panel","sequence":873,"code":"too_slow","value":612,"limit":500,"unit":"ms","message":"took 612 ms, max_time is 500 ms","time_us":1}"#,
                hangsUp: true)
        }
        let outcome = try Tool.run(["explain", "--socket", daemon.path])
        #expect(
            outcome.errors.hasPrefix(
                """
                gesturectl: the daemon is older than this tool: where fingers land, and which key to change, is not shown
                gesturectl: touch "panel"; end with Ctrl-C

                """), "\(outcome.errors)")
        #expect(
            outcome.output.contains(
                "  carousel  sees the touch\n  -  swipe \"page\"  took 612 ms, max_time is 500 ms\n"),
            "\(outcome.output)")
        #expect(!daemon.requests.contains { $0.contains("touches") })
    }
}
