// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("docs/README.md")
struct StartPageTests {
    private let sections: [String]

    init() throws {
        sections = try #require(Document("docs/README.md")).text.components(separatedBy: "\n## ")
    }

    private func rows(_ section: String) -> [Substring] {
        section.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map { $0 }
    }

    @Test("begins with fifteen tasks, then with machines, each with a page")
    func tasks() throws {
        try #require(sections.count == 4)
        #expect(sections[1].hasPrefix("I want to …\n"))
        #expect(rows(sections[1]).count == 15)
        for row in rows(sections[1]) + rows(sections[2]) { #expect(row.contains("]("), "\(row)") }
    }

    @Test("lists each page, and marks those that say of themselves that they are binding")
    func index() throws {
        for page in Document.all where page.path.hasPrefix("docs/") && page.path != "docs/README.md" {
            let name = page.path.dropFirst("docs/".count)
            #expect(sections[3].contains("[\(name)](\(name))") || name == "CONTRIBUTING.md", "\(name)")
        }
        let marked = rows(sections[3]).filter { $0.contains(") ● |") }.map { $0.split(separator: "]")[0].dropFirst(3) }
        #expect(marked == ["configuration.md", "gestures.md", "protocol.md", "sharing.md"])
    }
}
