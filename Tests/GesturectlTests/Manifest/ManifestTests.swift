// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GesturePipeline
import GestureTestSupport
import Recordings
import Testing

/// Replays recordings with the real tool, in one region that covers the panel and has every gesture. Recordings of
/// real panels are replayed if they are available.
@Suite("Recordings and their manifest")
struct ManifestTests {
    /// The expectations under `never` that do not hold.
    ///
    /// `repeat` depends only on time, not on slop, so a long drag also repeats in a region that has both gestures.
    static let exceptions = [
        "Atmel_maXTouch_Touchscreen.1-finger-drag-up-down": ["repeat"],
        "Wacom_Bamboo_16FG_4x5_Finger_single-center-scroll": ["repeat"],
        "Wacom_Bamboo_16FG_4x5_Finger_single-top-swipe": ["repeat"],
    ]

    private static let all = ManifestEntry.synthetic + ManifestEntry.real

    static func replay(
        _ entry: ManifestEntry, matching name: String, events: String = "gesture"
    ) throws -> (Tool.Outcome, Recording) {
        let folder = try ScratchFolder()
        let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let configuration = try folder.write(
            """
            version = 1
            [[device]]
            id = "panel"
            match = { name = "\(quoted)" }
            output = { size_mm = [\(entry.size)] }
            [[region]]
            id = "all"
            shape = "full"
            gestures = [
                "press", "tap", "double_tap", "two_finger_tap", "long_press", "repeat", "drag", "swipe", "pinch", "rotate",
                { type = "drag", fingers = 2, name = "two_finger_drag" },
                { type = "swipe", fingers = 2, name = "two_finger_swipe" },
            ]
            """, to: "gestured.toml")
        let file = try folder.write(entry.text, to: "recording.evemu")
        let outcome = try Tool.run(["replay", file, "--config", configuration, "--events", events])
        return (outcome, try EvemuReader.read(Array(entry.text.utf8)))
    }

    static func lines(_ entry: ManifestEntry, events: String = "gesture") throws -> (ReplayedLines, Recording) {
        let recording = try EvemuReader.read(Array(entry.text.utf8))
        let (outcome, _) = try replay(entry, matching: recording.description.name, events: events)
        try #require(outcome.status == 0, "\(outcome.errors)")
        let start = recording.events.first?.time.microseconds ?? 0
        return (try ReplayedLines(outcome.output, from: start), recording)
    }

    @Test(.enabled(if: SharedData.recordings != nil, Comment(rawValue: SharedData.missing)))
    func countOfRealRecordings() {
        #expect(ManifestEntry.real.count == 45)
    }

    @Test("are recognized as expected", arguments: all)
    func gestures(entry: ManifestEntry) throws {
        guard !entry.expectations.isEmpty else { return }
        let (lines, _) = try Self.lines(entry)
        let exceptions = Self.exceptions[entry.name] ?? []
        for expectation in entry.expectations {
            let part = lines.part(expectation.part)
            let place = expectation.part.map { "\($0.lowerBound) ms" } ?? "any time"
            for words in expectation.must {
                if let holds = part.holds(words) {
                    #expect(holds, "\(words), at \(place)")
                }
            }
            for kind in expectation.never where ReplayedLines.kinds.contains(kind) {
                let isException = expectation.part == nil && exceptions.contains(kind)
                #expect((part.count(kind) == 0) != isException, "\(kind), at \(place)")
            }
        }
    }

    @Test("have the expected number of contacts", arguments: all)
    func contacts(entry: ManifestEntry) throws {
        guard let contacts = entry.contacts else { return }
        let (lines, recording) = try Self.lines(entry, events: "touches")
        let times = recording.events.map(\.time.microseconds)
        let length = Double((times.last ?? 0) - (times.first ?? 0)) / 1000
        #expect(lines.contacts(until: length) == contacts)
        for words in entry.expectations.flatMap(\.must) where words.hasPrefix("4 touch spans") {
            #expect(lines.heights == [1, 2, 3, 4])
        }
    }

    @Test("of touchpads are refused with the reason", arguments: all.filter(\.isTouchpad))
    func refused(entry: ManifestEntry) throws {
        let (outcome, _) = try Self.replay(entry, matching: "*")
        #expect(outcome.status == 65)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("touchpad"))
    }
}
