// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol

extension GeneratedFile {
    /// The tables of members and of failures in the protocol's page. Of failures, the codes, the gestures and the numbers of the messages are
    /// written by hand; the rest follows from them.
    static let protocolPage = GeneratedFile(
        "docs/protocol.md",
        sections: [
            MarkedSection("members") { try MemberTable($0).lines },
            MarkedSection("failures") { committed in
                let rows = try committed.dropFirst(2).map { try FailureRow($0) }
                let codes = Set(rows.map(\.code))
                for code in GestureFailure.Code.words where !codes.contains(code) {
                    throw VocabularyError(
                        "docs/protocol.md", "add a row for a failure: | `\(code)` | GESTURES | | | 1, 2 |")
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
