// SPDX-License-Identifier: MIT
import Foundation
import GestureProtocol
import GestureTestSupport
import Testing

@testable import GestureConfiguration

/// The manual pages of the configuration and the protocol list the same words as the pages in docs, which other
/// tests compare with the code.
@Suite("Manual pages of configuration and protocol")
struct ManualPageTests {
    /// The first word of each item of a section's list.
    private static func items(_ section: String, of page: String) throws -> Set<String> {
        let text = try #require(Document("docs/man/\(page)")).text
        // A bracket at the end is not a delimiter.
        let heading = section.hasSuffix("]") ? section + #"\&"# : section
        let start = try #require(
            text.range(of: "\n.Ss \(heading)\n") ?? text.range(of: "\n.Sh \(heading)\n"), "\(page) has no \(section)")
        let end = text[start.upperBound...].range(of: "\n.S")?.lowerBound ?? text.endIndex
        let lines = text[start.upperBound..<end].split(separator: "\n").filter { $0.hasPrefix(".It ") }
        return Set(
            lines.flatMap { $0.split(separator: " ") }.map(String.init).filter { ![".It", "Ic", ","].contains($0) })
    }

    /// The quoted words in the first column of the first table of a section.
    private static func rows(_ heading: String, of path: String) throws -> Set<String> {
        let text = try #require(Document(path)).text
        let start = try #require(text.range(of: "\n\(heading)\n"), "\(path) has no \(heading)")
        var names: Set<String> = []
        for line in text[start.upperBound...].split(separator: "\n") {
            if line.hasPrefix("#") { break }
            guard line.hasPrefix("| `") else { continue }
            let cell = line.dropFirst().prefix { $0 != "|" }
            for (i, part) in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated() where i % 2 == 1
            {
                names.insert(String(part))
            }
        }
        return names
    }

    @Test(
        "keys",
        arguments: [
            "[daemon]", "[access]", "[defaults]", "leave", "[filter]", "storm", "[[device]]", "match", "output",
            "[[region]]", "shape", "circle", "[[scene]]", "[arbitration]", "gesture",
        ] + GestureType.kinds.map { $0.rawValue })
    func keys(table: String) throws {
        let expected = try Self.rows("### `\(table)`", of: "docs/configuration.md")
        #expect(!expected.isEmpty)
        #expect(try Self.items(table, of: "gestured.toml.5") == expected)
    }

    @Test(
        "words of the protocol",
        arguments: [
            ("Capabilities", "### hello"), ("Why not", "### failed"), ("subscribe", "### subscribe"),
            ("Errors", "### Errors"),
        ])
    func words(section: String, heading: String) throws {
        var expected = try Self.rows(heading, of: "docs/protocol.md")
        if heading == "### failed" { expected.remove("max_deviation") }
        #expect(expected.count > 3)
        #expect(try Self.items(section, of: "gestured-protocol.7") == expected)
    }

    @Test("all requests and all events, and no others")
    func both() throws {
        let page = "gestured-protocol.7"
        #expect(try Self.items("REQUESTS", of: page) == Set(CommandName.allCases.map(\.rawValue)))
        let events = EventName.allCases.map { "\($0.word)" } + ["hello", "state", "overflow", "bye"]
        #expect(try Self.items("EVENTS", of: page) == Set(events))
    }

    @Test(
        "mandoc reports nothing",
        arguments: [
            "gestured.8", "gestured-web.8", "gestured-mqtt.8", "gesturectl.1", "gestured.toml.5", "gestured-protocol.7",
        ])
    func lint(page: String) throws {
        let mandoc = "/usr/bin/mandoc"
        guard FileManager.default.isExecutableFile(atPath: mandoc) else { return print("skipped: no \(mandoc)") }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: mandoc)
        process.arguments = ["-T", "lint", Document.root + "/docs/man/" + page]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // The pages refer to each other, and are not installed here.
        let complaints = said.split(separator: "\n").filter { !$0.contains("referenced manual not found: Xr gesture") }
        #expect(complaints.isEmpty)
    }

    @Test("requests and events")
    func names() throws {
        let page = try #require(Document("docs/man/gestured-protocol.7")).text
        let words = Set(page.split { " \n,".contains($0) }.map(String.init))
        for block in Document.blocks(in: "json") where block.path == "docs/protocol.md" {
            for line in block.lines {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                guard let name = (object?["cmd"] ?? object?["event"]) as? String else { continue }
                #expect(words.contains(name), "gestured-protocol.7 has no \(name)")
            }
        }
    }
}
