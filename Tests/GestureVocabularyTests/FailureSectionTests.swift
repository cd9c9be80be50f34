// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import GestureVocabulary

@Suite("The table of failures")
struct FailureSectionTests {
    private let lines: [String]

    init() throws {
        lines = try Project(Document.root).text(of: "docs/protocol.md").components(separatedBy: "\n")
    }

    /// The page that is made of one without the rows of a failure.
    private func made(without code: String) throws -> [String] {
        let rest = lines.filter { !$0.hasPrefix("| `\(code)` | `") }
        try #require(rest.count < lines.count)
        return try made(rest)
    }

    private func made(_ rest: [String]) throws -> [String] {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder("docs"), withIntermediateDirectories: true)
        try folder.write(rest.joined(separator: "\n"), to: "docs/protocol.md")
        return try GeneratedFile.protocolPage.text(in: Project(folder.path)).components(separatedBy: "\n")
    }

    @Test("gets a row for the gestures whose keys limit a new failure, in the order of the codes")
    func added() throws {
        let place = try #require(lines.firstIndex { $0.hasPrefix("| `low_score` |") })
        let page = try made(without: "low_score")
        #expect(page[place].hasPrefix("| `low_score` | `stroke` | score | `min_score` | scored "))
        #expect(page.count == lines.count && page[place + 1] == lines[place + 1])
        let slow = try #require(try made(without: "too_quick").first { $0.hasPrefix("| `too_quick` |") })
        #expect(slow == "| `too_quick` | `tap` | ms | `min_time` | held for 1 ms, min_time is 2 ms |")
    }

    @Test("gets the gestures whose keys limit a failure, in a row that is right for them")
    func gestures() throws {
        func replacing(_ text: String, _ other: String) -> [String] { lines.map { $0.replacing(text, with: other) } }
        let tap = replacing("| `landed_apart` | `tap`, `swipe` |", "| `landed_apart` | `tap` |")
        try #require(tap != lines)
        #expect(try made(tap) == lines)
        // A pinch fails in other words, so it has a row of its own.
        let rest = lines.filter { !$0.hasPrefix("| `too_short` | `pinch` |") }
        let page = try made(rest)
        #expect(page.contains("| `too_short` | `pinch` | mm | `start` | span changed by 1 mm, start is 2 mm |"))
        #expect(page.count == lines.count)
    }

    @Test("asks for a row if no key limits the failure")
    func asked() {
        let error = #expect(throws: VocabularyError.self) { try made(without: "outscored") }
        #expect(error?.message == "add a row for a failure: | `outscored` | GESTURES | | | 1, 2 |")
    }
}
