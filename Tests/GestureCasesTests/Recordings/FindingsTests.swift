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
    /// Tables that are added to the configuration.
    var added = ""
    /// The expected gestures, without updates: milliseconds since the first event, name, phase, reason and scale.
    let expected: [String]

    init(_ recording: String, configuration: String? = nil, adding: String = "", _ expected: [String]) {
        (self.recording, self.configuration, self.expected) = (recording, configuration, expected)
        added = adding
    }

    var testDescription: String { recording }

    /// Replays the recording as the daemon would handle the panel.
    func replay(in folder: URL) throws -> [String] {
        let file = try Data(contentsOf: folder.appendingPathComponent(recording + ".evemu"))
        let recording = try EvemuReader.read(Array(file))
        let settings = folder.appendingPathComponent((configuration ?? self.recording) + ".toml")
        let text = try String(contentsOf: settings, encoding: .utf8) + added
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
            let scale = json["scale"]?.number.map { ["x\($0)"] } ?? []
            lines.append("\((line.timeMicroseconds - start) / 1000) " + (words + scale).joined(separator: " "))
        }
        return lines
    }
}

/// Replays the small recordings of defects that were once found, if they are available.
@Suite("Recordings of defects", .enabled(if: SharedData.findings != nil, Comment(rawValue: SharedData.missing)))
struct FindingsTests {
    static let all = [
        Finding(
            "beside", configuration: "slider",
            [
                "0 press begin", "20 drag begin", "120 drag begin", "160 drag end", "160 swipe", "720 drag begin",
                "760 drag end", "760 swipe", "1320 drag begin", "1360 drag end", "1360 swipe", "1960 tap", "2560 tap",
                "3120 drag end", "3120 press end",
            ]),
        Finding("bounce-after-a-claim", ["40 drag begin", "90 drag end"]),
        Finding(
            "bounce-rest", configuration: "all",
            [
                "0 press begin", "500 long_press begin", "600 long_press end", "600 press end", "617 press begin",
                "2000 press end",
            ]),
        Finding("button-row", ["150 button", "300 button"]),
        Finding("child-tap-twice", ["50 tap", "250 double_tap"]),
        Finding("child-wait", ["50 button", "200 double_tap"]),
        Finding("dial-unless", ["260 dial begin", "260 dial end"]),
        Finding("drag-of-two-fingers-without-start", []),
        Finding("each-distance", ["50 tap", "200 double_tap", "300 tap", "450 double_tap"]),
        Finding("each-reuse", ["120 tap", "270 tap", "340 double_tap"]),
        Finding("each-two-people", ["50 tap", "1300 tap", "1400 tap", "1500 double_tap"]),
        Finding(
            "ends-mid-frame", configuration: "all",
            ["0 press begin", "100 drag begin", "247 drag end", "247 press end"]),
        Finding("explain-palm", []),
        Finding(
            "explain-palm", configuration: "explain-palm-slop", ["500 long_press begin", "1000 long_press cancel palm"]),
        Finding("handover-alone", ["20 press begin", "320 press end"]),
        Finding("handover-claim", ["20 drag begin", "320 drag end"]),
        Finding(
            "joined-then-touch", configuration: "list",
            ["20 drag begin", "300 drag end", "700 press begin", "780 tap", "780 press end"]),
        Finding("late-tap", ["150 tap"]),
        Finding("late-tap-press", ["150 tap", "800 tap"]),
        Finding("lost-tap", ["150 tap"]),
        Finding("near-bounce", ["80 tap", "215 tap"]),
        Finding(
            "no-bounce-rest", configuration: "all",
            [
                "0 press begin", "500 long_press begin", "600 long_press end", "600 press end", "657 press begin",
                "2000 press end",
            ]),
        Finding(
            "pinch-again",
            ["640 pinch begin x1.2", "820 pinch end x2.0", "1160 pinch begin x1.2", "1340 pinch end x2.0"]),
        Finding(
            "rest-after-pinch",
            ["45 pinch begin x1.1393", "70 pinch end x1.1393", "950 drag begin", "1050 drag end"]),
        Finding("rest-comes-back", ["780 two_finger_tap"]),
        Finding(
            "rest-jitter",
            [
                "0 press begin", "500 long_press begin", "3000 long_press cancel rest", "3000 press cancel rest",
                "3000 press begin", "3500 long_press begin", "7000 long_press end", "7000 press end",
            ]),
        Finding("rest-same-frame", ["2600 drag begin", "2800 drag end"]),
        Finding("threshold-unless", ["390 swipe"]),
        Finding("two-sectors", ["130 down_right"]),
        Finding(
            "wide-first", configuration: "all", adding: "[filter]\nmax_touch = \"30mm\"\n",
            ["0 press begin", "80 tap", "80 press end"]),
        Finding("zoom-with-lock", ["80 drag begin x1.0", "90 drag end x1.0"]),
    ]

    @Test("lead to the right gestures", arguments: all)
    func gestures(finding: Finding) throws {
        #expect(try finding.replay(in: #require(SharedData.findings)) == finding.expected)
    }

    @Test("are all replayed")
    func complete() throws {
        let folder = try #require(SharedData.findings).path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".evemu") }
        #expect(Set(files) == Set(Self.all.map { $0.recording + ".evemu" }))
    }
}
