// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings
import Testing

@Suite("Replaying events without a frame")
struct RecordingReplayTests {
    private static let configuration =
        panelTable([200, 100], millimeters: [200, 100]) + """
            [[region]]
            id = "all"
            shape = "full"
            gestures = ["press", { type = "tap", wait = true }, "double_tap", "drag"]
            """

    private static func setup(slots: Bool = true, _ text: String = configuration) throws -> PanelSetup {
        var axes = [
            0x35: AxisRange(minimum: 0, maximum: 1999, resolution: 10),
            0x36: AxisRange(minimum: 0, maximum: 999, resolution: 10),
        ]
        if slots {
            axes[0x2F] = AxisRange(minimum: 0, maximum: 4)
            axes[0x39] = AxisRange(minimum: 0, maximum: 65535)
        }
        let description = DeviceDescription(
            name: "P", bus: 0x18, properties: [1], axes: axes, udev: ["ID_INPUT_TOUCHSCREEN": "1"])
        let configuration = try #require(ConfigurationReader.read(text).configuration)
        guard case .ready(let setup) = PanelDecision(description, configuration, fallbackName: "x") else {
            throw TestFailure("not ready")
        }
        return setup
    }

    /// Reads lines `MILLISECONDS: TYPE CODE VALUE, …`. Each line is a frame unless it ends in `+`.
    private static func events(_ text: String) -> [Recording.Entry] {
        text.split(separator: "\n").flatMap { line -> [Recording.Entry] in
            let parts = line.split(separator: ":")
            let time = Timestamp(microseconds: (Int64(parts[0]) ?? 0) * 1000)
            let isWhole = !line.hasSuffix("+")
            let events = parts[1].filter { $0 != "+" }.split(separator: ",").map { words in
                let numbers = words.split(separator: " ").compactMap { Int32($0) }
                return KernelEvent(
                    time: time, type: UInt16(numbers[0]), code: UInt16(numbers[1]), value: numbers[2])
            }
            return (events + (isWhole ? [.report(at: time)] : [])).map { .event($0) }
        }
    }

    private static func replay(_ entries: [Recording.Entry], slots: Bool = true) throws -> [String] {
        let setup = try setup(slots: slots)
        var pipeline = PanelPipeline(setup)
        pipeline.interest = LineInterest(updates: false)
        var lines: [String] = []
        let recording = Recording(description: setup.description, entries: entries)
        #expect(
            RecordingReplay.run(recording, through: &pipeline) { line in
                guard let json = JSONLine("{" + line.body.text.dropFirst(line.body.text.first == "," ? 1 : 0) + "}")
                else { return }
                let words = [json["name"], json["phase"], json["reason"]].compactMap { $0 }
                lines.append("\(line.timeMicroseconds / 1000) " + words.joined(separator: " "))
            })
        return lines
    }

    private static let tap = "1000: 3 57 7, 3 53 500, 3 54 500\n1050: 3 57 -1"

    @Test("a tap that waits when the panel is unplugged is never recognized, as in the daemon")
    func unplugged() throws {
        let removed = Recording.Entry.removed(Timestamp(microseconds: 1_100_000))
        #expect(try Self.replay(Self.events(Self.tap) + [removed]) == ["1000 press begin", "1050 press end"])
        // The tap is recognized 400 ms after the lift, before the panel is unplugged.
        let later = Recording.Entry.removed(Timestamp(microseconds: 1_451_000))
        #expect(
            try Self.replay(Self.events(Self.tap) + [later])
                == ["1000 press begin", "1050 press end", "1450 tap"])
    }

    @Test("a suspend cancels all gestures in progress, and drops waiting ones")
    func suspended() throws {
        let suspended = Recording.Entry.suspended(Timestamp(microseconds: 1_100_000))
        #expect(try Self.replay(Self.events(Self.tap) + [suspended]) == ["1000 press begin", "1050 press end"])
        let down = Self.events("1000: 3 57 7, 3 53 500, 3 54 500") + [suspended] + Self.events("9000: 3 57 -1")
        #expect(try Self.replay(down) == ["1000 press begin", "1100 press cancel suspend"])
    }

    @Test("a recording that ends within a frame ends with that frame")
    func endsWithinFrame() throws {
        let drag = "1000: 3 57 7, 3 53 500, 3 54 500\n1010: 3 53 600\n1030: 3 57 -1+"
        #expect(
            try Self.replay(Self.events(drag)) == [
                "1000 press begin", "1010 drag begin", "1030 drag end", "1030 press end",
            ])
    }

    @Test("without slots an unfinished list is ignored: the contact lifts at its age limit")
    func endsWithinList() throws {
        let drag = "1000: 3 53 500, 3 54 500, 0 2 0\n1010: 3 53 600, 3 54 500, 0 2 0\n1030: 3 53 600+"
        #expect(
            try Self.replay(Self.events(drag), slots: false) == [
                "1000 press begin", "1010 drag begin", "61000 drag cancel sync_lost", "61000 press cancel sync_lost",
            ])
    }

    @Test(
        "a gap of years is replayed in steps, and can be ended between them",
        arguments: ["", "resynchronized", "suspended", "removed"])
    func gap(mark: String) throws {
        let setup = try Self.setup(
            panelTable([200, 100], millimeters: [200, 100])
                + "[[region]]\nid = \"all\"\nshape = \"full\"\ngestures = [{ type = \"press\", progress = \"10ms\" }]\n"
        )
        let years = Timestamp(microseconds: 900_000_000_000_000)
        var entries = Self.events("1000: 3 57 7, 3 53 500, 3 54 500")
        switch mark {
        case "resynchronized": entries += [.resynchronized, .event(.report(at: years))]
        case "suspended": entries.append(.suspended(years))
        case "removed": entries.append(.removed(years))
        default:
            entries += [.event(KernelEvent(time: years, type: 3, code: 57, value: -1)), .event(.report(at: years))]
        }
        let recording = Recording(description: setup.description, entries: entries)
        var pipeline = PanelPipeline(setup)
        pipeline.interest = LineInterest(updates: true)
        var (questions, lines) = (0, 0)
        let isComplete = RecordingReplay.run(
            recording, through: &pipeline,
            while: {
                questions += 1
                return questions < 100
            },
            { _ in lines += 1 })
        #expect(!isComplete)
        // If the replay were not stopped, the press would report progress for an hour, which is 360 000 lines.
        #expect(lines > 10 && lines <= 100)
    }
}
