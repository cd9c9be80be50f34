// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Synthetic recordings have the statistics of real recordings, as stated by `SyntheticHand` and `SyntheticPanel`.
@Suite("Synthetic recordings")
struct SyntheticRecordingTests {
    /// A contact in a recording; times are in milliseconds.
    private struct Contact {
        var landing: Double
        var lift = 0.0
        var moves: [Double] = []
    }

    private static func milliseconds(_ time: Timestamp) -> Double { Double(time.microseconds) / 1000 }

    private static func contacts(_ recording: PanelRecording) -> [Contact] {
        var down: [ContactID: Contact] = [:]
        var lifted: [Contact] = []
        recording.track { frame in
            let time = milliseconds(frame.time)
            for change in frame.changes {
                switch change.kind {
                case .landed: down[change.id] = Contact(landing: time)
                case .moved, .resynchronized: down[change.id]?.moves.append(time)
                case .lifted, .cancelled:
                    guard var contact = down.removeValue(forKey: change.id) else { continue }
                    contact.lift = time
                    lifted.append(contact)
                }
            }
        }
        return lifted
    }

    private static func contacts(_ word: String) -> [Contact] {
        PanelRecording.synthetic.filter { $0.name.contains(word) }.flatMap { contacts($0) }
    }

    /// The value that is not exceeded by this fraction of the values.
    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .nan : sorted[Int(Double(sorted.count - 1) * share)]
    }

    @Test func moreThanThirtyAndAllCanBePlayed() {
        #expect(SyntheticRecording.all.count == 42)
        #expect(PanelRecording.synthetic.count == 42)
        #expect(Set(PanelRecording.synthetic.map(\.name)).count == 42)
    }

    @Test(
        "the rate of each panel matches its description",
        arguments: Set(SyntheticRecording.all.map(\.panel.name)).sorted())
    func rates(name: String) throws {
        let panel = try #require(SyntheticRecording.all.first { $0.panel.name == name }?.panel)
        let moves = Self.contacts(name + "-scrolls").filter { $0.moves.count > 3 }.map(\.moves)
        let intervals = moves.flatMap { zip($0.dropFirst(), $0).map { $0 - $1 } }
        #expect((60...250).contains(panel.rate))
        #expect((Self.quantile(intervals, 0.5) * panel.rate / 1000 - 1).magnitude < 0.05)
    }

    /// A panel may add the time of up to two reports to a tap.
    @Test func tapsLast18To183Milliseconds() {
        let durations = Self.contacts("-taps").map { $0.lift - $0.landing }
        #expect(durations.count > 50)
        #expect(Self.quantile(durations, 0.1) >= 15 && Self.quantile(durations, 0.9) <= 183 + 32)
        #expect(Self.quantile(durations, 0.9) > 100)
    }

    @Test func fingersRestBeforeTheyLift() {
        let strokes = ["-swipes", "-scrolls", "-pinches"].flatMap { Self.contacts($0) }.filter { $0.moves.count > 3 }
        let silences = strokes.compactMap { stroke in stroke.moves.last.map { stroke.lift - $0 } }
        #expect(silences.count > 80)
        #expect((20...45).contains(Self.quantile(silences, 0.5)), "\(Self.quantile(silences, 0.5))")
        #expect((80...140).contains(Self.quantile(silences, 0.9)), "\(Self.quantile(silences, 0.9))")
    }
}
