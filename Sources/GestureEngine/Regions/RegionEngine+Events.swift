// SPDX-License-Identifier: MIT

/// Makes events of what recognizers answer.
extension RegionEngine {
    mutating func perform(
        _ action: RecognizerAction, _ gesture: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        switch action {
        case .none: break
        case .fail(let failure): note(failure, gesture, at: time, into: &events)
        case .begin(let detail):
            if givesWay(gesture) {
                progress[gesture] = .withheld
                return
            }
            announce(gesture, at: time, into: &events)
            guard let event = event(gesture, .begin, detail, at: time) else { return }
            events.append(event)
            if case .longPress = detail { failTaps(at: time, into: &events) }
            didRecognize(event, at: time, into: &events)
        case .update(let detail):
            if progress[gesture] == .recognized { append(gesture, .update, detail, at: time, into: &events) }
        case .end(let detail): finish(gesture, .end, detail, at: time, into: &events)
        case .cancel(let detail, let reason): finish(gesture, .cancel(reason), detail, at: time, into: &events)
        case .recognize(let detail):
            guard let event = event(gesture, nil, detail, at: time) else { return }
            recognize(event, at: time, into: &events)
        }
    }

    /// Reports what a tap gesture answers; a tap that waited carries the sequence and place of its own time.
    mutating func report(
        _ answer: TapRecognizer.Answer, _ index: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        let gesture = taps[index].gesture
        if let failure = answer.streakFailure { noteStreak(failure, index, at: time, into: &events) }
        if let failure = answer.failure {
            note(failure, gesture, at: time, into: &events)
        }
        guard let tap = answer.tap else { return }
        recognize(
            GestureEvent(
                time: time, region: self.index, gesture: gesture, phase: nil, sequence: tap.sequence,
                fingers: taps[index].fingers, position: tap.position,
                detail: .tap(count: taps[index].count, duration: tap.duration)),
            at: time, into: &events)
    }

    /// A streak has come to nothing, whose last tap may be of an earlier sequence.
    private mutating func noteStreak(
        _ failure: GestureFailure, _ index: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        let last = taps[index].lastSequence
        if last == sequence {
            note(failure, taps[index].gesture, at: time, into: &events)
        } else if taps[index].failedSequence != last {
            taps[index].failedSequence = last
            note(failure, taps[index].gesture, sequence: last, at: time, into: &events)
        }
    }

    /// A discrete gesture is recognized: told at once, or kept until what it gives way to has failed.
    private mutating func recognize(_ event: GestureEvent, at time: Timestamp, into events: inout [GestureEvent]) {
        guard givesWay(event) else {
            tell(event, at: time, into: &events)
            return
        }
        // A repetition that is kept back is no repetition.
        if case .repeat = event.detail { return }
        held.append(event)
    }

    mutating func tell(_ event: GestureEvent, at time: Timestamp, into events: inout [GestureEvent]) {
        if event.sequence == sequence { announce(event.gesture, at: time, into: &events) }
        events.append(event)
        didRecognize(event, at: time, into: &events)
    }

    /// Ends a gesture that has begun; one that nobody was told of has merely failed.
    private mutating func finish(
        _ gesture: Int, _ phase: GestureEvent.Phase, _ detail: GestureEvent.Detail, at time: Timestamp,
        into events: inout [GestureEvent]
    ) {
        if progress[gesture] == .recognized {
            append(gesture, phase, detail, at: time, into: &events)
        } else if case .cancel(let reason) = phase {
            note(GestureFailure(.cancelled(reason)), gesture, at: time, into: &events)
        } else {
            note(GestureFailure(.keptBack), gesture, at: time, into: &events)
        }
    }

    /// A gesture has not been recognized in this sequence. Told once, and only to those who ask.
    mutating func note(
        _ failure: GestureFailure, _ gesture: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let sequence, progress[gesture] != .failed, progress[gesture] != .recognized else { return }
        progress[gesture] = .failed
        if case .tap(let i) = members[gesture] { taps[i].failedSequence = sequence }
        note(failure, gesture, sequence: sequence, at: time, into: &events)
    }

    /// The same, for a sequence that may be over.
    mutating func note(
        _ failure: GestureFailure, _ gesture: Int, sequence: SequenceID, at time: Timestamp,
        into events: inout [GestureEvent]
    ) {
        guard reportsFailures else { return }
        events.append(
            GestureEvent(
                time: time, region: index, gesture: gesture, phase: nil, sequence: sequence,
                fingers: group.members.count, position: group.centroid, detail: .failed(failure)))
    }

    /// A long press that begins fails every tap of its sequence.
    private mutating func failTaps(at time: Timestamp, into events: inout [GestureEvent]) {
        for i in taps.indices where !isDormant(taps[i].gesture) {
            report(taps[i].fail(GestureFailure(.longPress)), i, at: time, into: &events)
        }
    }

    private mutating func append(
        _ gesture: Int, _ phase: GestureEvent.Phase?, _ detail: GestureEvent.Detail, at time: Timestamp,
        into events: inout [GestureEvent]
    ) {
        if let event = event(gesture, phase, detail, at: time) { events.append(event) }
    }

    private mutating func event(
        _ gesture: Int, _ phase: GestureEvent.Phase?, _ detail: GestureEvent.Detail, at time: Timestamp
    ) -> GestureEvent? {
        guard let sequence else { return nil }
        // What a claim has taken from a region no longer moves it, but still presses it.
        let isMotion = leavesOutClaimed(gesture)
        return GestureEvent(
            time: time, region: index, gesture: gesture, phase: phase, sequence: sequence,
            fingers: isMotion ? max(group.count, 1) : group.members.count, position: group.centroid, detail: detail)
    }

    private func leavesOutClaimed(_ gesture: Int) -> Bool {
        switch members[gesture] {
        case .drag, .swipe, .transform, .longPress: true
        case .press, .tap, .repeat, .pattern: false
        }
    }

    /// Tells `body` each continuous gesture that has begun and not ended.
    func forEachActive(_ body: (_ gesture: Int, _ sequence: SequenceID) -> Void) {
        guard let sequence else { return }
        for gesture in members.indices where isActive(gesture) { body(gesture, sequence) }
    }

    func isActive(_ gesture: Int) -> Bool {
        guard progress[gesture] == .recognized else { return false }
        return switch members[gesture] {
        case .press(let i): presses[i].isActive
        case .drag(let i): drags[i].isActive
        case .longPress(let i): longPresses[i].isActive
        case .transform(let i): transforms[i].isActive
        case .tap, .repeat, .swipe, .pattern: false
        }
    }
}
