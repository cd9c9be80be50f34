// SPDX-License-Identifier: MIT
import GestureConfiguration

/// The tables of a file that has each of their keys in a comment, with its default. The headings, the explanations behind the
/// values, and the examples of keys without a default are written by hand.
struct CommentedKeys {
    private let path: String
    /// The keys by the name of the table. Those of the table `file` come before the first heading.
    private let tables: [String: [KeyForm]]

    init(_ path: String, _ tables: [String: [KeyForm]]) {
        (self.path, self.tables) = (path, tables)
    }

    /// Returns the text of the file with every key.
    func completing(_ text: String) throws -> String {
        var sections: [(table: String, lines: [String])] = [("file", [])]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let heading = line.wholeMatch(of: /(?:# )?\[{1,2}([a-z_]+)\]{1,2}/) {
                sections.append((String(heading.output.1), []))
            }
            sections[sections.count - 1].lines.append(String(line))
        }
        for table in tables.keys.sorted() where !sections.contains(where: { $0.table == table }) {
            throw VocabularyError(path, "add the heading of the table [\(table)]")
        }
        return try sections.flatMap { try complete($0.lines, tables[$0.table]) }.joined(separator: "\n")
    }

    /// Returns the lines of a table with every key. Keys without a line are added after the others.
    private func complete(_ lines: [String], _ keys: [KeyForm]?) throws -> [String] {
        guard let keys else { return lines }
        var (result, missing, end) = ([String](), keys, 1)
        for line in lines {
            result.append(line)
            guard let name = line.prefixMatch(of: /# ([a-z_]+) =/)?.output.1 else { continue }
            guard let place = missing.firstIndex(where: { $0.name == name }) else {
                throw VocabularyError(path, "remove the line of `\(name)`, which is no key there, or has another line")
            }
            end = result.count
            result[end - 1] = missing.remove(at: place).line(like: line)
        }
        let added = try missing.map { key in
            guard let standard = key.standard else {
                throw VocabularyError(path, "add a line with an example: # \(key.name) = VALUE")
            }
            return "# \(key.name) = \(standard)"
        }
        result.insert(contentsOf: added, at: end)
        return result
    }
}

extension [KeyForm] {
    /// The keys of the file and of its tables, by the name of the table.
    var byTable: [String: [KeyForm]] {
        var tables = Dictionary(compactMap { key in key.table.map { (key.name, $0) } }) { $1 }
        tables["file"] = filter { $0.table == nil && $0.name != "version" }
        return tables
    }
}

extension KeyForm {
    /// The keys of the table, or of each table of a list; `nil` for other values.
    fileprivate var table: [KeyForm]? {
        switch note.form {
        case .table(let keys): return keys
        case .list(let element, _):
            if case .table(let keys) = element.form { return keys }
            return nil
        default: return nil
        }
    }

    /// The default as it is written; `nil` if there is none, or if it is an empty list, which shows nothing.
    fileprivate var standard: String? {
        guard let text = note.form?.written(note.standard)?.line, text != "[]" else { return nil }
        return text
    }

    /// Returns the line of the key. The explanation keeps its column if the value leaves room.
    fileprivate func line(like committed: String) -> String {
        guard let standard else { return committed }
        let text = "# \(name) = \(standard)"
        guard let space = committed.firstRange(of: "  #") else { return text }
        let explanation = committed[space.lowerBound...].drop { $0 == " " }
        let column = committed.count - explanation.count
        return text + String(repeating: " ", count: max(2, column - text.count)) + explanation
    }
}
