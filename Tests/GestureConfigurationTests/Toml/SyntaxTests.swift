// SPDX-License-Identifier: MIT
import GestureConfiguration
import Testing

@Suite("Syntax")
struct SyntaxTests {
    @Test("a file that contains only its version has no regions", arguments: ["version = 1", "\u{FEFF}version = 1\n"])
    func noRegions(text: String) {
        let (configuration, diagnostics) = ConfigurationReader.read([("t", Array(text.utf8))])
        #expect(configuration?.regions.isEmpty == true)
        #expect(diagnostics.isEmpty)
    }

    @Test("the first file must have a version", arguments: ["", "\n", "# nothing\n", "\u{FEFF}", "[daemon]\n"])
    func empty(text: String) {
        let version = (path: "v", text: Array("version = 1\n".utf8))
        let file = (path: "t", text: Array(text.utf8))
        for files in [[file], [file, version]] {
            let (configuration, diagnostics) = ConfigurationReader.read(files)
            #expect(configuration == nil)
            #expect(diagnostics.map { $0.headline } == ["t:1:1: error: no version; add the line: version = 1"])
        }
        #expect(ConfigurationReader.read([version, file]).diagnostics.isEmpty)
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

    @Test(
        "text that is not UTF-8 is an error with a location",
        arguments: [
            ([0x61, 0x3D, 0x22, 0xFF, 0xFE, 0x22], "t:1:4"), ([0xFF, 0xFE, 0x61, 0x00], "t:1:1"),
            ([0x23, 0x0A, 0x23, 0xC3, 0xA9, 0xE9, 0x0A], "t:2:3"), ([0x23, 0xC3], "t:1:2"),
        ] as [([UInt8], String)])
    func invalidUTF8(bytes: [UInt8], place: String) {
        let (configuration, diagnostics) = ConfigurationReader.read([("t", bytes)], needsVersion: false)
        #expect(configuration == nil)
        #expect(diagnostics.map { $0.headline } == ["\(place): error: this is not UTF-8; save the file as UTF-8"])
    }

    @Test(
        "text without quotes",
        arguments: [
            ("id = a", "1:6", "a"), ("id = tap # x", "1:6", "tap"), ("g = [\"a\", drag]", "1:11", "drag"),
            ("g = { slop = 3mm }", "1:14", "3mm"), ("x = 50%", "1:5", "50%"), ("id = \"a\"\nb = [\n  é]", "3:3", nil),
            ("b = [1,\n  é, x]", "2:3", nil), ("[daemon", "1:8", nil), ("a = \"b, c", "1:10", nil),
            ("a = 1 2", "1:7", nil),
            ("a = b c", "1:5", "b"),
        ] as [(String, String, String?)])
    func quotes(text: String, place: String, word: String?) {
        let said = ConfigurationReader.read(text, path: "t").diagnostics.map { $0.headline }
        #expect(said.count == 1)
        if let word { #expect(said == ["t:\(place): error: text needs quotes: \"\(word)\""]) }
        #expect((word == nil) == !said.contains { $0.contains("quotes") }, "\(said)")
    }

    /// The test's arguments by name, because the texts are too long for the output of the tests.
    enum Depth: String, CaseIterable {
        case dots, arrays, tables, unfinishedLists, quotedHeaders, afterQuotes

        var text: String {
            switch self {
            case .dots: String(repeating: "a.", count: 400_000) + "a = 1"
            case .arrays: "a = " + String(repeating: "[", count: 90_000)
            case .tables: "a = " + String(repeating: "{a=", count: 90_000)
            case .unfinishedLists: String(repeating: "[[a]]\n", count: 40_000) + "x ="
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
