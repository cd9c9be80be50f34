// SPDX-License-Identifier: MIT
import GestureConfiguration
import Testing

@Suite("Syntax")
struct SyntaxTests {
    @Test(
        "an empty file is a configuration without regions",
        arguments: ["", "\n", "# nothing\n", "\u{FEFF}version = 1\n"])
    func empty(text: String) {
        let (configuration, diagnostics) = ConfigurationReader.read(text)
        #expect(configuration?.regions.isEmpty == true)
        #expect(diagnostics.isEmpty)
    }

    @Test(
        "a syntax error has a location",
        arguments: [
            ("a = ", "t:1:5: error:"),
            ("version = 1\nversion = 1\n", "t:2:11: error:"),
            ("[daemon\n", "t:1:8: error:"),
            ("[=]", "t:1:2: error: in key: expected bare key"),
            ("a = {b = 1,}", "t:1:12: error: in inline table: expected key-value pair"),
            ("x = \"\u{1}\"", "t:1:6: error:"),
        ])
    func broken(text: String, place: String) {
        let (configuration, diagnostics) = ConfigurationReader.read(text, path: "t")
        #expect(configuration == nil)
        #expect(diagnostics.map { $0.code } == [.syntax])
        #expect(diagnostics.first?.headline.hasPrefix(place) == true, "\(diagnostics)")
    }

    @Test func invalidUTF8IsAnError() {
        let (configuration, diagnostics) = ConfigurationReader.read([("t", [0x61, 0x3D, 0x22, 0xFF, 0xFE, 0x22])])
        #expect(configuration == nil)
        #expect(diagnostics.map { $0.code } == [.syntax])
    }

    /// Names for the tests' output; the texts are too long.
    enum Depth: String, CaseIterable {
        case dots, arrays, tables, unfinishedLists, quotedHeaders, afterQuotes

        var text: String {
            switch self {
            case .dots: String(repeating: "a.", count: 400_000) + "a = 1"
            case .arrays: "a = " + String(repeating: "[", count: 400_000)
            case .tables: "a = " + String(repeating: "{a=", count: 100_000)
            case .unfinishedLists: String(repeating: "[[a]]\n", count: 100_000) + "x ="
            case .quotedHeaders: "[" + String(repeating: "\"a\".", count: 100_000) + "a]"
            case .afterQuotes:
                "x={ b = \"\"\"y\"\"\"\", c" + String(repeating: ".c", count: 50_000) + " = 1 }"
            }
        }
    }

    @Test("too much nesting is an error", arguments: Depth.allCases)
    func deep(depth: Depth) {
        #expect(ConfigurationReader.read(depth.text).diagnostics.contains { $0.code == .syntax })
    }

    @Test(
        "a line may have 256 dots",
        arguments: [
            "# " + String(repeating: ".", count: 256) + "\n",
            "[access]\ncontrol_uids = [\"" + String(repeating: ".", count: 256) + "\"]\n",
        ])
    func dots(text: String) {
        #expect(ConfigurationReader.read(text).diagnostics.allSatisfy { $0.code != .syntax })
        #expect(ConfigurationReader.read("." + text).diagnostics.contains { $0.code == .syntax })
    }

    @Test func everyFileIsRead() {
        let files = [("a", Array("x = ".utf8)), ("b", Array("y = ".utf8)), ("c", Array("z = 1".utf8))]
        let said = ConfigurationReader.read(files).diagnostics.map { "\($0.file):\($0.line) \($0.code.rawValue)" }
        #expect(said == ["a:1 syntax", "b:1 syntax", "c:1 unknown_key"])
    }
}
