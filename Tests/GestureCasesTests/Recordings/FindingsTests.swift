// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings
import Testing

/// A recording of a defect, and the gestures that must be recognized.
struct Finding: CustomTestStringConvertible, Sendable {
    let recording: String
    /// The name of the configuration; `nil` if it is that of the recording.
    var configuration: String?
    /// The expected gestures, without updates: milliseconds since the first event, name, phase and reason.
    let expected: [String]

    init(_ recording: String, configuration: String? = nil, _ expected: [String]) {
        (self.recording, self.configuration, self.expected) = (recording, configuration, expected)
    }

    var testDescription: String { recording }

    /// Replays the recording as the daemon would handle the panel.
    func replay(in folder: URL) throws -> [String] {
        let file = try Data(contentsOf: folder.appendingPathComponent(recording + ".evemu"))
        let recording = try EvemuReader.read(Array(file))
        let settings = folder.appendingPathComponent((configuration ?? self.recording) + ".toml")
        let text = try String(contentsOf: settings, encoding: .utf8)
        let configuration = try #require(ConfigurationReader.read(text).configuration)
        guard case .ready(let setup) = PanelDecision(recording.description, configuration, fallbackName: "panel") else {
            throw TestFailure("the panel is not used")
        }
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        pipeline.interest = LineInterest(updates: false)
        let start = recording.events.first?.time.microseconds ?? 0
        var lines: [String] = []
        var bytes = JSONWriter()
        RecordingReplay.run(recording, through: &pipeline) { line in
            bytes.removeAll()
            line.write(number: 1, into: &bytes)
            guard let json = JSONValue(parsing: Array(bytes.bytes.dropLast())) else { return }
            let words = ["name", "phase", "reason"].compactMap { json[$0]?.string }
            lines.append("\((line.timeMicroseconds - start) / 1000) " + words.joined(separator: " "))
        }
        return lines
    }
}

/// Replays the small recordings of defects that were once found, if they are available.
@Suite("Recordings of defects", .enabled(if: SharedData.findings != nil, Comment(rawValue: SharedData.missing)))
struct FindingsTests {
    static let all = [
        Finding("bounce-after-a-claim", ["40 drag begin", "90 drag end"]),
        Finding("drag-of-two-fingers-without-start", []),
        Finding("each-distance", ["50 tap", "200 double_tap", "300 tap", "450 double_tap"]),
        Finding("each-two-people", ["50 tap", "1300 tap", "1400 tap", "1500 double_tap"]),
        Finding("late-tap", ["150 tap"]),
        Finding("late-tap-press", ["150 tap", "700 tap"]),
        Finding("lost-tap", ["150 tap"]),
        Finding("rest-comes-back", ["780 two_finger_tap"]),
        Finding(
            "rest-jitter",
            [
                "0 press begin", "500 long_press begin", "3000 long_press cancel rest", "3000 press cancel rest",
                "3000 press begin", "3500 long_press begin", "7000 long_press end", "7000 press end",
            ]),
        Finding("rest-same-frame", ["2600 drag begin", "2800 drag end"]),
        Finding("two-sectors", ["130 down_right"]),
        Finding("zoom-with-lock", ["80 drag begin", "90 drag end"]),
    ]

    @Test("lead to the right gestures", arguments: all)
    func gestures(finding: Finding) throws {
        #expect(try finding.replay(in: #require(SharedData.findings)) == finding.expected)
    }
}
