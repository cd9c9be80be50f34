// SPDX-License-Identifier: MIT
import GestureConfiguration

/// The form of a line of the protocol, or of an object in it.
struct LineForm: Sendable {
    /// The name of its definition.
    let name: String
    var description: String?
    let members: [LineMember]
    /// Conditions that relate members.
    var conditions: JSONTree = [:]

    var schema: JSONTree {
        let head: JSONTree = description.map { JSONTree.described($0) } ?? [:]
        return head.with(.table(members)).with(conditions)
    }
}

struct LineMember: Sendable {
    let key: String
    let value: JSONTree
    var isOptional = false

    init(_ key: String, _ value: JSONTree) {
        self.key = key
        self.value = value
    }

    /// A copy of the member that lines may lack.
    var optional: Self {
        var member = self
        member.isOptional = true
        return member
    }
}

/// The values of members.
extension JSONTree {
    static let string: Self = ["type": "string"]
    /// A text that is not empty.
    static let name: Self = ["type": "string", "minLength": 1]
    static let boolean: Self = ["type": "boolean"]
    /// A flag that is left out unless it is set.
    static let yes: Self = ["const": true]
    static let anyNumber: Self = ["type": "number"]
    static let integer: Self = ["type": "integer"]
    /// A whole number that is not negative, and that every client can represent.
    static let whole = reference("whole")
    /// The number of a sequence or a contact.
    static let identity = reference("number")
    static let textOrNull: Self = ["type": ["string", "null"]]

    static func reference(_ name: String) -> Self { ["$ref": .text("#/$defs/" + name)] }

    static func described(_ description: String) -> Self { ["description": .text(description)] }

    static func word(_ word: String) -> Self { ["const": .text(word)] }

    static func words(_ words: [String]) -> Self { ["enum": .list(words.map { .text($0) })] }

    static func integer(_ range: ClosedRange<Int>) -> Self {
        ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
    }

    static func numbers(_ range: ClosedRange<Double>) -> Self {
        ["type": "number", "minimum": .number(plain(range.lowerBound)), "maximum": .number(plain(range.upperBound))]
    }

    static func array(of element: JSONTree, least: Int? = nil, most: Int? = nil, isSet: Bool = false) -> Self {
        var list: Self = ["type": "array", "items": element]
        if let least { list = list.with(["minItems": .int(least)]) }
        if let most { list = list.with(["maxItems": .int(most)]) }
        return isSet ? list.with(["uniqueItems": true]) : list
    }

    /// A list with one element for each of these values.
    static func tuple(_ elements: [JSONTree]) -> Self {
        ["type": "array", "prefixItems": .list(elements), "items": false, "minItems": .int(elements.count)]
    }

    static func table(_ members: [LineMember]) -> Self {
        [
            "type": "object",
            "required": .list(members.filter { !$0.isOptional }.map { .text($0.key) }),
            "additionalProperties": false,
            "properties": .object(members.map { Member(key: $0.key, value: $0.value) }),
        ]
    }

    /// An object with a number for each word; without words, for any.
    static func counts(by words: [String]? = nil) -> Self {
        let form: Self = ["type": "object"]
        guard let words else { return form.with(["additionalProperties": whole]) }
        let pattern = "^(" + words.joined(separator: "|") + ")$"
        return form.with(["propertyNames": ["pattern": .text(pattern)], "additionalProperties": whole])
    }

    static func oneOf(_ forms: [JSONTree]) -> Self { ["oneOf": .list(forms)] }

    /// - Parameter names: the names of definitions.
    static func oneOf(_ names: [String]) -> Self { oneOf(names.map { reference($0) }) }
}
