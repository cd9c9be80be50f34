// SPDX-License-Identifier: MIT

/// Arbitration within a region: `after`, `unless`, `exclusive`, and what follows when a gesture is accepted.
extension RegionEngine {
    /// Comes after gestures that have not been accepted: it is told of no contacts.
    func isDormant(_ gesture: Int) -> Bool { recognizers[gesture].disposition == .dormant }

    /// Has begun without an event: it waits for the failure of others.
    func isDeferred(_ gesture: Int) -> Bool { recognizers[gesture].disposition == .deferred }

    /// Whether a gesture may be recognized now.
    func permits(_ gesture: Int) -> Bool {
        !isDormant(gesture) && !waitsForFailure(gesture)
    }

    /// A gesture that this one requires to fail is still possible.
    func waitsForFailure(_ gesture: Int) -> Bool {
        for other in rules.gestures[gesture].unless {
            if isPossible(other) || (rules.gestures[gesture].isTap && awaitsLanding(other)) { return true }
        }
        return false
    }

    /// The same for what was recognized in a sequence that may be over: then only what outlives a
    /// sequence, and of which it may become a part.
    func waitsForFailure(_ event: GestureEvent) -> Bool {
        if event.sequence == contacts.sequence { return waitsForFailure(event.gesture) }
        for other in rules.gestures[event.gesture].unless {
            if mayContain(event.sequence, other) { return true }
            for rival in deferred where rival.gesture == other && rival.sequence >= event.sequence { return true }
        }
        return false
    }

    private func isPossible(_ gesture: Int) -> Bool {
        for event in deferred where event.gesture == gesture { return true }
        if recognizers[gesture].continuesStreak { return true }
        guard contacts.sequence != nil else { return false }
        switch recognizers[gesture].disposition {
        case .dormant, .deferred: return true
        case .accepted, .rejected: return false
        // What may be tried again once it has failed counts as possible from then on.
        case .possible: return recognizers[gesture].retry == .whenOver || !recognizers[gesture].isOver
        }
    }

    /// To be called before the first event of a gesture.
    func accept(_ gesture: Int) {
        decide(gesture, .accepted)
        noteConsumed(by: gesture)
        if rules.gestures[gesture].taps > 0 { notifyAll(.streakTaken) }
        guard rules.gestures[gesture].takes != .nothing else { return }
        cancelOthers(of: gesture)
        // The streaks of the others have ended: its own does, too.
        if rules.gestures[gesture].takes == .everything { _ = recognizers[gesture].handle(.forgetStreak) }
    }

    /// To be called after the first event of a gesture: others give up, or are woken by it.
    func didAccept(_ event: GestureEvent) {
        noteRecognized(event)
        dropDeferred(waitingFor: event)
        // A tap that waited says nothing more about the sequence that is under way now.
        guard event.sequence == contacts.sequence else { return }
        for other in recognizers.indices where rules.gestures[other].unless.contains(event.gesture) { giveUp(other) }
        for other in recognizers.indices where isDormant(other) {
            let isAwake = rules.gestures[other].after.allSatisfy { recognizers[$0].disposition == .accepted }
            if isAwake { wake(other) }
        }
    }

    /// Takes the sequence from all others, or from those of one finger.
    func cancelOthers(of winner: Int) {
        let takesAll = rules.gestures[winner].takes == .everything
        if takesAll { cancelTaps(.claimed) }
        for gesture in rules.lineOrder where gesture != winner {
            guard takesAll || rules.gestures[gesture].isOneFinger,
                !rules.isCompanion(winner, of: gesture, in: index)
            else { continue }
            // A gesture that comes after the winner is what the winner is for.
            if isDormant(gesture), rules.gestures[gesture].after.contains(winner) { continue }
            cancel(gesture, takesAll ? .claimed : .multiTouch, byGesture: true)
        }
    }

    /// A gesture of `unless` was accepted.
    private func giveUp(_ gesture: Int) {
        guard contacts.sequence != nil else { return }
        if recognizers[gesture].disposition == .accepted {
            // What is under way goes on; what has ended does not begin again.
            if recognizers[gesture].mayBeginAgain {
                _ = recognizers[gesture].handle(.cancel(.claimed, byGesture: false))
            }
            return
        }
        reject(gesture, GestureFailure(.unless))
        decide(gesture, .rejected)
        // Taps of earlier sequences that are deferred do not depend on this one.
        if recognizers[gesture].streakStart == nil, !deferred.isEmpty {
            dropDeferred(gesture, GestureFailure(.cancelled(.claimed)))
        }
        // What has failed neither ends nor is cancelled with an event.
        _ = recognizers[gesture].handle(.cancel(.claimed, byGesture: false))
    }

    /// All that it comes after has been accepted: for this gesture, the contacts land now.
    private func wake(_ gesture: Int) {
        decide(gesture, .possible)
        if contacts.group.count == 0, recognizers[gesture].competes {
            // All contacts are other regions' by now.
            reject(gesture, GestureFailure(.cancelled(.claimed)))
        } else {
            send(.woken, to: gesture)
        }
        scheduleDeadline()
    }

    // MARK: Deferred gestures

    /// A gesture was accepted: what was deferred for it, and might have become a part of it, does not come.
    private func dropDeferred(waitingFor winner: GestureEvent) {
        guard !deferred.isEmpty else { return }
        let streakStart = streakStart(winner.gesture) ?? winner.sequence
        let since = min(winner.sequence, streakStart)
        var i = 0
        while i < deferred.count {
            let event = deferred[i]
            guard event.sequence >= since, rules.gestures[event.gesture].unless.contains(winner.gesture) else {
                i += 1
                continue
            }
            _ = takeDeferred(at: i)
            if event.sequence == contacts.sequence {
                reject(event.gesture, GestureFailure(.unless))
            } else {
                report(event.gesture, GestureFailure(.unless), event.sequence)
            }
        }
    }

    /// Nothing comes of what a gesture was deferred with.
    func dropDeferred(_ gesture: Int, _ failure: GestureFailure) {
        for event in deferred where event.gesture == gesture && event.sequence != contacts.sequence {
            report(gesture, failure, event.sequence)
        }
        deferred = deferred.filter { $0.gesture != gesture }
    }

    private func takeDeferred(at place: Int) -> GestureEvent {
        var others = deferred
        let event = others.remove(at: place)
        deferred = others
        return event
    }

    /// To be called when something may have failed: what waited for that comes now.
    func settle() {
        if rules.hasUnless { release() }
        scheduleDeadline()
    }

    private func release() {
        while let i = deferred.indices.first(where: { !waitsForFailure(deferred[$0]) }) {
            var event = takeDeferred(at: i)
            event.time = contacts.now
            emit(event)
        }
        for gesture in recognizers.indices where isDeferred(gesture) && !waitsForFailure(gesture) {
            send(.announce, to: gesture)
        }
    }
}
