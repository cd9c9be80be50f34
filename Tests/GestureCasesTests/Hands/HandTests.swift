// SPDX-License-Identifier: MIT
import GestureTestSupport
import Recordings
import Testing

/// Synthetic hands on synthetic panels, from the kernel's events to the lines, with the shipped profiles.
/// `docs/accessibility.md` has the results: a test that fails prints the text that the page must have.
@Suite("Hands with the shipped profiles")
struct HandTests {
    private static let sizes = [9.0, 15, 24]
    private static let panels = [SyntheticPanel.sevenInches, .laptop]
    private static let page = Document("docs/accessibility.md")?.text ?? ""

    /// Ten taps of each hand.
    private static func taps(_ hands: TremblingHands, size: Double, count: Int = 8) -> [PlayableTaps] {
        (0..<count).compactMap { hand in
            let grid = TargetGrid(size: size, panel: panels[hand % panels.count])
            let made = TappingRecording(hands, on: grid, taps: 10, seed: UInt64(hand))
            return (try? EvemuReader.read(Array(made.text.utf8))).map { (made, $0) }
        }
    }

    /// The taps of hands that tremble, for each size.
    private static let trembling = sizes.map { taps(.trembling, size: $0) }

    /// A gesture as each of two hands makes it ten times.
    private static func gestures(_ gesture: SyntheticGesture, by hands: TremblingHands? = nil) -> [SyntheticRecording] {
        panels.enumerated().map { hand, panel in
            SyntheticRecording.repeated(gesture, count: 10, on: panel, by: hands, seed: UInt64(hand))
        }
    }

    private func expectRow(_ cells: [String]) { expectText("| " + cells.joined(separator: " | ") + " |") }

    private func expectText(_ text: String) {
        #expect(Self.page.replacing("\n", with: " ").contains(text), "the page needs: \(text)")
    }

    // MARK: Hands that tremble

    @Test("taps are recognized once, and nothing else is", arguments: TapLayout.allCases)
    func taps(layout: TapLayout) throws {
        var cells = [layout.rawValue]
        for (size, taps) in zip(Self.sizes, Self.trembling) {
            let before = try TapTally(taps, in: layout, profile: "default").percent
            let after = try TapTally(taps, in: layout, profile: "steady").percent
            #expect(after >= 95, "\(size) mm")
            cells.append("\(before)→\(after)")
        }
        expectRow(cells)
    }

    @Test("a button fails only by second strikes, as often on a target of any size")
    func strikes() throws {
        let shares = try Self.sizes.map { size in
            let tally = try TapTally(Self.taps(.trembling, size: size, count: 80), in: .button, profile: "default")
            #expect(tally.recognized + tally.falseTaps == tally.landed, "\(size) mm")
            return tally.percent
        }
        expectText("`button` has \(shares[0]), \(shares[1]) and \(shares[2]):")
    }

    @Test("some fingers land beside a small target")
    func beside() throws {
        let shares = try Self.trembling.map { try TapTally($0, in: .tap, profile: "default").percentBeside }
        expectRow(["(beside the target)"] + shares.map { "\($0)" })
    }

    @Test("a tremor that is twice as wide is too much for steady")
    func wideTremor() throws {
        let taps = Self.taps(.wide, size: 15)
        let percents = try ["default", "steady"].map { try TapTally(taps, in: .tap, profile: $0).percent }
        #expect(percents[1] < 95)
        expectText("(`tap`, 15 mm: \(percents[0])→\(percents[1]))")
    }

    @Test("slow recognizes the taps of slow hands, and most of their swipes")
    func slow() throws {
        let (taps, swipes) = (Self.taps(.slow, size: 15), Self.gestures(.swipe, by: .slow))
        let shares = try ["default", "slow"].map { profile in
            let tally = try TapTally(taps, in: .tap, profile: profile)
            return (tally.percent, try GestureTally(swipes, profile: profile).percent)
        }
        #expect(shares[1].0 >= 95 && shares[1].1 >= 75)
        expectText("taps \(shares[0].0)→\(shares[1].0), swipes \(shares[0].1)→\(shares[1].1).")
    }

    // MARK: Steady hands

    @Test("a steady hand taps as before", arguments: TapLayout.allCases, [9.0, 24])
    func steadyTaps(layout: TapLayout, size: Double) throws {
        let taps = Self.taps(.steady, size: size)
        for profile in ["default", "steady"] {
            let tally = try TapTally(taps, in: layout, profile: profile)
            #expect(tally.landed + tally.beside == 80)
            #expect((tally.percent, tally.falseTaps) == (100, 0), "\(profile)")
        }
    }

    /// The share of each gesture that `steady` must recognize, in percent.
    private static let required: [SyntheticGesture: Int] = [
        .tap: 100, .doubleTap: 0, .slowDoubleTap: 100, .twoFingerTap: 100, .hold: 0, .longHold: 100, .drag: 100,
        .scroll: 100, .swipe: 100, .pinch: 100, .rotate: 100,
    ]

    /// `hold` is the one gesture that becomes a tap: a hand that trembles holds as long for a tap.
    @Test("a steady hand makes each gesture as before, and no tap by mistake", arguments: SyntheticGesture.allCases)
    func steadyGestures(gesture: SyntheticGesture) throws {
        let recordings = Self.gestures(gesture)
        let before = try GestureTally(recordings, profile: "default")
        let after = try GestureTally(recordings, profile: "steady")
        #expect(before.percent == (gesture == .slowDoubleTap ? 0 : 100))
        #expect(after.percent == Self.required[gesture])
        #expect(after.wrong == (gesture == .hold ? ["tap": after.made] : [:]))
        if [.drag, .scroll, .pinch, .rotate].contains(gesture) {
            #expect((50...150).contains(after.meanTime - before.meanTime))
        }
    }
}
