// SPDX-License-Identifier: MIT
import BridgeProgram
import Foundation
import GestureConfiguration
import GestureKeys
import GestureTestSupport
import Testing

@testable import GestureVocabulary

/// The schema and the program agree about the values of each key.
@Suite("A schema of settings")
struct FileSchemaTests {
    /// A file whose keys have a schema.
    struct File: Sendable, CustomTestStringConvertible {
        let name: String
        let read: @Sendable (String) -> [Diagnostic]
        var testDescription: String { name }

        static let all = [
            File(name: "config") { ConfigurationReader.read($0).diagnostics },
            File(name: "keys") { KeysSettings.read(Array($0.utf8), path: "t").diagnostics },
            File(name: "mqtt") { MQTTSettings.read(Array($0.utf8), path: "t").diagnostics },
            File(name: "report") { ReportSettings.read(Array($0.utf8), path: "t").diagnostics },
            File(name: "web") { WebSettings.read(Array($0.utf8), path: "t").diagnostics },
        ]
    }

    /// A key, and the text of a file around its value.
    private struct Place {
        let name: String
        let schema: [String: Any]
        let before: String
        let after: String
    }

    /// The other keys that a table needs.
    private static let companions: [String: [String: String]] = [
        "device": ["id": "'a'", "match": "{}"], "region": ["id": "'a'", "shape": "'full'"],
        "scene": ["id": "'a'", "regions": "[]"], "profile": ["id": "'a'"], "idle": ["after": "'1s'"],
        "circle": ["center": "[0, 0]", "radius": "1"], "binding": ["gesture": "'a'", "keys": "'a'"],
        "pointer": ["layout": "[9, 9]", "area": "[0, 0, 9, 9]"], "wheel": ["x": "true"], "steps": ["cw": "'a'"],
        "gesture_chain": ["path": "['left']"], "gesture_stroke": ["points": "[[0, 0], [1, 1]]"],
        "gesture_pattern": ["steps": "['tap a']"], "broker": ["user": "'a'"],
    ]
    /// The keys of a table that exclude each other, except for those that they need.
    private static let alternatives: [String: [String: [String: String]]] = [
        "shape": [
            "rect": [:], "circle": [:], "polygon": [:], "edge": ["width": "1"], "width": ["edge": "'left'"],
            "from": ["edge": "'left'", "width": "1"], "to": ["edge": "'left'", "width": "1"],
        ],
        "binding": [
            "click": ["gesture": "'a'"], "wheel": ["gesture": "'a'"], "hold": ["gesture": "'a'"],
            "steps": ["gesture": "'a'"],
        ],
        "tls": [
            "certificate": ["key": "'/a'"], "key": ["certificate": "'/a'"], "psk_identity": ["psk_file": "'/a'"],
            "psk_file": ["psk_identity": "'a'"], "psk_credential": ["psk_identity": "'a'"],
        ],
    ]

    private static let values = """
        true; false; -1; 0; 1; 2; 6; 11; 65; 257; 1025; 4097; 65536; 65537; 1000001; 4294967295; 0.5; 1.5; -0.5; 91.0; 200.0; 1e7
        ''; 'a'; 'off'; '-a'; 'a b'; '/a'; '5mm'; '+5mm'; '-5mm'; '5'; '5cm'; '1s'; '+1.5 s'; '-1s'; '90'; '80mm/s'
        '80mm'; 'any'; '1..3'; '0..11'; 'full'; 'left'; 'é'; 'leftalt+left'; 'a+'; 'https://a.b'; 'http://A'; '127.0.0.1:1'
        '0.0.0.0:1'; 'a/b'; 'a#'; '$a'; 'tap a'; 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
        'auto'; 'none'; 'lift'; 'debug'; 'forward'; 'flipped'; '5.'; []; ['a']; ['left']; ['cw']; ['tap']; ['a', 'b']; [1]; [true]
        ['ping']; [1, 2]; [0, 9]; ['1mm', '5%']; [1, 2, 3, 4]; [1, 0, 0, 0, 1, 0]; [[0, 0, 1, 1]]; [[0, 0], [1, 1]]
        [[0, 0], [1, 0], [0, 1]]; [['a.b', 'c.d']]; [['a']]; {}; { x = 1 }; [{}]; ['begin']; ['@g']; ['tap a']
        '30s'; 'default'; [20, 20]; { x = true }; { cw = 'a' }; { center = [0, 0], radius = 1 }
        """.split { $0 == ";" || $0 == "\n" }.map { $0.trimmingCharacters(in: .whitespaces) }

