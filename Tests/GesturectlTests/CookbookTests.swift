// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

/// The recipes in docs/cookbook.md and docs/tutorial.md. Each consists of a `toml` block, a block of touches, and
/// the resulting lines.
///
/// Touches are in pixels, on a panel of 1280 x 800 pixels and 256 x 160 mm. A block `touches --scene locked` is
/// replayed with this option. A recipe shows only some of the keys of each line that the tool prints, but in the same order.
@Suite("Recipes in the documentation")
struct CookbookTests {
    struct Recipe: Sendable, CustomTestStringConvertible {
        let place: String
        let configuration: String
        /// Further arguments of the replay.
        let options: [String]
        let touches: String
        let lines: [String]

        var testDescription: String { place }
    }

    static let recipes: [Recipe] = ["docs/cookbook.md", "docs/tutorial.md"].flatMap { recipes(of: $0) }

    private static func recipes(of page: String) -> [Recipe] {
        let blocks = Document(page)?.blocks ?? []
        return blocks.indices.dropFirst().dropLast().filter { kind(of: blocks[$0]) == "touches" }.map { index in
            Recipe(
                place: blocks[index].description, configuration: blocks[index - 1].text,
                options: blocks[index].language.split(separator: " ").dropFirst().map(String.init),
                touches: blocks[index].text, lines: blocks[index + 1].lines)
        }
    }

    private static func kind(of block: Document.Block) -> Substring { block.language.prefix { $0 != " " } }

    @Test("are numerous, and each has a configuration, touches and lines")
    func form() throws {
        #expect(Self.recipes.count >= 11)
        for page in ["docs/cookbook.md", "docs/tutorial.md"] {
            let blocks = try #require(Document(page)).blocks
            for (index, block) in blocks.enumerated() where ["touches", "lines"].contains(Self.kind(of: block)) {
                let before = block.language == "lines" ? "touches" : "toml"
                #expect(index > 0 && Self.kind(of: blocks[index - 1]) == before, "\(page):\(block.line)")
            }
        }
    }

    @Test("are valid, and print the lines that they show", arguments: recipes)
    func play(recipe: Recipe) throws { try Self.play(recipe) }

    @Test("a hold with two fingers is another way out of the lock")
    func hold() throws {
        let lock = try #require(Self.recipes.first { $0.options == ["--scene", "locked"] })
        let quotations = try #require(Document("docs/cookbook.md")).quotations
        let hold = try #require(quotations.first { $0.text.hasPrefix("{ type = \"long_press\"") }).text
        let configuration = lock.configuration.replacing(#/\{ type = "pattern".*\}/#, with: hold)
        try Self.play(
            Recipe(
                place: lock.place, configuration: configuration, options: lock.options,
                touches: "down a 500,400; down b 700,400; +2100ms; up a; up b",
                lines: [#"{"name":"unlock","phase":"begin"}"#, #"{"name":"unlock","phase":"end"}"#]))
    }

    private static func play(_ recipe: Recipe) throws {
        let folder = try ScratchFolder()
        let file = try folder.write(recipe.configuration, to: "panel.toml")
        let check = try Tool.run(["check", file])
        #expect(check.status == 0 && !check.output.contains("warning:"), "\(check.output)")
        let outcome = try Tool.run(
            ["replay", "-", "-c", file] + recipe.options, input: Data(try PixelRecording(recipe.touches).text.utf8))
        #expect(outcome.errors == "")
        let printed = outcome.output.split(separator: "\n").map(String.init)
        #expect(printed.count == recipe.lines.count, "\(outcome.output)")
        for (shown, line) in zip(recipe.lines, printed) {
            let (part, whole) = (try #require(JSONLine(shown)), try #require(JSONLine(line)))
            #expect(whole.contains(part), "\(shown) is not a part of \(line)")
        }
    }

    @Test("the flow of Node-RED is JSON, its wires end at its nodes, and its command is documented")
    func flow() throws {
        let page = try #require(Document("docs/cookbook.md"))
        let block = try #require(page.blocks.first { $0.language == "flow" })
        let json = try JSONSerialization.jsonObject(with: Data(block.text.utf8))
        let nodes = try #require(json as? [[String: Any]])
        let ids = nodes.compactMap { $0["id"] as? String }
        #expect(Set(ids).count == nodes.count)
        for node in nodes {
            let wires = try #require(node["wires"] as? [[String]])
            #expect(wires.joined().allSatisfy(ids.contains), "\(node)")
        }
        let commands = nodes.compactMap { $0["command"] as? String }
        #expect(commands.count == 1 && commands.allSatisfy { page.quotations.map(\.text).contains($0) })
    }
}

/// An evemu recording of touches in pixels. The panel's unit is a pixel, at five units per millimetre.
private struct PixelRecording {
    private(set) var text = """
        # EVEMU 1.3
        N: Panel
        I: 0018 1234 0001 0100
        P: 02 00 00 00 00 00 00 00
        B: 03 00 00 00 00 00 80 60 02
        A: 2f 0 9 0 0 0
        A: 35 0 1279 0 0 5
        A: 36 0 799 0 0 5
        A: 39 0 65535 0 0 0

        """
    private var time: Int64 = 0
    private var slots: [ContactID: Int] = [:]

    init(_ touches: String) throws {
        let script = TouchScript(touches)
        try #require(script.mistakes == [])
        for step in script.steps {
            switch step {
            case .wait(let interval): time += interval.microseconds
            case .frame(let changes):
                for change in changes { append(change) }
                append(0, 0, 0)
            case .advance, .reload, .updates, .failures: Issue.record("not for recipes: \(step)")
            }
        }
        append(0, 0, 0)
    }

    private mutating func append(_ change: ContactChange) {
        let slot = slots[change.id] ?? (0...9).first { !slots.values.contains($0) } ?? 0
        append(3, 0x2f, slot)
        if change.kind == .landed { append(3, 0x39, Int(change.id.rawValue)) }
        slots[change.id] = slot
        guard change.kind != .lifted else {
            append(3, 0x39, -1)
            slots[change.id] = nil
            return
        }
        append(3, 0x35, Int(change.position.x))
        append(3, 0x36, Int(change.position.y))
    }

    private mutating func append(_ type: Int, _ code: Int, _ value: Int) {
        text += String(format: "E: %d.%06d %04x %04x %d\n", time / 1_000_000, time % 1_000_000, type, code, value)
    }
}
