// SPDX-License-Identifier: MIT
import Foundation

/// A schema as `JSONSerialization` reads it, with the words of JSON Schema that the schemas of settings use.
struct SchemaValidator {
    let definitions: [String: Any]

    init(_ root: [String: Any]) {
        definitions = root["definitions"] as? [String: Any] ?? [:]
    }

    /// Returns the schema, or the one to which it refers.
    func resolved(_ schema: [String: Any]) -> [String: Any] {
        guard let reference = schema["$ref"] as? String else { return schema }
        return definitions[String(reference.split(separator: "/").last ?? "")] as? [String: Any] ?? [:]
    }

    /// Whether a value is valid.
    func accepts(_ value: Any, _ given: Any) -> Bool {
        guard let schema = (given as? [String: Any]).map(resolved) else { return true }
        for (word, operand) in schema where !allows(value, word, operand, schema) { return false }
        return true
    }

    private func allows(_ value: Any, _ word: String, _ operand: Any, _ schema: [String: Any]) -> Bool {
        switch word {
        case "type": Self.isOf(value, operand as? String ?? "")
        case "const": Self.isSame(value, operand)
        case "enum": (operand as? [Any] ?? []).contains { Self.isSame(value, $0) }
        case "anyOf": (operand as? [Any] ?? []).contains { accepts(value, $0) }
        case "oneOf": (operand as? [Any] ?? []).count { accepts(value, $0) } == 1
        case "allOf": (operand as? [Any] ?? []).allSatisfy { accepts(value, $0) }
        case "minimum", "maximum", "exclusiveMinimum": Self.isIn(value, word, operand as? Double ?? 0)
        case "minLength", "maxLength", "minItems", "maxItems", "minProperties":
            Self.isOfSize(value, word, operand as? Int ?? 0)
        case "pattern":
            (value as? String)?.range(of: operand as? String ?? "", options: .regularExpression) != nil
        case "items": elements(value, operand)
        case "required": (operand as? [String] ?? []).allSatisfy { (value as? [String: Any])?[$0] != nil }
        case "properties":
            (value as? [String: Any] ?? [:]).allSatisfy {
                accepts($0.value, (operand as? [String: Any])?[$0.key] ?? true)
            }
        case "additionalProperties":
            (value as? [String: Any] ?? [:]).keys.allSatisfy { (schema["properties"] as? [String: Any])?[$0] != nil }
        default: ["description", "default", "title", "$schema", "definitions"].contains(word)
        }
    }

    private func elements(_ value: Any, _ operand: Any) -> Bool {
        guard let values = value as? [Any] else { return true }
        guard let forms = operand as? [Any] else { return values.allSatisfy { accepts($0, operand) } }
        return zip(values, forms).allSatisfy { accepts($0, $1) }
    }

    private static func isOf(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "boolean": value is Bool
        case "integer": value is Int
        case "number": value is Int || value is Double
        case "string": value is String
        case "array": value is [Any]
        case "object": value is [String: Any]
        default: false
        }
    }

    private static func isSame(_ value: Any, _ other: Any) -> Bool {
        if let value = value as? String { return value == other as? String }
        if let value = value as? Int { return (other as? NSNumber)?.doubleValue == Double(value) }
        return false
    }

    private static func isIn(_ value: Any, _ word: String, _ limit: Double) -> Bool {
        guard let number = (value as? Int).map({ Double($0) }) ?? value as? Double else { return true }
        return word == "minimum" ? number >= limit : word == "maximum" ? number <= limit : number > limit
    }

    private static func isOfSize(_ value: Any, _ word: String, _ limit: Int) -> Bool {
        let isText = word.hasSuffix("Length")
        let size = isText ? (value as? String)?.unicodeScalars.count : (value as? [Any])?.count
        guard let size = size ?? (word == "minProperties" ? (value as? [String: Any])?.count : nil) else { return true }
        return word.hasPrefix("min") ? size >= limit : size <= limit
    }
}
