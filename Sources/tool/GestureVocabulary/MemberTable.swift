// SPDX-License-Identifier: MIT
import GestureEngine

/// The table in docs/protocol.md that says what the members mean. The meanings are written by hand; a member, or two
/// coordinates of one, has a row.
struct MemberTable {
    private static let path = "docs/protocol.md"
    private static let head = ["| key | gestures | meaning |", "|---|---|---|"]

    /// The meanings by the first key of the row.
    private let meanings: [String: String]

    init(_ lines: [String]) {
        let rows = lines.map { tableCells($0) }.filter { $0.count == 3 }
        meanings = Dictionary(rows.map { ($0[0].split(separator: "`").first.map(String.init) ?? "", $0[2]) }) { $1 }
    }

    /// The table as it is committed.
    init(of project: Project) throws {
        let lines = try project.text(of: Self.path).split(separator: "\n").map { String($0) }
        self.init(Array(lines.drop { $0 != Self.head[0] }.prefix { $0.hasPrefix("|") }))
    }

    /// The lines of the table, with all members.
    var lines: [String] {
        get throws {
            try Self.head
                + SwiftProperty.all(Member.own).map { property in
                    let kinds = property.kinds.map { "`\($0)`" }.joined(separator: ", ")
                    return "| \(property.code) | \(kinds) | \(try meaning(property)) |"
                }
        }
    }

    /// Returns the sentences about a property, which must be there.
    func meaning(_ property: SwiftProperty) throws -> String {
        guard let meaning = meanings[property.members[0].key], !meaning.isEmpty else {
            throw VocabularyError(Self.path, "add a row for a member: | \(property.code) | | MEANING |")
        }
        return meaning
    }
}

extension SwiftProperty {
    /// The words of the kinds that have it.
    var kinds: [String] {
        KindRow.all.filter { $0.kind.members.contains { $0.key == members[0].key } }.map(\.word)
    }

    /// Its keys as a page names them.
    fileprivate var code: String { members.map { "`\($0.key)`" }.joined(separator: ", ") }
}
