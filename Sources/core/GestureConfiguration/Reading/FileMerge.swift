// SPDX-License-Identifier: MIT

/// Merges several files into one document: tables key by key, lists by id. Later files override earlier ones.
enum FileMerge {
    /// The lists whose tables have an id.
    static let lists = ["device", "region", "scene", "profile", "idle"]
    /// Keys whose tables are replaced as a whole, because parts of two different shapes do not make a shape.
    private static let replaced = ["shape"]
    /// The maximum number of entries of one list in all files together, which is more than fits on any screen. Checking
    /// this number of regions takes a few hundredths of a second, and reloading them delays a touch by a few milliseconds.
    private static let mostEntries = 2000

    /// Merges everything except the lists.
    static func tables(_ documents: [ConfigurationTable]) -> ConfigurationTable {
        var result = ConfigurationTable()
        for document in documents {
            let entries = document.entries.filter { !lists.contains($0.key) }
            result = merged(result, ConfigurationTable(entries: entries))
        }
        return result
    }

    private static func merged(_ base: ConfigurationTable, _ later: ConfigurationTable) -> ConfigurationTable {
        var entries = base.entries
        var indices: [String: Int] = [:]
        for (i, entry) in entries.enumerated() { indices[entry.key] = i }
        for var entry in later.entries {
            guard let index = indices[entry.key] else {
                indices[entry.key] = entries.count
                entries.append(entry)
                continue
            }
            if case .table(let inner) = entry.value.kind, !replaced.contains(entry.key),
                case .table(let old) = entries[index].value.kind
            {
                entry.value.kind = .table(merged(old, inner))
            }
            entries[index] = entry
        }
        return ConfigurationTable(entries: entries)
    }

    /// Returns the entries of one list, merged by id, in the order in which the ids first appear.
    ///
    /// - Parameters:
    ///   - fallback: the id of an entry without one; `nil`: each entry must have one.
    ///   - hidden: ids of entries to leave out; they do not count towards the maximum.
    static func list(
        _ kind: String, fallback: String? = nil, hiding hidden: Set<String> = [], _ documents: [ConfigurationTable],
        _ sink: DiagnosticSink
    ) -> [ListEntry] {
        var result: [ListEntry] = []
        var indices: [String: Int] = [:]
        for document in documents {
            guard let value = document[kind] else { continue }
            var seen: Set<String> = []
            for item in items(kind, value, sink) {
                let entry = ListEntry(item, kind: kind, fallback: fallback, sink)
                if hidden.contains(entry.id) { continue }
                if !entry.id.isEmpty, seen.contains(entry.id) {
                    sink.error(.duplicateID, "two \(kind)s have the id \"\(entry.id)\"", at: entry.idRange)
                } else if !entry.id.isEmpty, let index = indices[entry.id] {
                    result[index].table = merged(result[index].table, entry.table)
                } else {
                    indices[entry.id] = result.count
                    result.append(entry)
                }
                seen.insert(entry.id)
            }
        }
        if result.count > mostEntries {
            sink.error(
                .tooMany, "there are \(result.count) \(kind)s; use at most \(mostEntries)",
                at: result[mostEntries].idRange)
            result.removeLast(result.count - mostEntries)
        }
        warnAboutCase(result, kind, sink)
        return result
    }

    private static func items(
        _ kind: String, _ value: ConfigurationValue, _ sink: DiagnosticSink
    ) -> [ConfigurationValue] {
        switch value.kind {
        case .array(let items): return items
        case .table:
            sink.error(.wrongType, "\(kind) is a list: write [[\(kind)]], not [\(kind)]", at: value.range)
        default:
            return ValueReader(kind, value, sink).wrongType("a list of tables") ?? []
        }
        return []
    }

    private static func warnAboutCase(_ entries: [ListEntry], _ kind: String, _ sink: DiagnosticSink) {
        var spelling: [String: String] = [:]
        for entry in entries where !entry.id.isEmpty {
            if let other = spelling[entry.id.lowercased()] {
                sink.warning(
                    .similarID, "\(kind)s \"\(other)\" and \"\(entry.id)\" differ only in case", at: entry.idRange)
            }
            spelling[entry.id.lowercased()] = entry.id
        }
    }
}

/// One table of a list, with the id by which other files and other tables refer to it.
struct ListEntry {
    /// The id; empty if it is missing or invalid. `reader` reports a missing one.
    let id: String
    let kind: String
    let range: SourceRange
    let idRange: SourceRange
    var table: ConfigurationTable
    /// Whether the entry is a table without the id that it needs.
    private let lacksID: Bool

    /// - Parameter fallback: the id of an entry without one; `nil`: it needs an id.
    init(_ value: ConfigurationValue, kind: String, fallback: String? = nil, _ sink: DiagnosticSink) {
        self.kind = kind
        range = value.range
        table = ValueReader("a \(kind)", value, sink).table() ?? ConfigurationTable()
        let idValue = table["id"]
        idRange = idValue?.range ?? value.range
        id = idValue.flatMap { ValueReader("id", $0, sink).identifier() } ?? fallback ?? ""
        if idValue == nil, fallback == nil, case .table = value.kind { lacksID = true } else { lacksID = false }
    }

    /// Whether the entry is in use: no file sets its `enabled` to `false`.
    var isEnabled: Bool {
        if case .boolean(false) = table["enabled"]?.kind { false } else { true }
    }

    /// The name in diagnostics: `region "ok"`.
    var name: String { id.isEmpty ? "\(kind) without id" : "\(kind) \"\(id)\"" }

    func reader<Target>(_ keys: [Key<Target>], _ sink: DiagnosticSink) -> TableReader {
        let reader = TableReader(table, name: name, range: range, keys: keys.map { $0.name }, sink)
        if lacksID { reader.missingKey("a \(kind) has no id") }
        _ = reader["enabled"]?.boolean()
        return reader
    }
}
