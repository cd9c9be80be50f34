// SPDX-License-Identifier: MIT

/// Makes events of what recognizers answer.
extension RegionEngine {
    func perform(
        _ action: RecognizerAction, _ gesture: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        switch action {
        case .none, .fail: break
        case .begin(let detail): emit(gesture, .begin, detail, at: time, into: &events)
        case .update(let detail): emit(gesture, .update, detail, at: time, into: &events)
        case .end(let detail): emit(gesture, .end, detail, at: time, into: &events)
        case .cancel(let detail, let reason): emit(gesture, .cancel(reason), detail, at: time, into: &events)
        case .recognize(let detail): emit(gesture, nil, detail, at: time, into: &events)
        }
    }

    /// Reports a tap; one that waited carries the sequence and place of its own time.
    func report(_ tap: TapRecognizer.Tap?, _ index: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        guard let tap else { return }
        let recognizer = taps[index]
        events.append(
            GestureEvent(
                time: time, region: self.index, gesture: recognizer.gesture, phase: nil, sequence: tap.sequence,
                fingers: recognizer.fingers, position: tap.position,
                detail: .tap(count: recognizer.count, duration: tap.duration)))
    }

    private func emit(
        _ gesture: Int, _ phase: GestureEvent.Phase?, _ detail: GestureEvent.Detail, at time: Timestamp,
        into events: inout [GestureEvent]
    ) {
        guard let sequence else { return }
        events.append(
            GestureEvent(
                time: time, region: index, gesture: gesture, phase: phase, sequence: sequence,
                fingers: group.count, position: group.centroid, detail: detail))
    }

    /// Tells `body` each continuous gesture that has begun and not ended.
    func forEachActive(_ body: (_ gesture: Int, _ sequence: SequenceID) -> Void) {
        guard let sequence else { return }
        for recognizer in presses where recognizer.isActive { body(recognizer.gesture, sequence) }
        for recognizer in drags where recognizer.isActive { body(recognizer.gesture, sequence) }
        for recognizer in longPresses where recognizer.isActive { body(recognizer.gesture, sequence) }
    }
}
