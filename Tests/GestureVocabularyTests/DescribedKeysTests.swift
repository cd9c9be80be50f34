// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import GestureVocabulary

@Suite("Rows about keys")
struct DescribedKeysTests {
    @Test("are refused with another number of elements")
    func list() throws {
        try refused(
            "docs/configuration.md", .configurationSchema, "1 to 8 `directions`", "1 to 9 `directions`",
            "`path` in the table `chain` may be 1 to 8, not 1 to 9")
    }

    @Test(
        "are refused if the key does not exist or is missing, and with another default or range",
        arguments: [
            ("1 to 1024 | 64", "1 to 1000 | 64", "`pages` in the table `limits` may be 1 to 1024, not 1 to 1000"),
            ("1 to 1024 | 64", "1 to 1024 | 65", "the default of `pages` in the table `limits` is 64, not 65"),
            ("| `root` | a folder", "| folder", "the table `file` says nothing about `root`"),
            ("| `limits.pages`", "| `limits.page` | a |  |\n| `limits.pages`", "describes `page`, which is no key"),
        ])
    func key(text: String, other: String, message: String) throws {
        try refused("docs/web.md", .webSchema, text, other, message)
    }

    private func refused(
        _ path: String, _ schema: GeneratedFile, _ text: String, _ other: String, _ message: String
    ) throws {
        let page = try Project(Document.root).text(of: path)
        try #require(page.contains(text))
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder("docs"), withIntermediateDirectories: true)
        try folder.write(page.replacing(text, with: other), to: path)
        let error = #expect(throws: VocabularyError.self) { try schema.text(in: Project(folder.path)) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }
}
