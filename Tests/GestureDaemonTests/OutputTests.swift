// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// `set_output`: a panel is turned with its screen while the daemon runs.
@Suite("Daemon: outputs set by clients")
struct OutputTests {
    /// An output of 1000 x 500 px and 200 x 100 mm. A touch at 1024, 512 lies a quarter and an eighth of the way in.
    private static let wide =
        TestConfiguration.button.replacing(
            "size = [1024, 1024], size_mm = [200, 200]", with: "size = [1000, 500], size_mm = [200, 100]")

    private static func set(_ members: String) -> String {
        #"{"cmd":"set_output","id":1,"device":"panel"\#(members.isEmpty ? "" : ",")\#(members)}"#
    }

    private func set(_ members: String, _ harness: PanelHarness) throws {
        let reply = try harness.client.request(Self.set(members))
        #expect(reply.flag("ok") == true, "\(reply)")
    }

    /// The output in the reply to `devices`: `500x1000 px, 100x200 mm, 90`.
    private func output(_ harness: PanelHarness) throws -> String {
        let output = try #require(try harness.row().object("output"))
        func number(_ key: String) -> String { output.number(key).map { "\(Int($0))" } ?? "-" }
        let size = "\(number("width"))x\(number("height")) px, \(number("width_mm"))x\(number("height_mm")) mm"
        return "\(size), \(number("rotation"))\(output.flag("flipped") == true ? " flipped" : "")"
    }

    @Test(
        "a touch is where the compositor has it, and sizes are turned",
        arguments: [
            ("0", "1000x500 px, 200x100 mm, 0", 250, 62.5), ("90", "500x1000 px, 100x200 mm, 90", 437.5, 250),
            ("180", "1000x500 px, 200x100 mm, 180", 750, 437.5), ("270", "500x1000 px, 100x200 mm, 270", 62.5, 750),
            ("\"flipped\"", "1000x500 px, 200x100 mm, 0 flipped", 750, 62.5),
            ("\"flipped-90\"", "500x1000 px, 100x200 mm, 90 flipped", 62.5, 250),
            ("\"flipped-180\"", "1000x500 px, 200x100 mm, 180 flipped", 250, 437.5),
            ("\"flipped-270\"", "500x1000 px, 100x200 mm, 270 flipped", 437.5, 750),
        ])
    func rotations(rotation: String, expected: String, x: Double, y: Double) throws {
        let harness = try PanelHarness(
            Self.wide.replacing("[\"0%\", \"0%\", \"50%\", \"100%\"]", with: "[\"0%\", \"0%\", \"100%\", \"100%\"]"))
        try set("\"rotation\":\(rotation)", harness)
        #expect(try output(harness) == expected)
        let line = try harness.press(x: 1024, y: 512)
        #expect(line.number("x") == x && line.number("y") == y, "\(line)")
    }

