// SPDX-License-Identifier: MIT
import CJansson

/// A value of a JSON document. It keeps the document alive. Accessors for a type that the value does not have return
/// `nil`.
///
/// Documents are immutable, so every thread may use their values.
package struct JSONValue: Hashable, @unchecked Sendable {
    private let document: JSONDocument
    private let pointer: UnsafeMutablePointer<json_t>

    init(document: JSONDocument, pointer: UnsafeMutablePointer<json_t>) {
        self.document = document
        self.pointer = pointer
    }

    /// Whether both have the same compact JSON, with the keys in the same order.
    package static func == (a: Self, b: Self) -> Bool { a.json == b.json }

    package func hash(into hasher: inout Hasher) { hasher.combine(json) }

    private var type: json_type { pointer.pointee.type }

    package var isObject: Bool { type == JSON_OBJECT }
    package var isArray: Bool { type == JSON_ARRAY }
    package var isNull: Bool { type == JSON_NULL }

    /// The member of an object; `nil` if it is missing, or if the value is not an object.
    package subscript(_ key: String) -> JSONValue? {
        // Passing the string itself would copy it.
        key.withCString { json_object_get(pointer, $0) }.map { JSONValue(document: document, pointer: $0) }
    }

    /// The keys of an object in their order; empty for other values.
    package var keys: [String] { members.map { $0.key } }

    /// The members of an object in their order; empty for other values.
    package var members: [(key: String, value: JSONValue)] {
        var result: [(key: String, value: JSONValue)] = []
        var place = json_object_iter(pointer)
        while let current = place {
            if let key = json_object_iter_key(current), let value = json_object_iter_value(current) {
                result.append((String(cString: key), JSONValue(document: document, pointer: value)))
            }
            place = json_object_iter_next(pointer, current)
        }
        return result
    }

    package var array: [JSONValue]? {
        guard isArray else { return nil }
        var result: [JSONValue] = []
        let count = json_array_size(pointer)
        result.reserveCapacity(count)
        for index in 0..<count {
            if let value = json_array_get(pointer, index) {
                result.append(JSONValue(document: document, pointer: value))
            }
        }
        return result
    }

    package var string: String? {
        guard type == JSON_STRING, let bytes = json_string_value(pointer) else { return nil }
        let text = UnsafeBufferPointer(start: bytes, count: json_string_length(pointer))
        return text.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
    }

    /// A number written without a fraction or an exponent.
    package var integer: Int64? {
        type == JSON_INTEGER ? Int64(json_integer_value(pointer)) : nil
    }

    /// Any number; always finite.
    package var number: Double? {
        type == JSON_INTEGER || type == JSON_REAL ? json_number_value(pointer) : nil
    }

    package var bool: Bool? {
        switch type {
        case JSON_TRUE: true
        case JSON_FALSE: false
        default: nil
        }
    }

    /// The value as compact JSON, with the keys of objects in their order.
    package var json: String {
        guard let text = json_dumps(pointer, Int(JSON_COMPACT | JSON_ENCODE_ANY)) else { return "null" }
        defer { free(text) }
        return String(cString: text)
    }
}
