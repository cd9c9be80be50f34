// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

/// Scenes, and regions that clients define and switch.
@Suite("Changes at run time")
struct RuntimeTests {
    /// Three nested regions and one beside them.
    private static let text = """
        [[region]]
        id = "a"
        shape = "full"
        [[region]]
        id = "a.b"
        parent = "a"
        shape = { rect = ["50%", 0, "50%", "100%"] }
        [[region]]
        id = "a.b.c"
        parent = "a.b"
        shape = { rect = ["50%", 0, "50%", "100%"] }
        [[region]]
        id = "z"
        shape = { rect = [0, 0, 10, 10] }
        [[scene]]
        id = "inner"
        regions = ["a.b", "z*"]

        """

    private func configuration(_ text: String = Self.text) throws -> Configuration {
        try #require(ConfigurationReader.read(text).configuration)
    }

    private func enabled(_ configuration: Configuration) -> [String] {
        configuration.regions(for: .fullHD).regions.filter { $0.isEnabled }.map { $0.id }
    }

    @Test(
        "regions that are on",
        arguments: [
            ("default", [], ["a", "a.b", "a.b.c", "z"]),
            ("inner", [], ["a.b", "z"]),
            ("default", ["a.b"], ["a", "z"]),
            ("default", ["a"], ["z"]),
            // Switching a region off also applies to its children, even if the scene lists only the children.
            ("inner", ["a"], ["z"]),
            ("inner", ["z", "nobody"], ["a.b"]),
        ] as [(String, Set<String>, [String])])
    func switches(scene: String, off: Set<String>, expected: [String]) throws {
        var runtime = RuntimeState()
        runtime.scene = scene
        runtime.switchedOff = off
        let changed = try configuration().applying(runtime)
        #expect(enabled(changed) == expected)
        #expect(zip(changed.regions, changed.isShown).filter { $1 }.map { $0.0.id } == expected)
        #expect(changed.sceneIDs == ["default", "inner"])
    }

    @Test func theDefaultSceneCannotBeDefined() {
        #expect(
            headlines("[[scene]]\nid = \"default\"\nregions = []\n") == [
                "t:2:6: error: scene \"default\" always exists and contains all regions; use another id"
            ])
    }

    /// Regions of different scenes may cover each other without a warning.
    @Test(
        "a region is covered only in another scene",
        arguments: [
            ("", 1), ("[[scene]]\nid = \"s\"\nregions = [\"low\"]\n", 0),
            ("[[scene]]\nid = \"s\"\nregions = [\"*\"]\n", 1), ("[[scene]]\nid = \"s\"\nregions = [\"top\"]\n", 1),
        ])
    func covers(scenes: String, warnings: Int) throws {
        let text = """
            [[region]]
            id = "low"
            shape = "full"
            [[region]]
            id = "top"
            shape = "full"

            """
        #expect(try configuration(text + scenes).regions(for: .fullHD).diagnostics.count == warnings)
    }

    // MARK: Definitions

    /// - Parameter more: additional keys, each preceded by a comma.
    private static func region(_ id: String, _ more: String = "") -> String {
        "{\"id\":\"\(id)\",\"shape\":\"full\"\(more)}"
    }

    private func define(_ values: String...) throws -> (rules: [RegionRule]?, diagnostics: [String]) {
        let (rules, diagnostics) = try configuration().readDefinitions(values.map { json($0) }, file: "regions")
        return (rules, diagnostics.map { $0.headline })
    }

    @Test func aDefinitionIsReadLikeARegionOfAFile() throws {
        let (rules, diagnostics) = try define(
            """
            {"id":"new","shape":{"rect":[96,0.5,"50%","25mm"]},\
            "gestures":["tap",{"type":"long_press","delay":"1s","exclusive":true}]}
            """)
        #expect(diagnostics == [])
        var runtime = RuntimeState()
        runtime.definitions = try #require(rules)
        runtime.scene = "inner"
        let changed = try configuration().applying(runtime)
        // A defined region belongs to every scene, above the regions of the files.
        #expect(enabled(changed) == ["a.b", "z", "new"])
        let written = try layout(
            """
            [[region]]
            id = "new"
            shape = { rect = [96, 0.5, "50%", "25mm"] }
            gestures = ["tap", { type = "long_press", delay = "1s", exclusive = true }]
            """)
        var expected = try #require(written.last)
        expected.isLeased = true
        #expect(changed.regions(for: .fullHD).regions.last == expected)
    }

    @Test(
        "mistakes in definitions",
        arguments: [
            ([region("a")], ["regions[0]: error: a region named \"a\" already exists"]),
            ([region("n"), region("n")], ["regions[1]: error: a region named \"n\" already exists"]),
            (
                [region("n", #","parent":"aa""#)],
                ["regions[0]: error: parent of region \"n\" is \"aa\", which does not exist; did you mean \"a\"?"]
            ),
            (
                [region("n", #","parent":"m""#), region("m", #","parent":"n""#)],
                ["regions[0]: error: region \"n\" is its own ancestor"]
            ),
            (["null"], ["regions[0]: error: a region must be a table, not null"]),
            (["[]"], ["regions[0]: error: a region must be a table, not an array"]),
            (["{}"], ["regions[0]: error: a region has no id"]),
            ([#"{"idd":"a"}"#], ["regions[0]: error: unknown key \"idd\" in region without id; did you mean \"id\"?"]),
            ([region("n", #","z":null"#)], ["regions[0]: error: z must be a whole number, not null"]),
            ([region("n", #","clip":1"#)], ["regions[0]: error: unknown key \"clip\" in region \"n\""]),
            (
                [region("n"), region("m", #","margin":3"#)],
                ["regions[1]: error: margin has no unit; add a unit: \"3mm\", \"3px\", \"3%\""]
            ),
        ])
    func mistakes(values: [String], said: [String]) throws {
        let (rules, diagnostics) = try configuration().readDefinitions(values.map { json($0) }, file: "regions")
        #expect(rules == nil)
        #expect(diagnostics.map { $0.headline } == said)
        #expect(diagnostics.allSatisfy { $0.line == 0 && $0.source == nil })
    }

    @Test func parentsMayBeDefinedWithTheirChildrenOrStandInTheFiles() throws {
        let (rules, said) = try define(
            Self.region("child", #","parent":"new""#), Self.region("new", #","parent":"a.b""#))
        #expect(said == [])
        var runtime = RuntimeState()
        runtime.definitions = try #require(rules)
        let changed = try configuration().applying(runtime)
        #expect(changed.regions.map { $0.id } == ["a", "a.b", "a.b.c", "z", "new", "child"])
        runtime.switchedOff = ["a"]
        #expect(enabled(try configuration().applying(runtime)) == ["z"])
        // A definition is ignored if the files define its id, or if its parent does not exist.
        let other = try configuration("[[region]]\nid = \"new\"\nshape = \"full\"\n").applying(runtime)
        #expect(other.regions.map { $0.id } == ["new", "child"])
        let without = try configuration("[[region]]\nid = \"z\"\nshape = \"full\"\n").applying(runtime)
        #expect(without.regions.map { $0.id } == ["z"])
    }

    @Test func stepsOfADefinedPatternMayNameAnyRegion() throws {
        let pattern = #"{"type":"pattern","steps":["tap n","tap later"]}"#
        let (rules, said) = try define(Self.region("n", #","gestures":["tap",\#(pattern)]"#))
        #expect(rules?.count == 1)
        #expect(said == ["regions[0]: warning: a step of \"pattern\": no region is named \"later\""])
    }
}
