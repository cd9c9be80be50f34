// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Sends the requests of `docs/protocol.md` to a daemon. `scripts/check-lines` checks that some test has received
/// each line of the page.
@Suite("Daemon: the examples of the protocol's page")
struct DocumentedLineTests {
    /// The regions and the scene in the page's requests.
    private static let configuration =
        TestConfiguration.button + """
            [[region]]
            id = "map"
            shape = { rect = ["50%", "0%", "25%", "50%"] }
            contacts = "near"
            gestures = ["drag"]
            [[region]]
            id = "kiosk.menu"
            shape = { rect = ["75%", "0%", "25%", "50%"] }
            gestures = [{ type = "long_press", name = "menu", delay = "50ms" }]
            [[region]]
            id = "zoom"
            shape = { rect = ["50%", "50%", "25%", "50%"] }
            gestures = ["pinch"]
            [[region]]
            id = "turn"
            shape = { rect = ["75%", "50%", "25%", "50%"] }
            gestures = ["rotate"]
            [[region]]
            id = "knob"
            shape = { rect = ["10%", "50%", "40%", "50%"] }
            gestures = [{ type = "dial", name = "volume", step = 15 }]
            [[region]]
            id = "admin"
            shape = { rect = ["0%", "90%", "10%", "10%"] }
            contacts = "each"
            gestures = ["tap"]
            [[scene]]
            id = "checkout"
            regions = ["ok"]
            [[scene]]
            id = "cleaning"
            regions = []

            """

    /// The requests in the code blocks of the page.
    private static let requests: [String] = {
        let page = (try? String(contentsOfFile: BuildProducts.root + "/docs/protocol.md", encoding: .utf8)) ?? ""
        return page.split(separator: "\n").filter { $0.hasPrefix("{\"cmd\":") }.map(String.init)
    }()

