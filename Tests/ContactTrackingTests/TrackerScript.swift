// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Testing

/// Plays a script of kernel events and collects the resulting frames.
///
/// Semicolons separate statements. `slot N`, `id N`, `x N`, `y N`, `major N`, `tool N`, `distance N`, `BTN N`, `X N`
/// and `Y N` (the single-touch axes) are events. `syn MS` and `cut MS` (a SYN_REPORT of value 1) end a frame, and
/// `drop MS` discards it. `sync MS SLOT:ID,X,Y …` is a resynchronisation, `initial SLOT:ID,X,Y …` is the state when the
/// device is opened, `advance MS` is a deadline, `cancel MS` cancels all contacts, and `mt MS` ends a contact in
/// protocol A. Times may be fractions of milliseconds.
/// The result has a line `MS: ID kind X,Y, …` for each frame, in units of a panel with 1000 x 1000 units and
/// 100 x 100 mm.
struct TrackerScript: ~Copyable {
    var tracker: SlotTracker
    private(set) var transcript: [String]
    /// The changes of all frames.
    private(set) var changes: [Change] = []

    struct Change {
        /// The time in microseconds.
        var time: Int64
        var kind: ContactChange.Kind
        var position: Point

        var isGone: Bool {
            switch kind {
            case .lifted, .cancelled: true
            case .landed, .moved, .resynchronized: false
            }
        }
    }

    static let panel = touchscreen(axes: [
        0x2f: AxisRange(minimum: 0, maximum: 9), 0x39: AxisRange(minimum: 0, maximum: 65535),
        0x35: AxisRange(minimum: 0, maximum: 999, resolution: 10),
        0x36: AxisRange(minimum: 0, maximum: 999, resolution: 10),
        0x30: AxisRange(minimum: 0, maximum: 999), 0x37: AxisRange(minimum: 0, maximum: 2),
        0x3b: AxisRange(minimum: 0, maximum: 255),
    ])
    static let resistive = touchscreen(axes: [
        0x00: AxisRange(minimum: 0, maximum: 999, resolution: 10),
        0x01: AxisRange(minimum: 0, maximum: 999, resolution: 10),
    ])

    static func touchscreen(axes: [Int: AxisRange]) -> DeviceDescription {
        DeviceDescription(name: "panel", properties: [1], keys: [0x14a], axes: axes)
    }

    init(_ device: DeviceDescription = panel, filter: FilterSettings = FilterSettings(storm: nil)) throws {
        guard case .accepted(let touchProtocol, _) = Admission.decide(device, matchedByConfiguration: false) else {
            throw Refused()
        }
        self.init(device, touchProtocol, filter)
    }

    // Swift 6.2 crashes if an initializer that may throw sets the tracker.
    private init(_ device: DeviceDescription, _ touchProtocol: TouchProtocol, _ filter: FilterSettings) {
        let mapping = AxisMapping(device, output: OutputSettings())
        tracker = SlotTracker(device, protocol: touchProtocol, mapping: mapping, filter: filter)
        transcript = []
    }

    struct Refused: Error {}

    static func run(
        _ script: String, _ device: DeviceDescription = panel, filter: FilterSettings = FilterSettings(storm: nil)
    ) throws -> String {
        var run = try TrackerScript(device, filter: filter)
        try run.play(script)
        return run.transcript.joined(separator: "\n")
    }

    mutating func play(_ script: String) throws {
        for statement in script.split(separator: ";") {
            let words = statement.split(separator: " ").map { String($0) }
            try play(words[0], Array(words.dropFirst()))
        }
    }

    static let codes: [String: UInt16] = [
        "slot": 0x2f, "id": 0x39, "x": 0x35, "y": 0x36, "major": 0x30, "tool": 0x37, "distance": 0x3b, "X": 0, "Y": 1,
        "Z": 2, "pressure": 0x18,
    ]

    private mutating func play(_ verb: String, _ arguments: [String]) throws {
        let number = Double(arguments.first ?? "") ?? 0
        let time = Timestamp(microseconds: Int64((number * 1000).rounded()))
        let hasFrame: Bool
        switch verb {
        case "syn": hasFrame = feed(0, 0, 0, time)
        case "cut": hasFrame = feed(0, 0, 1, time)
        case "mt": hasFrame = feed(0, 2, 0, time)
        case "drop": hasFrame = feed(0, 3, 0, time)
        case "BTN": hasFrame = feed(1, 0x14a, Int32(clamping: Int64(number)), time)
        case "sync": hasFrame = tracker.resynchronize(try states(arguments.dropFirst()), at: time)
        case "advance": hasFrame = tracker.advance(to: time)
        case "cancel": hasFrame = tracker.cancelAll(.deviceRemoved, at: time)
        case "initial":
            tracker.setInitial(try states(arguments[...]))
            hasFrame = false
        default:
            let code = try #require(Self.codes[verb])
            hasFrame = feed(3, code, Int32(clamping: Int64(number)), time)
        }
        if hasFrame { write() }
    }

    private mutating func feed(_ type: UInt16, _ code: UInt16, _ value: Int32, _ time: Timestamp) -> Bool {
        tracker.feed(KernelEvent(time: time, type: type, code: code, value: value))
    }

    private func states(_ words: ArraySlice<String>) throws -> SlotTable {
        var states = Array(repeating: SlotState(), count: 10)
        for word in words {
            let numbers = word.split { $0 == ":" || $0 == "," }.map { Int32($0) ?? 0 }
            try #require(numbers.count == 4)
            states[Int(numbers[0])] = SlotState(trackingID: numbers[1], x: numbers[2], y: numbers[3])
        }
        return SlotTable(slots: states)
    }

    private mutating func write() {
        let frame = tracker.frame
        let ids = frame.changes.map(\.id)
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        for change in frame.changes {
            changes.append(Change(time: frame.time.microseconds, kind: change.kind, position: change.position))
        }
        let texts = frame.changes.map { change in
            let (x, y) = ((change.position.x * 10).rounded(), (change.position.y * 10).rounded())
            return "\(change.id.rawValue) \(word(change.kind)) \(Int(x)),\(Int(y))"
        }
        transcript.append("\(frame.time.microseconds / 1000): " + texts.joined(separator: ", "))
    }

    private func word(_ kind: ContactChange.Kind) -> String {
        switch kind {
        case .landed: "landed"
        case .moved: "moved"
        case .resynchronized: "resynchronized"
        case .lifted: "lifted"
        case .cancelled(let reason): "cancelled(\(reason))"
        }
    }
}
