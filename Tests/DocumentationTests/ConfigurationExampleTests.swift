// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import Testing

@Suite("Configurations in the documentation")
struct ConfigurationExampleTests {
    @Test("are right", arguments: Document.blocks(in: "toml"))
    func blocks(block: Document.Block) {
        let diagnostics = ConfigurationReader.read(block.text, path: block.testDescription).diagnostics
        let errors = diagnostics.filter(\.isError).map(\.headline)
        #expect(errors == [])
    }

    @Test("the one of README.md gives no warning, and has about ten lines")
    func readme() throws {
        let block = try #require(Document("README.md")?.blocks.first { $0.language == "toml" })
        let (configuration, diagnostics) = ConfigurationReader.read(block.text)
        let layout = try #require(configuration).regions(for: ReadmeExample.size)
        #expect((diagnostics + layout.diagnostics).map(\.headline) == [])
        #expect(layout.regions.map(\.id) == ["carousel", "ok"])
        #expect(block.lines.count <= 12)
    }
}
