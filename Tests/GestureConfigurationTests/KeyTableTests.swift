// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import Testing

/// The reader, the schema and the manual list the same keys.
@Suite("Keys")
struct KeyTableTests {
    typealias Object = [String: Any]

    static func schema() throws -> Object {
        let data = Data(try readText(packageRoot + "/config/config.schema.json").utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? Object)
    }

    static func keys(_ definition: Any?) throws -> Set<String> {
        let object = try #require(definition as? Object)
        #expect(object["additionalProperties"] as? Bool == false)
        return Set(try #require(object["properties"] as? Object).keys)
    }

    @Test("of the schema", arguments: KeyTables.tables.map { $0.name })
    func schemaOfTable(name: String) throws {
        let expected = try #require(KeyTables.tables.first { $0.name == name }).keys
        let schema = try Self.schema()
        let definitions = try #require(schema["definitions"] as? Object)
        if name == "gesture" {
            for type in KeyTables.gestures.map({ $0.type }) {
                #expect(try Self.keys(definitions["gesture_" + type]).isSuperset(of: expected))
            }
        } else {
            #expect(try Self.keys(name == "file" ? schema : definitions[name]) == Set(expected))
        }
    }

    @Test("of the manual", arguments: KeyTables.tables.map { $0.name })
    func manual(name: String) throws {
        let expected = try #require(KeyTables.tables.first { $0.name == name }).keys
        #expect(Set(try Self.manualKeys()[name] ?? []) == Set(expected))
    }

    /// The manual describes `double_tap`, `two_finger_tap` and `button` together with `tap`.
    @Test(
        "of a gesture in the manual",
        arguments: KeyTables.gestures.map { $0.type }.filter { !$0.hasSuffix("_tap") && $0 != "button" })
    func manualOfGesture(type: String) throws {
        let expected = try #require(KeyTables.gestures.first { $0.type == type }).keys
        #expect(Set(try Self.manualKeys()[type] ?? []) == Set(expected))
    }

    /// The keys in the first column of the table below each heading such as ``### `[[region]]` ``.
    static func manualKeys() throws -> [String: [String]] {
        var result: [String: [String]] = [:]
        var heading = ""
        for line in try readText(packageRoot + "/docs/configuration.md").split(separator: "\n") {
            if line.hasPrefix("#") {
                heading = line.filter { !"# `[]".contains($0) }
            } else if line.hasPrefix("| `") {
                let column = line.split(separator: "|")[0]
                let words = column.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
                result[heading, default: []] += words.map { String($0.element) }
            }
        }
        return result
    }

    @Test func theReaderReadsEveryKey() {
        let unknown = headlines("no_such_table = 1").first ?? ""
        #expect(unknown.contains("unknown key \"no_such_table\" in the file"))
        for (type, keys) in KeyTables.gestures {
            for key in keys {
                let text =
                    "[[region]]\nid = \"a\"\nshape = \"full\"\ngestures = [{ type = \"\(type)\", \(key) = {} }]\n"
                let said = headlines(text)
                #expect(!said.contains { $0.contains("unknown key") }, "\(type).\(key)")
                // The value of a key is never a table, so the reader must refuse this value.
                #expect(said.contains { $0.contains("error: \(key)") || $0.contains("must be") }, "\(type).\(key)")
            }
        }
    }

    @Test func theManualListsEveryWarning() throws {
        let listed = Set(try Self.manualKeys()["Warnings"] ?? [])
        #expect(listed == Set(DiagnosticCode.allCases.filter { $0.isWarning }.map { $0.rawValue }))
    }
}

extension DiagnosticCode {
    /// Whether the code is used only for warnings.
    fileprivate var isWarning: Bool {
        switch self {
        case .similarID, .waits, .noEffect, .neverHit, .fewRegions, .outside, .unknownSize, .tooLong, .unmatched,
            .shared:
            true
        case .unreadable, .syntax, .unknownKey, .missingKey, .wrongType, .badValue, .outOfRange, .missingUnit,
            .duplicateID, .duplicateName, .unknownRegion, .unknownName, .parentCycle, .gestureCycle, .tooMany, .more:
            false
        }
    }
}
