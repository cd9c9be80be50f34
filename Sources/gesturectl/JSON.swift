// SPDX-License-Identifier: MIT

/// A JSON value with its keys in the order of the text.
enum JSON: Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    struct Member: Hashable {
        var key: String
        var value: JSON
    }

    /// The value of a key; nil when this is no object or has no such key.
    subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// An integer or a fraction.
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// A scalar as text for a person; empty for lists and objects.
    var text: String {
        switch self {
        case .null: "none"
        case .bool(let value): value ? "yes" : "no"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): text
        case .array, .object: ""
        }
    }
}
