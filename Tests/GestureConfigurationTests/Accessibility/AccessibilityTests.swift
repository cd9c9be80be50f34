// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

/// Findings about panels that somebody may be unable to use.
@Suite("Accessibility")
struct AccessibilityTests {
    /// Returns the findings about a panel of 480 x 270 mm with four pixels per millimetre, such as `path_only a.swipe`.
    private func findings(
        _ text: String, on panel: PanelSize = .fullHD, isSizeKnown: Bool = true,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws -> [AccessibilityFinding] {
        let (configuration, diagnostics) = ConfigurationReader.read(text, path: "t")
        let found = try #require(configuration, "\(diagnostics)", sourceLocation: sourceLocation)
        return found.layout(for: panel, name: "panel", isSizeKnown: isSizeKnown).accessibility
    }

    private func short(_ findings: [AccessibilityFinding]) -> [String] {
        findings.map { finding in
            ([finding.rule.rawValue] + [[finding.region, finding.gesture].compactMap { $0 }.joined(separator: ".")])
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    private static func region(
        _ id: String, _ gestures: String, _ shape: String = "\"full\"", _ more: String = ""
    ) -> String {
        "[[region]]\nid = \"\(id)\"\nshape = \(shape)\ngestures = [\(gestures)]\n\(more)\n"
    }

    private static func scene(_ id: String, _ regions: String) -> String {
        "[[scene]]\nid = \"\(id)\"\nregions = [\(regions)]\n"
    }

    // MARK: Alternatives

    @Test(
        "a gesture that needs more than one touch has to have a tap with its action",
        arguments: [
            ("\"tap\", \"double_tap\", \"button\"", []),
            ("\"two_finger_tap\"", ["multi_finger_only a.two_finger_tap"]),
            ("{ type = \"tap\", fingers = 3 }", ["multi_finger_only a.tap"]),
            ("{ type = \"long_press\", fingers = 2 }", ["multi_finger_only a.long_press"]),
            ("{ type = \"drag\", fingers = \"2..3\" }", ["multi_finger_only a.drag"]),
            ("{ type = \"drag\", fingers = \"any\" }", ["drag_only a.drag"]),
            ("{ type = \"swipe\", fingers = 2 }", ["multi_finger_only a.swipe"]),
            ("\"pinch\", \"rotate\"", ["multi_finger_only a.pinch", "multi_finger_only a.rotate"]),
            ("\"swipe\"", ["path_only a.swipe"]),
            ("\"drag\"", ["drag_only a.drag"]),
            ("\"long_press\"", ["hold_only a.long_press"]),
            ("\"repeat\"", ["hold_only a.repeat"]),
            ("\"press\", \"repeat\"", []),
            ("\"double_tap\", \"repeat\"", ["hold_only a.repeat"]),
            (
                "{ type = \"tap\", action = \"select\" }, { type = \"repeat\", action = \"delete\" }",
                ["hold_only a.repeat"]
            ),
            (
                "{ type = \"swipe\", action = \"next\" }, { type = \"tap\", action = \"next\", min_time = \"1s\" }",
                ["path_only a.swipe", "hold_only a.tap"]
            ),
            ("{ type = \"tap\", min_time = \"50ms\" }", []),
            ("{ type = \"chain\", path = [\"up\", \"right\"] }, \"dial\"", ["path_only a.chain", "path_only a.dial"]),
            ("{ type = \"swipe\", action = \"next\" }, { type = \"tap\", action = \"next\" }", []),
            ("{ type = \"swipe\", action = \"next\" }, { type = \"button\", action = \"next\" }", []),
            ("{ type = \"swipe\", action = \"next\" }, { type = \"tap\", action = \"back\" }", ["path_only a.swipe"]),
            (
                "{ type = \"swipe\", action = \"next\" }, { type = \"double_tap\", action = \"next\" }",
                ["path_only a.swipe"]
            ),
            (
                "{ type = \"swipe\", action = \"next\" }, { type = \"long_press\", action = \"next\" }",
                ["path_only a.swipe", "hold_only a.long_press"]
            ),
            (
                "{ type = \"swipe\", action = \"next\" }, \"press\", "
                    + "{ type = \"tap\", action = \"next\", after = [\"press\"] }",
                ["path_only a.swipe"]
            ),
        ] as [(String, [String])])
    func alternatives(gestures: String, expected: [String]) throws {
        #expect(try short(findings(Self.region("a", gestures))) == expected)
    }

    @Test("an alternative may be in another region, but has to be in each scene of the gesture")
    func scenes() throws {
        let swipe = Self.region("a", "{ type = \"swipe\", action = \"next\" }")
        let tap = Self.region("b", "{ type = \"tap\", action = \"next\" }")
        #expect(try short(findings(swipe + tap)) == [])
        #expect(try short(findings(swipe + tap + Self.scene("s", "\"*\""))) == [])
        #expect(try short(findings(swipe + tap + Self.scene("s", "\"b\""))) == [])
        #expect(try short(findings(swipe + tap + Self.scene("s", "\"a\""))) == ["path_only a.swipe"])
        let both = Self.scene("s", "\"*\"") + Self.scene("u", "\"a\"")
        let found = try findings(swipe + tap + both)
        #expect(
            found.map { $0.message } == [
                "a.swipe needs a movement along a path, and in scene \"u\" no tap has its action \"next\""
            ])
        #expect(found.map { $0.cure } == ["give a tap in this scene the action \"next\""])
    }

    @Test(
        "a tap with the action that is no alternative is named, with the reason",
        arguments: [
            ("{ type = \"tap\", action = \"next\", count = 9 }", ": \"b.tap\" has it, but needs 9 taps"),
            ("{ type = \"tap\", action = \"next\", fingers = 3 }", ": \"b.tap\" has it, but needs 3 fingers"),
            (
                "{ type = \"tap\", action = \"next\", min_time = \"1s\", max_time = \"2s\" }",
                ": \"b.tap\" has it, but needs a finger that stays for 1 s"
            ),
            (
                "\"press\", { type = \"tap\", action = \"next\", after = [\"press\"] }",
                ": \"b.tap\" has it, but comes only after another gesture"
            ),
            ("{ type = \"swipe\", action = \"next\", name = \"s\" }", ""),
        ])
    func obstacles(gestures: String, expected: String) throws {
        let swipe = Self.region("a", "{ type = \"swipe\", action = \"next\" }")
        let found = try findings(swipe + Self.region("b", gestures)).first
        let text = "a.swipe needs a movement along a path, and no tap has its action \"next\""
        #expect(found?.message == text + expected)
        #expect(found?.cure == "give a tap the action \"next\"")
    }

    @Test("a tap that a region covers is no alternative; an action that is misspelt gets the nearest one")
    func uselessTaps() throws {
        let swipe = Self.region("a", "{ type = \"swipe\", action = \"nxet\" }")
        func tap(_ action: String) -> String {
            Self.region("b", "{ type = \"tap\", action = \"\(action)\" }", "{ rect = [0, 0, 100, 100] }")
        }
        let cover = Self.region("c", "\"drag\"", "{ rect = [0, 0, 200, 200] }")
        let covered = try findings(swipe + tap("nxet") + cover).first
        #expect(covered?.message.hasSuffix(": \"b.tap\" has it, but can never be hit") == true)
        #expect(
            try findings(swipe + tap("next")).first?.cure == "give a tap the action \"nxet\"; did you mean \"next\"?")
    }

    // MARK: Targets

    /// A square of this side in pixels, at x = 100.
    private static func square(_ id: String, _ side: Int, at x: Int, _ more: String = "") -> String {
        region(id, "\"tap\"", "{ rect = [\(x), 100, \(side), \(side)] }", more)
    }

    private static let abutting = square("a", 20, at: 100) + square("b", 20, at: 120)

    @Test(
        "a small target needs room around it",
        arguments: [
            (square("a", 24, at: 100) + square("b", 24, at: 124), []),
            (square("a", 20, at: 100), []),
            (square("a", 20, at: 100) + square("b", 20, at: 124), []),
            (square("a", 20, at: 100) + square("b", 20, at: 123), ["target_size a", "target_size b"]),
            (square("a", 20, at: 100) + square("b", 40, at: 121), ["target_size a"]),
            (square("a", 20, at: 100) + square("b", 40, at: 122), []),
            // A button in a row, once both are targets and once the row only scrolls.
            (region("row", "\"tap\"") + square("a", 20, at: 100, "parent = \"row\""), ["target_size a"]),
            (
                region("row", "{ type = \"drag\", action = \"next\" }") + square("a", 20, at: 100, "parent = \"row\"")
                    + region("c", "{ type = \"tap\", action = \"next\" }", "{ rect = [0, 300, 40, 40] }"), []
            ),
            (region("row", "\"tap\"", "\"full\"", "pass = true") + square("a", 20, at: 100), []),
            // The margin counts where no other region is drawn.
            (square("a", 20, at: 100, "margin = \"2px\"") + square("b", 20, at: 130, "margin = \"2px\""), []),
            (square("a", 20, at: 100, "margin = \"4px\"") + square("b", 20, at: 120, "margin = \"4px\""), []),
            (
                square("a", 18, at: 100, "margin = \"3px\"") + square("b", 18, at: 118, "margin = \"3px\""),
                ["target_size a", "target_size b"]
            ),
            // Not on at the same time.
            (abutting + scene("s", "\"a\"") + scene("u", "\"b\""), []),
            (abutting + scene("s", "\"*\""), ["target_size a", "target_size b"]),
            (abutting + scene("s", "\"a\""), ["target_size a", "target_size b"]),
        ] as [(String, [String])])
    func pixels(text: String, expected: [String]) throws {
        #expect(try short(findings(text, isSizeKnown: false)).filter { !$0.hasPrefix("size_unknown") } == expected)
    }

    @Test("a circle is as large as the square inside it, and a clipped region as what is left of it")
    func shapes() throws {
        func circle(_ radius: Int, _ center: String = "[200, 200]") -> String {
            Self.region("a", "\"tap\"", "{ circle = { center = \(center), radius = \(radius) } }")
        }
        let big = Self.region("b", "\"tap\"")
        #expect(try short(findings(big + circle(16), isSizeKnown: false)).contains("target_size a"))
        #expect(try !short(findings(big + circle(17), isSizeKnown: false)).contains("target_size a"))
        #expect(try short(findings(big + circle(33, "[0, 0]"), isSizeKnown: false)).contains("target_size a"))
        #expect(try !short(findings(big + circle(34, "[0, 0]"), isSizeKnown: false)).contains("target_size a"))
        let clipped = Self.region("a", "\"tap\"", "{ rect = [1900, 100, 40, 40] }")
        #expect(try short(findings(big + clipped, isSizeKnown: false)).contains("target_size a"))
    }

    @Test("a target is compared with a finger if the size of the panel is known")
    func millimetres() throws {
        #expect(try short(findings(Self.square("a", 35, at: 100))) == ["finger_size a"])
        #expect(try short(findings(Self.square("a", 36, at: 100))) == [])
        #expect(try short(findings(Self.square("a", 24, at: 100, "margin = \"1mm\""))) == ["finger_size a"])
        #expect(try short(findings(Self.square("a", 24, at: 100, "margin = \"2mm\""))) == [])
        // Nobody can touch a margin beyond the edge of the panel.
        #expect(try short(findings(Self.square("a", 24, at: 0, "margin = \"2mm\""))) == ["finger_size a"])
        #expect(try short(findings(Self.square("a", 35, at: 100), isSizeKnown: false)) == ["size_unknown"])
        #expect(try short(findings(Self.region("a", ""), isSizeKnown: false)) == [])
        // Twenty pixels are 5 mm: one finding is enough.
        let near = try findings(Self.square("a", 20, at: 100) + Self.square("b", 36, at: 120))
        #expect(short(near) == ["target_size a"])
    }

    @Test("the cure for a target that something cuts names it; a margin is proposed to a region without one")
    func cures() throws {
        let size = "make it 9 x 9 mm or larger"
        #expect(try findings(Self.square("a", 35, at: 100)).first?.cure == size + ", or give it a margin")
        #expect(try findings(Self.square("a", 24, at: 100, "margin = \"1mm\"")).first?.cure == size)
        let edge = try findings(Self.region("a", "\"tap\"", "{ rect = [1900, 100, 40, 40] }"))
        #expect(edge.first?.cure == "move it away from the edge of the panel, which cuts it")
        let row = Self.region("row", "", "{ rect = [0, 100, 1920, 20] }")
        let child = Self.region("a", "\"tap\"", "{ rect = [100, 0, 100, 100] }", "parent = \"row\"")
        #expect(
            try findings(row + child).first?.cure == "enlarge its parent \"row\", which cuts it, or move it")
    }

