// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// Touches of real people on real panels, played through the shipped configurations.
@Suite("People and panels, with the shipped configurations")
struct PeopleTests {
    private static let blocks = (Document("Tests/Cases/people.md")?.blocks ?? []).filter { $0.language == "people" }

    @Test("are understood", arguments: blocks)
    func understood(block: Document.Block) throws {
        let head = block.lines.prefix { $0.hasPrefix("#") }
        let line = try #require(block.lines.firstIndex(of: "---"), "no line ---")
        let outcome = PeopleCase(
            head: Array(head), script: block.lines[head.count..<line].joined(separator: "\n"))
        #expect(outcome.mistakes == [])
        #expect(outcome.lines.joined(separator: "\n") == block.lines[(line + 1)...].joined(separator: "\n"))
    }

    @Test("cover every row of the page's classes")
    func rows() throws {
        let page = try #require(Document("Tests/Cases/people.md"))
        for row in 1...11 { #expect(page.text.contains("\n## \(row). "), "no row \(row)") }
        #expect(Self.blocks.count >= 25)
    }
}
