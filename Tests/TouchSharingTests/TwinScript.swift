// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
@testable import TouchSharing

/// Plays frames of a panel to `TwinFrames`, and records the events that the application receives.
///
/// Statements are separated by semicolons: `SLOT:ID,X,Y` (several of them make one frame; `SLOT:-` lifts), followed
/// after a landing by the decision `=f`, `=h` or `=k` (forwarded, held or kept; the default is forwarded); `keep SLOT`,
/// `give SLOT`, `at MS` and `lift all`.
/// Each frame of the twin becomes a line: its time, then for each slot `+ID` (landed) or `-` (lifted) and the
/// values of its axes.
struct TwinScript {
    var frames: TwinFrames
    private var time = Timestamp(microseconds: 0)
    private(set) var transcript: [String] = []

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

    private static func touchscreen(axes: [Int: AxisRange]) -> DeviceDescription {
        DeviceDescription(name: "panel", properties: [1], keys: [0x14a], axes: axes)
    }

    init(_ panel: DeviceDescription = TwinScript.panel, cancel: TouchCancel = .lift) {
        let twin = panel.twin(of: "/dev/input/event4", .slots(count: 10), cancel: cancel)
        frames = TwinFrames(twin, .slots(count: 10), cancel: cancel)
    }

    static func run(_ script: String, cancel: TouchCancel = .lift) -> String {
        var run = TwinScript(cancel: cancel)
        run.play(script)
        return run.transcript.joined(separator: "\n")
    }

    mutating func play(_ script: String) {
        for statement in script.split(separator: ";") { play(statement.split(separator: " ").map { String($0) }) }
    }

    /// The contact with this slot and this tracking id.
    private func contact(_ slot: Int, _ id: Int64) -> ContactID { ContactID(Int64(slot) * 1000 + id) }

    private var ids: [Int: Int64] = [:]

    private mutating func play(_ words: [String]) {
        switch words[0] {
        case "at":
            time = Timestamp(microseconds: (Int64(words[1]) ?? 0) * 1000)
            frames.advance(to: time)
        case "lift": frames.liftAll(at: time)
        case "keep", "give":
            frames.begin(at: time, isComplete: false)
            decide(words)
            frames.finish()
        default: frame(words)
        }
        write()
    }

    private mutating func decide(_ words: [String]) {
        let slot = Int(words[1]) ?? 0
        let contact = contact(slot, ids[slot] ?? 0)
        if words[0] == "keep" { frames.keep(contact) } else { frames.give(contact) }
    }

    private mutating func frame(_ words: [String]) {
        var fates: [Int: TouchFate] = [:]
        for word in words where word.contains(":") {
            let parts = word.split(separator: "=")
            let fields = parts[0].split { ":,".contains($0) }
            let slot = Int(fields[0]) ?? 0
            fates[slot] = parts.count < 2 ? .forwarded : parts[1] == "h" ? .held : parts[1] == "k" ? .kept : .forwarded
            frames.take(.axis(EventCode.absMTSlot, Int32(slot), at: time))
            if fields[1] == "-" {
                frames.take(.axis(EventCode.absMTTrackingID, -1, at: time))
                continue
            }
            if let id = Int32(fields[1]) { frames.take(.axis(EventCode.absMTTrackingID, id, at: time)) }
            frames.take(.axis(EventCode.absMTPositionX, Int32(fields[2]) ?? 0, at: time))
            frames.take(.axis(EventCode.absMTPositionY, Int32(fields[3]) ?? 0, at: time))
        }
        frames.begin(at: time, isComplete: true)
        if let place = words.firstIndex(where: { $0 == "keep" || $0 == "give" }) { decide(Array(words[place...])) }
        for word in words where word.contains(":") {
            let slot = Int(word.split(separator: ":")[0]) ?? 0
            guard frames.frame.landed & 1 << UInt64(slot) != 0 else { continue }
            ids[slot] = Int64(word.split { ":,".contains($0) }[1]) ?? 0
            frames.land(slot, contact(slot, ids[slot] ?? 0), fates[slot] ?? .forwarded)
        }
        frames.finish()
    }

    private mutating func write() {
        var words: [String] = []
        for event in frames.events {
            switch (event.type, event.code) {
            case (EventCode.evSyn, _):
                transcript.append("\(event.time.microseconds / 1000): \(words.joined(separator: " "))")
                words = []
            case (EventCode.evAbs, EventCode.absMTSlot): words.append("\(event.value)")
            case (EventCode.evAbs, EventCode.absMTTrackingID): words.append(event.value < 0 ? "-" : "+\(event.value)")
            case (EventCode.evAbs, EventCode.absMTPositionX): words.append("x\(event.value)")
            case (EventCode.evAbs, EventCode.absMTPositionY): words.append("y\(event.value)")
            case (EventCode.evAbs, EventCode.absMTToolType): words.append(event.value == 2 ? "palm" : "finger")
            case (EventCode.evAbs, EventCode.absX): words.append("X\(event.value)")
            case (EventCode.evAbs, EventCode.absY): words.append("Y\(event.value)")
            case (EventCode.evKey, EventCode.btnTouch): words.append(event.value == 0 ? "up" : "down")
            case (EventCode.evKey, _): words.append("key \(event.code) \(event.value)")
            // The values of width and distance are always 0, so they are left out.
            default: break
            }
        }
        frames.removeEvents()
    }
}
