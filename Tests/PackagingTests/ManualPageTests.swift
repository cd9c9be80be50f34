// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

private let hasTools = ["lowdown", "mandoc", "groff"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
}

/// The manual pages. Those of the programs are in docs/man; `scripts/pages` makes the others from the pages in docs.
@Suite("Manual pages", .enabled(if: hasTools, "needs lowdown, mandoc and groff"))
struct ManualPageTests {
    /// Messages of mandoc and groff about a page. Matters of style, such as long lines, are not checked.
    private func complaints(_ path: String) throws -> [String] {
        let output = try Shell.run("mandoc -T lint -W warning \(path); groff -K utf8 -ww -mandoc -T utf8 -z \(path)")
            .output
        return output.split(separator: "\n").map(String.init)
    }

    @Test(
        "those made from the pages have all of their headings and the first column of each table, and are well-formed",
        arguments: [
            ("gestured.toml.5", "configuration"), ("gestured-protocol.7", "protocol"),
            ("gestured-gestures.7", "gestures"),
        ])
    func made(name: String, page: String) throws {
        let folder = try ScratchFolder()
        let manual = folder(name)
        let outcome = try Shell.run("scripts/pages man \(folder("."))")
        #expect(outcome.status == 0 && outcome.output == "")
        #expect(try complaints(manual) == [])
        let shown = try Shell.run("mandoc -T utf8 -O width=1000 \(manual) | col -bx").output.split(separator: "\n")
        let lines = Set(shown.map { $0.trimmingCharacters(in: .whitespaces) })
        var isInBlock = false
        var previous = Substring()
        var expected: [String] = []
        for line in try #require(Document("docs/\(page).md")).text.split(separator: "\n") {
            if line.hasPrefix("```") { isInBlock.toggle() }
            if isInBlock { continue }
            if line.hasPrefix("##") { expected.append(line.drop { $0 == "#" || $0 == " " }.filter { $0 != "`" }) }
            // This is the separator below a table's header, so the previous line was the header and not a row of data.
            if line.hasPrefix("|-"), previous.hasPrefix("| `") { expected.removeLast() }
            defer { previous = line }
            guard line.hasPrefix("| `"), let cell = line.components(separatedBy: " |").first else { continue }
            expected.append(cell.dropFirst(2).filter { $0 != "`" })
        }
        #expect(expected.count > 20)
        for line in expected { #expect(lines.contains(line), "\(name) has no \"\(line)\"") }
    }

    @Test(
        "those of the programs are well-formed",
        arguments: [
            "gestured.8", "gestured-keys.8", "gestured-web.8", "gestured-mqtt.8", "gestured-report.8", "gesturectl.1",
        ])
    func programs(name: String) throws {
        // The pages refer to each other, but are not installed on this machine.
        #expect(try complaints("docs/man/\(name)").filter { !$0.contains("referenced manual not found") } == [])
    }

    @Test("docs/panels.csv has the panels of the cases")
    func panels() throws {
        let outcome = try Shell.run("scripts/pages check")
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
