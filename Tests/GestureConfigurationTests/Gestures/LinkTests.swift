// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

/// Gestures that refer to others in `after`, `unless`, `steps` or `[arbitration]`.
@Suite("Names of other gestures")
struct LinkTests {
    private static func gestures(_ list: String) -> String {
        "[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [\n\(list)\n]\n"
    }

    @Test(
        "in after and unless",
        arguments: [
            (#""tap", { type = "drag", after = ["tap"] }"#, []),
            (#"{ type = "drag", unless = ["later"] }, { type = "swipe", name = "later" }"#, []),
            (
                #""tap", { type = "drag", after = ["tpa"] }"#,
                [#"t:5:34: error: after: region "a" has no gesture named "tpa"; did you mean "tap"?"#]
            ),
            (
                #"{ type = "tap", name = "t" }, { type = "drag", unless = ["tap", "t"] }"#,
                [#"t:5:58: error: unless: region "a" has no gesture named "tap"; did you mean "t"?"#]
            ),
            (
                #"{ type = "drag", unless = ["drag"] }"#,
                [#"t:5:28: error: gesture "drag" of region "a" waits for itself"#]
            ),
            (
                #"{ type = "drag", unless = ["tap"] }, { type = "tap", after = ["drag"] }"#,
                [
                    #"t:5:28: error: gestures "drag" and "tap" of region "a" wait for each other"#,
                    #"t:5:63: error: gestures "tap" and "drag" of region "a" wait for each other"#,
                ]
            ),
            (#"{ type = "drag", after = "tap" }"#, [#"t:5:26: error: after must be an array of names, not a string"#]),
            (
                #"{ type = "drag", exclusive = 1 }"#,
                [#"t:5:30: error: exclusive must be true or false, not an integer"#]
            ),
        ] as [(String, [String])])
    func ofTheSameRegion(list: String, said: [String]) {
        #expect(headlines(Self.gestures(list)) == said)
    }

    /// A client may define such regions, so reading them must not take a long time on the daemon's loop.
    @Test("each of 64 gestures waits for all preceding ones")
    func manyLinks() throws {
        let gestures = (0..<64).map { number in
            let names = (0..<number).map { "\"g\($0)\"" }.joined(separator: ",")
            return "{ type = \"tap\", name = \"g\(number)\", unless = [\(names)] }"
        }
        let text = Self.gestures(gestures.joined(separator: ",\n"))
        let cycle = text.replacing("\"g0\", unless = []", with: "\"g0\", unless = [\"g63\"]")
        var (said, saidOfCycle) = ([String](), [String]())
        let seconds = processorSeconds { (said, saidOfCycle) = (headlines(text), headlines(cycle)) }
        #expect(said == [])
        #expect(saidOfCycle.first == "t:5:40: error: gestures \"g0\" and \"g63\" of region \"a\" wait for each other")
        #expect(seconds < 1)
    }

    /// Three gestures form a cycle. A gesture that waits for one of them is not part of the cycle.
    @Test func cycles() {
        let said = headlines(
            Self.gestures(
                """
                { type = "tap", unless = ["swipe"] }, { type = "swipe", after = ["drag"] },
                { type = "drag", unless = ["tap"] }, { type = "pinch", unless = ["tap"] }
                """))
        #expect(said.count == 3)
        #expect(!said.contains { $0.contains("pinch") })
    }

    @Test(
        "in the steps of a pattern",
        arguments: [
            (#"["tap a"]"#, nil),
            (#"["my_tap a", "long_press a"]"#, nil),
            (#"[]"#, #"t:5:29: error: steps has 0 steps; use 1 to 32"#),
            (#"["tap"]"#, #"t:5:30: error: a step cannot be "tap"; use a gesture and a region: "tap corner""#),
            (#"["tap "]"#, #"t:5:30: error: a step cannot be "tap "; use a gesture and a region: "tap corner""#),
            (#"[" a"]"#, #"t:5:30: error: a step cannot be " a"; use a gesture and a region: "tap corner""#),
            (#"["tap b"]"#, #"t:5:30: warning: a step of "pattern": no region is named "b""#),
            (
                #"["lap a"]"#,
                #"t:5:30: warning: a step of "pattern": region "a" has no gesture "lap"; did you mean "tap"?"#
            ),
            (#"["pattern a"]"#, #"t:5:30: warning: a step of "pattern" is the pattern itself: it can never be done"#),
        ] as [(String, String?)])
    func ofAPattern(steps: String, said: String?) {
        let list =
            "{ type = \"pattern\", steps = \(steps) },\n"
            + #"{ type = "tap", name = "my_tap" }, "long_press", "tap""#
        #expect(headlines(Self.gestures(list)) == (said.map { [$0] } ?? []))
    }

    @Test func aPatternHasSteps() {
        #expect(
            headlines(Self.gestures("\"pattern\"")) == [
                "t:5:1: error: gesture \"pattern\" of region \"a\" has no steps"
            ])
        let many = [String](repeating: "\"tap a\"", count: 33).joined(separator: ", ")
        #expect(
            headlines(Self.gestures("\"tap\", { type = \"pattern\", steps = [\(many)] }")) == [
                "t:5:36: error: steps has 33 steps; use 1 to 32"
            ])
    }

    @Test(
        "in the path of a chain",
        arguments: [
            (#"["left"]"#, nil),
            (#"["left", "up_right", "left"]"#, nil),
            (#"[]"#, "t:5:26: error: path has 0 directions; use 1 to 8"),
            (
                "[\((0..<9).map { $0 % 2 == 0 ? #""up""# : #""down""# }.joined(separator: ", "))]",
                "t:5:26: error: path has 9 directions; use 1 to 8"
            ),
            (
                #"["left", "left"]"#,
                "t:5:35: error: path has the same direction twice in a row, which a finger cannot show; name it once"
            ),
            (#""left""#, "t:5:26: error: path must be an array of directions, not a string"),
        ] as [(String, String?)])
    func path(path: String, said: String?) {
        #expect(headlines(Self.gestures("{ type = \"chain\", path = \(path) }")) == (said.map { [$0] } ?? []))
    }

    @Test func aChainHasAPath() {
        #expect(
            headlines(Self.gestures("\"chain\"")) == ["t:5:1: error: gesture \"chain\" of region \"a\" has no path"])
    }

    private static let regions = """
        [[region]]
        id = "map"
        shape = "full"
        gestures = ["drag", "pinch", { type = "tap", name = "x.y" }]
        [[region]]
        id = "map.x"
        shape = "full"
        gestures = [{ type = "tap", name = "y" }]
        [arbitration]

        """

    @Test func arbitrationIsRead() throws {
        let text =
            Self.regions + """
                simultaneous = [["map.drag", "map.pinch"], ["map.x.y", "map.drag"], ["later.on.tap", "map.drag"]]
                priority = ["rotate", "tap", "rotate"]
                """
        let read = ConfigurationReader.read(text, path: "t")
        #expect(read.diagnostics.map { $0.headline } == ["t:10:70: warning: no region has a gesture \"later.on.tap\""])
        let arbitration = try #require(read.configuration).arbitration
        func reference(_ region: String, _ gesture: String) -> ArbitrationSettings.Reference {
            .init(region: region, gesture: gesture)
        }
        #expect(
            arbitration.simultaneous == [
                .init(reference("map", "drag"), reference("map", "pinch")),
                .init(reference("map", "x.y"), reference("map", "drag")),
                .init(reference("map.x", "y"), reference("map", "drag")),
                .init(reference("later.on", "tap"), reference("map", "drag")),
            ])
        #expect(arbitration.priority == [.rotate, .tap])
    }

    @Test(
        "in arbitration",
        arguments: [
            (
                "simultaneous = [[\"map.drag\"]]",
                "t:10:17: error: a pair must be two names such as \"map.drag\", not 1"
            ),
            ("simultaneous = [[\"map.drag\", 1]]", "t:10:30: error: a name must be a string, not an integer"),
            (
                "simultaneous = [[\"map.drag\", \"map\"]]",
                "t:10:30: error: \"map\" does not name a gesture; use a region and a gesture, such as \"map.drag\""
            ),
            (
                "priority = [\"double_tap\"]",
                "t:10:13: error: a gesture cannot be \"double_tap\"; use one of \"press\", \"tap\", \"long_press\", "
                    + "\"repeat\", \"drag\", \"swipe\", \"pinch\", \"rotate\", \"dial\", \"chain\", \"stroke\", "
                    + "\"pattern\""
            ),
        ])
    func mistakes(line: String, said: String) {
        #expect(headlines(Self.regions + line) == [said])
    }
}
