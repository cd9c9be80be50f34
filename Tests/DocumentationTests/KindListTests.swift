// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import GestureTestSupport
import Testing

@testable import GestureEngine

@Suite("Lists of kinds in docs/gestures.md")
struct KindListTests {
    /// The kinds that a sentence lists between two texts.
    struct List: Sendable, CustomTestStringConvertible {
        let start: String
        let end: String
        let has: @Sendable (GestureKind) -> Bool

        init(_ start: String, _ end: String, _ has: @escaping @Sendable (GestureKind) -> Bool) {
            (self.start, self.end, self.has) = (start, end, has)
        }

        var testDescription: String { start }
    }

    private static let lists = [
        List("Continuous gestures (", ")") { $0.isContinuous },
        List("Discrete gestures (", ")") { !$0.isContinuous },
        List("| claim | a ", " takes contacts") { $0.traits.competes },
        List("**Between nested regions**, the ", " of the owner") { $0.traits.competes },
        List("gestures that begin (", ", unless `priority`") { kind in
            kind.traits.competes && (kind.isContinuous || kind.row.key("when") != nil)
        },
        List("| a lift | a ", " that it completes") { $0.traits.competes && !$0.isContinuous },
        List("makes impossible fails; cancels; ", " `end`") { $0.traits.competes && $0.isContinuous },
        List("- While a ", " of the region is under way") { $0.traits.competes && $0.isContinuous },
        List("| a contact that is lost | ", " |") { $0.isContinuous },
        List("when it is judged: a ", " at a lift", failsWithoutContacts),
        List("lose the contact: their ", " fail", failsWithoutContacts),
        List("if they have not begun. ", " fail", failsWithoutContacts),
        List("With `taps = n`, a ", " comes only") { $0.row.key("taps") != nil },
        List("\n\nWhen a ", " is recognized, it takes its sequence") { kind in
            kind.traits.takesWithSeveral && (kind.row.standard.fingers > 1 || hasNumberOfFingers(kind))
        },
    ]

    private static let failsWithoutContacts: @Sendable (GestureKind) -> Bool = { kind in
        !kind.isContinuous && kind.traits.claimed == .ends
    }

    private static func hasNumberOfFingers(_ kind: GestureKind) -> Bool {
        switch kind.row.key("fingers")?.shape {
        case .count, .counts: true
        default: false
        }
    }

    @Test("have all kinds of which the sentence is true, and no others", arguments: lists)
    func complete(list: List) throws {
        let parts = try #require(Document("docs/gestures.md")).text.components(separatedBy: list.start)
        try #require(parts.count == 2)
        let text = parts[1].components(separatedBy: list.end)[0].replacing(" of two or more fingers", with: "")
        let words = text.replacing(" and ", with: ", ").replacing(" or ", with: ", ").components(separatedBy: ", ")
        let kinds = try words.map { try #require(kind($0), "\($0)") }
        #expect(Set(kinds) == Set(GestureKind.allCases.filter(list.has)), "\(text)")
        #expect(Set(kinds).count == kinds.count, "\(text)")
    }

    /// The kind that a word means, such as `dials`, "a rotation" or "drag of two fingers".
    private func kind(_ words: String) -> GestureKind? {
        let text = words.filter { $0 != "`" }.lowercased().replacing(" ", with: "_")
        let name = text.hasPrefix("a_") ? String(text.dropFirst(2)) : text
        return KindRow.all.first { name.hasPrefix($0.word.hasSuffix("e") ? $0.word.dropLast() : $0.word[...]) }?.kind
    }
}
