// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Warnings")
struct WarningTests {
    /// The warnings about a configuration without errors on a panel of 480 x 270 mm.
    private func warnings(_ text: String, isSizeKnown: Bool = true) throws -> [String] {
        let (configuration, diagnostics) = ConfigurationReader.read(text, path: "t")
        let found = try #require(configuration)
        let (_, more) = found.regions(for: .fullHD, rule: nil, name: "panel", isSizeKnown: isSizeKnown)
        return (diagnostics + more).map { $0.headline }
    }

    @Test(
        "about positions of regions",
        arguments: [
            ("{ rect = [0, 0, 1920, 1080] }", nil),
            ("{ rect = [1910, 0, 20, 1080] }", "lies 50 % outside output \"panel\" (1920x1080)"),
            ("{ rect = [-660, 0, 1000, 1080] }", "lies 66 % outside output \"panel\" (1920x1080)"),
            ("{ rect = [1920, 0, 20, 20] }", "can never be hit: it lies outside output \"panel\" (1920x1080)"),
            ("{ rect = [0, 0, \"0.000001%\", 20] }", "can never be hit: it has no area"),
            ("{ circle = { center = [\"100%\", 0], radius = 50 } }", nil),
            ("{ circle = { center = [\"101%\", 0], radius = 50 } }", "lies 85 % outside output \"panel\" (1920x1080)"),
            ("{ polygon = [[0, 0], [3840, 0], [0, 1080]] }", "lies 50 % outside output \"panel\" (1920x1080)"),
            ("{ polygon = [[0, 0], [\"1%\", 0], [20, 0]] }", "can never be hit: it has no area"),
            ("{ polygon = [[0, 0], [192, 108], [\"20%\", \"20%\"]] }", "can never be hit: it has no area"),
        ] as [(String, String?)])
    func places(shape: String, message: String?) throws {
        let said = try warnings("[[region]]\nid = \"ok\"\nshape = \(shape)\n")
        #expect(said == (message.map { ["t:3:9: warning: region \"ok\" " + $0] } ?? []))
    }

