// SPDX-License-Identifier: MIT

/// What becomes of answers. `apply` is the only way from a recognizer to a line; `open` and `announce` are the only places in
/// which a gesture is accepted, `reject` the only one in which it fails.
extension RegionUnit {
    func apply(_ answer: RecognizerAnswer, _ candidate: Candidate) {
        // The machine that counts taps is asked how many there were.
        guard !candidate.isCounter else { return }
        switch answer {
        case .begin(let detail): open(candidate, detail)
        case .update(let detail):
            if candidate.state == .accepted, candidate.begunIn != context.frame { emit(candidate, .update, detail) }
        case .end(let detail): finish(candidate, .end, detail, GestureFailure(.keptBack))
        case .cancel(let detail, let reason):
            finish(candidate, .cancel(reason), detail, GestureFailure(.cancelled(reason)))
        case .recognize(let detail):
            if let event = event(candidate, nil, detail) { recognize(event) }
        case .recognizeTap(let detail, let fingers, let position, let waits):
            guard var event = event(candidate, nil, detail) else { return }
            (event.fingers, event.position) = (fingers, position)
            if waits { deferred.append(DeferredEvent(event: event, cause: .wait)) } else { recognize(event) }
        case .fail(let failure, let sequence):
            if let sequence, sequence != contacts.sequence {
                reportStreak(candidate, failure, sequence)
            } else {
                reject(candidate, failure)
            }
        }
    }

    // MARK: Accepting

