// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureTestSupport
import Recordings
import Testing

/// The recordings of real panels with the shipped profiles.
@Suite(
    "Recordings with the shipped profiles",
    .enabled(if: SharedData.recordings != nil, Comment(rawValue: SharedData.missing)))
struct RealHandTests {
    /// The number of times that each gesture begins or is recognized in all recordings of touchscreens.
    private func counts(profile: String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for panel in PanelRecording.real {
            let recording = Recording(description: panel.description, entries: panel.events.map { .event($0) })
            let configuration = try Configuration.of(
                GestureTally.page, width: panel.width, height: panel.height, profile: profile)
            // Touchpads are refused.
            guard let gestures = try? recording.gestures(with: configuration) else { continue }
            for gesture in gestures where gesture.isBegin { counts[gesture.name, default: 0] += 1 }
        }
        return counts
    }

    /// `steady` ignores taps within 0.5 s of another one, and drags of less than 8 mm.
    @Test("steady keeps most gestures of quick hands, and adds no tap")
    func steady() throws {
        let (before, after) = (try counts(profile: "default"), try counts(profile: "steady"))
        func share(_ name: String) -> Double { Double(after[name] ?? 0) / Double(max(1, before[name] ?? 0)) }
        #expect((0.8...1).contains(share("tap")), "\(before) \(after)")
        #expect((0.9...1).contains(share("drag")), "\(before) \(after)")
        for name in ["swipe", "pinch", "rotate"] { #expect(share(name) >= 1, "\(name): \(before) \(after)") }
    }
}
