// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// `explain` also reports regions that cover others, contacts that ended without a lift, and paths.
@Suite("Explaining causes")
struct ExplainedCausesTests {
    /// A page with a button on it.
    private static let page = """
        [[region]]
        id = "screen"
        shape = "full"
        gestures = [{ type = "swipe", name = "page" }, "pinch"]
        [[region]]
        id = "ok"
        shape = { rect = [20, 20, 60, 60] }
        gestures = ["press", "tap"]

        """
    /// A stroke to the left that begins on the button, and a tap on it.
    private static let stroke = ExplainTests.recording((1000, 70, 30, 30, 200), (3000, 50, 50, 50, 80))

    private func explain(
        _ configuration: String, _ recording: String, _ options: [String] = [], columns: Int? = nil
    ) throws -> String {
        let folder = try ScratchFolder()
        let file = try folder.write(panelTable() + configuration, to: "gestured.toml")
        let environment = columns.map { ["COLUMNS": "\($0)", "LC_ALL": "C.UTF-8"] } ?? [:]
        let outcome = try Tool.run(
            ["explain", "-", "-c", file] + options, environment: environment, input: Data(recording.utf8))
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return outcome.output
    }

    // MARK: Regions that cover others

    @Test(
        "the owner of a touch lacks the gesture, and a region below it has it",
        arguments: [
            (["-g", "swipe"], "ok owns this touch and has no swipe; it covers screen, which has swipe \"page\""),
            (["-g", "pinch"], "ok owns this touch and has no pinch; it covers screen, which has one"),
            (["--name", "page"], "ok owns this touch and has no swipe; it covers screen, which has swipe \"page\""),
            (["-r", "screen"], "ok owns this touch and covers screen"),
            (["-r", "screen", "-g", "swipe", "-g", "tap"], "ok owns this touch and covers screen"),
            ([], "ok owns this touch and has no swipe; it covers screen, which has swipe \"page\""),
        ])
    func covered(options: [String], remark: String) throws {
        let text = try explain(Self.page, Self.stroke, options)
        #expect(text.contains("1.000000  ok  1 finger 70,30 → 30,30, 200 ms\n     \(remark)\n"), "\(text)")
        // A tap was recognized, so that nothing needs to be said about it unless something else was selected.
        #expect(text.components(separatedBy: "covers").count == (options.isEmpty ? 2 : 3), "\(text)")
    }

    @Test(
        "gestures that need the movement of the fingers are named first",
        arguments: [
            (
                "\"double_tap\", \"long_press\", \"swipe\", \"drag\"",
                "has no swipe or drag; it covers screen, which has both"
            ),
            ("\"double_tap\", \"drag\", \"pinch\"", "has no drag; it covers screen, which has one"),
            (
                "\"swipe\", { type = \"drag\", name = \"pan\" }",
                "has no swipe or drag; it covers screen, which has swipe, drag \"pan\""
            ),
            // These need another movement, or more fingers.
            ("\"double_tap\", { type = \"swipe\", directions = [\"up\"] }", "covers screen, which has double_tap"),
            ("\"double_tap\", { type = \"drag\", axis = \"vertical\" }", "covers screen, which has double_tap"),
            ("\"double_tap\", { type = \"swipe\", fingers = 2 }", "covers screen, which has double_tap"),
        ])
    func moved(gestures: String, remark: String) throws {
        let page = Self.page.replacing("{ type = \"swipe\", name = \"page\" }, \"pinch\"", with: gestures)
        let text = try explain(page, Self.stroke, ["-n", "1"])
        #expect(text.contains("\n     ok owns this touch and \(remark)\n"), "\(text)")
    }

