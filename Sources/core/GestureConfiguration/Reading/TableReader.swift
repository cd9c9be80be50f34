// SPDX-License-Identifier: MIT
import GestureEngine

/// The declaration of one key of a table: its name, how its value is read, and what it sets.
package struct Key<Target>: Sendable {
    package let name: String
    let read: @Sendable (ValueReader, inout Target) -> Void

    package init(_ name: String, _ read: @escaping @Sendable (ValueReader, inout Target) -> Void) {
        self.name = name
        self.read = read
    }

    /// Declares a key whose value is read when the whole table is known.
    ///
    /// - Parameter read: reads the value in the same way, for its form.
    init<Value>(_ name: String, elsewhere read: @escaping @Sendable (ValueReader) -> Value) {
        self.init(name) { value, _ in if value.isNoting { _ = read(value) } }
    }

    /// Declares a key that sets one property.
    ///
    /// - Parameter read: returns `nil` after an error; the property then keeps its value.
    package init<Value>(
        _ name: String, _ property: any WritableKeyPath<Target, Value> & Sendable,
        _ read: @escaping @Sendable (ValueReader) -> Value?
    ) {
        self.init(name) { value, target in
            value.noteStandard(target[keyPath: property])
            if let value = read(value) { target[keyPath: property] = value }
        }
    }
}

extension Key {
    /// The version of a file's format.
    package static var version: Self { Key("version") { value, _ in _ = value.integer(1...1) } }
    /// The id of an entry of a list, and whether the entry is in use: `ListEntry` reads them.
    static var id: Self { Key("id", elsewhere: { $0.identifier() }) }
    static var enabled: Self {
        Key(
            "enabled",
            elsewhere: { value in
                value.noteStandard(true)
                return value.boolean()
            })
    }
}

/// Reads a table. An unknown key is reported as an error at the location of the key.
package struct TableReader {
    let table: ConfigurationTable
    /// The name of the table in diagnostics: `region "ok"`, `gesture "tap" of region "ok"`.
    let name: String
    let range: SourceRange
    let sink: DiagnosticSink
    private let hasUnknownKeys: Bool

    /// - Parameter keys: all keys that the table may have; suggestions are made in this order.
    init(
        _ table: ConfigurationTable, name: String, range: SourceRange, keys: @autoclosure () -> [String],
        _ sink: DiagnosticSink
    ) {
        self.table = table
        self.name = name
        self.range = range
        self.sink = sink
        // Fast path: most gestures are given by their type only, and have an empty table.
        guard !table.entries.isEmpty else {
            hasUnknownKeys = false
            return
        }
        let keys = keys()
        let unknown = table.entries.filter { !keys.contains($0.key) }
        hasUnknownKeys = !unknown.isEmpty
        for entry in unknown {
            // Several types of gesture share one key of `defaults`.
            let shared = GestureType(entry.key)?.defaultsKey
            sink.error(
                .unknownKey, "unknown key \"\(entry.key)\" in \(name)",
                suggestion: keys.first { $0 == shared } ?? nearest(to: entry.key, among: keys), at: entry.keyRange)
        }
    }

    /// A table without keys.
    static var empty: Self {
        let range = SourceRange(file: 0, line: 1, column: 1)
        return Self(ConfigurationTable(), name: "", range: range, keys: [], DiagnosticSink(files: []))
    }

    package subscript(key: String) -> ValueReader? { table[key].map { reader(key, $0) } }

    /// Reports that a key is missing, unless the table has an unknown key: the missing one may be misspelt, and one
    /// mistake should cause one error.
    /// - Parameter other: a key at which the error is reported if the table has it.
    package func missingKey(_ message: String, at other: String = "id") {
        if !hasUnknownKeys { sink.error(.missingKey, message, at: range(of: other)) }
    }

    /// Returns the location of a key, or of the table if it does not have the key.
    func range(of key: String) -> SourceRange { table.entry(key)?.keyRange ?? range }

    /// Reads the keys that the table contains, in the order of the text.
    func read<Target>(_ keys: [Key<Target>], into target: inout Target) {
        for entry in table.entries {
            keys.first { $0.name == entry.key }?.read(reader(entry.key, entry.value), &target)
        }
    }

    /// Reads the keys of a gesture that the table contains, in the order of the text.
    func overrides(_ keys: [Setting]) -> [GestureOverride] {
        table.entries.compactMap { entry in
            let key = keys.first { $0.name == entry.key }
            return key?.shape.read(reader(entry.key, entry.value)).map { GestureOverride(key: entry.key, value: $0) }
        }
    }

    private func reader(_ key: String, _ value: ConfigurationValue) -> ValueReader {
        ValueReader(key, value, owner: name, sink)
    }
}
