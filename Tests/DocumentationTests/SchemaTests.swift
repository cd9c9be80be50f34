// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureProtocol
import GestureServer
import GestureTestSupport
import Testing

@testable import GestureConfiguration
@testable import GesturePipeline

/// The protocol's schema and the code use the same words.
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
        #expect(
            try words(find("subscribeRequest", "properties", "events", "items"))
                == EventName.subscribable.map { "\($0.word)" })
    }

    @Test("allows an action in the lines of every gesture")
    func actions() throws {
        let kinds = try #require(find("gesture")["oneOf"] as? [[String: String]])
        #expect(kinds.count == GestureKind.allCases.count)
        for kind in kinds {
            let name = String(try #require(kind["$ref"]?.split(separator: "/").last))
            let properties = try #require(find(name)["properties"] as? [String: Any])
            #expect(properties["action"] != nil, "\(name)")
        }
    }

    @Test("has all commands, and an answer to each")
    func commands() throws {
        let code = CommandName.allCases.map { $0.rawValue }
        #expect(try alternatives("request", "cmd").sorted() == code.sorted())
        let replies = try alternatives("serverLine", "reply")
        #expect(replies.sorted() == code.sorted())
        let refused = try #require(find("errorReply", "properties", "reply")["enum"] as? [Any])
        #expect(refused.compactMap { $0 as? String } == code)
        #expect(refused.count { $0 is NSNull } == 1)
    }

    @Test("the types of the web client have an event for each kind of gesture")
    func webEvents() throws {
        let text = try #require(Document("web/gestured.d.ts")).text
        let events = text.matches(of: /"gesture:([a-z_]+)"/).map { String($0.1) }
        #expect(events == GestureType.names)
    }

    @Test("has every kind of gesture")
    func gestures() throws {
        let code = GestureType.words
        #expect(try Set(words(find("kind"))) == Set(code))
        #expect(try alternatives("gesture", "gesture").sorted() == code.sorted())
        // Gestures that have phases.
        let continuous = try ["press", "long_press", "drag", "pinch", "rotate", "dial"].filter {
            try find($0, "properties")["phase"] != nil
        }
        #expect(try Set(words(find("active", "properties", "gesture"))) == Set(continuous))
        for word in code where !continuous.contains(word) && definitions[word] != nil {
            #expect(try find(word, "properties")["phase"] == nil)
        }
    }

    @Test("has every reason, code, unit, phase, direction and error")
    func codes() throws {
        #expect(try words(find("reason")) == CancelReason.allCases.map { "\($0.word)" })
        let codes = GestureFailure.Code.allCases.map { FailureWording($0).name }
        #expect(try words(find("failed", "properties", "code")) == codes)
        #expect(try words(find("failed", "properties", "unit")) == FailureUnit.allCases.map { $0.name })
        let phases = LinePhase.allCases.filter { $0 != .none }.map { "\($0.word)" }
        #expect(try words(find("subscribeRequest", "properties", "phases", "items")) == phases)
        for gesture in ["press", "long_press", "drag", "pinch", "rotate", "dial"] {
            #expect(try words(find(gesture, "properties", "phase")) == phases)
        }
        #expect(
            try words(find("errorReply", "properties", "error", "properties", "code"))
                == ErrorCode.allCases.map { $0.rawValue })
        #expect(
            try Set(words(find("swipe", "properties", "direction")))
                == Set(SwipeDirection.allCases.map { "\($0.word)" }))
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
        #expect(
            try find("hello", "properties", "capabilities", "items")["enum"] as? [String]
                == ServerIdentity.defaultCapabilities)
    }

    @Test("every object refuses unknown keys and names the required ones")
    func strict() {
        for (name, definition) in definitions { check(definition, name) }
    }

    private func check(_ value: Any, _ path: String) {
        if let list = value as? [Any] { for inner in list { check(inner, path) } }
        guard let object = value as? [String: Any] else { return }
        if let properties = object["properties"] as? [String: Any], object["type"] as? String == "object" {
            #expect(object["additionalProperties"] as? Bool == false, "\(path) takes any key")
            for key in object["required"] as? [String] ?? [] {
                #expect(properties[key] != nil, "\(path) must have \"\(key)\", which it does not name")
            }
        }
        for (key, inner) in object { check(inner, path + "/" + key) }
    }
}
