// SPDX-License-Identifier: MIT

/// The cells of a page about each key: its meaning, and its default.
struct DescribedKeys {
    private let path: String

    /// The cells by the name of the table and the key.
    private var rows: [String: [String: Row]] = [:]
    /// The keys that exist.
    private var known: [String: Set<String>] = [:]

    private struct Row {
        let sentence: String
        /// The ranges that the cell names, such as "1 to 1024".
        let ranges: [String]
        /// The default, if the cell has a value and not words.
        let standard: String?
    }

    init(_ project: Project, _ path: String) throws {
        self.path = path
        var (heading, table) = ("file", String?.none)
        for line in try project.text(of: path).split(separator: "\n") {
            if line.hasPrefix("#") {
                (heading, table) = (Self.code(line).first ?? "file", nil)
            } else if line.hasPrefix("| key ") {
                table = Self.code(line).first ?? heading
            } else if !line.hasPrefix("|") {
                table = nil
            } else if let table, line.hasPrefix("| `") {
                add(line, to: table)
            }
        }
    }

    /// - Parameter table: the table of the keys that do not name another one, as `broker.port` does.
    private mutating func add(_ line: Substring, to table: String) {
        let cells = tableCells(line)
        guard cells.count > 1, let sentence = Self.sentence(cells[1]) else { return }
        let row = Row(
            sentence: sentence, ranges: cells[1].matches(of: /[0-9.]+ to [0-9.]*[0-9]/).map { String($0.output) },
            standard: cells.count > 2 ? Self.value(cells[2]) : nil)
        for key in Self.code(cells[0][...]) {
            let parts = key.split(separator: ".").map { String($0) }
            rows[parts.count > 1 ? parts[0] : table, default: [:]][parts.last ?? key] = row
        }
    }

    /// The words between marks of code, without brackets.
    private static func code(_ text: Substring) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { $0.element.filter { !"[]".contains($0) } }
    }

    /// Returns the sentence about a key.
    /// - Parameters:
    ///   - standard: its default, which a value in the column of defaults must equal.
    ///   - range: the numbers that it may be, which those in the cell must equal; `nil` if they are no simple range.
    mutating func sentence(_ table: String, _ key: String, standard: String?, range: String?) throws -> String {
        known[table, default: []].insert(key)
        guard let row = rows[table]?[key] else {
            throw VocabularyError(path, "the table `\(table)` says nothing about `\(key)`")
        }
        if let said = row.standard, said != standard {
            throw VocabularyError(
                path, "the default of `\(key)` in the table `\(table)` is \(standard ?? "no value"), not \(said)")
        }
        if let range, let said = row.ranges.first(where: { $0 != range }) {
            throw VocabularyError(path, "`\(key)` in the table `\(table)` may be \(range), not \(said)")
        }
        return row.sentence
    }

    /// Refuses rows about keys that do not exist, in the tables that do.
    func finish() throws {
        for (table, keys) in known.sorted(by: { $0.key < $1.key }) {
            guard let key = rows[table]?.keys.sorted().first(where: { !keys.contains($0) }) else { continue }
            throw VocabularyError(path, "the table `\(table)` describes `\(key)`, which is no key")
        }
    }

    /// The first sentence of a cell, without links and marks of code.
    private static func sentence(_ cell: String) -> String? {
        let text = cell.replacing(/\[((?:`[^`]*`|[^\]`])*)\]\([^)]*\)/) { $0.output.1 }
        let end = text.firstRange(of: /\. (?=[A-Z`])/)?.lowerBound ?? text.endIndex
        guard let first = text.first else { return nil }
        return (first.uppercased() + text[..<end].dropFirst()).filter { $0 != "`" } + "."
    }

    /// A number, or what is between marks of code.
    private static func value(_ cell: String) -> String? {
        if cell.wholeMatch(of: /-?[0-9.]+/) != nil { return cell }
        return cell.wholeMatch(of: /`([^`]+)`/).map { String($0.output.1) }
    }
}