    @Test func aChildOutsideItsParent() throws {
        let text = """
            [[region]]
            id = "a"
            shape = { rect = [0, 0, 100, 100] }
            [[region]]
            id = "b"
            parent = "a"
            shape = { rect = [50, 0, 100, 100] }
            [[region]]
            id = "c"
            parent = "b"
            shape = { rect = [60, 0, 10, 100] }
            """
        #expect(
            try warnings(text) == [
                "t:7:9: warning: region \"b\" lies 50 % outside its parent \"a\"",
                "t:11:9: warning: region \"c\" can never be hit: it lies outside its parent \"b\"",
            ])
    }

    private static let below = "[[region]]\nid = \"low\"\nshape = { rect = [100, 100, 100, 100] }\n"

    @Test(
        "about covered regions",
        arguments: [
            ("[[region]]\nid = \"x\"\nshape = \"full\"", ["low"]),
            ("[[region]]\nid = \"x\"\nshape = \"full\"\npass = true", []),
            ("[[region]]\nid = \"x\"\nshape = \"full\"\nz = -1", []),
            ("[[region]]\nid = \"x\"\nshape = { circle = { center = [150, 150], radius = \"200mm\" } }", []),
            ("[[region]]\nid = \"x\"\nshape = { rect = [0, 0, 199, 200] }", []),
            (
                "[[region]]\nid = \"x\"\nshape = { rect = [0, 0, 150, 1080] }\n"
                    + "[[region]]\nid = \"y\"\nshape = { rect = [150, 0, 500, 150] }\n"
                    + "[[region]]\nid = \"z\"\nshape = { rect = [150, 150, 50, 50] }", ["low"]
            ),
            ("[[region]]\nid = \"x\"\nparent = \"low\"\nshape = \"full\"", []),
        ] as [(String, [String])])
    func covered(above: String, expected: [String]) throws {
        let said = try warnings(Self.below + above)
        #expect(said.count == expected.count, "\(said)")
        for (line, id) in zip(said, expected) {
            #expect(line.hasPrefix("t:3:9: warning: region \"\(id)\" can never be hit: \"x\""))
            #expect(line.hasSuffix("above cover it"))
        }
    }

    @Test("a margin must be covered, too")
    func coveredMargin() throws {
        let text = Self.below + "margin = \"10px\"\n[[region]]\nid = \"x\"\nshape = { rect = "
        #expect(try warnings(text + "[91, 90, 119, 120] }") == [])
        #expect(
            try warnings(text + "[90, 90, 120, 120] }")
                == ["t:3:9: warning: region \"low\" can never be hit: \"x\" above cover it"])
    }

    @Test("about rest_after, where contacts do not disturb each other")
    func restWithoutEffect() throws {
        let text = "version = 1\n[[region]]\nid = \"a\"\nshape = \"full\"\nrest_after = \"2s\"\ngestures = [\"tap\"]\n"
        #expect(try warnings(text) == [])
        #expect(try warnings(text + "contacts = \"near\"\n") == [])
        func holding(_ delay: String) -> String {
            text.replacing("[\"tap\"]", with: "[{ type = \"long_press\", fingers = 2, delay = \"\(delay)\" }]")
        }
        #expect(try warnings(holding("1.9s")) == [])
        #expect(try warnings(holding("2s")).first?.contains("a.long_press is rarely recognized") == true)
        let found = try warnings(text + "contacts = \"each\"\n")
        #expect(found.count == 1)
        #expect(found.first?.contains("region \"a\": rest_after has no effect, because contacts is \"each\"") == true)
    }

    @Test(
        "about gestures",
        arguments: [
            ("{ type = \"tap\", wait = true }, \"double_tap\"", "a.tap is decided up to 400 ms after the lift"),
            (
                "{ type = \"tap\", wait = true, gap = \"1.5s\" }, { type = \"tap\", name = \"b\", count = 9 }",
                "a.tap is decided up to 1500 ms after the lift"
            ),
            (
                "{ type = \"tap\", wait = true }, \"two_finger_tap\"",
                "a.tap has wait, but there is no tap with a higher count to wait for"
            ),
            (
                "{ type = \"double_tap\", min_gap = \"400ms\", bounce_distance = \"16mm\" }",
                "a.double_tap can never be recognized: min_gap is not shorter than gap"
            ),
            (
                "{ type = \"double_tap\", min_gap = \"400ms\" }",
                "a.double_tap can hardly be recognized: min_gap is not shorter than gap, so another tap in the same place "
                    + "is a bounce"
            ),
            ("{ type = \"double_tap\", min_gap = \"400ms\", bounce_distance = \"0mm\" }", nil),
            ("{ type = \"tap\", min_gap = \"400ms\" }", nil),
            (
                "{ type = \"tap\", min_time = \"500ms\" }",
                "a.tap can never be recognized: min_time is not shorter than max_time"
            ),
            ("{ type = \"tap\", min_time = \"499ms\" }", nil),
            (
                "{ type = \"tap\", max_lift_spread = \"1s\" }",
                "a.tap: max_lift_spread has no effect for a single finger"
            ),
            ("{ type = \"two_finger_tap\", max_lift_spread = \"1s\" }", nil),
            (
                "{ type = \"tap\", inside = true }",
                "a.tap: inside has no effect: a finger exceeds slop (3 mm) before it leaves the region at 4 mm (leave)"
            ),
            ("{ type = \"tap\", inside = true, slop = \"4mm\" }", nil),
            (
                "{ type = \"long_press\", inside = true, slop = \"3.9mm\" }",
                "a.long_press: inside has no effect: a finger exceeds slop (3.9 mm) before it leaves the region "
                    + "at 4 mm (leave)"
            ),
            ("{ type = \"long_press\", inside = true }", nil),
            (
                "{ type = \"repeat\", max_duration = \"499ms\" }",
                "a.repeat can never be recognized: max_duration is shorter than delay"
            ),
            ("{ type = \"repeat\", max_duration = \"500ms\" }", nil),
            (
                "{ type = \"repeat\", interval = \"29ms\" }",
                "a.repeat never reaches its min_interval: interval is shorter"
            ),
            ("{ type = \"repeat\", interval = \"30ms\" }", nil),
            (
                "{ type = \"swipe\", max_time = \"7ms\" }",
                "a.swipe can never be recognized: no finger moves min_distance within its max_time"
            ),
            ("{ type = \"swipe\", max_time = \"8ms\" }", nil),
            (
                "{ type = \"swipe\", min_velocity = \"1301mm/s\" }",
                "a.swipe can never be recognized: no finger is as fast as its min_velocity; set at most 1300 mm/s"
            ),
            ("{ type = \"swipe\", min_velocity = \"1300mm/s\" }", nil),
            (
                "{ type = \"swipe\", min_distance = \"26mm\", directions = [\"left\"] }",
                "a.swipe needs 26 mm (min_distance), but its region has only 25 mm"
            ),
            ("{ type = \"swipe\", min_distance = \"25mm\", directions = [\"left\"] }", nil),
            (
                "{ type = \"dial\", min_radius = \"29mm\" }",
                "a.dial turns at 29 mm from the centre of its region (min_radius), but its region ends at 28 mm"
            ),
            ("{ type = \"dial\", min_radius = \"27mm\" }", nil),
            ("{ type = \"dial\", min_radius = \"29mm\", center = \"drawn\" }", nil),
            (
                "{ type = \"dial\", start = 20, center = \"drawn\" }",
                "a.dial: start has no effect, because a drawn circle needs a turn of 150°"
            ),
            ("{ type = \"dial\", start = 160, center = \"drawn\" }", nil),
            (
                "{ type = \"chain\", path = [\"up\", \"left\"], min_segment = \"26mm\" }",
                "a.chain needs 26 mm (min_segment), but its region has only 25 mm"
            ),
            ("{ type = \"chain\", path = [\"up\", \"left\"], min_segment = \"25mm\" }", nil),
            (
                "{ type = \"chain\", path = [\"up\", \"left\"], max_time = \"15ms\" }",
                "a.chain can never be recognized: no finger draws its path within its max_time"
            ),
            ("{ type = \"chain\", path = [\"up\", \"left\"], max_time = \"16ms\" }", nil),
            (
                "{ type = \"chain\", path = [\"up\", \"left\"], min_segment = \"0mm\" }",
                "a.chain can hardly be recognized: with a min_segment of 0, every tremble is a segment"
            ),
            (
                "{ type = \"drag\", lock = true }",
                "a.drag: lock has no effect without an axis; set axis = \"horizontal\" or \"vertical\""
            ),
            ("{ type = \"drag\", lock = true, axis = \"vertical\" }", nil),
            (
                "{ type = \"drag\", lock = true, axis = \"horizontal\", zoom = true }",
                "a.drag always has the scale 1: lock keeps it from moving up and down"
            ),
            ("{ type = \"drag\", lock = true, axis = \"vertical\", zoom = true }", nil),
            ("{ type = \"drag\", axis = \"horizontal\", zoom = true }", nil),
            (
                "{ type = \"drag\", fingers = \"1..3\", min_fingers = 2 }",
                "a.drag may begin with fewer fingers than its min_fingers, and then ends with the first lift"
            ),
            ("{ type = \"drag\", fingers = \"2..3\", min_fingers = 2 }", nil),
            ("{ type = \"swipe\", min_distance = \"40mm\", directions = [\"left\", \"up\"] }", nil),
            ("\"tap\", \"double_tap\"", nil),
        ] as [(String, String?)])
    func gestures(list: String, message: String?) throws {
        let said = try warnings("[[region]]\nid = \"a\"\nshape = { rect = [0, 0, 100, 200] }\ngestures = [\(list)]\n")
        #expect(said == (message.map { ["t:4:13: warning: " + $0] } ?? []))
    }

    @Test(
        "about a stroke that has the shape of an earlier one",
        arguments: [
            ("", ", min_length = \"40mm\"", true), (", min_length = \"40mm\"", "", false),
            (", rotation = 10", "", false), (", min_score = 0.9", "", false), (", after = [\"tap\"]", "", false),
            (", closed = false", "", false), ("", ", closed = false", true),
        ])
    func strokes(first: String, second: String, isHidden: Bool) throws {
        let said = try warnings(
            """
            [[region]]
            id = "a"
            shape = { rect = [0, 0, 100, 200] }
            gestures = [
              "tap",
              { type = "stroke", name = "vee", points = [[0, 0], [1, 2], [2, 0]]\(first) },
              { type = "stroke", name = "same", points = [[5, 5], [15, 25], [25, 5]]\(second) },
              { type = "stroke", name = "other", points = [[0, 0], [1, 3], [2, 0]] },
            ]

            """)
        let place = "t:7:3: warning: a.same can never be recognized: "
        #expect(said == (isHidden ? [place + "\"vee\" of the same region comes first and has the same shape"] : []))
    }

    @Test func narrowEdgesMayHaveSwipes() throws {
        let text = "[[region]]\nid = \"a\"\nshape = { edge = \"left\", width = \"3mm\" }\n"
        #expect(try warnings(text + "gestures = [{ type = \"swipe\", directions = [\"right\"] }]") == [])
    }

    @Test func millimetersOnAPanelOfUnknownSize() throws {
        let text = """
            [[region]]
            id = "a"
            shape = { rect = [0, 0, 100, 100] }
            gestures = ["tap", { type = "long_press", slop = "3mm" }]
            [[region]]
            id = "b"
            shape = { rect = [200, 0, "3mm", 100] }
            """
        #expect(try warnings(text) == [])
        #expect(
            try warnings(text, isSizeKnown: false) == [
                "t:4:20: warning: lengths are in mm, but the size of output \"panel\" (1920x1080) is unknown and "
                    + "assumed; set size_mm in its [[device]]"
            ])
    }

    @Test func namesThatDoNotExist() throws {
        let text = """
            [[region]]
            id = "map"
            shape = "full"
            gestures = ["drag"]
            [[scene]]
            id = "s"
            regions = ["mpa", "m*", "pad.*"]
            [arbitration]
            simultaneous = [["map.drag", "map.drug"]]
            """
        #expect(
            try warnings(text) == [
                "t:7:12: warning: scene \"s\": no region is named \"mpa\"; did you mean \"map\"?",
                "t:7:25: warning: scene \"s\": no region is named \"pad.*\"",
                "t:9:30: warning: no region has a gesture \"map.drug\"; did you mean \"map.drag\"?",
            ])
    }

    @Test func decisionDelays() throws {
        let text = """
            [[region]]
            id = "a"
            shape = "full"
            gestures = [
              "press", "tap", { type = "tap", name = "w", wait = true }, "double_tap", "long_press", "repeat", "drag",
              { type = "drag", name = "d", start = "0mm" }, "swipe", { type = "swipe", name = "s", when = "threshold" },
            ]
            """.replacing("gestures = [\n ", with: "gestures = [")
        #expect(
            try layout(text).decisionDelays(of: 0).map { $0.description } == [
                "at the landing", "at the lift", "up to 400 ms after the lift", "at the lift",
                "500 ms after the landing", "500 ms after the landing", "at the movement", "at the landing",
                "at the lift", "at the movement",
            ])
    }

    @Test func withoutAPanelTheConfigurationsOwnOutputIsUsed() throws {
        let text = """
            [[device]]
            id = "small"
            match = { name = "s" }
            output = { size = [100, 100] }
            [[device]]
            id = "none"
            match = { name = "*" }
            ignore = true
            [[region]]
            id = "a"
            shape = { rect = [50, 0, 100, 100] }
            """
        let configuration = try #require(ConfigurationReader.read(text, path: "t").configuration)
        #expect(
            configuration.panelWarnings().map { $0.headline } == [
                "t:11:9: warning: region \"a\" lies 50 % outside output \"small\" (100x100)"
            ])
        #expect(configuration.nominalPanel(for: nil).size.widthPixels == 1920)
        #expect(configuration.nominalPanel(for: nil).size.widthMillimeters == 508)
        #expect(!configuration.nominalPanel(for: nil).isSizeKnown)
    }
}
