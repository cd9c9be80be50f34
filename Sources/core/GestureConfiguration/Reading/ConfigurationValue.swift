// SPDX-License-Identifier: MIT
import GestureProtocol

/// A value of a configuration and its location, from a TOML file or from a request in JSON.
struct ConfigurationValue {
    enum Kind {
        case table(ConfigurationTable)
        case array([ConfigurationValue])
        case string(String)
        case integer(Int64)
        case number(Double)
        case boolean(Bool)
        /// A date or a time, which only TOML has.
        case date
        /// A null, which only JSON has.
        case null
    }

    var kind: Kind
    var range: SourceRange

    /// The name of the value's type in diagnostics.
    var typeName: String {
        switch kind {
        case .table: "a table"
        case .array: "an array"
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "a boolean"
        case .date: "a date"
        case .null: "null"
        }
    }
}

extension ConfigurationValue {
    /// Converts a value of a request. A request has no lines, so `range` is used for the value and everything in it.
    init(_ json: JSONValue, at range: SourceRange) {
        self.range = range
        if json.isObject {
            let entries = json.members.map { key, value in
                ConfigurationTable.Entry(key: key, keyRange: range, value: Self(value, at: range))
            }
            kind = .table(ConfigurationTable(entries: entries))
        } else if let values = json.array {
            kind = .array(values.map { Self($0, at: range) })
        } else if let text = json.string {
            kind = .string(text)
        } else if let integer = json.integer {
            kind = .integer(integer)
        } else if let number = json.number {
            kind = .number(number)
        } else if let flag = json.bool {
            kind = .boolean(flag)
        } else {
            kind = .null
        }
    }
}

/// The keys of a table, in the order of the text. Each key appears once.
struct ConfigurationTable {
    struct Entry {
        var key: String
        var keyRange: SourceRange
        var value: ConfigurationValue
    }

    var entries: [Entry] = []

    subscript(key: String) -> ConfigurationValue? { entry(key)?.value }

    func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }
}
