// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

/// The recipes on the pages. Each consists of a `toml` block, a command that plays touches on it, and the resulting lines.
/// A recipe shows only some of the keys of each line that the command prints, but in the same order.
@Suite("Recipes in the documentation")
struct CookbookTests {
    struct Recipe: Sendable, CustomTestStringConvertible {
        let place: String
        let configuration: String
        let command: String
        let lines: [String]

        var testDescription: String { place }
    }

    private static let pages = ["docs/cookbook.md", "docs/tutorial.md", "docs/coming-from.md", "docs/faq.md"]

    static let recipes: [Recipe] = pages.flatMap { recipes(of: $0) }

    private static func recipes(of page: String) -> [Recipe] {
        let blocks = Document(page)?.blocks ?? []
        return blocks.indices.dropFirst().dropLast().filter { isTry(blocks[$0]) }.map { index in
            Recipe(
                place: blocks[index].description, configuration: blocks[index - 1].text, command: blocks[index].text,
                lines: blocks[index + 1].lines)
        }
    }

    private static func isTry(_ block: Document.Block) -> Bool {
        block.language == "sh" && block.text.hasPrefix("gesturectl try ")
    }

    @Test("are numerous, and each has a configuration, a command and lines")
    func form() throws {
        #expect(Self.recipes.count >= 15)
        for page in Self.pages {
            let blocks = try #require(Document(page)).blocks
            for (index, block) in blocks.enumerated() where Self.isTry(block) || block.language == "lines" {
                let isExpected = block.language == "lines" ? Self.isTry : { $0.language == "toml" }
                #expect(index > 0 && isExpected(blocks[index - 1]), "\(page):\(block.line)")
            }
        }
    }

    @Test("are valid, and print the lines that they show", arguments: recipes)
    func play(recipe: Recipe) throws { try Self.play(recipe) }

    @Test("a hold with two fingers is another way out of the lock")
    func hold() throws {
        let lock = try #require(Self.recipes.first { $0.command.contains("--scene locked") })
        let quotations = try #require(Document("docs/cookbook.md")).quotations
        let hold = try #require(quotations.first { $0.text.hasPrefix("{ type = \"long_press\"") }).text
        let configuration = lock.configuration.replacing(#/\{ type = "pattern".*\}/#, with: hold)
        let touches = "down a 500,400; down b 700,400; +2100ms; up a; up b"
        try Self.play(
            Recipe(
                place: lock.place, configuration: configuration,
                command: lock.command.replacing(#/'[^']*'/#, with: "'\(touches)'"),
                lines: [#"{"name":"unlock","phase":"begin"}"#, #"{"name":"unlock","phase":"end"}"#]))
    }

    private static func play(_ recipe: Recipe) throws {
        let folder = try ScratchFolder()
        let file = try folder.write(recipe.configuration, to: "recipe.toml")
        let check = try Tool.run(["check", file])
        #expect(check.status == 0 && !check.output.contains("warning:"), "\(check.output)")
        let outcome = try ShellScript.run(
            """
            gesturectl() { command=$1; shift; "$TOOL" "$command" -c recipe.toml "$@"; }
            cd '\(folder.path)' && \(recipe.command.replacing(" -c recipe.toml", with: ""))
            """)
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