    @Test(
        "refuses exactly the types of values that the program refuses, and no value that it reads", arguments: File.all)
    func agrees(file: File) throws {
        let data = Data(try Project(Document.root).text(of: "config/\(file.name).schema.json").utf8)
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let validator = SchemaValidator(root)
        var seen: Set<String> = []
        let places = Self.places(root, "file", "version = 1\n", "\n", validator, &seen)
        #expect(places.count >= ["config": 250, "keys": 20, "mqtt": 50, "web": 12][file.name] ?? 0)
        for place in places {
            var isRead = false
            for value in Self.values + Self.words(place.schema) {
                let errors = file.read(place.before + value + place.after).filter(\.isError)
                let isValid = validator.accepts(try Self.json(value), place.schema)
                isRead = isRead || errors.isEmpty
                #expect(isValid || !errors.isEmpty, "\(place.name) = \(value): the program reads it")
                let refused = errors.first { $0.code == .wrongType && $0.location.line == 2 }
                #expect(!isValid || refused == nil, "\(place.name) = \(value): \(refused?.message ?? "")")
            }
            // The file has a version, and no other region.
            let isOdd = ["file.version", "region.parent"].contains(place.name)
            #expect(isRead || isOdd, "\(place.name): the program reads none of the values")
        }
    }

    /// The words that a schema lists, also in a list.
    private static func words(_ schema: [String: Any]) -> [String] {
        let own = (schema["enum"] as? [Any] ?? []).map { ($0 as? String).map { "'\($0)'" } ?? "\($0)" }
        let inner = (schema["items"] as? [String: Any]).map { words($0).map { "[\($0)]" } } ?? []
        return own + inner + ((schema["const"] as? String).map { ["'\($0)'"] } ?? [])
    }

    /// Returns a value as `JSONSerialization` would.
    private static func json(_ toml: String) throws -> Any {
        if toml == "true" || toml == "false" { return toml == "true" }
        if let number = Int(toml) { return number }
        if let number = Double(toml) { return number }
        let text = toml.replacing("'", with: "\"").replacing(#/(\w+) = /#) { "\"\($0.output.1)\": " }
        let value = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? [Any]
        return native(try #require(value)[0])
    }

    /// Numbers of JSON as Swift's.
    private static func native(_ value: Any) -> Any {
        if let values = value as? [Any] { return values.map { native($0) } }
        if let table = value as? [String: Any] { return table.mapValues { native($0) } }
        guard let number = value as? NSNumber, !(value is String) else { return value }
        if String(cString: number.objCType) == "c" { return number.boolValue }
        return number.doubleValue == number.doubleValue.rounded() ? number.intValue : number.doubleValue
    }

    /// The keys of a table and of the tables in it, each table once.
    private static func places(
        _ table: [String: Any], _ name: String, _ before: String, _ after: String, _ validator: SchemaValidator,
        _ seen: inout Set<String>
    ) -> [Place] {
        guard seen.insert(name).inserted else { return [] }
        var result: [Place] = []
        let properties = table["properties"] as? [String: [String: Any]] ?? [:]
        for (key, schema) in properties.sorted(by: { $0.key < $1.key }) {
            // Every gesture has the keys of a press.
            if name.hasPrefix("gesture_"), name != "gesture_press", ["type", "name", "action", "after"].contains(key) {
                continue
            }
            let others = alternatives[name]?[key] ?? companions[name] ?? [:]
            let list = others.filter { $0.key != key }.map { "\($0) = \($1)" }.sorted()
            let isFile = name == "file"
            let type = name.hasPrefix("gesture_") ? ["type = '\(name.dropFirst("gesture_".count))'"] : []
            let around = isFile ? "" : (type.filter { _ in key != "type" } + list).map { $0 + ", " }.joined()
            let start = before + around + key + " = "
            result.append(Place(name: "\(name).\(key)", schema: schema, before: start, after: after))
            // `defaults` has the keys of gestures.
            for (inner, isList) in tables(schema, validator) where name != "defaults" || key == "leave" {
                let (open, close) = isList ? ("[{ ", " }]") : ("{ ", " }")
                result += places(
                    inner.schema, inner.name ?? key, start + open, close + after, validator, &seen)
            }
        }
        return result
    }

    /// The tables that a value may be, or contain.
    private static func tables(
        _ schema: [String: Any], _ validator: SchemaValidator
    ) -> [(table: (name: String?, schema: [String: Any]), isList: Bool)] {
        let name = (schema["$ref"] as? String)?.split(separator: "/").last.map { String($0) }
        let resolved = validator.resolved(schema)
        if resolved["properties"] != nil { return [((name, resolved), false)] }
        let alternatives = (resolved["anyOf"] ?? resolved["allOf"]) as? [[String: Any]] ?? []
        let element = resolved["items"] as? [String: Any] ?? [:]
        return alternatives.flatMap { tables($0, validator) }
            + (element.isEmpty ? [] : tables(element, validator).map { ($0.table, true) })
    }
}
