// SPDX-License-Identifier: MIT

/// Applies the answers of recognizers. Every event of a gesture results from `apply`. A gesture is accepted only in
/// `open` and `announce`, and it fails only in `reject`.
extension RegionUnit {
    /// Applies an answer before the next recognizer runs.
    func apply(_ answer: RecognizerAnswer, _ candidate: Candidate) {
        // Answers of the tap counter have no effect: gestures with `taps` query its count.
        guard !candidate.isCounter else { return }
        switch answer {
        case .recognize where candidate.state == .rejected, .recognizeEarlier where candidate.state == .rejected:
            // Its failure has been told in this sequence, because of a contact that turned out to be a palm.
            return
        case .begin(let detail): open(candidate, detail)
        case .update(let detail):
            if candidate.state == .accepted, candidate.begunIn != context.frame { emit(candidate, .update, detail) }
        case .end(let detail): finish(candidate, .end, detail, GestureFailure(.keptBack))
        case .cancel(let detail, let reason):
            finish(candidate, .cancel(reason), detail, GestureFailure(.cancelled(reason)))
        case .recognize(let detail):
            if let event = event(candidate, nil, detail) { recognize(event) }
        case .recognizeEarlier(let detail, let fingers, let position, let waits):
            guard var event = event(candidate, nil, detail) else { return }
            (event.fingers, event.position) = (fingers, position)
            if waits { put(off: event, .wait) } else { recognize(event) }
        case .fail(let failure, let sequence):
            if let sequence, sequence != contacts.sequence {
                reportStreak(candidate, failure, sequence)
            } else {
                reject(candidate, failure)
            }
        }
    }

    // MARK: Accepting

    /// Begins a continuous gesture. Its `begin` is emitted at once, or when everything it waits for has failed.
    private func open(_ candidate: Candidate, _ detail: GestureEvent.Detail) {
        if waits(candidate) {
            decide(candidate, .deferred)
            return
        }
        let isAgain = candidate.state == .accepted
        accept(candidate)
        if isAgain { record(candidate, .ended, .recognized) }
        if candidate.traits.competes { candidate.begunIn = context.frame }
        guard let event = event(candidate, .begin, detail) else { return }
        context.emit(event)
        if candidate.traits.failsTaps { failTaps() }
        noteAccepted(event, since: start(of: event))
    }

    /// Recognizes a discrete gesture. Its event is emitted at once, or when everything it waits for has failed.
    private func recognize(_ event: GestureEvent) {
        if !waits(candidates[event.gesture]) { return announce(event, since: start(of: event)) }
        // Drop repetitions that would be delayed.
        if case .repeat = event.detail { return }
        put(off: event, .unless)
    }

    private func put(off event: GestureEvent, _ cause: DeferredEvent.Cause) {
        deferred.append(DeferredEvent(event: event, cause: cause, start: start(of: event)))
    }

    /// The sequence in which a newly recognized gesture started: that of the first tap of its streak, or else its own.
    private func start(of event: GestureEvent) -> SequenceID {
        min(event.sequence, streakStart(candidates[event.gesture]) ?? event.sequence)
    }

    /// Emits a discrete gesture, possibly one of an earlier sequence.
    /// - Parameter start: the sequence in which it began.
    func announce(_ event: GestureEvent, since start: SequenceID) {
        if event.sequence == contacts.sequence { accept(candidates[event.gesture]) }
        context.emit(event)
        noteAccepted(event, since: start)
    }

    /// Accepts a gesture. The gestures that it excludes end first, so that their last events precede its first event.
    private func accept(_ candidate: Candidate) {
        decide(candidate, .accepted)
        noteConsumed(by: candidate)
        // The preceding taps were part of this gesture.
        if candidate.taps > 0 { dropWaitingTaps { $0.fingers == 1 } }
        guard candidate.takes != .nothing else { return }
        closeOthers(of: candidate)
        // All other streaks have ended, so its own streak ends as well.
        if candidate.takes == .everything { _ = candidate.recognizer.handle(.forget) }
    }

    /// Handles the consequences of an accepted gesture after its event: drops events that waited for its failure, and
    /// queues the gestures that it enables.
    private func noteAccepted(_ event: GestureEvent, since start: SequenceID) {
        noteRecognized(event)
        dropDeferred(waitingFor: event, since: start)
        // A tap of an earlier sequence does not affect the current one.
        guard event.sequence == contacts.sequence else { return }
        for other in candidates where other.unless.contains(event.gesture) { giveUp(other, since: start) }
        for other in candidates where other.isDormant {
            if other.after.allSatisfy({ candidates[$0].state == .accepted }) { woken.append(other) }
        }
    }

    // MARK: Closing

    /// Ends all other gestures of the sequence, or only the one-finger gestures.
    func closeOthers(of winner: Candidate) {
        let takesAll = winner.takes == .everything
        let reference = GestureReference(region: index, gesture: winner.index)
        for candidate in rules.lineOrder where candidate !== winner && (takesAll || candidate.isOneFinger) {
            // Gestures that are `simultaneous` with the winner are not ended.
            if rules.isCompanion(candidate, of: reference) { continue }
            // Dormant gestures that list the winner in `after` are waiting for it, so they stay possible.
            if candidate.isDormant, candidate.after.contains(winner.index) { continue }
            close(candidate, takesAll ? .claimed : .multiTouch, byGesture: true)
        }
    }

