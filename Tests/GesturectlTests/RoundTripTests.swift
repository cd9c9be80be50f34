// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings
import Testing

@testable import gesturectl

/// The daemon's pipeline processes random touches. They are recorded, written to a file, read and replayed; the
/// replay must print the same lines, byte for byte.
@Suite("Recordings and their replays")
struct RoundTripTests {
    static let configuration =
        panelTable([1920, 1080], millimeters: [344, 194]) + """
            [filter]
            max_contact_age = "5s"
            [[region]]
            id = "left"
            shape = { rect = [0, 0, "50%", "100%"] }
            gestures = ["press", { type = "tap", wait = true }, "double_tap", "two_finger_tap", "long_press", "swipe"]
            [[region]]
            id = "right"
            shape = { rect = ["50%", 0, "50%", "100%"] }
            gestures = ["press", "tap", "repeat", "drag"]
            """

    static let description = DeviceDescription(
        name: "Round # trip", bus: 0x18, properties: [1],
        axes: [
            0x2F: AxisRange(minimum: 0, maximum: 4), 0x30: AxisRange(minimum: 0, maximum: 255),
            0x35: AxisRange(minimum: 0, maximum: 4095, resolution: 12),
            0x36: AxisRange(minimum: 0, maximum: 2047, resolution: 11),
            0x39: AxisRange(minimum: 0, maximum: 65535),
        ],
        udev: ["ID_INPUT": "1", "ID_INPUT_TOUCHSCREEN": "1", "ID_PATH": "a b"])

    /// The setup of the panel, which is the same in the daemon and the tool.
    static func setup(_ description: DeviceDescription) throws -> PanelSetup {
        let files = [(path: "test.toml", text: Array(configuration.utf8))]
        let configuration = try #require(ConfigurationReader.read(files).configuration)
        guard case .ready(let setup) = PanelDecision(description, configuration, fallbackName: "x") else {
            throw ToolError(.data, "not ready")
        }
        return setup
    }

    @Test("have the same lines", arguments: 0..<60 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var panel = try RandomPanel(Self.setup(Self.description), seed: seed)
        for _ in 0..<20 { panel.step() }
        panel.settle()
        try panel.beginRecording()
        for _ in 0..<150 { panel.step() }
        if seed % 3 == 0 { panel.unplug() } else { panel.settle() }

        let bytes = EvemuWriter.write(panel.recording)
        let recording = try EvemuReader.read(bytes)
        #expect(recording == panel.recording)
        var replay = PanelPipeline(
            try Self.setup(recording.description), identifiers: recording.identifiers)
        replay.interest = LineInterest(updates: true, touches: true)
        var lines: [String] = []
        let isComplete = RecordingReplay.run(recording, through: &replay) { line in
            lines.append("\(line.event.word)" + line.body.text)
        }
        #expect(isComplete)
        #expect(!lines.isEmpty)
        #expect(lines.count == panel.lines.count)
        let difference = zip(lines, panel.lines).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(difference == nil, "the first line that differs")
    }
}

/// A panel with random contacts. It keeps a slot table like the kernel's, and a pipeline reads its events.
struct RandomPanel: ~Copyable {
    private(set) var recording: Recording
    private(set) var lines: [String] = []
    private var pipeline: PanelPipeline
    private var slots = [SlotState](repeating: SlotState(), count: 5)
    private var current = 0
    private var nextID: Int32 = 0
    private var now: Int64 = 83_000_000_000
    private var generator: SeededRandom

    init(_ setup: PanelSetup, seed: UInt64) {
        pipeline = PanelPipeline(setup)
        pipeline.interest = LineInterest(updates: true, touches: true, frames: true)
        recording = Recording(description: setup.description, device: setup.device)
        generator = SeededRandom(seed)
    }

    /// Discards the lines so far. No contact may be down and no deadline may be pending.
    mutating func beginRecording() throws {
        let isIdle = pipeline.isIdle
        try #require(isIdle)
        lines = []
        recording.description.axes[0x2F]?.value = Int32(current)
        let identifiers = pipeline.identifiers
        recording.nextContact = identifiers.contacts.open
        recording.nextSequence = identifiers.sequences.open
        recording.slots = slots.map { SlotState(x: $0.x, y: $0.y) }
        recording.entries = []
    }

