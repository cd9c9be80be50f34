// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

extension GeneratedFile {
    /// The schema of gestured.toml. Only the definitions of gestures and `defaults` are generated.
    static let configurationSchema = GeneratedFile("config/config.schema.json") { project in
        let gestures = GestureTables(described: try DescribedKeys(project))
        var definitions = try GestureType.all.map { ("gesture_" + $0.name, try gestures.table($0)) }
        definitions += [("gesture", gestures.gesture), ("defaults", try gestures.defaults)]
        var text = SchemaDefinitions("config/config.schema.json", try project.text(of: "config/config.schema.json"))
        var last: String?
        for (name, definition) in definitions {
            try text.set(name, to: definition, after: last)
            last = name
        }
        return text.text
    }
}

/// The definitions of gestures in the schema.
private struct GestureTables {
    let described: DescribedKeys

    /// The keys that every gesture has.
    private static let common: [(key: String, schema: JSONTree)] = [
        ("name", ["allOf": [["$ref": "#/definitions/id"]]]),
        ("action", ["allOf": [["$ref": "#/definitions/id"]]]),
        ("after", ["type": "array", "maxItems": 64, "items": ["type": "string"]]),
        ("unless", ["type": "array", "maxItems": 64, "items": ["type": "string"]]),
        ("exclusive", ["default": false, "type": "boolean"]),
        ("consume", ["default": false, "type": "boolean"]),
    ]

    /// A gesture's word, or one of the tables.
    var gesture: JSONTree {
        let tables: [JSONTree] = GestureType.names.map { ["$ref": .text("#/definitions/gesture_" + $0)] }
        return [
            "description": "A gesture's word, or a table with its type.",
            "anyOf": .list([["enum": .texts(GestureType.names)]] + tables),
        ]
    }

    /// The table of a gesture.
    func table(_ type: GestureType) throws -> JSONTree {
        var properties = [
            JSONTree.Member(
                key: "type",
                value: Self.property(try described.sentence("gesture", "type")).with(["const": .text(type.name)]))
        ]
        for (key, schema) in Self.common {
            let value = Self.property(try described.sentence("gesture", key)).with(schema)
            properties.append(JSONTree.Member(key: key, value: value))
        }
        properties += try type.keys.map { try property($0, of: type.kind.row) }
        return [
            "type": "object", "description": .text("The gesture \(type.name)."), "properties": .object(properties),
            "additionalProperties": false,
            "required": .texts(["type"] + type.keys.filter(\.isRequired).map(\.name)),
        ]
    }

    /// The table `defaults`.
    var defaults: JSONTree {
        get throws {
            var properties: [JSONTree.Member] = []
            for row in KindRow.all where !row.defaultKeys.isEmpty {
                let table: JSONTree = [
                    "type": "object", "description": .text(try described.sentence("defaults", row.word)),
                    "properties": .object(try row.defaultKeys.map { try property($0, of: row) }),
                    "additionalProperties": false,
                ]
                properties.append(JSONTree.Member(key: row.word, value: table))
            }
            properties.append(JSONTree.Member(key: "leave", value: ["$ref": "#/definitions/leave"]))
            return [
                "type": "object", "description": "Settings of gestures.", "properties": .object(properties),
                "additionalProperties": false,
            ]
        }
    }

    private func property(_ key: Setting, of row: KindRow) throws -> JSONTree.Member {
        var property = Self.property(try described.sentence(row.word, key.name))
        if !key.isRequired {
            property = property.with(["default": key.shape.written(key.get(row.standard))])
        }
        return JSONTree.Member(key: key.name, value: property.with(key.shape.members))
    }

    private static func property(_ description: String) -> JSONTree { ["description": .text(description)] }
}

/// The text of a schema, in which each definition begins and ends with a line that is indented by four blanks.
private struct SchemaDefinitions {
    private let path: String
    private var lines: [Substring]

    init(_ path: String, _ text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    var text: String { lines.joined(separator: "\n") }

    /// Replaces a definition.
    /// - Parameter last: the definition after which it is added if there is none yet.
    mutating func set(_ name: String, to definition: JSONTree, after last: String?) throws {
        let key = "    \"\(name)\": "
        let made = (key + definition.formatted(indent: 4, start: key.count + 1)).split(separator: "\n")
        if let place = place(of: name) {
            let comma = lines[place.upperBound].hasSuffix(",") ? "," : ""
            lines.replaceSubrange(place, with: made.dropLast() + made.suffix(1).map { $0 + comma })
        } else if let last, let place = self.place(of: last), lines[place.upperBound].hasSuffix(",") {
            lines.insert(contentsOf: made.dropLast() + made.suffix(1).map { $0 + "," }, at: place.upperBound + 1)
        } else {
            throw VocabularyError(path, "there is no definition \(name)")
        }
    }

    private func place(of name: String) -> ClosedRange<Int>? {
        guard let start = lines.lastIndex(where: { $0.hasPrefix("    \"\(name)\": {") }) else { return nil }
        let isWhole = lines[start].hasSuffix("}") || lines[start].hasSuffix("},")
        return (isWhole ? start : lines[start...].firstIndex { $0.hasPrefix("    }") }).map { start...$0 }
    }
}
