// SPDX-License-Identifier: MIT

/// What becomes of answers. `apply` is the only way from a recognizer to a line; `open` and `announce` are the only places in
/// which a gesture is accepted, `reject` the only one in which it fails.
extension RegionUnit {
    func apply(_ answer: RecognizerAnswer, _ gesture: Int) {
        // The machine that counts taps has no lines: it is asked how many there were.
        guard gesture != rules.counter else { return }
        switch answer {
        case .begin(let detail): open(gesture, detail)
        case .update(let detail):
            if candidates[gesture].state == .accepted, candidates[gesture].begunIn != context.frame {
                emit(gesture, .update, detail)
            }
        case .end(let detail): finish(gesture, .end, detail, GestureFailure(.keptBack))
        case .cancel(let detail, let reason):
            finish(gesture, .cancel(reason), detail, GestureFailure(.cancelled(reason)))
        case .recognize(let detail):
            if let event = event(gesture, nil, detail) { recognize(event) }
        case .recognizeTap(let detail, let fingers, let position, let waits):
            guard var event = event(gesture, nil, detail) else { return }
            (event.fingers, event.position) = (fingers, position)
            if waits { hold(event, .wait) } else { recognize(event) }
        case .fail(let failure, let sequence):
            if let sequence, sequence != contacts.sequence {
                reportStreak(gesture, failure, sequence)
            } else {
                reject(gesture, failure)
            }
        }
    }

    // MARK: Accepting

    /// A continuous gesture begins: for clients at once, or when all that it waits for has failed.
    private func open(_ gesture: Int, _ detail: GestureEvent.Detail) {
        if waits(gesture) {
            decide(gesture, .deferred)
            return
        }
        let isAgain = candidates[gesture].state == .accepted
        accept(gesture)
        if isAgain { record(gesture, .ended, .recognized) }
        if rules.gestures[gesture].traits.competes { candidates[gesture].begunIn = context.frame }
        guard let event = event(gesture, .begin, detail) else { return }
        context.emit(event)
        if rules.gestures[gesture].traits.failsTaps { failTaps() }
        noteAccepted(event)
    }

    /// A discrete gesture is recognized: it comes at once, or when all that it waits for has failed.
    private func recognize(_ event: GestureEvent) {
        if !waits(event.gesture) { return announce(event) }
        // A repetition that would come late is none.
        if case .repeat = event.detail { return }
        hold(event, .unless)
    }

    /// Emits a discrete gesture, which may have happened in an earlier sequence.
    func announce(_ event: GestureEvent) {
        if event.sequence == contacts.sequence { accept(event.gesture) }
        context.emit(event)
        noteAccepted(event)
    }

    /// What a gesture takes from others ends before its own line.
    private func accept(_ gesture: Int) {
        decide(gesture, .accepted)
        noteConsumed(by: gesture)
        // The taps before it were a part of it.
        if rules.gestures[gesture].taps > 0 { dropWaitingTaps { $0.fingers == 1 } }
        switch rules.gestures[gesture].takes {
        case .nothing: break
        case .oneFinger: closeOthers(of: gesture)
        case .everything:
            closeOthers(of: gesture)
            // The streaks of the others have ended: its own does, too.
            _ = recognizers[gesture].handle(.forget)
        }
    }

    /// What waited for a gesture comes to nothing, and what comes after it wakes, after its own line.
    private func noteAccepted(_ event: GestureEvent) {
        noteRecognized(event)
        dropDeferred(waitingFor: event)
        // A tap that waited says nothing more about the sequence that is under way now.
        guard event.sequence == contacts.sequence else { return }
        for other in candidates.indices where rules.gestures[other].unless.contains(event.gesture) { giveUp(other) }
        for other in candidates.indices where isDormant(other) {
            if rules.gestures[other].after.allSatisfy({ candidates[$0].state == .accepted }) { wakeLater(other) }
        }
    }

    // MARK: Closing