    /// Advances the time, then plays one frame or a resynchronisation.
    mutating func step() {
        now += Int64.random(in: 1...(Bool.random(using: &generator) ? 12_000 : 700_000), using: &generator)
        wake()
        switch Int.random(in: 0..<40, using: &generator) {
        case 0: return resynchronize()
        case 1: return sleep()
        default: break
        }
        var events: [(UInt16, UInt16, Int32)] = []
        for _ in 0..<Int.random(in: 1...2, using: &generator) { touch(&events) }
        feed(events)
    }

    /// Lifts all contacts and lets every pending deadline expire.
    mutating func settle() {
        var events: [(UInt16, UInt16, Int32)] = []
        for slot in slots.indices where slots[slot].trackingID >= 0 {
            select(slot, &events)
            slots[slot].trackingID = -1
            events.append((3, 0x39, -1))
        }
        now += 1000
        wake()
        feed(events)
        now += 10_000_000
        wake()
    }

    mutating func unplug() {
        now += 1
        wake()
        pipeline.remove(at: Timestamp(microseconds: now)) { line in Self.take(line, &lines, &recording) }
    }

    /// Handles deadlines a little late, as the event loop does when it wakes up.
    private mutating func wake() {
        while let deadline = pipeline.nextDeadline, deadline.microseconds <= now {
            pipeline.advance(to: deadline) { line in Self.take(line, &lines, &recording) }
        }
    }

    private mutating func select(_ slot: Int, _ events: inout [(UInt16, UInt16, Int32)]) {
        guard slot != current else { return }
        current = slot
        events.append((3, 0x2F, Int32(slot)))
    }

    /// Reports only values that have changed, like the kernel.
    private mutating func touch(_ events: inout [(UInt16, UInt16, Int32)]) {
        let slot = Int.random(in: 0..<slots.count, using: &generator)
        select(slot, &events)
        let isDown = slots[slot].trackingID >= 0
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3 where isDown:
            slots[slot].trackingID = -1
            events.append((3, 0x39, -1))
            return
        case 3 where isDown, 0..<10 where !isDown:
            nextID += 1
            slots[slot].trackingID = nextID
            events.append((3, 0x39, nextID))
        default: break
        }
        let x = Int32.random(in: 0...4095, using: &generator)
        let y = Int32.random(in: 0...2047, using: &generator)
        if Bool.random(using: &generator), slots[slot].x != x {
            slots[slot].x = isDown ? min(4095, max(0, slots[slot].x + x % 120 - 60)) : x
            events.append((3, 0x35, slots[slot].x))
        }
        if Bool.random(using: &generator), slots[slot].y != y {
            slots[slot].y = isDown ? min(2047, max(0, slots[slot].y + y % 120 - 60)) : y
            events.append((3, 0x36, slots[slot].y))
        }
    }

    private mutating func feed(_ events: [(UInt16, UInt16, Int32)]) {
        guard !events.isEmpty else { return }
        let time = Timestamp(microseconds: now)
        for event in events + [(0, 0, 0)] {
            pipeline.feed(KernelEvent(time: time, type: event.0, code: event.1, value: event.2)) { line in
                Self.take(line, &lines, &recording)
            }
        }
    }

    /// Suspends the machine for some time. After the wake-up, the pipeline reads the slots.
    private mutating func sleep() {
        let time = Timestamp(microseconds: now)
        pipeline.suspend(at: time) { line in Self.take(line, &lines, &recording) }
        now += 3_600_000_000
        resynchronize()
    }

    /// Simulates an overflow of the kernel's buffer: contacts land and lift without events, then the pipeline
    /// reads the slots.
    private mutating func resynchronize() {
        var unseen: [(UInt16, UInt16, Int32)] = []
        for _ in 0..<4 { touch(&unseen) }
        let time = Timestamp(microseconds: now)
        let table = SlotTable(slots: slots, current: current)
        pipeline.resynchronize(table, at: time) { line in Self.take(line, &lines, &recording) }
    }

    private static func take(_ line: borrowing EventLine, _ lines: inout [String], _ recording: inout Recording) {
        guard line.event == .frame else { return lines.append("\(line.event.word)" + line.body.text) }
        var buffer = JSONWriter()
        line.write(number: 1, into: &buffer)
        guard let json = JSONValue(parsing: buffer.bytes), recording.append(frame: json) else {
            Issue.record("no frame: \(buffer.text)")
            return
        }
    }
}
