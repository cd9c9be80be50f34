// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing
import TouchScripts

@Suite("gesturectl try")
struct TryTests {
    private static let page = Document("docs/trying.md")
    /// A configuration with the regions and gestures that the page names.
    private static let configuration =
        panelTable([1280, 800], millimeters: [256, 160]) + """
            [[region]]
            id = "ok"
            shape = { rect = [0, 0, 400, 300] }
            gestures = ["tap", "double_tap", { type = "tap", name = "triple", count = 3 }, "long_press", "swipe"]
            [[region]]
            id = "map"
            shape = { rect = [420, 0, 840, 380] }
            gestures = ["two_finger_tap", { type = "tap", name = "three", fingers = 3 }, "pinch", "rotate"]
            [[region]]
            id = "list"
            shape = { rect = [0, 310, 400, 480] }
            gestures = ["swipe", "drag"]
            [[region]]
            id = "volume"
            shape = { circle = { center = [600, 600], radius = 150 } }
            gestures = ["dial"]
            [[region]]
            id = "knob"
            shape = { rect = [780, 400, 100, 100] }
            gestures = ["drag"]
            [[region]]
            id = "pad"
            shape = { rect = [900, 400, 300, 300] }
            gestures = [
              { type = "stroke", name = "check", points = [[0, 0], [1, 1], [3, -2]] },
              { type = "chain", name = "hook", path = ["left", "down"] },
            ]
            [[region]]
            id = "a"
            shape = { rect = [1210, 400, 60, 60] }
            gestures = ["long_press"]
            [[region]]
            id = "b"
            shape = { rect = [1210, 500, 60, 60] }
            gestures = ["tap"]
            """
    /// The touches in the page's first table and in what follows, and the gestures that they must be.
    private static let touches: [(text: String, gestures: [String])] = [
        ("tap ok", ["ok.tap"]), ("double-tap ok", ["ok.double_tap"]), ("triple-tap ok", ["ok.triple"]),
        ("tap ok 5 times", ["ok.tap", "ok.triple"]), ("two-finger-tap map", ["map.two_finger_tap"]),
        ("tap map with 3 fingers", ["map.three"]), ("hold 800ms ok", ["ok.long_press"]),
        ("swipe left from list", ["list.swipe"]), ("swipe up 60mm from list in 150ms", ["list.swipe"]),
        ("drag up from list", ["list.drag"]), ("drag knob to 600,400", ["knob.drag"]),
        ("pinch 2x at map", ["map.pinch"]), ("pinch 0.5x at map", ["map.pinch"]),
        ("turn 90deg at volume", ["volume.dial"]), ("turn -45deg at map", ["map.rotate"]),
        ("draw check", ["pad.check"]), ("draw left,down at pad", ["pad.hook"]),
        ("hold 2s a & tap b", ["a.long_press", "b.tap"]),
    ]

    /// The command in the README, for the configuration there.
    static let readme = "gesturectl try -c FILE 'tap coffee; swipe left from carousel'"

    private static func lines(_ arguments: [String], in folder: ScratchFolder) throws -> [JSONLine] {
        let file = try folder.write(configuration, to: "panel.toml")
        let outcome = try Tool.run(["try", "-c", file, "--json"] + arguments)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return outcome.output.split(separator: "\n").compactMap { JSONLine(String($0)) }
    }

