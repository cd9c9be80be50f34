// SPDX-License-Identifier: MIT

/// Makes events of what recognizers answer.
extension RegionEngine {
    @inline(never)  // so that `dispatch` stays small: most inputs have no answer
    func perform(_ answer: RecognizerAnswer, _ gesture: Int) {
        switch answer {
        case .fail(let failure): reject(gesture, failure)
        case .begin(let detail): begin(gesture, detail)
        case .update(let detail):
            if recognizers[gesture].disposition == .accepted { append(gesture, .update, detail) }
        case .end(let detail): finish(gesture, .end, detail, GestureFailure(.keptBack))
        case .cancel(let detail, let reason):
            finish(gesture, .cancel(reason), detail, GestureFailure(.cancelled(reason)))
        case .recognize(let detail):
            if let event = event(gesture, nil, detail) { recognize(event) }
        case .tap(let answer): perform(answer, gesture)
        }
    }

    /// A tap that waited carries the sequence and place of its own time.
    private func perform(_ answer: TapAnswer, _ gesture: Int) {
        if let failure = answer.failure {
            if let streak = answer.brokenStreak {
                reject(gesture, failure, streak: streak)
            } else {
                reject(gesture, failure)
            }
        }
        guard let tap = answer.tap else { return }
        recognize(
            GestureEvent(
                time: contacts.now, region: index, gesture: gesture, phase: nil, sequence: tap.sequence,
                fingers: tap.fingers, position: tap.position,
                detail: .tap(count: tap.count, duration: tap.duration)))
    }

    private func begin(_ gesture: Int, _ detail: GestureEvent.Detail) {
        if waitsForFailure(gesture) {
            decide(gesture, .deferred)
            return
        }
        let isAgain = recognizers[gesture].disposition == .accepted
        accept(gesture)
        if isAgain { record(gesture, .ended, .recognized) }
        guard let event = event(gesture, .begin, detail) else { return }
        context.emit(event)
        if case .longPress = detail { dispatch(.longPressBegan, in: rules.configuredOrder) }
        didAccept(event)
    }

    /// A discrete gesture is recognized: it comes at once, or when all that it waits for has failed.
    private func recognize(_ event: GestureEvent) {
        if !waitsForFailure(event) {
            emit(event)
        } else if case .repeat = event.detail {
            // A repetition that would come late is none.
        } else {
            deferred = deferred + [event]
        }
    }

    /// Emits a discrete gesture.
    func emit(_ event: GestureEvent) {
        if event.sequence == contacts.sequence { accept(event.gesture) }
        context.emit(event)
        didAccept(event)
    }

    /// Ends a gesture that has begun; one that was deferred until now has merely failed.
    private func finish(
        _ gesture: Int, _ phase: GestureEvent.Phase, _ detail: GestureEvent.Detail, _ failure: GestureFailure
    ) {
        if recognizers[gesture].disposition == .accepted {
            append(gesture, phase, detail)
            record(gesture, .recognized, phase == .end ? .ended : .cancelled)
        } else {
            reject(gesture, failure)
        }
    }

    /// A gesture has not been recognized in this sequence. Reported once, and only while failures are wanted.
    func reject(_ gesture: Int, _ failure: GestureFailure) {
        guard let sequence = contacts.sequence, recognizers[gesture].disposition != .rejected,
            recognizers[gesture].disposition != .accepted
        else { return }
        // What was recognized in an earlier try of the sequence may still come: the gesture has not failed.
        for event in deferred where event.gesture == gesture && event.sequence == sequence { return }
        decide(gesture, .rejected, failure)
        recognizers[gesture].rejectedSequence = sequence
        // Most touches come after no tap.
        let isPlain = failure.code == .wrongTaps && failure.value == 0
        recognizers[gesture].untold = isPlain ? failure : nil
        if !isPlain { report(gesture, failure, sequence) }
    }

    /// The sequence ends: if nothing else came of a touch without taps before it, it is told that some are missing.
    func tellMissingTaps() {
        guard tapCounter != nil, let sequence = contacts.sequence else { return }
        var isUsed = !deferred.isEmpty
        for gesture in recognizers.indices where !rules.gestures[gesture].isPress {
            if recognizers[gesture].disposition == .accepted || recognizers[gesture].isHeldBack { isUsed = true }
        }
        for gesture in recognizers.indices {
            if let failure = recognizers[gesture].untold, !isUsed, recognizers[gesture].disposition == .rejected {
                report(gesture, failure, sequence)
            }
            recognizers[gesture].untold = nil
        }
    }

    /// A streak has come to nothing, whose last tap may be of an earlier sequence.
    private func reject(_ gesture: Int, _ failure: GestureFailure, streak last: SequenceID) {
        if last == contacts.sequence {
            reject(gesture, failure)
        } else if recognizers[gesture].rejectedSequence != last {
            recognizers[gesture].rejectedSequence = last
            report(gesture, failure, last)
        }
    }

    /// Changes what arbitration has decided about a gesture.
    func decide(_ gesture: Int, _ disposition: Disposition, _ failure: GestureFailure? = nil) {
        let former = recognizers[gesture].disposition
        recognizers[gesture].disposition = disposition
        if former != disposition { record(gesture, former.state, disposition.state, failure) }
    }

    /// Notes a transition, if somebody wants to know.
    private func record(
        _ gesture: Int, _ from: GestureTransition.State, _ to: GestureTransition.State, _ failure: GestureFailure? = nil
    ) {
        guard context.recordsTransitions, let sequence = contacts.sequence else { return }
        context.transitions.append(
            GestureTransition(
                region: index, gesture: gesture, sequence: sequence,
                contact: context.contact ?? contacts.group.members.last?.id, from: from, to: to, failure: failure))
    }

    /// - Parameter sequence: may be over.
    func report(_ gesture: Int, _ failure: GestureFailure, _ sequence: SequenceID) {
        guard context.reportsFailures else { return }
        context.emit(
            GestureEvent(
                time: contacts.now, region: index, gesture: gesture, phase: nil, sequence: sequence,
                fingers: contacts.group.members.count, position: contacts.group.centroid, detail: .failed(failure)))
    }

    private func append(_ gesture: Int, _ phase: GestureEvent.Phase?, _ detail: GestureEvent.Detail) {
        if let event = event(gesture, phase, detail) { context.emit(event) }
    }

    @inline(__always)  // so that it is made where it goes, and not copied there
    private func event(
        _ gesture: Int, _ phase: GestureEvent.Phase?, _ detail: GestureEvent.Detail
    ) -> GestureEvent? {
        guard let sequence = contacts.sequence else { return nil }
        let group = contacts.group
        // A contact that another region has claimed no longer moves this one, but still presses it.
        let fingers =
            recognizers[gesture].ignoresClaimedContacts ? max(group.count, 1) : group.members.count
        return GestureEvent(
            time: contacts.now, region: index, gesture: gesture, phase: phase, sequence: sequence, fingers: fingers,
            position: recognizers[gesture].focus ?? group.centroid, detail: detail)
    }
}
