// SPDX-License-Identifier: MIT

/// Reads a table whose keys are known: what it does not know is an error at its place.
struct TableReader<Key: TableKey> {
    let table: TomlTable
    /// What diagnostics call the table: `region "ok"`, `gesture "tap" of region "ok"`.
    let name: String
    /// Where the table begins.
    let region: TextRegion
    let check: ValueReader
    private let words: [String]

    /// - Parameters:
    ///   - words: the keys that may be read here, where not all may.
    ///   - others: keys that somebody else reads.
    init(
        _ table: TomlTable, name: String, region: TextRegion, words: [String] = Key.words, others: [String] = [],
        _ report: Report
    ) {
        self.table = table
        self.name = name
        self.region = region
        self.words = words
        check = ValueReader(report: report)
        let known = others + words
        for entry in table.entries where !known.contains(entry.key) {
            report.error(
                .unknownKey, "unknown key \"\(entry.key)\" in \(name)",
                suggestion: Suggestion.nearest(to: entry.key, among: known), at: entry.keyRegion)
        }
    }

    /// - Returns: `nil` (and an error) where the value is no table.
    init?(_ value: TomlValue, name: String, words: [String] = Key.words, _ report: Report) {
        guard case .table(let table) = value.kind else {
            ValueReader(report: report).wrongType(name, "a table", value)
            return nil
        }
        self.init(table, name: name, region: value.region, words: words, report)
    }

    var report: Report { check.report }

    /// The keys that the table has, in the order of the text.
    var present: [(key: Key, value: TomlValue)] {
        table.entries.compactMap { entry in
            words.contains(entry.key) ? Key(rawValue: entry.key).map { ($0, entry.value) } : nil
        }
    }

    func value(_ key: Key) -> TomlValue? { table[key.rawValue] }

    /// Where the key's word stands; the table where there is none.
    func region(of key: Key) -> TextRegion { table.entry(key.rawValue)?.keyRegion ?? region }

    func string(_ key: Key) -> String? { value(key).flatMap { check.string(key.rawValue, $0) } }

    func boolean(_ key: Key) -> Bool? { value(key).flatMap { check.boolean(key.rawValue, $0) } }

    func integer(_ key: Key, _ range: ClosedRange<Int64>) -> Int? {
        value(key).flatMap { check.integer(key.rawValue, $0, range) }
    }

    func word<Word>(_ key: Key, _ words: [(String, Word)]) -> Word? {
        value(key).flatMap { check.word(key.rawValue, $0, words) }
    }

    func array(_ key: Key, of what: String) -> [TomlValue]? {
        value(key).flatMap { check.array(key.rawValue, of: what, $0) }
    }
}
