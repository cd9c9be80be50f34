// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol

extension GeneratedFile {
    /// The tables of members and of failures in the protocol's page. Of failures, the numbers of the messages are written by hand, and
    /// the gestures for which no key limits them; the rest follows from the keys.
    static let protocolPage = GeneratedFile(
        "docs/protocol.md",
        sections: [
            MarkedSection("members") { try MemberTable($0).lines },
            MarkedSection("failures") { committed in
                var rows = try committed.dropFirst(2).map { try FailureRow($0) }
                for (place, code) in GestureFailure.Code.words.enumerated() {
                    for kind in KindRow.all { try FailureRow.add(code, place, of: kind, to: &rows) }
                    guard rows.contains(where: { $0.code == code }) else {
                        throw VocabularyError(
                            "docs/protocol.md", "add a row for a failure: | `\(code)` | GESTURES | | | 1, 2 |")
                    }
                }
                return committed.prefix(2) + rows.map(\.text)
            },
        ])
}

private struct FailureRow {
    let code: String
    /// The kinds that can fail like this, with a condition in words.
    private let gestures: String
    private let unit: String
    private let key: String
    private let message: String
    /// The kinds without the condition.
    private let kinds: [GestureKind]

    var text: String { text(gestures) }

    private func text(_ gestures: String) -> String {
        "| `\(code)` | \(gestures) | \(unit) | \(key) | \(message) |"
    }

    private func text(adding word: String) -> String { text("\(gestures), `\(word)`") }

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
        kinds =
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

    /// Adds a kind to the rows of a code if one of its keys limits the failure and no row says so.
    /// - Parameter place: the place of the code among all.
    static func add(_ code: String, _ place: Int, of kind: KindRow, to rows: inout [FailureRow]) throws {
        keys: for key in kind.keys where key.failures.contains(where: { $0.word == code }) {
            let alike = rows.indices.filter { rows[$0].code == code && rows[$0].key == "`\(key.name)`" }
            if alike.contains(where: { rows[$0].kinds.contains(kind.kind) }) { continue }
            for index in alike {
                guard let row = try? FailureRow(rows[index].text(adding: kind.word)) else { continue }
                rows[index] = row
                continue keys
            }
            let codes = GestureFailure.Code.words.prefix(place + 1)
            let end = rows.lastIndex { codes.contains($0.code) } ?? -1
            // The first number violates the limit.
            let numbers = key.lenience == .above ? "2, 1" : "1, 2"
            rows.insert(try FailureRow("| `\(code)` | `\(kind.word)` | | | \(numbers) |"), at: end + 1)
        }
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
        json.object { FailureReport(failure, of: kind, directions: [.left, .right]).write(to: &$0) }
        let line = try JSONDocument.read(json.text).root
        return ["unit", "key", "message"].map { line.text($0) }
    }
}
