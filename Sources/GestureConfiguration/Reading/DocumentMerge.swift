// SPDX-License-Identifier: MIT

/// Makes one document of several files: tables merge key by key, later files win.
enum DocumentMerge {
    /// What a file says with one of these keys is replaced as a whole: half of one shape and half
    /// of another are none.
    private static let whole = [RegionKey.shape.rawValue]
    /// Of one list in one file: more than any screen has room for.
    private static let mostEntries = 4096

    /// All but the lists of `[[device]]`, `[[region]]` and `[[scene]]`.
    static func tables(_ documents: [TomlTable]) -> TomlTable {
        var result = TomlTable()
        for document in documents {
            let entries = document.entries.filter { !TopKey.lists.contains($0.key) }
            result = merged(result, TomlTable(entries: entries))
        }
        return result
    }

    static func merged(_ base: TomlTable, _ later: TomlTable) -> TomlTable {
        var entries = base.entries
        var indices: [String: Int] = [:]
        for (i, entry) in entries.enumerated() { indices[entry.key] = i }
        for var entry in later.entries {
            guard let index = indices[entry.key] else {
                indices[entry.key] = entries.count
                entries.append(entry)
                continue
            }
            if case .table(let inner) = entry.value.kind, !whole.contains(entry.key),
                case .table(let old) = entries[index].value.kind
            {
                entry.value.kind = .table(merged(old, inner))
            }
            entries[index] = entry
        }
        return TomlTable(entries: entries)
    }

    /// The entries of one list, merged by id, in the order in which the ids come first.
    static func list(_ key: TopKey, _ documents: [TomlTable], _ report: Report) -> [NamedEntry] {
        var result: [NamedEntry] = []
        var indices: [String: Int] = [:]
        for document in documents {
            guard let value = document[key.rawValue] else { continue }
            var seen: Set<String> = []
            for item in items(key, value, report) {
                let entry = NamedEntry(item, kind: key.rawValue, report)
                if !entry.id.isEmpty, seen.contains(entry.id) {
                    report.error(.duplicateID, "two \(key.rawValue)s have the id \"\(entry.id)\"", at: entry.idRegion)
                } else if !entry.id.isEmpty, let index = indices[entry.id] {
                    result[index].table = merged(result[index].table, entry.table)
                } else {
                    indices[entry.id] = result.count
                    result.append(entry)
                }
                seen.insert(entry.id)
            }
        }
        warnAboutCase(result, key, report)
        return result
    }

    private static func items(_ key: TopKey, _ value: TomlValue, _ report: Report) -> [TomlValue] {
        if case .array(let items) = value.kind {
            if items.count > mostEntries {
                report.error(
                    .tooMany, "there are \(items.count) \(key.rawValue)s; give at most \(mostEntries)",
                    at: value.region)
            }
            return Array(items.prefix(mostEntries))
        }
        if case .table = value.kind {
            report.error(
                .wrongType, "\(key.rawValue) is a list: write [[\(key.rawValue)]], not [\(key.rawValue)]",
                at: value.region)
        } else {
            ValueReader(report: report).wrongType(key.rawValue, "a list of tables", value)
        }
        return []
    }

    private static func warnAboutCase(_ entries: [NamedEntry], _ key: TopKey, _ report: Report) {
        var spelling: [String: String] = [:]
        for entry in entries where !entry.id.isEmpty {
            if let other = spelling[entry.id.lowercased()] {
                report.warning(
                    .similarID, "\(key.rawValue)s \"\(other)\" and \"\(entry.id)\" differ only in case",
                    at: entry.idRegion)
            }
            spelling[entry.id.lowercased()] = entry.id
        }
    }
}
