// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Recordings

/// Something that happens to a played panel, at a time of the recording's clock.
struct PlayedStep: Hashable {
    enum Action: Hashable {
        case frame([KernelEvent])
        /// Everything that is down lifts.
        case lift
        /// The panel is unplugged with all that is on it.
        case unplug
    }

    var time: Timestamp
    var action: Action
}

/// The steps of a recording.
///
/// Only touches are played: positions, and the keys of fingers and pens. The keys of a keyboard are left out, so that a
/// recording cannot type.
struct PlayedSteps {
    private(set) var steps: [PlayedStep] = []
    /// The number of times at which the recorder itself lost events (`SYN_DROPPED`).
    private(set) var losses = 0

    private let touchProtocol: TouchProtocol
    private var frame: [KernelEvent] = []
    /// Whether the frame is the slot table after lost events.
    private var isTable = false

    init(of recording: Recording, _ touchProtocol: TouchProtocol) {
        self.touchProtocol = touchProtocol
        for entry in recording.entries {
            take(entry)
            if steps.last?.action == .unplug { return }
        }
        // The recorder was stopped in the middle of a frame. Without slots, contacts that are not listed yet would lift.
        if let time = frame.last?.time, !isTable, touchProtocol != .unslotted { take(.event(.report(at: time))) }
    }

    private mutating func take(_ entry: Recording.Entry) {
        switch entry {
        case .event(let event):
            if event.type == EventCode.evSyn, event.code == EventCode.synDropped { losses += 1 }
            guard Self.isPlayed(event) else { return }
            frame.append(event)
            if event.endsFrame { complete(at: event.time) }
        case .resynchronized:
            frame = []
            isTable = true
        case .suspended(let time): steps.append(.init(time: time, action: .lift))
        case .removed(let time): steps.append(.init(time: time, action: .unplug))
        }
    }

    private static func isPlayed(_ event: KernelEvent) -> Bool {
        switch event.type {
        case EventCode.evSyn: event.code == EventCode.synReport || event.code == EventCode.synMTReport
        case EventCode.evAbs: true
        case EventCode.evKey: EventCode.digitizerKeys.contains(event.code)
        default: false
        }
    }

    private mutating func complete(at time: Timestamp) {
        let events = isTable ? changes(to: SlotTable(frame), at: time) : frame
        if !events.isEmpty { steps.append(.init(time: time, action: .frame(events))) }
        frame = []
        isTable = false
    }

    /// Returns a frame that leads to a slot table: the kernel drops what has not changed. Panels without slots have no table.
    private func changes(to table: SlotTable, at time: Timestamp) -> [KernelEvent] {
        let isDown = table.slots.contains { $0.trackingID >= 0 }
        let key = KernelEvent(
            time: time, type: EventCode.evKey, code: EventCode.btnTouch, value: isDown ? 1 : 0)
        switch touchProtocol {
        case .unslotted: return []
        case .slots: return table.events(at: time).dropLast() + [key, .report(at: time)]
        case .singleTouch:
            guard let slot = table.slots.first else { return [] }
            return [
                .axis(EventCode.absX, slot.x, at: time), .axis(EventCode.absY, slot.y, at: time), key,
                .report(at: time),
            ]
        }
    }
}
