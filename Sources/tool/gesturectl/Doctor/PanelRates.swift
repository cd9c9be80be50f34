// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Recordings

/// Statistics on the reports of a panel: the intervals between them, and the distances between consecutive positions.
/// For a resting finger, these distances are the noise of the panel. The positions themselves are not stored.
struct PanelRates: Hashable {
    private(set) var frames = 0
    private(set) var contacts = 0
    /// Times between two frames while a contact is down, in microseconds.
    private var intervals: [Int64] = []
    /// Distances between consecutive positions of a contact along one axis, in device units.
    private var steps: [Int64] = []

    init(_ recording: Recording) {
        var lastFrame: Int64?
        var slot = 0
        /// The last x and y of each slot whose contact is down.
        var positions: [Int: [Int64?]] = [:]
        for case .event(let event) in recording.entries {
            switch (event.type, event.code) {
            case (EventCode.evAbs, EventCode.absMTSlot): slot = Int(event.value)
            case (EventCode.evAbs, EventCode.absMTTrackingID):
                if event.value >= 0 { contacts += 1 }
                positions[slot] = event.value >= 0 ? [nil, nil] : nil
            case (EventCode.evAbs, EventCode.absMTPositionX), (EventCode.evAbs, EventCode.absMTPositionY):
                let axis = event.code == EventCode.absMTPositionX ? 0 : 1
                guard let last = positions[slot] else { continue }
                if let before = last[axis] { steps.append(abs(Int64(event.value) - before)) }
                positions[slot]?[axis] = Int64(event.value)
            case (EventCode.evSyn, EventCode.synReport):
                frames += 1
                let time = event.time.microseconds
                if let lastFrame { intervals.append(time - lastFrame) }
                lastFrame = positions.isEmpty ? nil : time
            default: break
            }
        }
    }

    private static func median(_ numbers: [Int64]) -> Int64? {
        numbers.isEmpty ? nil : numbers.sorted()[numbers.count / 2]
    }

    /// The statistics as readable text; `nil` if nothing has touched the panel.
    var text: String? {
        guard let interval = Self.median(intervals), let longest = intervals.max() else { return nil }
        var text = "\(frames) frames of \(contacts) contacts, one every \(shortest(Double(interval) / 1000)) ms"
        if interval > 0 { text += " (\(shortest(1_000_000 / Double(interval))) Hz)" }
        text += ", longest gap \(shortest(Double(longest) / 1000)) ms"
        if let step = Self.median(steps) { text += "; a position moves by \(step) units per frame (median)" }
        return text
    }
}