    /// Ends a gesture, or excludes it from this sequence. Gestures that can begin as a result do so only when the
    /// region settles.
    /// - Parameter byGesture: whether another gesture is the cause. If so, deferred events of earlier sequences are
    ///   still emitted; a cancellation from outside drops them.
    func close(_ candidate: Candidate, _ reason: CancelReason, byGesture: Bool = false) {
        if !deferred.isEmpty { dropDeferred(of: candidate, reason, keepsEarlier: byGesture) }
        // Between sequences, only a streak can still end.
        ask(candidate, contacts.sequence == nil ? .forget : .cancel(reason))
    }

    /// Ends all taps of the sequence, because a long press has begun.
    private func failTaps() {
        dropWaitingTaps { $0.sequence == self.contacts.sequence }
        for candidate in rules.lineOrder where candidate.kind == .tap && !candidate.isDormant {
            ask(candidate, .refuse(GestureFailure(.longPress)))
        }
    }

    /// Fails a gesture, because a gesture listed in its `unless` was accepted.
    /// - Parameter since: the first sequence that belongs to the accepted gesture.
    private func giveUp(_ candidate: Candidate, since: SequenceID) {
        if candidate.state == .accepted {
            // An active gesture goes on; an ended one does not begin again.
            if candidate.recognizer.progress == .ended { _ = candidate.recognizer.handle(.cancel(.claimed)) }
            return
        }
        reject(candidate, GestureFailure(.unless))
        decide(candidate, .rejected)
        dropWaitingTaps { $0.gesture == candidate.index && $0.sequence >= since }
        // A failed gesture emits no end and no cancel, so the answer is ignored.
        _ = candidate.recognizer.handle(.cancel(.claimed))
    }

    // MARK: Dropping deferred events

    /// Drops taps that wait for a longer streak, because another gesture used them.
    private func dropWaitingTaps(where isChosen: (GestureEvent) -> Bool) {
        deferred.removeAll { $0.cause == .wait && isChosen($0.event) }
    }

    /// Drops the deferred events of a gesture.
    /// - Parameter keepsEarlier: whether events of earlier sequences are kept, and emitted when the region settles.
    private func dropDeferred(of candidate: Candidate, _ reason: CancelReason, keepsEarlier: Bool) {
        func isEarlier(_ waiting: DeferredEvent) -> Bool { waiting.event.sequence != contacts.sequence }
        func isDropped(_ waiting: DeferredEvent) -> Bool {
            waiting.event.gesture == candidate.index && !(keepsEarlier && isEarlier(waiting))
        }
        for waiting in deferred where isDropped(waiting) && isEarlier(waiting) && waiting.cause == .unless {
            report(candidate, GestureFailure(.cancelled(reason)), waiting.event.sequence)
        }
        deferred.removeAll(where: isDropped)
    }

    /// Drops events that waited for `winner` to fail and may be part of it, because `winner` was accepted.
    private func dropDeferred(waitingFor winner: GestureEvent, since start: SequenceID) {
        guard !deferred.isEmpty else { return }
        let all = deferred
        func isDropped(_ waiting: DeferredEvent) -> Bool {
            waiting.cause == .unless && waiting.event.sequence >= start
                && candidates[waiting.event.gesture].unless.contains(winner.gesture)
        }
        deferred.removeAll(where: isDropped)
        for waiting in all where isDropped(waiting) {
            let candidate = candidates[waiting.event.gesture]
            if waiting.event.sequence == contacts.sequence {
                reject(candidate, GestureFailure(.unless))
            } else {
                report(candidate, GestureFailure(.unless), waiting.event.sequence)
            }
        }
    }

    // MARK: Ending and failing

    /// Ends a gesture that has begun. If it was deferred until now, it fails instead.
    private func finish(
        _ candidate: Candidate, _ phase: GestureEvent.Phase, _ detail: GestureEvent.Detail, _ failure: GestureFailure
    ) {
        guard candidate.state == .accepted else { return reject(candidate, failure) }
        emit(candidate, phase, detail)
        record(candidate, .recognized, phase == .end ? .ended : .cancelled)
    }

    /// Fails a gesture in the current sequence. The failure is reported once, and only if failures are enabled.
    func reject(_ candidate: Candidate, _ failure: GestureFailure) {
        guard let sequence = contacts.sequence, candidate.state != .accepted, candidate.state != .rejected else {
            return
        }
        // If an event of an earlier try is still deferred, the gesture has not failed.
        for waiting in deferred where waiting.event.gesture == candidate.index && waiting.event.sequence == sequence {
            return
        }
        decide(candidate, .rejected, failure)
        candidate.reported = sequence
        // Most touches do not follow a tap, so this failure is reported at the end, if no other gesture used the touch.
        let isPlain = failure.code == .wrongTaps && failure.value == 0
        candidate.untold = isPlain ? failure : nil
        if !isPlain { report(candidate, failure, sequence) }
    }

    /// Reports the failure of a streak whose last tap was in an earlier sequence.
    private func reportStreak(_ candidate: Candidate, _ failure: GestureFailure, _ last: SequenceID) {
        guard candidate.reported != last else { return }
        candidate.reported = last
        report(candidate, failure, last)
    }

    /// Changes the decision about a gesture and records the transition, if transitions are enabled.
    func decide(_ candidate: Candidate, _ state: Candidate.State, _ failure: GestureFailure? = nil) {
        guard candidate.state != state else { return }
        let former = candidate.state
        candidate.state = state
        record(candidate, GestureTransition.State(former), GestureTransition.State(state), failure)
    }
}
