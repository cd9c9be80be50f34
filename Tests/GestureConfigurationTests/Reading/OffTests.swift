// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import Testing

@Suite("Keys that can be off")
struct OffTests {
    /// The tables of the schema that have such keys, with a text that sets a key there.
    private static func text(_ table: String, _ setting: String) -> String? {
        let device = "[[device]]\nid = \"d\"\nmatch = {}\nshare = \"forward\"\n"
        let region = "[[region]]\nid = \"r\"\nshape = \"full\"\n"
        return switch table {
        case "filter": "[filter]\n\(setting)"
        case "device": device + setting
        case "application": device + "application = { \(setting) }"
        case "wake": device + "wake = { \(setting) }"
        case "region": region + setting
        case _ where table.hasPrefix("gesture_"):
            region + "gestures = [{ type = \"\(table.dropFirst(8))\", \(setting) }]"
        default: nil
        }
    }

    private static func keys() throws -> [(table: String, key: String)] {
        let data = Data(try readText(packageRoot + "/config/config.schema.json").utf8)
        let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let definitions = try #require(schema["definitions"] as? [String: [String: Any]])
        return definitions.flatMap { table, definition in
            let properties = definition["properties"] as? [String: [String: Any]] ?? [:]
            return properties.compactMap { key, property in
                let choices = property["anyOf"] as? [[String: Any]] ?? []
                return choices.contains { $0["const"] as? String == "off" } ? (table, key) : nil
            }
        }
    }

    @Test("The error about another value names \"off\"", arguments: ["0", "false", "\"Off\"", "\"-1\"", "[]"])
    func named(value: String) throws {
        let keys = try Self.keys()
        #expect(keys.count >= 16)
        for (table, key) in keys {
            let off = try #require(Self.text(table, "\(key) = \"off\""), "\(table)")
            #expect(!headlines(off).contains { $0.contains("error") }, "\(headlines(off))")
            let said = try headlines(#require(Self.text(table, "\(key) = \(value)"))).filter { $0.contains(" error: ") }
            #expect(said.count == 1 && said[0].contains(", or \"off\""), "\(table).\(key): \(said)")
            #expect(said[0].hasSuffix("; did you mean \"off\"?") == (value == "\"Off\""), "\(said)")
        }
    }

    @Test("Errors in the table of such a key do not")
    func inside() {
        #expect(
            headlines("[filter]\nstorm = { quiet = 5 }") == [
                "t:2:19: error: quiet has no unit; add a unit: \"5ms\", \"5s\""
            ])
    }
}
