// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

@Suite("Lines on demand")
struct InterestTests {
    private static let configuration =
        panelTable() + """
            [[region]]
            id = "ok"
            shape = { rect = [0, 0, 55, 100] }
            gestures = ["press", "tap", "double_tap", "long_press", "swipe", "drag"]
            """

    /// A tap, and then a stroke of 30 mm in 60 ms.
    private static let strokes: [(time: Int64, id: Int32?, x: Int32)] = [
        (0, 1, 300), (80, -1, 300), (1000, 2, 300), (1020, nil, 400), (1040, nil, 500), (1060, nil, 600),
        (1061, -1, 600),
    ]

    /// A panel of 1000 x 1000 units with two slots.
    static func setup(_ configuration: Configuration) throws -> PanelSetup {
        var description = DeviceDescription()
        description.name = "Panel"
        description.properties = [1]
        let position = AxisRange(minimum: 0, maximum: 999)
        description.axes = [
            0x2F: AxisRange(minimum: 0, maximum: 1), 0x39: AxisRange(minimum: 0, maximum: 65535), 0x35: position,
            0x36: position,
        ]
        guard case .ready(let setup) = PanelDecision(description, configuration, fallbackName: "panel") else {
            throw InterestError()
        }
        return setup
    }

    private func run(
        _ interest: LineInterest, observer: ((PanelOutput) -> Void)? = nil
    ) throws -> (lines: [String], failures: Int, count: Int64) {
        let setup = try Self.setup(try #require(ConfigurationReader.read(Self.configuration).0))
        var pipeline = PanelPipeline(setup)
        pipeline.interest = interest
        pipeline.observer = observer
        var lines: [String] = []
        var failures = 0
        let sink = { (line: borrowing EventLine) in
            if line.event == .failed { failures += 1 } else { lines.append(line.body.text) }
        }
        for stroke in Self.strokes {
            let time = Timestamp(microseconds: (1_000 + stroke.time) * 1000)
            pipeline.advance(to: time, sink)
            if let id = stroke.id { pipeline.feed(.axis(EventCode.absMTTrackingID, id, at: time), sink) }
            pipeline.feed(.axis(EventCode.absMTPositionX, stroke.x, at: time), sink)
            pipeline.feed(.axis(EventCode.absMTPositionY, 500, at: time), sink)
            pipeline.feed(.report(at: time), sink)
        }
        while let deadline = pipeline.nextDeadline { pipeline.advance(to: deadline, sink) }
        return (lines, failures, pipeline.counts.open.events)
    }

    @Test("an observer receives what lines would tell, instead of them", arguments: [true, false])
    func observed(updates: Bool) throws {
        let setup = try Self.setup(try #require(ConfigurationReader.read(Self.configuration).0))
        var encoder = GestureEncoder(setup.regions, size: setup.size, device: setup.device)
        var observed = (lines: [String](), failures: 0)
        let interest = LineInterest(updates: updates, touches: true, failures: updates)
        let untold = try run(interest) { output in
            var line = EventLine()
            switch output {
            case .gesture(let event, let region):
                #expect(region.id == "ok")
                encoder.encode(event, into: &line)
            case .touches(let report): report.encode(device: setup.device, panel: 0, subject: 0, into: &line)
            case .wake, .idle, .frame: Issue.record("not asked for: \(output)")
            }
            if line.event == .failed { observed.failures += 1 } else { observed.lines.append(line.body.text) }
        }
        let told = try run(interest)
        #expect(observed.lines == told.lines)
        #expect(observed.failures == told.failures)
        #expect((untold.lines, untold.failures) == ([], 0))
    }

    @Test("failures are sent on demand, change no other line, and are not counted as gestures")
    func failures() throws {
        let plain = try run(LineInterest(updates: true))
        let explained = try run(LineInterest(updates: true, failures: true))
        #expect(plain.failures == 0)
        #expect(explained.failures > 5)
        #expect(plain.lines == explained.lines)
        #expect(plain.lines.contains { $0.contains("\"swipe\"") })
        #expect(plain.count == plain.lines.count)
        #expect(explained.count == plain.count)
    }
}

private struct InterestError: Error {}
