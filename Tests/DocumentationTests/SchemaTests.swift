// SPDX-License-Identifier: MIT
import Foundation
import GestureProtocol
import GestureServer
import GestureTestSupport
import Testing

/// The schema of the protocol, whose words are generated, has a definition for each line.
@Suite("The schema of the protocol")
struct SchemaTests {
    private let definitions: [String: Any] = {
        let text = Document("docs/protocol.schema.json")?.text ?? ""
        let schema = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return schema?["$defs"] as? [String: Any] ?? [:]
    }()

    /// The definition at a path of keys. References are resolved.
    private func find(_ path: String...) throws -> [String: Any] {
        var value = try #require(definitions[path[0]] as? [String: Any], "no \(path)")
        for key in path.dropFirst() {
            value = try #require(value[key] as? [String: Any], "no \(key) in \(path)")
            if let name = (value["$ref"] as? String)?.split(separator: "/").last {
                value = try #require(definitions[String(name)] as? [String: Any])
            }
        }
        return value
    }

    /// The allowed values of an `enum`, or the value of a `const`.
    private func words(_ value: [String: Any]) -> [String] {
        value["enum"] as? [String] ?? (value["const"] as? String).map { [$0] } ?? []
    }

    /// The values of `event`, `reply`, `cmd` or `gesture` that the alternatives of a definition allow.
    private func alternatives(_ name: String, _ key: String) throws -> [String] {
        let list = try #require(find(name)["oneOf"] as? [[String: String]])
        return try list.flatMap { entry -> [String] in
            let inner = String(try #require(entry["$ref"]?.split(separator: "/").last))
            if try find(inner)["oneOf"] != nil { return try alternatives(inner, key) }
            let properties = try find(inner)["properties"] as? [String: Any]
            return words(properties?[key] as? [String: Any] ?? [:])
        }
    }

    @Test("has all events, and no others")
    func events() throws {
        let code = EventName.allCases.map { "\($0.word)" } + ["hello", "state", "overflow", "bye"]
        #expect(try Set(alternatives("serverLine", "event")) == Set(code))
    }

    @Test("has all commands, and an answer to each")
    func commands() throws {
        let code = CommandName.allCases.map { $0.rawValue }
        #expect(try alternatives("request", "cmd").sorted() == code.sorted())
        let replies = try alternatives("serverLine", "reply")
        #expect(replies.sorted() == code.sorted())
    }

    @Test("the capabilities are the daemon's")
    func capabilities() throws {
        let page = try #require(Document("docs/protocol.md")).text
        let section = try #require(
            page.components(separatedBy: "### hello").dropFirst().first?.components(separatedBy: "### ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let words = rows.compactMap { $0.split(separator: "`").dropFirst().first }
        #expect(words.map { String($0) } == ServerIdentity.defaultCapabilities)
        let example = try #require(section.split(separator: "\n").first { $0.hasPrefix("{\"event\":\"hello\"") })
        let hello = try JSONDocument.read(String(example)).root
        #expect(hello["capabilities"]?.array?.map { $0.string } == ServerIdentity.defaultCapabilities)
    }
}
