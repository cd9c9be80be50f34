// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings

/// A block `people` of `Tests/Cases/people.md`: a shipped configuration, touches on a panel with slots, and the lines
/// that clients receive.
///
///     # config/examples/kiosk-buttons.toml 194x344      the file, and the size of the glass in millimetres
///     # [filter] bridge = "80ms"                        lines that are added to the file
///     down a 20,20; glide a 60,20 80ms; up a            as in `TouchScript`; `glide` moves in steps of 10 ms
///     ---
///     20 screen.drag begin
struct PeopleCase {
    private(set) var lines: [String] = []
    /// The reasons why the case cannot be played; a test must fail if there are any.
    private(set) var mistakes: [String] = []
    private let width: Double
    private let height: Double

    /// Units of the axes per millimetre.
    private static let resolution = 20.0

    init(head: [String], script: String) {
        let words = head.first?.dropFirst(2).split(separator: " ").map(String.init) ?? []
        let size = words.last?.split(separator: "x").compactMap { Double($0) } ?? []
        guard words.count == 2, size.count == 2, let file = Document(words[0]) else {
            (width, height) = (0, 0)
            mistakes = ["cannot read: \(head)"]
            return
        }
        (width, height) = (size[0], size[1])
        let additions = head.dropFirst().map { $0.dropFirst(2).replacing("] ", with: "]\n") }
        let text = file.text + "\n" + additions.joined(separator: "\n")
        let (configuration, diagnostics) = ConfigurationReader.read(text, path: words[0])
        mistakes += diagnostics.filter { $0.isError }.map(\.description)
        guard let configuration else { return }
        play(Self.gliding(script), configuration)
    }

    private mutating func play(_ script: String, _ configuration: Configuration) {
        let script = TouchScript(script)
        mistakes += script.mistakes.map { "cannot read: \($0)" }
        let recording = Recording(
            description: description, entries: kernelEvents(script.steps).map { .event($0) })
        do {
            lines = try recording.gestures(with: configuration).map(Self.text)
        } catch {
            mistakes.append("\(error)")
        }
    }

    private var description: DeviceDescription {
        func axis(_ length: Double) -> AxisRange {
            AxisRange(
                minimum: 0, maximum: Int32(length * Self.resolution) - 1, resolution: Int32(Self.resolution))
        }
        let axes: [UInt16: AxisRange] = [
            EventCode.absX: axis(width), EventCode.absY: axis(height),
            EventCode.absMTPositionX: axis(width), EventCode.absMTPositionY: axis(height),
            EventCode.absMTSlot: AxisRange(minimum: 0, maximum: 9),
            EventCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65_535),
            EventCode.absMTToolType: AxisRange(minimum: 0, maximum: EventCode.mtToolPalm),
        ]
        return DeviceDescription(
            name: "panel", properties: [1], keys: [Int(EventCode.btnTouch)],
            axes: Dictionary(uniqueKeysWithValues: axes.map { (Int($0.key), $0.value) }))
    }

    /// The reports of a panel that gives each contact the lowest free slot.
    private func kernelEvents(_ steps: [TouchScript.Step]) -> [KernelEvent] {
        var events: [KernelEvent] = []
        var time = Timestamp(microseconds: 1_000_000)
        var slots: [ContactID?] = Array(repeating: nil, count: 10)
        for step in steps {
            switch step {
            case .wait(let interval): time = time + interval
            case .frame(let changes):
                for change in changes { append(change, at: time, &slots, to: &events) }
                events.append(.report(at: time))
            case .advance, .reload, .updates, .failures: break
            }
        }
        return events
    }

    private func append(
        _ change: ContactChange, at time: Timestamp, _ slots: inout [ContactID?], to events: inout [KernelEvent]
    ) {
        let isLanding = change.kind == .landed
        guard let slot = slots.firstIndex(of: isLanding ? nil : change.id) else { return }
        events.append(.axis(EventCode.absMTSlot, Int32(slot), at: time))
        switch change.kind {
        case .landed:
            slots[slot] = change.id
            events.append(.axis(EventCode.absMTTrackingID, Int32(change.id.rawValue), at: time))
            events.append(.axis(EventCode.absMTToolType, EventCode.mtToolFinger, at: time))
            appendPosition(change.position, at: time, to: &events)
        case .moved, .resynchronized: appendPosition(change.position, at: time, to: &events)
        case .lifted:
            slots[slot] = nil
            events.append(.axis(EventCode.absMTTrackingID, -1, at: time))
        case .cancelled: events.append(.axis(EventCode.absMTToolType, EventCode.mtToolPalm, at: time))
        }
    }

    private func appendPosition(_ position: Point, at time: Timestamp, to events: inout [KernelEvent]) {
        let (x, y) = ((position.x * Self.resolution).rounded(), (position.y * Self.resolution).rounded())
        events.append(.axis(EventCode.absMTPositionX, Int32(x), at: time))
        events.append(.axis(EventCode.absMTPositionY, Int32(y), at: time))
    }

    /// The script with each `glide` written as movements.
    private static func gliding(_ script: String) -> String {
        var positions: [String: (x: Double, y: Double)] = [:]
        var result: [String] = []
        for statement in script.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
            let words = statement.split(separator: " ").map(String.init)
            guard words.first == "glide", let time = words.last.flatMap({ Double($0.dropLast(2)) }) else {
                for part in words.split(separator: "&") {
                    let part = Array(part)
                    if part.count == 3, let point = point(part[2]) { positions[part[1]] = point }
                }
                result.append(words.joined(separator: " "))
                continue
            }
            let targets = words.dropFirst().dropLast().split(separator: "&").compactMap { part in
                point(part.last ?? "").map { (name: part.first ?? "", from: positions[part.first ?? ""] ?? $0, to: $0) }
            }
            let steps = max(Int(time / 10), 1)
            for step in 1...steps {
                let share = Double(step) / Double(steps)
                let moves = targets.map { target in
                    let x = target.from.x + (target.to.x - target.from.x) * share
                    let y = target.from.y + (target.to.y - target.from.y) * share
                    return "move \(target.name) \(x),\(y)"
                }
                result += ["+10ms", moves.joined(separator: " & ")]
            }
            for target in targets { positions[target.name] = target.to }
        }
        return result.joined(separator: "; ")
    }

    private static func point(_ text: String) -> (x: Double, y: Double)? {
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }

    /// `TIME_MS REGION.NAME [PHASE] [REASON] [MEMBERS]`
    private static func text(of gesture: ReplayedGesture) -> String {
        let json = gesture.json
        var words = ["\(Int64(gesture.milliseconds))", "\(gesture.region).\(gesture.name)"]
        for key in ["phase", "reason", "direction"] { if let word = json[key]?.string { words.append(word) } }
        if json["phase"]?.string != "begin" {
            if let inside = json["inside"]?.bool { words.append(inside ? "inside" : "outside") }
            for key in ["scale", "rotation", "n"] {
                if let number = json[key]?.number { words.append("\(key) \(number)") }
            }
            if let vx = json["vx"]?.number, let vy = json["vy"]?.number {
                // Without an output of its own, a panel has a pixel for each unit.
                words.append("\(Int(((vx * vx + vy * vy).squareRoot() / Self.resolution).rounded())) mm/s")
            }
        }
        return words.joined(separator: " ")
    }
}
