// SPDX-License-Identifier: MIT

/// One table of a list, with the id that other files and other tables call it by.
struct NamedEntry {
    /// Empty after an error.
    let id: String
    let kind: String
    let region: TextRegion
    let idRegion: TextRegion
    var table: TomlTable
    /// `false`: later files, or this one, took it away.
    var isEnabled: Bool {
        if case .boolean(false) = table["enabled"]?.kind { false } else { true }
    }

    init(_ value: TomlValue, kind: String, _ report: Report) {
        let check = ValueReader(report: report)
        self.kind = kind
        region = value.region
        table = check.table("a \(kind)", value) ?? TomlTable()
        let idValue = table["id"]
        idRegion = idValue?.region ?? value.region
        id = idValue.flatMap { check.identifier("id", $0) } ?? ""
        if idValue == nil, case .table = value.kind {
            report.error(.missingKey, "a \(kind) has no id", at: value.region)
        }
    }

    /// What diagnostics call it: `region "ok"`.
    var name: String { id.isEmpty ? "\(kind) without id" : "\(kind) \"\(id)\"" }

    func reader<Key: TableKey>(_ report: Report) -> TableReader<Key> {
        let reader = TableReader<Key>(table, name: name, region: region, report)
        if let enabled = table["enabled"] { _ = reader.check.boolean("enabled", enabled) }
        return reader
    }
}
