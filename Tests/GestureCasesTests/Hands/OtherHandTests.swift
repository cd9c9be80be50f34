// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureTestSupport
import Testing

/// Gestures of hands while another hand is on the glass. `docs/accessibility.md` has the results: a test that fails prints
/// the text that the page must have.
@Suite("Hands beside another hand")
struct OtherHandTests {
    /// The hands that each row of the table counts, and those that are played: fewer, unless a long run is requested.
    private static let all = 100
    private static let played = LongRuns["hands"] == nil ? 20 : all
    private static let page = Document("docs/accessibility.md")?.text ?? ""

    private static func tallies(_ meant: MeantGesture) throws -> [MeantTally] {
        let setup = try meant.setup()
        var tallies = OtherHand.allCases.map { _ in MeantTally(meant, setup) }
        for hand in 0..<played {
            let contacts = try meant.contacts(seed: UInt64(hand))
            let alone = Glass.play(contacts, setup, seed: UInt64(hand))
            for (number, way) in OtherHand.allCases.enumerated() {
                let other = way.contacts(beside: contacts, seed: UInt64(hand + 1000 * number))
                tallies[number].add(contacts, alone: alone, beside: other, seed: UInt64(hand))
            }
        }
        return tallies
    }

    @Test("the page says what is on the glass in each column")
    func columns() {
        for (letter, way) in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", OtherHand.allCases) {
            let line = "\n- \(letter): \(way.rawValue)\n"
            #expect(Self.page.contains(line), "the page needs: \(line)")
        }
    }

    @Test("make gestures of all kinds")
    func kinds() throws {
        let made = try MeantGesture.allCases.flatMap { meant in
            try meant.setup().layout.regions.flatMap(\.gestures).filter { $0.name == meant.name }.map(\.settings.kind)
        }
        // A press is a part of most of them.
        #expect(Set(made) == Set(GestureKind.allCases).subtracting([.press]))
    }

    @Test("the table says what comes", arguments: MeantGesture.allCases)
    func row(meant: MeantGesture) throws {
        let tallies = try Self.tallies(meant)
        if Self.played == Self.all {
            let row = "| " + ([meant.title] + tallies.map(\.cell)).joined(separator: " | ") + " |"
            let surplus = zip(OtherHand.allCases, tallies).filter { !$1.surplus.isEmpty }.map { "\($0): \($1.surplus)" }
            #expect(Self.page.contains(row), "the page needs: \(row) because of \(surplus)")
            return
        }
        let rows = Self.page.split(separator: "\n").filter { $0.hasPrefix("| \(meant.title) |") }
        let cells = rows.last.map { $0.split(separator: "|").dropFirst().map { $0.filter { $0 != " " } } } ?? []
        #expect(cells.count == tallies.count)
        for (way, (cell, tally)) in zip(OtherHand.allCases, zip(cells, tallies)) {
            let fits = tally.fits(cell, of: Self.all)
            #expect(fits, "\(way): \(tally.cell) of \(tally.made), the page has \(cell)")
        }
    }
}
