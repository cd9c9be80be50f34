// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

// Panels without slots (protocol A): the decoder gives the contacts of each frame the slots that the tracker follows.
extension PanelPipeline {
    mutating func feedUnslotted(
        _ type: UInt16, _ code: UInt16, _ value: Int32, _ time: Timestamp, _ sink: Sink
    ) {
        let outcome = decoder?.take(type: type, code: code, value: value)
        if interest.frames, type == EventCode.evSyn, code == EventCode.synReport {
            sendRawFrame(at: time, sink)
        }
        switch outcome {
        case .pending, nil: return
        case .frame:
            for event in decoder?.events ?? [] {
                _ = tracker.feed(type: EventCode.evAbs, code: event.code, value: event.value, time: time)
            }
            if tracker.feed(type: EventCode.evSyn, code: EventCode.synReport, value: 0, time: time) {
                processFrame(sink)
            }
        case .lost: restartUnslotted(slots, at: time, sink)
        }
    }

    /// What was down is cancelled; nobody can say whether it is what is down now.
    mutating func restartUnslotted(_ slots: [SlotState], at time: Timestamp, _ sink: Sink) {
        restartDecoder(slots)
        if tracker.resynchronize([], at: time) { processFrame(sink) }
    }

    /// - Parameter slots: of such a panel, one, which says whether anything is down.
    mutating func restartDecoder(_ slots: [SlotState]) {
        decoder?.restart(isDown: slots.contains { $0.trackingID >= 0 })
    }
}