    @Test("each request works with a daemon that has the objects in it")
    func requestsAreDone() throws {
        let harness = try PanelHarness(Self.configuration)
        #expect(Self.requests.count >= 13)
        let regions = try harness.client.request(#"{"cmd":"regions","id":9}"#).objects("regions")
        #expect(regions.compactMap { $0["contacts"] } == ["near", "each"])
        for request in Self.requests {
            let reply = try harness.client.request(request)
            #expect(reply.flag("ok") == true, "\(request): \(reply)")
            #expect(reply["reply"] == JSONLine(request)?["cmd"])
        }
        let events = #"["gesture","failed","touches","idle","device","config","frame"]"#
        try harness.client.request(#"{"cmd":"subscribe","id":1,"events":\#(events)}"#)
        #expect(try harness.client.request(#"{"cmd":"clients"}"#).description.contains("\"events\":\(events)"))
        let status = try harness.client.request(#"{"cmd":"status","id":2}"#)
        #expect(status["scene"] == "cleaning")
        #expect((1...60_000).contains(status.number("scene_for_ms") ?? 0))
        #expect(status.description.contains(#""scenes":["default","checkout","cleaning"]"#))
    }

    @Test("state lists each gesture that can be in progress")
    func active() throws {
        let harness = try PanelHarness(Self.configuration)
        try harness.client.request(#"{"cmd":"subscribe","phases":["begin"]}"#)
        try harness.panel.land(0, id: 1, x: 2300, y: 500)
        try harness.panel.move(0, x: 2600, y: 500)
        try harness.client.wait(for: "gesture drag begin map")
        try harness.panel.land(1, id: 2, x: 3500, y: 500)
        try harness.client.wait(for: "gesture long_press begin kiosk.menu")
        try harness.panel.land(2, id: 3, x: 2300, y: 2500)
        try harness.panel.land(3, id: 4, x: 2600, y: 3000)
        try harness.panel.move(3, x: 2900, y: 3500)
        try harness.client.wait(for: "gesture pinch begin zoom")
        try harness.panel.land(4, id: 5, x: 3300, y: 3000)
        try harness.panel.land(5, id: 6, x: 3900, y: 3000)
        try harness.panel.move(5, x: 3720, y: 3420)
        try harness.client.wait(for: "gesture rotate begin turn")
        try harness.panel.land(7, id: 8, x: 1829, y: 3072)
        try harness.panel.move(7, x: 1779, y: 3372)
        try harness.client.wait(for: "gesture dial begin knob")
        try harness.press(6, id: 7)
        let expected = ["press", "drag", "long_press", "pinch", "rotate", "dial"]
        let reply = try harness.client.request(#"{"cmd":"state","id":1}"#)
        #expect(reply.objects("active").compactMap { $0["gesture"] } == expected)
        let other = try SocketClient(path: harness.daemon.socketPath)
        let state = try other.wait(for: "state")
        #expect(state.objects("active").compactMap { $0["gesture"] } == expected)
        #expect(try harness.client.request(#"{"cmd":"status","id":2}"#).number("active") == 6)
    }

    @Test("a stroke, and the reasons why strokes failed")
    func strokes() throws {
        let harness = try PanelHarness(
            TestConfiguration.panel + """
                [[region]]
                id = "pad"
                shape = "full"
                gestures = [
                  { type = "stroke", name = "vee", points = [[0, 0], [1, 2], [2, 0]] },
                  { type = "stroke", name = "wedge", points = [[0, 0], [1, 1.7], [2.3, 0]] },
                  { type = "stroke", name = "roof", points = [[0, 2], [1, 0], [2, 2]] },
                ]

                """)
        try harness.client.request(#"{"cmd":"subscribe","events":["gesture","failed"]}"#)
        let vee = [(x: 1000, y: 1000), (1500, 2000), (2000, 1000)]
        let end = try harness.panel.draw(id: 1, vee, at: harness.panel.now() + 1_000_000, every: 50_000)
        try harness.panel.at(end + 20_000)
        try harness.panel.lift()
        for (name, code, key) in [("wedge", "outscored", nil), ("roof", "low_score", "min_score")] {
            let line = try harness.client.wait(for: code) { $0["event"] == "failed" && $0["name"] == name }
            #expect(line["code"] == code && line["key"] == key && line["unit"] == "score", "\(line)")
        }
        let line = try harness.client.wait(for: "vee") { $0["gesture"] == "stroke" && $0["event"] == "gesture" }
        #expect(line["name"] == "vee" && line.number("duration_ms") == 120, "\(line)")
        #expect(line.description.contains(#""fingers":1,"score":1.0,"duration_ms":120,"start":{"x":"#), "\(line)")
    }

    @Test("reasons why a swipe, a double tap and a pattern failed")
    func failures() throws {
        let harness = try PanelHarness(
            TestConfiguration.panel + """
                [[region]]
                id = "a"
                shape = { rect = ["0%", "0%", "50%", "100%"] }
                gestures = [{ type = "swipe", directions = ["left"] }, "double_tap"]
                [[region]]
                id = "b"
                shape = { rect = ["50%", "0%", "50%", "100%"] }
                gestures = ["tap", { type = "pattern", steps = ["tap b", "tap b", "swipe a"], attempts = 1 }]
                [[region]]
                id = "c"
                shape = { rect = ["0%", "80%", "50%", "20%"] }
                gestures = [
                    { type = "swipe", directions = ["right"], max_deviation = 10 }, "drag",
                    { type = "long_press", fingers = 2, unless = ["drag"] },
                ]

                """)
        try harness.client.request(#"{"cmd":"subscribe","events":["failed"]}"#)
        var time = try harness.panel.now() + 1_000_000
        func after(_ milliseconds: Int64, _ frame: () throws -> Void) throws {
            time += milliseconds * 1000
            try harness.panel.at(time)
            try frame()
        }
        func failed(_ code: String) throws {
            _ = try harness.client.wait(for: code) { $0["event"] == "failed" && $0["code"] == code }
        }
        try after(0) { try harness.panel.land(id: 1, x: 200, y: 1000) }
        for step in 1...6 { try after(10) { try harness.panel.move(x: 200 + step * 150, y: 1000) } }
        try after(5) { try harness.panel.lift() }
        let wrong = try harness.client.wait(for: "wrong_direction") { $0["code"] == "wrong_direction" }
        #expect(wrong["message"] == "went right; the only direction is left")
        try after(400) { try harness.panel.land(id: 20, x: 1500, y: 1000) }
        for step in 1...6 { try after(10) { try harness.panel.move(x: 1500 - step * 150, y: 1000) } }
        try after(250) { try harness.panel.lift() }
        let stopped = try harness.client.wait(for: "stopped") { $0["code"] == "stopped" }
        #expect(stopped["message"] == "stood still for 250 ms before the lift, rest is 150 ms")
        for (finger, x) in [(2, 200), (3, 900)] {
            try after(100) { try harness.panel.land(id: finger, x: x, y: 3000) }
            try after(40) { try harness.panel.lift() }
        }
        try failed("too_far_apart")
        // The third tap is wrong, because the pattern expects a swipe. The pattern allows only one attempt, so it
        // is then locked.
        for finger in 4...9 {
            try after(400) { try harness.panel.land(id: finger, x: 3000, y: 1000) }
            try after(40) { try harness.panel.lift() }
        }
        try failed("locked_out")
        // The swipe is 27° off. The long press ends with the first lift, while the drag is still possible.
        try after(400) { try harness.panel.land(id: 10, x: 200, y: 3500) }
        for step in 1...4 { try after(10) { try harness.panel.move(x: 200 + step * 150, y: 3500 + step * 75) } }
        try after(5) { try harness.panel.lift() }
        _ = try harness.client.wait(for: "max_deviation") { $0["event"] == "failed" && $0["key"] == "max_deviation" }
        try after(400) { try harness.panel.land(id: 11, x: 200, y: 3500) }
        try after(10) { try harness.panel.land(1, id: 12, x: 800, y: 3500) }
        try after(600) { try harness.panel.lift(1) }
        try after(10) { try harness.panel.lift() }
        try failed("kept_back")
    }

    @Test("a point in a region's margin")
    func margin() throws {
        let harness = try PanelHarness(
            TestConfiguration.panel + """
                [[region]]
                id = "ok"
                shape = { rect = [100, 100, 50, 50] }
                margin = "20px"
                gestures = ["tap"]

                """)
        let reply = try harness.client.request(#"{"cmd":"at","id":7,"x":90,"y":110}"#)
        #expect(reply["owner"] == "ok")
        #expect(reply.flag("margin") == true)
        #expect(try harness.client.request(#"{"cmd":"at","x":100,"y":110}"#).flag("margin") == nil)
    }

    @Test("a drag without a preceding tap fails with the reason, and one after a tap zooms")
    func zoom() throws {
        let harness = try PanelHarness(
            TestConfiguration.panel + """
                [[region]]
                id = "map"
                shape = "full"
                gestures = [{ type = "drag", name = "zoom", taps = 1, zoom = true }]

                """)
        try harness.client.request(#"{"cmd":"subscribe","events":["gesture","failed"]}"#)
        let time = try harness.panel.now() + 1_000_000
        try harness.panel.at(time)
        try harness.panel.land(id: 1, x: 2000, y: 1000)
        try harness.panel.at(time + 50_000)
        try harness.panel.lift()
        _ = try harness.client.wait(for: "failed") { $0["code"] == "wrong_taps" }
        try harness.panel.at(time + 150_000)
        try harness.panel.land(id: 2, x: 2000, y: 1000)
        for step in 1...3 {
            try harness.panel.at(time + 150_000 + Int64(step) * 10_000)
            try harness.panel.move(x: 2000, y: 1000 + step * 200)
        }
        let update = try harness.client.wait(for: "an update") { $0["phase"] == "update" }
        #expect(update.description.contains(#""scale":1."#))
        try harness.panel.lift()
        _ = try harness.client.wait(for: "the end") { $0["phase"] == "end" }
    }

    @Test("gestures with actions, and the reason why one failed")
    func actions() throws {
        let harness = try PanelHarness(
            TestConfiguration.panel + """
                [[region]]
                id = "carousel"
                shape = "full"
                gestures = [
                    { type = "swipe", name = "page", directions = ["up_left", "up_right"], action = "next" },
                    { type = "double_tap", name = "buy", action = "buy" },
                ]

                """)
        let regions = try harness.client.request(#"{"cmd":"regions","id":4}"#)
        #expect(regions.description.contains(#"{"gesture":"double_tap","name":"buy","action":"buy"}"#))
        try harness.client.request(#"{"cmd":"subscribe","events":["gesture","failed"]}"#)
        var time = try harness.panel.now() + 1_000_000
        let line = (0...4).map { (x: 1000 + $0 * 150, y: 2000 - $0 * 150) }
        for (id, interval) in [(1, Int64(10_000)), (2, 150_000)] {
            time = try harness.panel.draw(id: id, line, at: time, every: interval) + 1_000_000
            try harness.panel.lift()
        }
        let swipe = try harness.client.wait(for: "swipe") { $0["event"] == "gesture" && $0["gesture"] == "swipe" }
        #expect((swipe["action"], swipe["direction"]) == ("next", "up_right"))
        let slow = try harness.client.wait(for: "too_slow") { $0["code"] == "too_slow" }
        #expect(slow["action"] == "next")

        let mirrored = line.map { (x: 3000 - $0.x, y: $0.y) }
        _ = try harness.panel.draw(id: 3, mirrored, at: time, every: 10_000)
        try harness.panel.lift()
        let other = try harness.client.wait(for: "swipe") { $0["event"] == "gesture" && $0["gesture"] == "swipe" }
        #expect(other["direction"] == "up_left")
    }

    @Test("a path that is no circle")
    func straying() throws {
        let harness = try PanelHarness(
            TestConfiguration.panel + """
                [[region]]
                id = "pad"
                shape = "full"
                gestures = [{ type = "dial", center = "drawn" }]

                """)
        try harness.client.request(#"{"cmd":"subscribe","events":["failed"]}"#)
        // Two round corners with straight lines beside and between them, in millimetres.
        let lines: [(x: Int, y: Int)] =
            stride(from: 60, through: 8, by: -4).map { (0, $0) } + [(1, 4), (4, 1)]
            + stride(from: 8, through: 92, by: 4).map { ($0, 0) } + [(96, 1), (99, 4)]
            + stride(from: 8, through: 60, by: 4).map { (100, $0) }
        let places = lines.map { (x: 1000 + $0.x * 2048 / 100, y: 1000 + $0.y * 2048 / 100) }
        try harness.panel.draw(id: 1, places, at: harness.panel.now() + 1_000_000, every: 20_000)
        try harness.panel.lift()
        let failed = try harness.client.wait(for: "not_round") { $0["event"] == "failed" && $0["gesture"] == "dial" }
        #expect(failed["code"] == "not_round", "\(failed)")
    }

    @Test("a chain, and the reason why another one failed")
    func chain() throws {
        let harness = try PanelHarness(
            TestConfiguration.panel + """
                [[region]]
                id = "map"
                shape = "full"
                gestures = [
                    { type = "chain", name = "menu", path = ["right", "down"] },
                    { type = "chain", name = "back", path = ["left", "right"], min_segment = "2mm" },
                ]

                """)
        try harness.client.request(#"{"cmd":"subscribe","events":["gesture","failed"]}"#)
        let time = try harness.panel.now() + 1_000_000
        let path = [(x: 500, y: 500), (1000, 500), (1500, 500), (1500, 1000), (1500, 1500)]
        try harness.panel.draw(id: 1, path, at: time, every: 100_000)
        let failed = try harness.client.wait(for: "failed") { $0["event"] == "failed" }
        #expect(failed["message"] == "drew right; path is left, right")
        #expect((failed["code"], failed["key"]) == ("wrong_step", "path"))
        try harness.panel.lift()
        let chain = try harness.client.wait(for: "chain") { $0["gesture"] == "chain" && $0["event"] == "gesture" }
        #expect(chain["name"] == "menu")
        // A tap is too short for both.
        try harness.panel.at(time + 2_000_000)
        try harness.panel.land(id: 2, x: 500, y: 500)
        try harness.panel.at(time + 2_050_000)
        try harness.panel.lift()
        _ = try harness.client.wait(for: "min_segment") { $0["key"] == "min_segment" }
    }

    @Test("a contact that rests is removed when another one lands, and returns when it moves")
    func rest() throws {
        let harness = try PanelHarness(
            TestConfiguration.panel + """
                [[region]]
                id = "ok"
                shape = "full"
                rest_after = "1s"
                gestures = ["press", { type = "long_press", delay = "3s" }]

                """)
        try harness.client.request(#"{"cmd":"subscribe","events":["gesture","failed"]}"#)
        let time = try harness.panel.now() + 1_000_000
        try harness.panel.at(time)
        try harness.panel.land(0, id: 1, x: 500, y: 500)
        try harness.panel.at(time + 1_500_000)
        try harness.panel.land(1, id: 2, x: 2000, y: 2000)
        _ = try harness.client.wait(for: "failed") { $0["event"] == "failed" && $0["code"] == "rest" }
        _ = try harness.client.wait(for: "cancel") { $0["gesture"] == "press" && $0["reason"] == "rest" }
        try harness.client.wait(for: "gesture press begin ok")
        try harness.panel.at(time + 1_600_000)
        try harness.panel.lift(1)
        _ = try harness.client.wait(for: "end") { $0["gesture"] == "press" && $0["phase"] == "end" }
        try harness.panel.at(time + 1_700_000)
        try harness.panel.move(0, x: 700, y: 500)
        try harness.client.wait(for: "gesture press begin ok")
    }

    @Test("a device that the configuration ignores, and one that is no panel, are listed with the reason")
    func devices() throws {
        let odd = "version = 1\n[[device]]\nid = \"odd\"\nmatch = { name = \"Odd*\" }\nignore = true\n"
        let harness = try PanelHarness(odd, waitsFor: nil) {
            try $0.command("name Odd Device")
            try $0.add(0)
            try $0.commands(
                "default\nname Pad\nnoprop 1\nproperty ID_INPUT_TOUCHSCREEN=0\nproperty ID_INPUT_TOUCHPAD=1")
            try $0.add(1)
        }
        let devices = try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        #expect(devices.map { $0["state"] } == ["ignored", "refused"])
        #expect(devices.allSatisfy { $0["reason"]?.isEmpty == false })
    }

    @Test("a reload is answered with all warnings, even if it is accepted")
    func reloadWarnings() throws {
        let harness = try PanelHarness()
        try harness.daemon.configure(
            TestConfiguration.twoButtons.replacing("id = \"no\"", with: "id = \"OK\""))
        let reply = try harness.client.request(#"{"cmd":"reload","id":9}"#)
        #expect(reply.flag("ok") == true)
        #expect(reply.number("warnings") == 1)
        let diagnostic = try #require(reply.objects("diagnostics").first)
        #expect((diagnostic["severity"], diagnostic["code"]) == ("warning", "similar_id"))
        #expect(diagnostic["message"] == #"regions "ok" and "OK" differ only in case"#)
        #expect((diagnostic.number("line") ?? 0) > 0)
    }

    @Test("with many mistakes the event has as many as fit and the number of the others, and the reply has all")
    func manyMistakes() throws {
        let harness = try PanelHarness()
        let keys = (1...200).map { "strange_key_\($0) = \(String(repeating: "1", count: 10))" }.joined(separator: "\n")
        let odd = TestConfiguration.twoButtons.replacing("id = \"no\"", with: "id = \"OK\"")
        try harness.daemon.configure(odd + keys + "\n")
        try harness.client.send(#"{"cmd":"reload","id":9}"#)
        let event = try harness.client.wait(for: "config event") { $0["event"] == "config" }
        #expect(event.description.utf8.count < 4096)
        let told = event.objects("diagnostics")
        #expect(told.count > 10)
        #expect(told.last?["code"] == "more")
        #expect(told.last?["message"] == "and \(201 - (told.count - 1)) more")
        let reply = try harness.client.wait(for: "reply") { $0["reply"] == "reload" }
        #expect(reply.object("error")?["message"] == "200 errors")
        let all = reply.object("error")?.objects("diagnostics") ?? []
        #expect(all.count { $0["severity"] == "error" } == 200)
        #expect(all.count { $0["severity"] == "warning" } == 1)
    }
}
