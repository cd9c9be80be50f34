// SPDX-License-Identifier: MIT
import GestureProtocol
import Glibc
import Testing

/// Compares `docs/protocol.md` and its schema with the code. `scripts/check-lines` compares the page with the schema.
@Suite("The protocol's page")
struct ProtocolPageTests {
    @Test("every request on the page is read by the daemon's reader")
    func requests() throws {
        let requests = try Page.lines().filter { $0.document["cmd"] != nil }
        #expect(Set(requests.map { $0.document["cmd"]?.string ?? "" }) == Set(CommandName.allCases.map { $0.rawValue }))
        for line in requests {
            guard case .request(let request) = RequestReader.read(line.text) else {
                Issue.record("line \(line.number): \(RequestReader.read(line.text))")
                continue
            }
            #expect(request.name.rawValue == line.document["cmd"]?.string)
        }
    }

    @Test("every event and every reply has an example")
    func completeness() throws {
        let documents = try Page.lines().map { $0.document }
        let events = Set(documents.compactMap { $0["event"]?.string })
        #expect(events.isSuperset(of: EventName.allCases.map { "\($0.word)" } + ["hello", "state", "overflow", "bye"]))
        let answered = Set(documents.compactMap { $0["reply"]?.string })
        #expect(answered.isSuperset(of: CommandName.allCases.map { $0.rawValue }))
        let page = try Page.text(of: "docs/protocol.md")
        for code in ErrorCode.allCases { #expect(page.contains("`\(code.rawValue)`")) }
    }

    @Test("the schema has the keys of the reader")
    func keys() throws {
        let definitions = try JSONDocument.read(Page.text(of: "docs/protocol.schema.json"), depth: 40).root["$defs"]
        for name in CommandName.allCases {
            let keys = definitions?["\(name.rawValue)Request"]?["properties"]?.keys ?? []
            #expect(Set(keys) == Set(RequestReader.keys(of: name) + ["cmd", "id"]), "\(name)")
        }
    }
}

/// The page `docs/protocol.md`.
private enum Page {
    struct Line {
        var number: Int
        var text: String
        var document: JSONValue
    }

    static func root(_ file: String = #filePath) throws -> String {
        try #require(file.components(before: "/Tests/"))
    }

    static func text(of path: String) throws -> String {
        let file = try #require(fopen("\(root())/\(path)", "r"), "\(path) is missing")
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte >= 0 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines in the page's `json` blocks.
    static func lines() throws -> [Line] {
        var result: [Line] = []
        var isInside = false
        for (index, line) in try text(of: "docs/protocol.md").split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.hasPrefix("```") {
                isInside = line == "```json"
            } else if isInside {
                let text = String(line)
                result.append(Line(number: index + 1, text: text, document: try JSONDocument.read(text).root))
            }
        }
        return result
    }
}

extension String {
    /// The text before the last occurrence of `separator`; `nil` if there is none.
    fileprivate func components(before separator: String) -> String? {
        var end = endIndex
        while end > startIndex {
            if self[..<end].hasSuffix(separator) { return String(self[..<index(end, offsetBy: -separator.count)]) }
            end = index(before: end)
        }
        return nil
    }
}
