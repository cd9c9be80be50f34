// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

@testable import GestureVocabulary

@Suite("Keys of gestures")
struct KeyTests {
    /// The settings of a gesture that is read from a configuration; `nil` if there is an error.
    private func read(_ row: KindRow, _ keys: [String: String], defaults: String = "") -> GestureSettings? {
        var all = keys
        for key in row.keys where key.isRequired && keys[key.name] == nil {
            all[key.name] = key.shape.samples.first.map { key.shape.written($0).line }
        }
        let text = """
            version = 1
            \(defaults.isEmpty ? "" : "[defaults]\n\(row.word) = { \(defaults) }")
            [[region]]
            id = "a"
            shape = "full"
            gestures = [{ \((["type = \"\(row.word)\""] + all.map { "\($0) = \($1)" }).joined(separator: ", ")) }]
            """
        let (configuration, diagnostics) = ConfigurationReader.read(text, path: "t")
        guard !diagnostics.contains(where: \.isError) else { return nil }
        let panel = PanelSize(widthPixels: 1000, heightPixels: 500, widthMillimeters: 100, heightMillimeters: 50)
        return configuration?.regions(for: panel).regions.first?.gestures.first?.settings
    }

    @Test("are read as they are written", arguments: KindRow.all.map(\.word))
    func written(word: String) throws {
        let row = try #require(KindRow.all.first { $0.word == word })
        for key in row.keys {
            for sample in key.shape.samples {
                // The last tap of a row can only be decided at its landing if there are several.
                let count = row.kind == .tap && key.name == "when" ? ["count": "2"] : [:]
                let text = key.shape.written(sample).line
                let settings = try #require(
                    read(row, count.merging([key.name: text]) { $1 }), "\(word): \(key.name) = \(text)")
                #expect(key.get(settings) == sample, "\(word): \(key.name) = \(text)")
                let common = read(row, [:], defaults: "\(key.name) = \(text)")
                #expect(common.map(key.get) == (key.isIdentity ? nil : sample), "\(word): \(key.name) = \(text)")
            }
            #expect(read(row, [key.name: "{}"]) == nil, "\(word).\(key.name)")
        }
    }

    /// The cells name lists in words.
    private static let lists = ["[\"left\", \"right\", \"up\", \"down\"]": "the first four"]

    @Test("have the defaults in docs/configuration.md", arguments: KindRow.all.map(\.word))
    func defaults(word: String) throws {
        let row = try #require(KindRow.all.first { $0.word == word })
        let page = try #require(Document("docs/configuration.md")).text
        let section = try #require(page.split(separator: "\n### `\(word)`\n").last).split(separator: "\n#")[0]
        for key in row.keys {
            let cells = try #require(section.split(separator: "\n").first { $0.hasPrefix("| `\(key.name)` |") })
            let value = key.shape.written(key.get(row.standard)).line
            let list = Self.lists[value] ?? (value.hasPrefix("[") ? "both" : value)
            let cell = key.isRequired ? "required" : list
            #expect(cells.filter { $0 != "`" }.hasSuffix(" | \(cell) |"), "\(word).\(key.name): \(cell)")
        }
    }
}
