// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("docs/clients.md")
struct ClientsPageTests {
    @Test(
        "quotes the examples verbatim",
        arguments: [
            ("swift", "clients/swift/example_kiosk.swift"), ("python", "clients/python/example_kiosk.py"),
            ("javascript", "clients/javascript/example_kiosk.mjs"),
        ])
    func examples(language: String, path: String) throws {
        let page = try #require(Document("docs/clients.md"))
        let example = try #require(Document(path)).text.split(separator: "\n", omittingEmptySubsequences: false)
        let block = try #require(page.blocks.first { $0.language == language })
        // The quotation omits the licence and the first comment.
        #expect(example.prefix(2).allSatisfy { $0.hasPrefix("//") || $0.hasPrefix("#") })
        #expect(block.text + "\n" == example.dropFirst(2).joined(separator: "\n"))
    }

    @Test("lists the features of each client, in each language")
    func names() throws {
        let page = try #require(Document("docs/clients.md"))
        let sources = [
            try swiftSources(), try #require(Document("clients/python/gestured.py")).text,
            try #require(Document("clients/javascript/gestured.mjs")).text,
        ]
        let definitions = [
            ["func NAME(", "var NAME:", "case NAME(", "case NAME\n"], ["def NAME(", "NAME: ", "class NAME("],
            [" NAME(", "} [NAME]", "class NAME "],
        ]
        var count = 0
        for row in page.text.split(separator: "\n") where row.hasPrefix("| ") {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, cells[1].hasPrefix("`") else { continue }
            for (column, cell) in cells.dropFirst().enumerated() {
                for name in cell.split(separator: "`") where !name.contains(",") {
                    let isThere = definitions[column].contains {
                        sources[column].contains($0.replacingOccurrences(of: "NAME", with: name))
                    }
                    #expect(isThere, "\(name) of \"\(cells[0])\"")
                    count += 1
                }
            }
        }
        #expect(count > 50)
    }

    private func swiftSources() throws -> String {
        let folder = Document.root + "/Sources/GestureClient"
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        let texts = try files.filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
        return texts.joined()
    }
}