    /// Takes the sequence from all others, or from those of one finger.
    func closeOthers(of winner: Int) {
        let takesAll = rules.gestures[winner].takes == .everything
        for gesture in rules.lineOrder where gesture != winner {
            guard takesAll || rules.gestures[gesture].isOneFinger,
                !rules.isCompanion(winner, of: gesture, in: index)
            else { continue }
            // A gesture that comes after the winner is what the winner is for.
            if isDormant(gesture), rules.gestures[gesture].after.contains(winner) { continue }
            close(gesture, takesAll ? .claimed : .multiTouch, byGesture: true)
        }
    }

    /// Ends one gesture, or keeps it from being recognized in this sequence. Nothing begins because of that before the
    /// region settles.
    /// - Parameter byGesture: another gesture took the sequence. (A tap of an earlier sequence, which waits for
    ///   what this one brings, then comes; a cancel from outside never makes a tap come.)
    func close(_ gesture: Int, _ reason: CancelReason, byGesture: Bool = false) {
        if !deferred.isEmpty { dropDeferred(of: gesture, reason, keepsEarlierTaps: byGesture) }
        // Only a streak outlives its sequence.
        ask(gesture, contacts.sequence == nil ? .forget : .cancel(reason))
    }

    /// A long press has begun: there is no tap in this sequence.
    private func failTaps() {
        dropWaitingTaps { $0.sequence == self.contacts.sequence }
        for gesture in rules.lineOrder where rules.gestures[gesture].kind == .tap && !isDormant(gesture) {
            ask(gesture, .refuse(GestureFailure(.longPress)))
        }
    }

    /// A gesture of `unless` was accepted.
    private func giveUp(_ gesture: Int) {
        if candidates[gesture].state == .accepted {
            // What is under way goes on; what has ended does not begin again.
            if recognizers[gesture].progress == .ended { _ = recognizers[gesture].handle(.cancel(.claimed)) }
            return
        }
        reject(gesture, GestureFailure(.unless))
        decide(gesture, .rejected)
        dropWaitingTaps { $0.gesture == gesture }
        // Taps of earlier sequences that are deferred do not depend on this one.
        if recognizers[gesture].streakStart == nil, !deferred.isEmpty {
            dropDeferred(of: gesture, .claimed, keepsEarlierTaps: false)
        }
        // What has failed neither ends nor is cancelled with an event.
        _ = recognizers[gesture].handle(.cancel(.claimed))
    }

    /// Ends a gesture that has begun; one that was deferred until now has merely failed.
    private func finish(
        _ gesture: Int, _ phase: GestureEvent.Phase, _ detail: GestureEvent.Detail, _ failure: GestureFailure
    ) {
        guard candidates[gesture].state == .accepted else { return reject(gesture, failure) }
        emit(gesture, phase, detail)
        record(gesture, .recognized, phase == .end ? .ended : .cancelled)
    }

    /// A gesture has not been recognized in this sequence. Reported once, and only while failures are wanted.
    func reject(_ gesture: Int, _ failure: GestureFailure) {
        guard let sequence = contacts.sequence else { return }
        switch candidates[gesture].state {
        case .accepted, .rejected: return
        case .dormant, .possible, .deferred: break
        }
        // What was recognized in an earlier try of the sequence may still come: the gesture has not failed.
        for waiting in deferred where waiting.event.gesture == gesture && waiting.event.sequence == sequence { return }
        decide(gesture, .rejected, failure)
        candidates[gesture].reported = sequence
        // Most touches come after no tap: that is told at the end, if nothing else came.
        let isPlain = failure.code == .wrongTaps && failure.value == 0
        candidates[gesture].untold = isPlain ? failure : nil
        if !isPlain { report(gesture, failure, sequence) }
    }

    /// A streak has come to nothing, whose last tap is of an earlier sequence.
    private func reportStreak(_ gesture: Int, _ failure: GestureFailure, _ last: SequenceID) {
        guard candidates[gesture].reported != last else { return }
        candidates[gesture].reported = last
        report(gesture, failure, last)
    }

    /// Changes what has been decided about a gesture, and notes the transition if somebody wants to know.
    func decide(_ gesture: Int, _ state: Candidate.State, _ failure: GestureFailure? = nil) {
        let candidate = candidates[gesture]
        guard candidate.state != state else { return }
        let former = candidate.transitionState
        candidate.state = state
        record(gesture, former, candidate.transitionState, failure)
    }
}