    /// A continuous gesture begins: for clients at once, or when all that it waits for has failed.
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
        noteAccepted(event)
    }

    /// A discrete gesture is recognized: it comes at once, or when all that it waits for has failed.
    private func recognize(_ event: GestureEvent) {
        if !waits(candidates[event.gesture]) { return announce(event) }
        // A repetition that would come late is none.
        if case .repeat = event.detail { return }
        deferred.append(DeferredEvent(event: event, cause: .unless))
    }

    /// Emits a discrete gesture, which may have happened in an earlier sequence.
    func announce(_ event: GestureEvent) {
        if event.sequence == contacts.sequence { accept(candidates[event.gesture]) }
        context.emit(event)
        noteAccepted(event)
    }

    /// What a gesture takes from others ends before its own line.
    private func accept(_ candidate: Candidate) {
        decide(candidate, .accepted)
        noteConsumed(by: candidate)
        // The taps before it were a part of it.
        if candidate.taps > 0 { dropWaitingTaps { $0.fingers == 1 } }
        guard candidate.takes != .nothing else { return }
        closeOthers(of: candidate)
        // The streaks of the others have ended: its own does, too.
        if candidate.takes == .everything { _ = candidate.recognizer.handle(.forget) }
    }

    /// What waited for a gesture comes to nothing, and what comes after it wakes, after its own line.
    private func noteAccepted(_ event: GestureEvent) {
        noteRecognized(event)
        dropDeferred(waitingFor: event)
        // A tap that waited says nothing more about the sequence that is under way now.
        guard event.sequence == contacts.sequence else { return }
        for other in candidates where other.unless.contains(event.gesture) { giveUp(other) }
        for other in candidates where other.isDormant {
            if other.after.allSatisfy({ candidates[$0].state == .accepted }) { woken.append(other) }
        }
    }

    // MARK: Closing

    /// Takes the sequence from all others, or from those of one finger.
    func closeOthers(of winner: Candidate) {
        let takesAll = winner.takes == .everything
        let reference = GestureReference(region: index, gesture: winner.index)
        for candidate in rules.lineOrder where candidate !== winner && (takesAll || candidate.isOneFinger) {
            // A gesture that comes after the winner is what the winner is for.
            if rules.isCompanion(candidate, of: reference) { continue }
            if candidate.isDormant, candidate.after.contains(winner.index) { continue }
            close(candidate, takesAll ? .claimed : .multiTouch, byGesture: true)
        }
    }

    /// Ends one gesture, or keeps it from being recognized in this sequence. Nothing begins because of that before the
    /// region settles.
    /// - Parameter byGesture: another gesture took the sequence. (A tap of an earlier sequence, which waits for
    ///   what this one brings, then comes; a cancel from outside never makes a tap come.)
    func close(_ candidate: Candidate, _ reason: CancelReason, byGesture: Bool = false) {
        if !deferred.isEmpty { dropDeferred(of: candidate, reason, keepsEarlierTaps: byGesture) }
        // Only a streak outlives its sequence.
        ask(candidate, contacts.sequence == nil ? .forget : .cancel(reason))
    }

    /// A long press has begun: there is no tap in this sequence.
    private func failTaps() {
        dropWaitingTaps { $0.sequence == self.contacts.sequence }
        for candidate in rules.lineOrder where candidate.kind == .tap && !candidate.isDormant {
            ask(candidate, .refuse(GestureFailure(.longPress)))
        }
    }

    /// A gesture of `unless` was accepted.
    private func giveUp(_ candidate: Candidate) {
        if candidate.state == .accepted {
            // What is under way goes on; what has ended does not begin again.
            if candidate.recognizer.progress == .ended { _ = candidate.recognizer.handle(.cancel(.claimed)) }
            return
        }
        reject(candidate, GestureFailure(.unless))
        decide(candidate, .rejected)
        dropWaitingTaps { $0.gesture == candidate.index }
        // Taps of earlier sequences that are deferred do not depend on this one.
        if candidate.recognizer.streakStart == nil, !deferred.isEmpty {
            dropDeferred(of: candidate, .claimed, keepsEarlierTaps: false)
        }
        // What has failed neither ends nor is cancelled with an event.
        _ = candidate.recognizer.handle(.cancel(.claimed))
    }

    // MARK: What waits and does not come

    /// Taps that wait for a longer streak come to nothing: something else was made of them.
    private func dropWaitingTaps(where isChosen: (GestureEvent) -> Bool) {
        deferred.removeAll { $0.cause == .wait && isChosen($0.event) }
    }

    /// Nothing comes of what a gesture was deferred with.
    /// - Parameter keepsEarlierTaps: taps of earlier sequences that wait for a longer streak come now.
    private func dropDeferred(of candidate: Candidate, _ reason: CancelReason, keepsEarlierTaps: Bool) {
        for waiting in deferred where waiting.event.gesture == candidate.index {
            let isOver = waiting.event.sequence != contacts.sequence
            if waiting.cause == .unless, isOver {
                report(candidate, GestureFailure(.cancelled(reason)), waiting.event.sequence)
            }
        }
        deferred.removeAll { waiting in
            let isOver = waiting.event.sequence != contacts.sequence
            return waiting.event.gesture == candidate.index && !(waiting.cause == .wait && keepsEarlierTaps && isOver)
        }
    }

    /// A gesture was accepted: what was deferred for it, and might have become a part of it, does not come.
    private func dropDeferred(waitingFor winner: GestureEvent) {
        guard !deferred.isEmpty else { return }
        let since = min(winner.sequence, streakStart(candidates[winner.gesture]) ?? winner.sequence)
        let all = deferred
        func isDropped(_ waiting: DeferredEvent) -> Bool {
            waiting.cause == .unless && waiting.event.sequence >= since
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

    /// Ends a gesture that has begun; one that was deferred until now has merely failed.
    private func finish(
        _ candidate: Candidate, _ phase: GestureEvent.Phase, _ detail: GestureEvent.Detail, _ failure: GestureFailure
    ) {
        guard candidate.state == .accepted else { return reject(candidate, failure) }
        emit(candidate, phase, detail)
        record(candidate, .recognized, phase == .end ? .ended : .cancelled)
    }

    /// A gesture has not been recognized in this sequence. Reported once, and only while failures are wanted.
    func reject(_ candidate: Candidate, _ failure: GestureFailure) {
        guard let sequence = contacts.sequence, candidate.state != .accepted, candidate.state != .rejected else {
            return
        }
        // What was recognized in an earlier try of the sequence may still come: the gesture has not failed.
        for waiting in deferred where waiting.event.gesture == candidate.index && waiting.event.sequence == sequence {
            return
        }
        decide(candidate, .rejected, failure)
        candidate.reported = sequence
        // Most touches come after no tap: that is told at the end, if nothing else came.
        let isPlain = failure.code == .wrongTaps && failure.value == 0
        candidate.untold = isPlain ? failure : nil
        if !isPlain { report(candidate, failure, sequence) }
    }

    /// A streak has come to nothing, whose last tap is of an earlier sequence.
    private func reportStreak(_ candidate: Candidate, _ failure: GestureFailure, _ last: SequenceID) {
        guard candidate.reported != last else { return }
        candidate.reported = last
        report(candidate, failure, last)
    }

    /// Changes what has been decided about a gesture, and notes the transition if somebody wants to know.
    func decide(_ candidate: Candidate, _ state: Candidate.State, _ failure: GestureFailure? = nil) {
        guard candidate.state != state else { return }
        let former = candidate.state
        candidate.state = state
        record(candidate, GestureTransition.State(former), GestureTransition.State(state), failure)
    }
}
