// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import GestureVocabulary

@Suite("Files with every default")
struct CommentedKeysTests {
    private let folder: ScratchFolder
    private let committed: String

    init() throws {
        folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder("config"), withIntermediateDirectories: true)
        committed = try Project(Document.root).text(of: "config/web.toml")
    }

    /// The file that is made of another one.
    private func made(_ text: String) throws -> String {
        try folder.write(text, to: "config/web.toml")
        return try GeneratedFile.webDefaults.text(in: Project(folder.path))
    }

    @Test("get the defaults, and keep explanations and examples")
    func values() throws {
        for wrong in [
            ("\"127.0.0.1:8990\"", "\"/run/web.sock\""), ("pages = 64     ", "pages = 100000 "), (" = 8 ", " = 9 "),
        ] {
            #expect(try made(committed.replacing(wrong.0, with: wrong.1)) == committed, "\(wrong)")
        }
        let short = try made(committed.replacing("# pages = 64              #", with: "# pages = 100  #"))
        #expect(short.contains("\n# pages = 64   # the maximum"))
        let example = committed.replacing("\"/srv/kiosk\"", with: "\"/srv/shop\"")
        #expect(try made(example) == example)
    }

    @Test("get the keys that are missing, after the others of their table")
    func missing() throws {
        let lines = committed.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        let all = try made(
            lines.filter { !$0.hasPrefix("# pages = ") && !$0.hasPrefix("# listen = ") }.joined(separator: "\n"))
        #expect(all.contains("\"counts\"]\n# listen = \"127.0.0.1:8990\"\n"))
        #expect(all.contains("of a replay\n# pages = 64\n"))
        #expect(try made(all) == all)
    }

    @Test(
        "are refused without a heading or an example, and with keys that do not exist",
        arguments: [
            ("[limits]\n", "", "add the heading of the table [limits]"),
            ("# root = \"/srv/kiosk\"\n", "", "add a line with an example: # root = VALUE"),
            ("# body_mb", "# body_kb = 1\n# body_mb", "remove the line of `body_kb`"),
            ("# body_mb", "# pages = 64\n# body_mb", "remove the line of `pages`"),
        ])
    func refused(text: String, other: String, message: String) {
        let error = #expect(throws: VocabularyError.self) { try made(committed.replacing(text, with: other)) }
        #expect(error?.description.hasPrefix("config/web.toml: \(message)") == true, "\(String(describing: error))")
    }
}
