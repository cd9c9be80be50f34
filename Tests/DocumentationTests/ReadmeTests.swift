// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("README.md")
struct ReadmeTests {
    @Test("shows the lines that its configuration produces")
    func lines() throws {
        let readme = try #require(Document("README.md"))
        let block = try #require(readme.blocks.first { $0.language == "json" })
        var engine = GestureEngine(ReadmeExample.regions, bounds: ReadmeExample.size.bounds)
        var events: [GestureEvent] = []
        for frame in ReadmeExample.frames { engine.process(frame, into: &events) }
        var encoder = ExampleEncoder(ReadmeExample.regions, size: ReadmeExample.size)
        var lines: [String] = []
        for event in events { lines.append(encoder.line(event)) }
        #expect(block.text == lines.joined(separator: "\n"))
    }

    @Test("has a client in three languages", arguments: ["sh", "python", "javascript"])
    func clients(language: String) throws {
        let readme = try #require(Document("README.md"))
        let client = readme.blocks.first { $0.language == language && $0.text.contains("GESTURED_SOCKET") }
        let text = try #require(client).text
        #expect(text.contains("/run/gestured/gestured.sock"))
    }
}
