// SPDX-License-Identifier: MIT
import GestureTestSupport
import Recordings
import Testing

/// Synthetic hands on synthetic panels, from the kernel's events to the lines, with the shipped profiles.
/// `docs/accessibility.md` has the results as tables: a test that fails prints the row that the page must have.
@Suite("Hands with the shipped profiles")
struct HandTests {
    private static let sizes = [9.0, 15, 24]
    private static let panels = [SyntheticPanel.sevenInches, .laptop]
    private static let page = Document("docs/accessibility.md")?.text ?? ""

    /// Ten taps of each of eight hands.
    private static func taps(_ hands: TremblingHands, size: Double) -> [PlayableTaps] {
        (0..<8).compactMap { hand in
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

    private func expectRow(_ cells: [String]) {
        let row = "| " + cells.joined(separator: " | ") + " |\n"
        #expect(Self.page.contains("\n" + row), "the page needs the row: \(row)")
    }

    // MARK: Hands that tremble

    @Test("taps are recognized once, and nothing else is", arguments: TapLayout.allCases)
    func taps(layout: TapLayout) throws {
        var cells = [layout.rawValue]
        for (size, taps) in zip(Self.sizes, Self.trembling) {
            let before = try TapTally(taps, in: layout, profile: "default").percent
            let after = try TapTally(taps, in: layout, profile: "steady").percent
            #expect(after >= 95, "\(size) mm")
            cells.append("\(before) → \(after)")
        }
        expectRow(cells)
    }

    @Test("some fingers land beside a small target")
    func beside() throws {
        let shares = try Self.trembling.map { try TapTally($0, in: .tap, profile: "default").percentBeside }
        expectRow(["beside the target"] + shares.map { "\($0)" })
    }

    @Test("a tremor that is twice as wide is too much for steady")
    func wideTremor() throws {
        let taps = Self.taps(.wide, size: 15)
        let percents = try ["default", "steady"].map { try TapTally(taps, in: .tap, profile: $0).percent }
        #expect(Self.page.contains("\(percents[0]) → \(percents[1])\u{a0}%"), "\(percents)")
    }

    @Test("taps and swipes of slow hands are recognized with slow")
    func slow() throws {
        let (taps, swipes) = (Self.taps(.slow, size: 15), Self.gestures(.swipe, by: .slow))
        let texts = try ["default", "slow"].map { profile in
            let tally = try TapTally(taps, in: .tap, profile: profile)
            return (tally.percent, try GestureTally(swipes, profile: profile).percent)
        }
        #expect(texts[1].0 >= 95 && texts[1].1 >= 95)
        let text = "taps \(texts[0].0) → \(texts[1].0)\u{a0}%, swipes \(texts[0].1) → \(texts[1].1)\u{a0}%"
        #expect(Self.page.contains(text), "the page needs: \(text)")
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

    /// The rows of the second table, and what `steady` must reach.
    private static let rows: [(gesture: SyntheticGesture, title: String, percent: Int)] = [
        (.tap, "tap", 100),
        (.doubleTap, "double tap, 0.13 to 0.15 s between", 0),
        (.slowDoubleTap, "double tap, 0.55 to 0.9 s between", 100),
        (.twoFingerTap, "two-finger tap", 100),
        (.longHold, "long press, held until it begins", 100),
        (.hold, "long press, held for 0.7 to 1.3 s", 0),
        (.drag, "drag", 100),
        (.scroll, "drag with two fingers", 100),
        (.swipe, "swipe", 100),
        (.pinch, "pinch", 100),
        (.rotate, "rotation", 100),
    ]

    /// `hold` is the one gesture that becomes a tap: a hand that trembles holds as long for a tap.
    @Test("a steady hand makes each gesture as before, and no tap by mistake", arguments: rows.indices)
    func steadyGestures(index: Int) throws {
        let (gesture, title, percent) = Self.rows[index]
        let recordings = Self.gestures(gesture)
        let before = try GestureTally(recordings, profile: "default")
        let after = try GestureTally(recordings, profile: "steady")
        #expect(after.percent == percent)
        #expect(after.wrong == (gesture == .hold ? ["tap": after.made] : [:]))
        func cell(_ tally: GestureTally) -> String {
            tally.percent == 0 ? "0" : "\(tally.percent), after \(Int(tally.meanTime / 10) * 10) ms"
        }
        expectRow([title, cell(before), cell(after)])
    }
}
