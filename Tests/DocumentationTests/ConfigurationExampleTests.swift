// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

@Suite("The configuration in README.md")
struct ConfigurationExampleTests {
    @Test("has no warnings on its panel, and ten lines")
    func readme() throws {
        let block = try #require(Document("README.md")?.blocks.first { $0.language == "toml" })
        let (configuration, diagnostics) = ConfigurationReader.read(block.text)
        let layout = try #require(configuration).regions(for: ReadmeExample.size)
        #expect((diagnostics + layout.diagnostics).map(\.headline) == [])
        #expect(layout.regions.map(\.id) == ["carousel", "coffee"])
        #expect(block.lines.count == 10)
    }
}
