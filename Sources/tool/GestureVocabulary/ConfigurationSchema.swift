// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

extension GeneratedFile {
    static let configurationSchema = GeneratedFile("config/config.schema.json") { project in
        let id: JSONTree = ["required": ["id"]]
        var schema = try FileSchema(
            "docs/configuration.md", project,
            conditions: [
                "device": id, "region": id, "scene": id, "profile": id, "circle": ["required": ["center", "radius"]],
                "shape": .oneRequired([["rect"], ["circle"], ["polygon"], ["edge", "width"]]),
            ])
        var gestures: [JSONTree.Member] = []
        for type in GestureType.all {
            gestures.append(.init(key: "gesture_" + type.name, value: try schema.gesture(type)))
        }
        gestures.append(.init(key: "gesture", value: FileSchema.gesture))
        return try schema.text("gestured.toml", Configuration.forms, more: gestures)
    }
}

extension JSONTree {
    /// The condition that a table has the keys of exactly one of these lists.
    static func oneRequired(_ lists: [[String]]) -> Self {
        .oneOf(lists.map { ["required": .texts($0)] })
    }
}

extension FileSchema {
    /// A gesture's word, or one of the tables.
    fileprivate static let gesture: JSONTree = {
        let tables = GestureType.names.map { JSONTree.definition("gesture_" + $0) }
        return [
            "description": "A gesture's word, or a table with its type.",
            "anyOf": .list([["enum": .texts(GestureType.names)]] + tables),
        ]
    }()

    fileprivate mutating func gesture(_ type: GestureType) throws -> JSONTree {
        var properties: [JSONTree.Member] = []
        for key in Configuration.gestureForms(type) {
            properties.append(.init(key: key.name, value: try property(key, in: "gesture")))
        }
        for key in type.keys { properties.append(try property(key, of: type.kind.row)) }
        return [
            "type": "object", "description": .text("The gesture \(type.name)."), "properties": .object(properties),
            "additionalProperties": false,
            "required": .texts(["type"] + type.keys.filter(\.isRequired).map(\.name)),
        ]
    }

    /// The table of a kind in `defaults`.
    mutating func settings(_ row: KindRow) throws -> JSONTree {
        var properties: [JSONTree.Member] = []
        for key in row.defaultKeys { properties.append(try property(key, of: row)) }
        return ["type": "object", "properties": .object(properties), "additionalProperties": false]
    }

    private mutating func property(_ key: Setting, of row: KindRow) throws -> JSONTree.Member {
        let standard = key.isRequired ? nil : key.shape.written(key.get(row.standard))
        let value = try property(key.name, in: row.word, key.note, standard: standard)
        return JSONTree.Member(key: key.name, value: value)
    }
}
