// SPDX-License-Identifier: MIT

/// A value of a TOML text, with its place.
struct TomlValue {
    indirect enum Kind {
        case table(TomlTable)
        case array([TomlValue])
        case string(String)
        case integer(Int64)
        case number(Double)
        case boolean(Bool)
        case date
        /// Only in requests: TOML has none.
        case null
    }

    var kind: Kind
    var region: TextRegion

    /// What it is, in the words of a diagnostic.
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

/// The keys of a table in the order of the text.
struct TomlTable {
    struct Entry {
        var key: String
        var keyRegion: TextRegion
        var value: TomlValue
    }

    var entries: [Entry] = []

    subscript(key: String) -> TomlValue? { entry(key)?.value }

    func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }
}