    @Test("two fingers that spread on a button")
    func spread() throws {
        let page = Self.page.replacing("\"pinch\"", with: "\"drag\", \"pinch\", \"rotate\", \"double_tap\"")
        let text = try explain(
            page,
            ExplainTests.frames(
                "1000: 2f 0, 39 1, 35 400, 36 500, 2f 1, 39 2, 35 600, 36 500\n1010: 35 700\n1020: 35 800\n"
                    + "1030: 39 -1, 2f 0, 39 -1"))
        #expect(
            text.contains("\n     ok owns this touch and has no pinch or rotate; it covers screen, which has both\n"),
            "\(text)")
    }

    @Test("a swipe that begins on the button of the shipped configuration")
    func shipped() throws {
        let folder = try ScratchFolder()
        let recording = try folder.write(
            ExplainTests.recording((1000, 20, 85, 60, 200)).replacing("999 0 0 0", with: "999 0 0 10"),
            to: "ok.evemu")
        let outcome = try Tool.run(["explain", recording, "-c", BuildProducts.root + "/config/gestured.toml"])
        #expect(
            outcome.output.contains(
                "\n     ok owns this touch and has no swipe or drag; it covers screen, which has both\n"),
            "\(outcome.output)")
    }

    @Test(
        "a movement for which a gesture without movement was recognized",
        arguments: [
            ("\"button\"", "swipe \"page\"", true), ("{ type = \"long_press\", delay = \"20ms\" }", "", true),
            ("{ type = \"repeat\", delay = \"20ms\" }", "", true),
            ("{ type = \"tap\", slop = \"60mm\" }", "", true), ("\"drag\"", "", false),
        ])
    func recognized(gesture: String, name: String, isTold: Bool) throws {
        let page = Self.page.replacing("\"tap\"", with: gesture)
        let remark = "\n     ok owns this touch and has no swipe; it covers screen, which has swipe \"page\"\n"
        let text = try explain(page, Self.stroke)
        #expect(text.components(separatedBy: remark).count == (isTold ? 2 : 1), "\(text)")
        // A finger that moves less than the swipe requires, and more than a tap allows.
        let short = try explain(page, ExplainTests.recording((1000, 60, 30, 54, 200)))
        #expect(short.contains("  +  press\n") && !short.contains("has no swipe"), "\(short)")
    }

    @Test(
        "the owner has gestures of the same kind, which accept other directions",
        arguments: [
            (
                "{ type = \"swipe\", directions = [\"up\"] }",
                "{ type = \"swipe\", directions = [\"left\", \"right\"] }",
                "no swipe in that direction; it covers screen, which has swipe (left, right)"
            ),
            (
                "{ type = \"swipe\", directions = [\"up\"] }", "{ type = \"swipe\", name = \"page\" }",
                "no swipe in that direction; it covers screen, which has swipe \"page\" (left, right, up, down)"
            ),
            (
                "{ type = \"drag\", axis = \"vertical\" }", "{ type = \"drag\", axis = \"horizontal\" }",
                "no drag in that direction; it covers screen, which has drag (horizontal)"
            ),
            (
                "{ type = \"drag\", axis = \"vertical\" }", "\"drag\"",
                "no drag in that direction; it covers screen, which has drag (any direction)"
            ),
            ("{ type = \"swipe\", directions = [\"up\"] }", "{ type = \"swipe\", directions = [\"down\"] }", ""),
            ("{ type = \"drag\", axis = \"vertical\" }", "{ type = \"drag\", axis = \"vertical\" }", ""),
            ("{ type = \"swipe\", min_distance = \"50mm\" }", "\"swipe\"", ""),
        ])
    func misdirected(own: String, covered: String, remark: String) throws {
        let page = Self.page.replacing("{ type = \"swipe\", name = \"page\" }, \"pinch\"", with: covered)
            .replacing("\"tap\"", with: own)
        for options in [[], ["-g", "swipe", "-g", "drag"]] {
            let text = try explain(page, Self.stroke, options + ["-n", "1"])
            #expect(text.contains("\n     ok owns this touch and has \(remark)\n") != remark.isEmpty, "\(text)")
            #expect(!text.contains("covers") == remark.isEmpty, "\(text)")
        }
    }

    @Test("of two gestures of one kind, the missing one is named")
    func named() throws {
        let both = Self.page.replacing("[\"press\", \"tap\"]", with: "[{ type = \"swipe\", name = \"next\" }]")
        let text = try explain(both, Self.stroke, ["--name", "page"])
        #expect(
            text.contains("ok owns this touch and has no swipe \"page\"; it covers screen, which has one\n"), "\(text)")
    }

    @Test("lines of JSON list the regions below the owner")
    func json() throws {
        let text = try explain(Self.page, Self.stroke, ["--json"])
        #expect(text.contains(#""region":"ok","sequence":1,"role":"owner","covers":["screen"],"time_us":1000000"#))
    }

    @Test(
        "nothing is said about a region that gets the touch, that does not exist at present, or that is elsewhere",
        arguments: [
            ("id = \"ok\"\n", "id = \"ok\"\nparent = \"screen\"\n"),
            ("shape = \"full\"\n", "shape = \"full\"\npass = true\n"),
            ("shape = \"full\"\n", "shape = \"full\"\nenabled = false\n"),
            ("shape = \"full\"\n", "shape = { rect = [0, 0, 100, 30] }\n"),
            ("shape = \"full\"\n", "shape = { circle = { center = [20, 80], radius = 50 } }\n"),
            ("shape = \"full\"\n", "shape = \"full\"\nz = 1\n"),
            // A child that is clipped by its parent, one whose parent is off, and a region in the button.
            (
                "id = \"screen\"\n",
                "id = \"box\"\nshape = { rect = [0, 0, 69, 30] }\n[[region]]\nparent = \"box\"\n"
                    + "id = \"screen\"\n"
            ),
            (
                "id = \"screen\"\n",
                "id = \"box\"\nenabled = false\nshape = \"full\"\n[[region]]\nparent = \"box\"\nid = \"screen\"\n"
            ),
            ("id = \"screen\"\n", "id = \"screen\"\nparent = \"ok\"\npass = true\n"),
            // The finger is handed over to it later.
            (
                "id = \"ok\"\nshape = { rect = [20, 20, 60, 60] }",
                "id = \"ok\"\ncapture = \"follow\"\nshape = { rect = [60, 20, 20, 20] }"
            ),
        ])
    func uncovered(old: String, new: String) throws {
        let text = try explain(Self.page.replacing(old, with: new), Self.stroke, ["-g", "swipe", "-n", "1"])
        #expect(!text.contains("covers"), "\(text)")
    }

    @Test("a nested region covers what its parent covers")
    func nested() throws {
        let nested =
            Self.page.replacing("id = \"ok\"\n", with: "id = \"panel\"\n") + """
                [[region]]
                id = "ok"
                parent = "panel"
                shape = "full"
                gestures = ["press"]
                """
        let text = try explain(nested, Self.stroke, ["-g", "swipe", "-n", "1"])
        #expect(text.contains("     ok owns this touch and has no swipe; it covers screen, which has swipe"), "\(text)")
    }

    // MARK: Contacts that end without a lift

    private static let held = """
        [[region]]
        id = "ok"
        shape = "full"
        gestures = ["press", "swipe"]
        [filter]
        max_contact_age = "10s"
        storm = { contacts_per_second = 2 }

        """

    @Test(
        "explain names each cause of sync_lost",
        arguments: [
            (
                "1000: 2f 0, 39 1, 35 100, 36 100\n12000: 39 -1",
                "the contact was down for 10 s, see [filter] max_contact_age"
            ),
            (
                "1000: 2f 0, 39 1, 35 100, 36 100\n1100: 2f 1, 39 2, 35 900, 36 900\n1150: 39 -1\n1200: 39 3\n"
                    + "1250: 39 -1\n1500: 2f 0, 39 -1",
                "the contact was one of many ghost touches, see [filter] storm"
            ),
            (
                "1000: 2f 0, 39 1, 35 100, 36 100\n1100: 39 2\n1200: 39 -1",
                "the panel began another contact in its place without a lift"
            ),
            (
                "1000: 2f 0, 39 1, 35 100, 36 100\n1100: lost\n1200: 39 -1",
                "events of the panel were lost"
            ),
        ])
    func lost(frames: String, cause: String) throws {
        let text = try explain(Self.held, ExplainTests.frames(frames), ["-n", "1"])
        #expect(text.contains("  +  press  cancelled: \(cause)\n"), "\(text)")
        let json = try explain(Self.held, ExplainTests.frames(frames), ["-n", "1", "--json"])
        #expect(json.contains(#""cancelled":"sync_lost","cause":"\#(cause)"}"#), "\(json)")
        guard !cause.contains("ghost") else { return }
        #expect(text.contains("  -  swipe  \(cause)\n") && text.hasSuffix("  \(cause)\n"), "\(text)")
        #expect(json.contains(#""code":"sync_lost","message":"\#(cause)"}"#), "\(json)")
    }

    @Test("a contact that another one has replaced while events were lost")
    func lostAndReplaced() throws {
        let later = ExplainTests.frames("1100: 2f 0, 39 2, 35 100, 36 100\n1200: 39 -1")
        let recording =
            "# gestured: format 1\n" + ExplainTests.frames("1000: 2f 0, 39 1, 35 100, 36 100")
            + "# gestured: resync\n" + later.dropFirst(ReplayTests.header.count)
        let text = try explain(Self.held, recording, ["-n", "1"])
        #expect(text.contains("  +  press  cancelled: events of the panel were lost\n"), "\(text)")
    }

    @Test("other cancels are told in words")
    func cancelled() throws {
        let both = Self.held.replacing("\"press\", \"swipe\"", with: "\"press\", \"pinch\"")
        let text = try explain(
            both,
            ExplainTests.frames(
                "1000: 2f 0, 39 1, 35 400, 36 500\n1000: 2f 1, 39 2, 35 600, 36 500\n1010: 35 800\n"
                    + "1020: 39 -1\n1020: 2f 0, 39 -1"
            ))
        #expect(text.contains("  +  press  cancelled: another finger landed\n"), "\(text)")
    }

    // MARK: Paths, directions and pauses

    @Test("a finger that moves down and up again: the length of its path, and its farthest point")
    func detour() throws {
        let down = (1...40).map { "\(1000 + $0 * 10): 36 \(200 + $0 * 10)" }
        let up = (1...33).map { "\(1400 + $0 * 10): 36 \(600 - $0 * 10)" }
        let frames = ["1000: 2f 0, 39 1, 35 500, 36 200"] + down + up + ["1740: 39 -1"]
        let recording = ExplainTests.frames(frames.joined(separator: "\n"))
        let text = try explain(Self.held, recording)
        #expect(text.contains("1 finger 50,20 → 50,27 (73 mm long, farthest at 50,60), 740 ms\n"), "\(text)")
        let json = try explain(Self.held, recording, ["--json"])
        #expect(
            json.contains(#""from":[50.0,20.0],"to":[50.0,27.0],"path_mm":73.0,"farthest":[50.0,60.0],"#), "\(json)")
    }

    @Test("a finger that trembles, and one that moves straight, have no such path")
    func straight() throws {
        let trembling = (1...300).map { "\(1000 + $0 * 10): 35 \(500 + $0 % 2 * 8)" }
        let frames = ["1000: 2f 0, 39 1, 35 500, 36 200"] + trembling + ["4010: 39 -1"]
        #expect(!(try explain(Self.held, ExplainTests.frames(frames.joined(separator: "\n")))).contains("long"))
        #expect(!(try explain(Self.held, Self.stroke)).contains("long"))
    }

    @Test("a swipe in another direction, and one with a pause before the lift")
    func swipes() throws {
        let sideways = Self.held.replacing("\"swipe\"", with: "{ type = \"swipe\", directions = [\"up\", \"down\"] }")
        let text = try explain(sideways, Self.stroke, ["-n", "1"])
        #expect(text.contains("  -  swipe  went left; directions are up, down  see directions\n"), "\(text)")
        let frames = (0...10).map { "\(1000 + $0 * 10): 2f 0, 39 1, 35 \(200 + $0 * 30), 36 500" } + ["1350: 39 -1"]
        let paused = try explain(Self.held, ExplainTests.frames(frames.joined(separator: "\n")))
        #expect(
            paused.contains("  -  swipe  stood still for 250 ms > rest 150 ms  needs rest = \"250ms\"\n"), "\(paused)")
        #expect(paused.hasSuffix("stood still for 250 ms > rest 150 ms\n"), "\(paused)")
        // If the finger trembles meanwhile, a longer rest does not help.
        let tremble = (0...3).map { "\(1160 + $0 * 60): 35 \(505 - $0 % 2 * 5)" }
        let unsteady = Array(frames.dropLast()) + tremble + ["1350: 39 -1"]
        let trembling = try explain(Self.held, ExplainTests.frames(unsteady.joined(separator: "\n")))
        #expect(
            trembling.contains("  -  swipe  stood still for 250 ms > rest 150 ms  see min_velocity\n"), "\(trembling)")
    }

    // MARK: Width

    @Test("no line is longer than the terminal", arguments: [60, 80, 200])
    func width(columns: Int) throws {
        let long = String(repeating: "long.", count: 8)
        let names = Self.page.replacing("\"ok\"", with: "\"\(long)ok\"").replacing(
            "\"screen\"", with: "\"\(long)screen\""
        )
        .replacing("\"page\"", with: "\"\(long)page\"")
        for options in [[], ["-g", "swipe"], ["-g", "tap"], ["-r", "*screen"]] {
            let text = try explain(names, Self.stroke, options, columns: columns)
            let lines = text.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= columns }, "\(text)")
        }
        let slow = ExplainTests.recording((1000, 90, 10, 10, 700))
        let text = try explain(Self.page, slow, columns: columns)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns }, "\(text)")
        #expect(text.contains("needs max_time = \"700ms\""), "\(text)")
    }
}