    @Test("a small target is no barrier if a large one has the same action")
    func equivalents() throws {
        let small = Self.region("a", "{ type = \"tap\", action = \"buy\" }", "{ rect = [100, 100, 20, 20] }")
        let near = Self.square("b", 40, at: 120)
        #expect(try short(findings(small + near)) == ["target_size a"])
        let large = Self.region("c", "{ type = \"button\", action = \"buy\" }", "{ rect = [300, 300, 40, 40] }")
        #expect(try short(findings(small + near + large)) == [])
    }

    @Test("a region without a target is not measured")
    func noTargets() throws {
        let gestures = "{ type = \"swipe\", action = \"next\" }, { type = \"pinch\", action = \"next\" }"
        let small = Self.region("a", gestures, "{ rect = [100, 100, 4, 4] }")
        let tap = Self.region("b", "{ type = \"tap\", action = \"next\" }", "{ rect = [300, 300, 40, 40] }")
        #expect(try short(findings(small + tap)) == [])
    }

    // MARK: Times

    private static let up = ", { type = \"tap\", action = \"up\" }"

    private static func with(_ type: String, _ keys: String) -> String { "{ type = \"\(type)\", \(keys) }" }

    @Test(
        "times that no profile can change",
        arguments: [
            ("\"tap\", { type = \"double_tap\", gap = \"200ms\" }", ["timing_fixed a.double_tap"]),
            ("\"tap\", { type = \"double_tap\", gap = \"4s\" }", []),
            ("{ type = \"tap\", gap = \"200ms\" }", []),
            ("{ type = \"tap\", max_time = \"300ms\" }", ["timing_fixed a.tap"]),
            ("{ type = \"tap\", max_time = \"off\" }", []),
            ("\"button\"", []),
            (
                "\"tap\", \(with("repeat", "delay = \"400ms\""))",
                ["repeat_early a.repeat", "repeat_fixed a.repeat"]
            ),
            (with("repeat", "action = \"up\", delay = \"2s\", interval = \"2s\"") + up, []),
            (with("repeat", "action = \"up\", delay = \"1s\", interval = \"2s\"") + up, ["repeat_fixed a.repeat"]),
            (with("repeat", "action = \"up\", min_interval = \"1s\"") + up, ["repeat_fixed a.repeat"]),
            (with("long_press", "action = \"up\", delay = \"800ms\"") + up, ["timing_fixed a.long_press"]),
            (with("long_press", "action = \"up\", delay = \"2s\"") + up, []),
            (with("swipe", "action = \"up\", max_time = \"300ms\"") + up, ["timing_fixed a.swipe"]),
        ] as [(String, [String])])
    func times(gestures: String, expected: [String]) throws {
        #expect(try short(findings(Self.region("a", gestures))) == expected)
    }

    @Test(
        "the cure for such a time names the key of defaults",
        arguments: [
            (
                "\"tap\", { type = \"double_tap\", gap = \"1.5s\" }", "gap of 1.5 s",
                "move it to tap in defaults of the region"
            ),
            ("{ type = \"tap\", max_time = \"300ms\" }", "300 ms", "move it to tap in defaults of the region"),
            (
                "\"tap\", \(with("repeat", "interval = \"1s\", min_interval = \"1s\""))", "interval and min_interval",
                "move them to repeat in defaults of the region"
            ),
        ])
    func timeCures(gestures: String, text: String, cure: String) throws {
        let found = try #require(try findings(Self.region("a", gestures)).first)
        #expect(found.message.contains(text) && found.cure == cure, "\(found)")
    }

    @Test("a time in defaults can be changed by a profile")
    func defaults() throws {
        let ownDefaults = "defaults = { tap = { gap = \"200ms\" } }"
        let inherited = Self.region("a", "\"tap\", \"double_tap\"", "\"full\"", ownDefaults)
        #expect(try short(findings("[defaults]\ntap = { max_time = \"300ms\" }\n" + inherited)) == [])
        let early = Self.region("a", Self.with("repeat", "action = \"up\"") + Self.up)
        #expect(
            try short(findings("[defaults]\nrepeat = { delay = \"300ms\" }\n" + early)) == ["repeat_early a.repeat"])
    }

    @Test(
        "the limits of a pattern",
        arguments: [
            ("", ["pattern_timing a.pattern"]), (", max_gap = \"20s\", timeout = \"100s\"", []),
            (", max_gap = \"20s\", timeout = \"99s\"", ["pattern_timing a.pattern"]), (", action = \"menu\"", []),
            (", action = \"other\"", ["pattern_timing a.pattern"]),
        ] as [(String, [String])])
    func patterns(keys: String, expected: [String]) throws {
        let steps = "steps = [\"menu a\", \"menu a\"]"
        let gestures = "{ type = \"tap\", name = \"menu\", action = \"menu\" }, { type = \"pattern\", \(steps)\(keys) }"
        #expect(try short(findings(Self.region("a", gestures))) == expected)
    }

    @Test(
        "a press that may act, unless it is beside a gesture that ends with a lift",
        arguments: [
            ("\"press\"", ["acts_at_landing a.press"]), ("\"press\", \"tap\"", []),
            ("\"press\", \"button\"", []),
            ("{ type = \"press\", action = \"shoot\" }, \"tap\"", ["acts_at_landing a.press"]),
            ("\"tap\", { type = \"double_tap\", when = \"landing\" }", ["acts_at_landing a.double_tap"]),
        ] as [(String, [String])])
    func presses(gestures: String, expected: [String]) throws {
        #expect(try short(findings(Self.region("a", gestures))) == expected)
    }

    // MARK: Findings

    @Test("have a place, a clause and a cure, in the order of the file")
    func text() throws {
        let found = try findings(
            Self.region("row", "\"swipe\"") + Self.square("a", 20, at: 100) + Self.square("b", 36, at: 120))
        #expect(
            found.map { $0.text { _ in 1 } } == [
                """
                t:4:13: warning: row.swipe needs a movement along a path, and has no action, so no alternative is known; \
                give it an action, and give a tap the same one [path_only, EN 301 549 11.2.5.1]
                    4 | gestures = ["swipe"]
                      |             ^^^^^^^
                """,
                """
                t:8:9: warning: region "a" on panel "panel" is 20 x 20 px, and a circle of 24 px around its middle meets region \
                "b"; make it 24 x 24 px or larger, or leave more room around it [target_size, WCAG 2.2 2.5.8]
                    8 | shape = { rect = [100, 100, 20, 20] }
                      |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                """,
            ])
    }

    @Test("finding the neighbours of a thousand regions with margins takes no more than a few seconds in a debug build")
    func many() throws {
        let text = (0..<1000).map { number in
            let (x, y) = (number % 40 * 20, number / 40 * 20)
            return Self.region("r\(number)", "\"tap\"", "{ rect = [\(x), \(y), 20, 20] }", "margin = \"1px\"")
        }
        var count = 0
        let seconds = try processorSeconds { count = try findings(text.joined()).count }
        #expect(count == 1000)
        #expect(seconds < 10, "\(seconds) s")
    }
}
