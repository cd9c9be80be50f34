// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol

extension GeneratedFile {
    /// The tables of members and of failures in the protocol's page. Of failures, the gestures and the numbers of the messages are
    /// written by hand; the rest follows from them. A new failure gets a row for the gestures whose keys limit it.
    static let protocolPage = GeneratedFile(
        "docs/protocol.md",
        sections: [
            MarkedSection("members") { try MemberTable($0).lines },
            MarkedSection("failures") { committed in
                var rows = try committed.dropFirst(2).map { try FailureRow($0) }
                let codes = GestureFailure.Code.words
                for (place, code) in codes.enumerated() where !rows.contains(where: { $0.code == code }) {
                    let before = rows.lastIndex { codes[..<place].contains($0.code) } ?? -1
                    rows.insert(try FailureRow(FailureRow.draft(code)), at: before + 1)
                }
                return committed.prefix(2) + rows.map(\.text)
            },
        ])
}

/// A row of the table of failures.
private struct FailureRow {
    let code: String
    /// The kinds that can fail like this, with a condition in words.
    private let gestures: String
    private let unit: String
    private let key: String
    private let message: String

    var text: String { "| `\(code)` | \(gestures) | \(unit) | \(key) | \(message) |" }

    /// - Parameter line: the committed row.
    init(_ line: String) throws {
        let cells = tableCells(line)
        let name = cells.first?.filter { $0 != "`" } ?? ""
        guard cells.count == 5, let code = Self.code(name, key: cells[3]) else {
            throw VocabularyError("docs/protocol.md", "no failure has this row: \(line)")
        }
        self.code = name
        gestures = cells[1]
        let words = gestures.split(separator: "`").map { String($0) }
        let kinds =
            gestures == "all"
            ? GestureKind.allCases : GestureKind.allCases.filter { $0.lineWords.contains(where: words.contains) }
        // A new row has neither a key nor a sentence yet.
        let isFixed = cells[3].isEmpty && cells[4].contains(where: \.isLetter)
        let failure = Self.failure(code, isFixed: isFixed, like: cells[4])
        let lines = try Set(kinds.map { try Self.members(of: failure, $0) })
        guard lines.count == 1, let members = lines.first else {
            throw VocabularyError("docs/protocol.md", "these gestures do not fail alike: \(line)")
        }
        (unit, key, message) = (members[0], members[1].isEmpty ? "" : "`\(members[1])`", members[2])
    }

    /// Returns a row for a new code, with numbers of which the first one violates the limit.
    static func draft(_ word: String) throws -> String {
        let limits = KindRow.all.compactMap { row in
            row.keys.first { $0.failures.contains { $0.word == word } }.map { (row.word, $0.lenience) }
        }
        guard let lenience = limits.first?.1 else {
            throw VocabularyError("docs/protocol.md", "add a row for a failure: | `\(word)` | GESTURES | | | 1, 2 |")
        }
        let numbers = lenience == .above ? "2, 1" : "1, 2"
        return "| `\(word)` | \(limits.map { "`\($0.0)`" }.joined(separator: ", ")) | | | \(numbers) |"
    }

    /// Looks up a code. Two codes have the word `wrong_direction`, and different keys.
    private static func code(_ word: String, key: String) -> GestureFailure.Code? {
        let codes = GestureFailure.Code.allCases.filter { $0.word == word }
        return key == "`max_deviation`" ? codes.last : codes.first
    }

    /// The failure with the numbers or the directions of a message.
    private static func failure(
        _ code: GestureFailure.Code, isFixed: Bool, like message: String
    ) -> GestureFailure {
        let numbers = message.split { !$0.isNumber && $0 != "." }.compactMap { Double($0) }
        return GestureFailure(
            code, value: numbers.first ?? 0, limit: numbers.last ?? 0, isFixed: isFixed,
            direction: message.hasPrefix("went ") ? .down : nil,
            drawn: DirectionList(message.hasPrefix("drew ") ? [.right, .up] : []))
    }

    /// The unit, the key and the message of a line.
    private static func members(of failure: GestureFailure, _ kind: GestureKind) throws -> [String] {
        var json = JSONWriter()
        json.object { FailureEncoder.write(failure, of: kind, directions: [.left, .right], to: &$0) }
        let line = try JSONDocument.read(json.text).root
        return ["unit", "key", "message"].map { line.text($0) }
    }
}