    @Test("what is under way is cancelled, and a finger that stays down does nothing more")
    func cancels() throws {
        let harness = try PanelHarness()
        try harness.press()
        try harness.client.send(Self.set("\"rotation\":180"))
        #expect(
            try harness.client.summaries(to: "config output") == ["gesture press cancel reload ok", "config output"])
        try harness.panel.move(x: 3000, y: 100)
        try harness.panel.lift()
        // The right half of the panel is the left half of the screen now.
        let line = try harness.press(id: 2, x: 4000, y: 100)
        #expect(line.number("x") == 24 && line.number("y") == 999)
        try harness.release()
        // A request for the current output changes nothing.
        try set("\"rotation\":180", harness)
        try harness.client.send(Self.set(""))
        #expect(try harness.client.summaries(to: "config output") == ["config output"])
        try harness.press(id: 3, x: 100, y: 100)
    }

    @Test("the size of a request replaces the file's, and without it the file's comes back")
    func size() throws {
        let harness = try PanelHarness(Self.wide)
        try set("\"rotation\":270,\"size\":[720,1280]", harness)
        #expect(try output(harness) == "720x1280 px, 100x200 mm, 270")
        try set("\"size\":[640,480]", harness)
        #expect(try output(harness) == "640x480 px, 200x100 mm, 0")
        try set("\"rotation\":90", harness)
        #expect(try output(harness) == "500x1000 px, 100x200 mm, 90")
        try set("", harness)
        #expect(try output(harness) == "1000x500 px, 200x100 mm, 0")
    }

    @Test("a reload keeps the output, and it replaces a rotation of the files")
    func reload() throws {
        let harness = try PanelHarness(Self.wide)
        try set("\"rotation\":\"flipped-90\"", harness)
        try harness.press(x: 100, y: 100)
        // Nothing changes for the panel, so the press continues.
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true)
        try harness.release()
        #expect(try output(harness) == "500x1000 px, 100x200 mm, 90 flipped")
        // The sizes of the file are those after its rotation.
        let turned = Self.wide.replacing("size_mm = [200, 100]", with: "size_mm = [200, 100], rotation = 90")
        try harness.daemon.configure(turned)
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true)
        #expect(try output(harness) == "1000x500 px, 200x100 mm, 90 flipped")
        try set("", harness)
        #expect(try output(harness) == "1000x500 px, 200x100 mm, 90")
    }

    @Test("the next daemon has the output too, until it is reset")
    func restart() throws {
        let state = try ScratchFolder()
        func start() throws -> PanelHarness { try PanelHarness(Self.wide, arguments: ["--state-dir", state.path]) }
        let kept = state("outputs.json")
        let first = try start()
        try set("\"rotation\":90,\"size\":[480,400]", first)
        #expect(try first.daemon.stop() == .exited(0))
        #expect(
            try String(contentsOfFile: kept, encoding: .utf8)
                == #"{"outputs":[{"device":"panel","rotation":"90","size":[480,400]}]}"# + "\n")
        let second = try start()
        #expect(try output(second) == "480x400 px, 100x200 mm, 90")
        #expect(second.daemon.log.contains("output: set by clients for panel"))
        #expect(try second.press(x: 2048, y: 4000).number("y") == 200)
        try second.release()
        // A re-plug changes nothing.
        try second.panel.remove()
        try second.client.wait(for: "device removed")
        // Without a panel, the output can only be reset.
        #expect(try second.client.request(Self.set("\"rotation\":0")).object("error")?["code"] == "not_found")
        try second.panel.add()
        try second.client.wait(for: "device added")
        #expect(try output(second) == "480x400 px, 100x200 mm, 90")
        try set("", second)
        #expect(try output(second) == "1000x500 px, 200x100 mm, 0")
        #expect(try second.daemon.stop() == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: kept))
        #expect(try output(try start()) == "1000x500 px, 200x100 mm, 0")
    }

    /// A configuration without a `[[device]]` for the panel.
    private static let unnamed = "version = 1\n[[region]]\nid = \"ok\"\nshape = \"full\"\ngestures = [\"press\"]\n"

    /// Starts a daemon with two panels as these nodes. The nodes of panels may differ after each boot.
    private func start(_ state: ScratchFolder, left: Int, right: Int) throws -> PanelHarness {
        let harness = try PanelHarness(
            Self.unnamed, arguments: ["--state-dir", state.path], waitsFor: "event\(left)",
            prepare: {
                for (name, node) in [("Left", left), ("Right", right)] {
                    try $0.command("name \(name)")
                    try $0.add(node)
                }
            })
        _ = try harness.daemon.connect(toPanel: "event\(right)")
        return harness
    }

    /// The rotation of each panel in the reply to `devices`.
    private func rotations(_ harness: PanelHarness) throws -> [String: Int] {
        let rows = try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        return Dictionary(
            uniqueKeysWithValues: rows.map { ($0["name"] ?? "", Int($0.object("output")?.number("rotation") ?? -1)) })
    }

    @Test("a panel without a [[device]] has its output even as another node")
    func otherNode() throws {
        let state = try ScratchFolder()
        let first = try start(state, left: 0, right: 1)
        func request(_ device: String, _ rotation: String) -> String {
            #"{"cmd":"set_output","id":1,"device":"\#(device)"\#(rotation)}"#
        }
        #expect(try first.client.request(request("event0", #","rotation":180"#)).flag("ok") == true)
        #expect(try rotations(first) == ["Left": 180, "Right": 0])
        #expect(try first.daemon.stop() == .exited(0))
        let second = try start(state, left: 1, right: 0)
        #expect(try rotations(second) == ["Left": 180, "Right": 0])
        #expect(second.daemon.log.contains(" Left\n"), "\(second.daemon.log)")
        #expect(try second.client.request(request("event1", "")).flag("ok") == true)
        #expect(try rotations(second) == ["Left": 0, "Right": 0])
        #expect(try second.daemon.stop() == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: state("outputs.json")))
    }

    @Test("a panel keeps its output when a [[device]] is added for it, and panels with equal identities have their own")
    func newDevice() throws {
        let state = try ScratchFolder()
        let harness = try start(state, left: 0, right: 1)
        let request = #"{"cmd":"set_output","id":1,"device":"event0","rotation":180}"#
        #expect(try harness.client.request(request).flag("ok") == true)
        try harness.daemon.configure(
            "version = 1\n[[device]]\nid = \"left\"\nmatch = { name = \"Left\" }\noutput = { size = [400, 400] }\n")
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true)
        #expect(try rotations(harness) == ["Left": 180, "Right": 0])
        #expect(try harness.client.request(#"{"cmd":"set_output","id":2,"device":"left"}"#).flag("ok") == true)
        #expect(try rotations(harness) == ["Left": 0, "Right": 0])
        #expect(try harness.daemon.stop() == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: state("outputs.json")))
    }

    @Test("the output of a panel that is gone can be reset")
    func resetUnplugged() throws {
        let harness = try PanelHarness(Self.wide)
        try set("\"rotation\":90", harness)
        try harness.panel.remove()
        try harness.client.wait(for: "device removed")
        try set("", harness)
        try harness.panel.add()
        try harness.client.wait(for: "device added")
        #expect(try output(harness) == "1000x500 px, 200x100 mm, 0")
        try harness.panel.remove()
        try harness.client.wait(for: "device removed")
        #expect(try harness.client.request(Self.set("")).object("error")?["code"] == "not_found")
    }

    @Test(
        "a kept file that cannot be used is reported, and the daemon starts",
        arguments: [
            #"{"outputs":[{"device":"panel","rotation":"45"}]}"#,
            #"{"outputs":[{"device":"panel","size":[1,2,3]}]}"#, #"{"outputs":[{"device":"panel","size":[0,1]}]}"#,
            #"{"outputs":[{"rotation":"90"}]}"#,
        ])
    func damaged(text: String) throws {
        let state = try ScratchFolder()
        try text.write(toFile: state("outputs.json"), atomically: true, encoding: .utf8)
        let harness = try PanelHarness(Self.wide, arguments: ["--state-dir", state.path])
        #expect(try output(harness) == "1000x500 px, 200x100 mm, 0")
        #expect(harness.daemon.log.contains("ignoring the saved outputs"))
    }

    @Test("two panels: each has its own output, and a request has to name one")
    func twoPanels() throws {
        let harness = try PanelHarness(twinsOf: TestConfiguration.twinButtons)
        let reply = try harness.client.request(#"{"cmd":"set_output","id":1,"rotation":180}"#)
        #expect(reply.object("error")?["code"] == "not_found")
        #expect(reply.object("error")?["message"] == "\"device\" is missing; the panels are left, right")
        #expect(
            try harness.client.request(#"{"cmd":"set_output","id":1,"device":"right","rotation":180}"#).flag("ok")
                == true)
        try harness.panel.command("select 0")
        #expect(try harness.press(x: 100, y: 100).number("x") == 100)
        try harness.panel.command("select 1")
        #expect(try harness.press(id: 2, x: 100, y: 100).number("x") ?? 0 > 3900)
    }

    @Test("a panel that shares its [[device]] with another one has its own output")
    func sameRule() throws {
        let harness = try PanelHarness(
            TestConfiguration.button,
            prepare: {
                try $0.add()
                try $0.command("parent 1")
                try $0.add(1)
            })
        let second = "panel@event1"
        _ = try harness.daemon.connect(toPanel: second)
        let request = #"{"cmd":"set_output","id":1,"device":"\#(second)","rotation":180}"#
        #expect(try harness.client.request(request).flag("ok") == true)
        try harness.panel.command("select 0")
        #expect(try harness.press(x: 100, y: 100).number("x") == 25)
        try harness.panel.command("select 1")
        #expect(try harness.press(id: 2, x: 4000, y: 100)["device"] == second)
        // Regions that are defined later do not change the outputs.
        let define = #"{"cmd":"define_regions","lease":true,"regions":[{"id":"a","shape":{"rect":[600,0,9,9]}}]}"#
        #expect(try harness.client.request(define).flag("ok") == true)
        let rows = try harness.client.request(#"{"cmd":"devices","id":1}"#).objects("devices")
        #expect(rows.map { $0.object("output")?.number("rotation") } == [0, 180])
    }

    @Test(
        "mistakes change nothing",
        arguments: [
            (#""device":"panle","rotation":90"#, "not_found", "no panel \"panle\" is ready"),
            (#""rotation":45"#, "bad_value", "\"rotation\" must be one of 0, 90, 180, 270, \"flipped\", "),
            (#""rotation":"90""#, "bad_value", "\"rotation\" must be one of"),
            (#""rotation":"Flipped""#, "bad_value", "\"rotation\" must be one of"),
            (#""rotation":null"#, "bad_value", "\"rotation\" must be one of"),
            (#""size":[1000]"#, "bad_value", "\"size\" must be [width, height], two integers from 1 to 100000"),
            (#""size":[1000,0]"#, "bad_value", "\"size\" must be [width, height]"),
            (#""size":[1000,100001]"#, "bad_value", "\"size\" must be [width, height]"),
            (#""size":[1,2,3]"#, "bad_value", "\"size\" must be a list of at most 2"),
            (#""size":"1000x500""#, "bad_value", "\"size\" must be a list"),
            (#""angle":90"#, "unknown_key", "unknown key \"angle\""),
        ])
    func mistakes(members: String, code: String, message: String) throws {
        let harness = try PanelHarness(Self.wide)
        try harness.press()
        let error = try #require(
            try harness.client.request(#"{"cmd":"set_output","id":1,\#(members)}"#).object("error"))
        #expect(error["code"] == code)
        #expect(error["message"]?.hasPrefix(message) == true, "\(error)")
        if code == "not_found" { #expect(error["suggestion"] == "panel") }
        #expect(try output(harness) == "1000x500 px, 200x100 mm, 0")
        try harness.release()
    }

    @Test("a pattern stays locked out when the panel is turned")
    func lockout() throws {
        let pattern = """
            [[region]]
            id = "screen"
            shape = "full"
            pass = true
            gestures = [{ type = "pattern", name = "secret", steps = ["tap ok", "tap no"], attempts = 1, lockout = "1h" }]

            """
        let harness = try PanelHarness(TestConfiguration.twoButtons + pattern)
        try harness.client.request(#"{"cmd":"subscribe","id":1,"events":["gesture","failed"]}"#)
        var id = 0
        func tap(x: Int, y: Int) throws {
            id += 1
            try harness.panel.land(id: id, x: x, y: y)
            try harness.panel.lift()
        }
        try tap(x: 100, y: 100)
        try tap(x: 4000, y: 100)
        _ = try harness.client.wait(for: "the pattern") { $0["gesture"] == "pattern" && $0["event"] == "gesture" }
        try tap(x: 100, y: 3000)
        try tap(x: 1500, y: 3000)
        _ = try harness.client.wait(for: "locked_out") { $0["code"] == "locked_out" }
        try set("\"rotation\":180", harness)
        let before = harness.client.lines.transcript.count
        try tap(x: 4000, y: 1000)
        try tap(x: 100, y: 1000)
        try harness.client.wait(for: "gesture tap no")
        try harness.client.request(#"{"cmd":"ping"}"#)
        #expect(!harness.client.lines.transcript[before...].contains { $0.contains("\"gesture\":\"pattern\"") })
    }
}
