// SPDX-License-Identifier: MIT
import CTomlPlusPlus

/// Puts the parser's events together to a tree, and the keys of each table back in the order of
/// the text.
final class TomlTreeBuilder {
    /// A table or an array that has not ended yet.
    private struct Open {
        var key: (name: String, region: TextRegion)?
        var region: TextRegion
        var isTable: Bool
        var entries: [TomlTable.Entry] = []
        var values: [TomlValue] = []
    }

    private let file: Int
    private var open: [Open] = []
    /// Complete once the parser has returned.
    private(set) var root = TomlTable()

    init(file: Int) {
        self.file = file
    }

    func visit(_ event: ctoml_event) {
        switch event.kind {
        case CTOML_TABLE, CTOML_ARRAY:
            open.append(Open(key: key(event), region: region(event.region), isTable: event.kind == CTOML_TABLE))
        case CTOML_TABLE_END, CTOML_ARRAY_END:
            close()
        default:
            add(TomlValue(kind: scalar(event), region: region(event.region)), key(event))
        }
    }

    private func scalar(_ event: ctoml_event) -> TomlValue.Kind {
        switch event.kind {
        case CTOML_STRING: .string(text(event.string, event.string_length))
        case CTOML_INTEGER: .integer(event.integer)
        case CTOML_FLOAT: .number(event.number)
        case CTOML_BOOLEAN: .boolean(event.integer != 0)
        default: .date
        }
    }

    private func close() {
        guard let last = open.popLast() else { return }
        let kind: TomlValue.Kind
        if last.isTable {
            let table = TomlTable(entries: last.entries.sorted(by: Self.isEarlier))
            if open.isEmpty { root = table }
            kind = .table(table)
        } else {
            kind = .array(last.values)
        }
        add(TomlValue(kind: kind, region: last.region), last.key)
    }

    private func add(_ value: TomlValue, _ key: (name: String, region: TextRegion)?) {
        guard !open.isEmpty else { return }
        if let key {
            open[open.count - 1].entries.append(TomlTable.Entry(key: key.name, keyRegion: key.region, value: value))
        } else {
            open[open.count - 1].values.append(value)
        }
    }

    private static func isEarlier(_ a: TomlTable.Entry, _ b: TomlTable.Entry) -> Bool {
        (a.keyRegion.line, a.keyRegion.column) < (b.keyRegion.line, b.keyRegion.column)
    }

    private func key(_ event: ctoml_event) -> (name: String, region: TextRegion)? {
        guard event.key != nil else { return nil }
        return (text(event.key, event.key_length), region(event.key_region))
    }

    private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        guard let start else { return "" }
        return start.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
            String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        }
    }

    private func region(_ region: ctoml_region) -> TextRegion {
        let isOneLine = region.line == region.end_line && region.end_column > region.column
        return TextRegion(
            file: file, line: Int(region.line), column: Int(region.column),
            length: isOneLine ? Int(region.end_column - region.column) : 1)
    }
}
