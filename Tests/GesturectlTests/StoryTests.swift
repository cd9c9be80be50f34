// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings
import Testing

@testable import gesturectl

/// Explanations have two sources: the values of a replay, and the daemon's lines.
@Suite("The two sources of explanations")
struct StoryTests {
    /// A list with a button, below a glass that sees all touches, on a panel that is shared with an application.
    private static func configuration(_ recording: Recording, _ size: String) -> String {
        let name = recording.description.name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return """
            version = 1
            [[device]]
            id = "panel"
            match = { name = "\(name)" }
            output = { size_mm = [\(size)] }
            share = "forward"
            wake = {}
            [device.application]
            max_contacts = 2
            min_gap = "60ms"
            [filter]
            max_contact_age = "1s"
            mask = [[0, 0, "5%", "100%"]]
            [[scene]]
            id = "night"
            regions = ["*"]
            dark = true
            [[region]]
            id = "floor"
            shape = "full"
            gestures = ["swipe"]
            [[region]]
            id = "list"
            shape = { rect = [0, 0, "100%", "80%"] }
            gestures = ["tap", "double_tap", { type = "drag", start = "5mm" }, { type = "pinch", action = "zoom" }]
            [[region]]
            id = "button"
            parent = "list"
            shape = { circle = { center = ["50%", "50%"], radius = "30%" } }
            gestures = [
                "press", "long_press", { type = "swipe", directions = ["left"] },
                { type = "stroke", points = [[0, 0], [50, 100], [100, 0]], min_score = 0.3 },
            ]
            [[region]]
            id = "glass"
            pass = true
            shape = "full"
            gestures = ["tap", "rotate"]
            """
    }

    @Test("lines and values make the same explanations", arguments: ManifestEntry.synthetic + ManifestEntry.real)
    func same(_ entry: ManifestEntry) throws {
        let recording = try EvemuReader.read(Array(entry.text.utf8))
        let (read, diagnostics) = ConfigurationReader.read(Self.configuration(recording, entry.size))
        let plain = try #require(read, "\(diagnostics)")
        for configuration in [plain, try plain.switched(toScene: "night")] {
            let setup = try PanelSetup(admitting: recording, configuration, source: "")
            let interest = LineInterest(touches: true, frames: true, failures: true)
            let values = Self.explanations(setup) { take in
                let observer = { take(StoryEvent($0, device: "panel")) } as (PanelOutput) -> Void
                RecordingReplay.run(recording, configuration, setup, interest, observer: observer) { _ in }
            }
            let lines = Self.explanations(setup) { take in
                RecordingReplay.run(recording, configuration, setup, interest) { line in
                    var json = JSONWriter()
                    line.write(number: 0, into: &json)
                    if let line = JSONValue(parsing: Array(json.bytes.dropLast())) { take(StoryEvent(line)) }
                }
            }
            #expect(values == lines)
            // One recording contains only the end of a touch.
            #expect(values.isEmpty == (entry.name == "N-Trig-MultiTouch.touch_1_end"))
        }
    }

    private static func explanations(
        _ setup: PanelSetup, _ source: (@escaping (StoryEvent) -> Void) -> Void
    ) -> [Explanation] {
        var collector = ExplanationCollector(GestureClient.Region.all(of: [setup]).regions)
        collector.pixels = [setup.device: PixelSize(setup.size)]
        var done: [Explanation] = []
        source { done += collector.take($0) }
        return done + collector.advance(to: .max)
    }
}
