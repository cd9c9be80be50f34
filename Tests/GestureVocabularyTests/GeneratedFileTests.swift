// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import GestureVocabulary

@Suite("The vocabulary")
struct GeneratedFileTests {
    private static let paths = GeneratedFile.all.map(\.path)

    @Test("is what `make vocabulary` writes", arguments: paths)
    func isCommitted(path: String) throws {
        let file = try #require(GeneratedFile.all.first { $0.path == path })
        let project = Project(Document.root)
        let (made, committed) = (try file.text(in: project), try project.text(of: path))
        guard made != committed else { return }
        let lines = zip(made.split(separator: "\n"), committed.split(separator: "\n")).first { $0 != $1 }
        Issue.record("\(path): run make vocabulary. It writes \"\(lines?.0 ?? "")\" instead of \"\(lines?.1 ?? "")\"")
    }

    @Test("each file is generated once")
    func once() { #expect(Set(Self.paths).count == Self.paths.count) }

    @Test("writes only what differs")
    func update() throws {
        let folder = try ScratchFolder()
        let file = GeneratedFile("a.js", sections: [MarkedSection("words", ["one", "two"])])
        let right = "// by hand\n// vocabulary: words\none\ntwo\n// vocabulary: end\n"
        for committed in [right, right.replacing("two\n", with: ""), right.replacing("one", with: "three")] {
            try folder.write(committed, to: "a.js")
            #expect(try file.update(in: Project(folder.path)) == (committed != right))
            #expect(try Project(folder.path).text(of: "a.js") == right)
        }
        #expect(throws: VocabularyError.self) { try file.update(in: Project(folder.path + "/nowhere")) }
    }

    @Test(
        "refuses marks that are missing, unknown, repeated or not closed",
        arguments: [
            (["word", "end"], "a.h:1: there is no section \"word\" left; these are: words"),
            (["end"], "a.h:1: there is no section \"end\" left"), ([], "a.h: there is no mark of: words"),
            (["words"], "a.h:1: the section \"words\" has no line \"vocabulary: end\""),
            (["words", "words", "end"], "a.h:1: the section \"words\" has no line \"vocabulary: end\""),
            (["words", "end", "words", "end"], "a.h:3: there is no section \"words\" left; these are: none"),
        ])
    func marks(marks: [String], message: String) throws {
        let folder = try ScratchFolder()
        let text = marks.map { "/* vocabulary: \($0) */\n" }.joined()
        try folder.write(text, to: "a.h")
        let file = GeneratedFile("a.h", sections: [MarkedSection("words", ["one"])])
        let error = try #require(throws: VocabularyError.self) { try file.update(in: Project(folder.path)) }
        #expect(error.description.contains(message), "\(error)")
        #expect(try Project(folder.path).text(of: "a.h") == text)
    }
}
