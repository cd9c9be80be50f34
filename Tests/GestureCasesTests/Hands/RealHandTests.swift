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
    /// The number of times that each gesture begins or is recognized in all recordings.
    private func counts(profile: String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for panel in PanelRecording.real {
            let recording = Recording(description: panel.description, entries: panel.events.map { .event($0) })
            let text = """
                version = 1
                [[device]]
                id = "panel"
                match = { name = "*" }
                output = { size_mm = [\(panel.width), \(panel.height)] }

                """
            let (configuration, diagnostics) = ConfigurationReader.read(text + GestureTally.page)
            let read = try #require(configuration, "\(diagnostics)")
            // Touchpads are refused.
            guard let gestures = try? recording.gestures(with: read.with(profile: profile)) else { continue }
            for gesture in gestures where gesture.isBegin { counts[gesture.name, default: 0] += 1 }
        }
        return counts
    }

    @Test func compare() throws {
        for profile in ["default", "steady", "slow"] {
            let counts = try counts(profile: profile)
            print(profile, counts.sorted { $0.key < $1.key })
        }
    }
}