    @Test("the page shows touches that are tested")
    func page() throws {
        let table = try #require(Self.page?.text.components(separatedBy: "\n\n").first { $0.hasPrefix("| write") })
        let cells = table.split(separator: "\n").dropFirst(2).compactMap { $0.split(separator: "|").first }
        let shown = cells.flatMap { $0.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element) }
        #expect(shown.count > 15)
        let tested = Set(Self.touches.map(\.text))
        #expect(shown.filter { !tested.contains(String($0)) } == [])
    }

    @Test("recognizes what people do", arguments: touches)
    func people(text: String, gestures: [String]) throws {
        let lines = try Self.lines([text], in: ScratchFolder())
        let seen = lines.map { "\($0["region"] ?? "").\($0["name"] ?? "")" }
        #expect(gestures.allSatisfy(seen.contains), "\(seen)")
    }

    @Test("tries the ten lines of the README")
    func tenLines() throws {
        let page = try #require(Document("README.md"))
        #expect(page.quotations.contains { $0.text == Self.readme })
        let blocks = page.blocks
        let place = try #require(blocks.firstIndex { $0.language == "toml" })
        let shown = blocks[place + 1].lines.compactMap { JSONLine($0) }
        let folder = try ScratchFolder()
        let file = try folder.write(blocks[place].text, to: "panel.toml")
        let outcome = try ShellScript.run(
            "\(Self.readme.replacing("gesturectl", with: "$TOOL").replacing("FILE", with: file)) --size 1280x800")
        let lines = outcome.output.split(separator: "\n").compactMap { JSONLine(String($0)) }
        #expect(lines.count == shown.count && shown.count > 3, "\(outcome.output) \(outcome.errors)")
        for (line, part) in zip(lines, shown) { #expect(line.contains(part), "\(line)") }
    }

    @Test("plays the page's exact touches")
    func exact() throws {
        let block = try #require(Self.page?.blocks.first { $0.language == "touches" })
        let folder = try ScratchFolder()
        let file = try folder.write(Self.configuration, to: "panel.toml")
        let outcome = try Tool.run(["try", "-c", file, "--events", "touches", block.text])
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(outcome.output.contains(#""filter":"palm""#))
    }

    @Test("takes files and standard input, and so do replay and explain")
    func files() throws {
        let folder = try ScratchFolder()
        let panel = try folder.write(Self.configuration, to: "panel.toml")
        let file = try folder.write("# one tap\ntap ok\n", to: "one.touch")
        let whole = try Tool.run(["try", "-c", panel, "tap ok"]).output
        #expect(!whole.isEmpty)
        #expect(try Tool.run(["try", "-c", panel, file]).output == whole)
        #expect(try Tool.run(["try", "-c", panel, "-"], input: Data("tap ok".utf8)).output == whole)
        #expect(try Tool.run(["replay", "-c", panel, file]).output == whole)
        let story = try Tool.run(["explain", "-c", panel, file]).output
        #expect(try Tool.run(["try", "-c", panel, "--explain", "tap ok"]).output == story && story.contains("+  tap"))
    }

    @Test("says where a mistake is, and ends with 65")
    func mistakes() throws {
        let folder = try ScratchFolder()
        let panel = try folder.write(Self.configuration, to: "panel.toml")
        let file = try folder.write("tap ok\ntap okk\n", to: "one.touch")
        let outcome = try Tool.run(["try", "-c", panel, "tap ok", file])
        #expect(outcome.status == 65 && outcome.errors.contains("\(file):2:5: no region \"okk\"; did you mean \"ok\"?"))
        let text = try Tool.run(["try", "-c", panel, "tap  okk"])
        #expect(text.status == 65 && text.errors.contains("touches:1:6: "))
        #expect(try Tool.run(["try", "-c", panel, folder("none.touch")]).status == 66)
        let silent = try Tool.run(["try", "-c", panel, "tap 410,305"])
        #expect(silent.status == 0 && silent.errors.contains("--explain"))
    }

    @Test("takes the panel's size from the command line, and says when it assumes one")
    func size() throws {
        let folder = try ScratchFolder()
        let panel = try folder.write(
            "version = 1\n[[region]]\nid = \"ok\"\nshape = \"full\"\ngestures = [\"tap\"]\n", to: "panel.toml")
        let assumed = try Tool.run(["try", "-c", panel, "tap ok"])
        #expect(assumed.errors.contains("assuming 1920x1080"))
        let given = try Tool.run(["try", "-c", panel, "--size", "200x100,40x20mm", "down a 199,99; +90ms; up a"])
        #expect(given.errors == "" && given.output.contains(#""x":199.0,"y":99.0"#))
        for wrong in [
            "200", "200x", "200xfoox100", "0x100", "200x100,40x20", "200x100,40x20mm,1x1mm", "1e9x3", "nanx3",
        ] {
            #expect(try Tool.run(["try", "-c", panel, "--size", wrong, "tap ok"]).status == 64, "\(wrong)")
        }
    }

    @Test("the page lists the hands")
    func hands() throws {
        let table = try #require(Self.page?.text.components(separatedBy: "\n\n").first { $0.hasPrefix("| hand") })
        let names = table.split(separator: "\n").dropFirst(2).compactMap { $0.split(separator: "`").dropFirst().first }
        #expect(names.map(String.init) == Hand.allCases.map(\.rawValue))
    }
}
