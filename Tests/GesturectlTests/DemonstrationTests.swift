// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// `config/demo.evemu` and `config/demo.toml`, which `make run`, README.md and its picture use.
@Suite("The demonstration")
struct DemonstrationTests {
    private static let recording = BuildProducts.root + "/config/demo.evemu"
    private static let configuration = BuildProducts.root + "/config/demo.toml"

    private func replay(_ configuration: String) throws -> [JSONLine] {
        let outcome = try Tool.run(["replay", Self.recording, "-c", configuration])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").compactMap { JSONLine(String($0)) }
    }

    @Test("is the recording that scripts/make-demo prints")
    func recording() throws {
        let made = try ShellScript.run(BuildProducts.root + "/scripts/make-demo")
        #expect(made.status == 0)
        #expect(made.output == (try String(contentsOfFile: Self.recording, encoding: .utf8)))
    }

    @Test("fits on a terminal with 24 lines, and has the gestures that scripts/run expects")
    func lines() throws {
        let lines = try replay(Self.configuration)
        #expect((10...22).contains(lines.count))
        let script = try String(contentsOfFile: BuildProducts.root + "/scripts/run", encoding: .utf8)
        let kinds = try #require(script.split(separator: "\n").first { $0.hasPrefix("KINDS=") })
        let expected = kinds.split(separator: "\"").last?.split(separator: " ").map(String.init) ?? []
        #expect(Set(lines.compactMap { $0["gesture"] }) == Set(expected))
        // The unit of the recording is a pixel.
        #expect(lines.first?.number("x") == 310)
        #expect(lines.first?["region"] == "coffee")
    }

    @Test("prints the lines in README.md with the configuration in README.md")
    func readme() throws {
        let blocks = try #require(Document("README.md")).blocks
        let configuration = try #require(blocks.first { $0.language == "toml" })
        let shown = try #require(blocks.first { $0.language == "lines" }).lines
        let folder = try ScratchFolder()
        let lines = try replay(folder.write(configuration.text, to: "readme.toml"))
        #expect(lines.count == shown.count)
        for (part, line) in zip(shown, lines) {
            #expect(line.contains(try #require(JSONLine(part))), "\(part) is not a part of \(line)")
        }
    }
}
