// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

@Suite("The pictures in docs/gestures.md, and its links to the keys")
struct GesturePageTests {
    private let gestures: String
    private let configuration: String

    init() throws {
        gestures = try #require(Document("docs/gestures.md")).text
        configuration = try #require(Document("docs/configuration.md")).text
    }

    /// The first table of the page.
    private var table: [Substring] {
        gestures.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("|") }
            .prefix { $0.hasPrefix("|") }
    }

    @Test("each word of a gesture has a row with a picture, and the pictures are below the first lines")
    func rows() {
        for word in GestureType.names {
            let row = table.first { $0.hasPrefix("| [`\(word)`](#") }
            #expect(row?.contains("](gesture-\(word).svg)") == true, "\(word)")
        }
        #expect(table.count == GestureType.names.count + 2)
        #expect(gestures.prefix { $0 != "|" }.split(separator: "\n").count <= 10)
    }

    @Test("the pictures show what the examples say")
    func pictures() throws {
        let said = try ChildProcess.run([Document.root + "/scripts/draw-gestures", "check"])
        #expect(said.status == 0, "run scripts/draw-gestures: \(said.output)")
    }

    /// Commands of a shell that change a copy of the page and its pictures.
    private static let changes = [
        "sed -i 's/down a 155,50; +20ms/down a 150,50; +20ms/' docs/gestures.md", "rm docs/gesture-dial.svg",
        "touch docs/gesture-other.svg", "sed -i 's/^## dial$/## knob/' docs/gestures.md",
    ]

    @Test("a picture that differs from its example, is missing or is not shown is found", arguments: changes)
    func differences(change: String) throws {
        let folder = try ScratchFolder()
        let script = """
            set -e; cd '\(folder.path)'; mkdir docs scripts
            cp '\(Document.root)'/docs/gesture* docs; cp '\(Document.root)/scripts/draw-gestures' scripts
            scripts/draw-gestures check; \(change); ! scripts/draw-gestures check
            """
        let said = try ChildProcess.run(["sh", "-c", script], environment: ChildProcess.inherited)
        #expect(said.status == 0, "\(said)")
    }

    @Test(
        "each key links to the section of its gesture, and the section to the keys", arguments: KindRow.all.map(\.word))
    func links(word: String) throws {
        let table = try #require(configuration.components(separatedBy: "\n### `\(word)`\n").dropFirst().first)
        let rows = table.components(separatedBy: "\n#")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(!rows.isEmpty)
        for row in rows { #expect(row.contains("](gestures.md#"), "\(row)") }
        let section = gestures.components(separatedBy: "\n## ").first { section in
            let heading = section.prefix { $0 != "\n" }.replacing(" and ", with: ", ")
            return heading.components(separatedBy: ", ").contains(word)
        }
        #expect(try #require(section).contains("](configuration.md#\(word))"))
    }
}
