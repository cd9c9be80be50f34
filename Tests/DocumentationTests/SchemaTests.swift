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

    @Test("`scripts/check-lines` reports each line that does not match it")
    func brokenLines() throws {
        let place = #""region":"ok","device":"panel","sequence":872"#
        let spot = #""x":1210.5,"y":802.0,"u":0.41,"v":0.52"#
        let press =
            #"{"event":"gesture","seq":1,"gesture":"press","name":"press","phase":"end",\#(place),"fingers":1,\#(spot),"inside":true,"held_ms":84,"time_us":8}"#
        let tap =
            #"{"event":"gesture","seq":1,"gesture":"tap","name":"tap",\#(place),"fingers":1,"count":1,\#(spot),"duration_ms":84,"time_us":8}"#
        let failed =
            #"{"event":"failed","seq":1,"gesture":"tap","name":"tap",\#(place),"code":"moved","message":"moved","time_us":8}"#
        let idle = #"{"event":"idle","seq":1,"name":"saver","change":"idle","idle_ms":60000,"time_us":1}"#
        let broken = [
            press.replacing(#""fingers":1,"#, with: ""), press.replacing(#","phase":"end""#, with: ""),
            press.replacing("\"end\"", with: "\"start\""), press.replacing("}", with: #","more":1}"#),
            press.replacing("\"end\"", with: #""cancel","reason":"bored""#),
            press.replacing("\"end\"", with: #""end","reason":"palm""#), press.replacing("true", with: "1"),
            press.replacing("84", with: "84.0"), press.replacing("84", with: "-84"),
            press.replacing("1210.5", with: "\"1210.5\""), press.replacing("\"seq\"", with: "\"seq\":1,\"seq\""),
            tap.replacing(#""count":1,"#, with: ""), tap.replacing(#""count":1"#, with: #""count":0"#),
            tap.replacing(#""name""#, with: #""phase":"end","name""#),
            tap.replacing("\"device\"", with: #""leased":false,"device""#),
            failed.replacing(#","message":"moved""#, with: ""),
            failed.replacing("\"code\":\"moved", with: "\"code\":\""),
            idle.replacing(#","idle_ms":60000"#, with: ""),
            idle.replacing("\"idle\",\"idle", with: "\"active\",\"idle"),
            #"{"event":"gusture","seq":1}"#, #"{"event":"wake","seq":1,"device":"panel","reason":"noise","time_us":1}"#,
            #"{"event":"overflow","seq":1,"dropped":-1,"since_ms":1}"#, #"{"event":"bye"}"#,
        ]
        let folder = try ScratchFolder()
        try folder.write(([press, tap, failed, idle] + broken).joined(separator: "\n"), to: "test.lines")
        let check = try ChildProcess(
            [BuildProducts.root + "/scripts/check-lines", "--some", folder.path], errorFile: folder("log"))
        #expect(try check.waitForExit() == .exited(1))
        let log = try String(contentsOfFile: folder("log"), encoding: .utf8)
        for line in broken { #expect(log.contains("    \(line)\n"), "\(line)") }
        for line in [press, tap, failed, idle] { #expect(!log.contains("    \(line)\n"), "\(line)") }
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
