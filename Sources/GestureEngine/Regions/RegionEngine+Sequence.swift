// SPDX-License-Identifier: MIT

/// The sequence: from the first contact that lands to the last that leaves.
extension RegionEngine {
    mutating func beginSequence(_ id: SequenceID) {
        sequence = id
        isClosed = false
        for gesture in progress.indices {
            let isDormant = rules.hasAfter && !rules.after[gesture].isEmpty
            progress[gesture] = isDormant ? .dormant : .possible
        }
    }

    /// Tells what measures movement that a contact joins or leaves.
    mutating func contactsWillChange() {
        for i in drags.indices { drags[i].contactsWillChange(motion, count: group.count) }
        for i in transforms.indices { transforms[i].contactsWillChange(motion, count: group.count) }
    }

    /// Measures movement anew, so that it goes on without a jump.
    mutating func contactsDidChange(at time: Timestamp) {
        motion.rebase(group, measuresSpan: measuresSpan)
        for i in drags.indices { drags[i].contactsDidChange(motion) }
        for i in transforms.indices { transforms[i].contactsDidChange(motion) }
        // The centroid of other contacts has another velocity.
        velocity.reset()
        sampleVelocity(at: time)
    }

    /// Gestures that a nearer region has as well are not this one's.
    mutating func shadow(_ gestures: [Int], at time: Timestamp, into events: inout [GestureEvent]) {
        for gesture in gestures {
            let failure = GestureFailure(.shadowed)
            switch members[gesture] {
            case .press(let i): perform(presses[i].fail(failure), gesture, at: time, into: &events)
            case .longPress(let i): perform(longPresses[i].fail(failure), gesture, at: time, into: &events)
            case .repeat(let i): perform(repeats[i].stop(failure), gesture, at: time, into: &events)
            // Taps are told at every landing; the others are never shadowed.
            case .tap, .drag, .swipe, .transform, .pattern: break
            }
        }
    }

    /// The last contact lifts: what has not been recognized has failed, and presses end.
    mutating func conclude(at time: Timestamp, into events: inout [GestureEvent]) {
        for i in transforms.indices {
            perform(transforms[i].sequenceEnded(), transforms[i].gesture, at: time, into: &events)
        }
        for i in taps.indices { report(taps[i].sequenceEnded(), i, at: time, into: &events) }
        settle(at: time, into: &events)
        for i in presses.indices {
            perform(presses[i].lastLifted(at: time), presses[i].gesture, at: time, into: &events)
        }
    }

    /// The last contact lifts: what has not begun with a movement, or was never woken, has failed.
    mutating func failUnbegunMotions(at time: Timestamp, into events: inout [GestureEvent]) {
        for gesture in progress.indices where progress[gesture] == .dormant {
            note(GestureFailure(.notAfter), gesture, at: time, into: &events)
        }
        for i in drags.indices where !drags[i].isActive {
            let action = drags[i].lastLifted(motion, count: group.count, velocity: .zero)
            perform(action, drags[i].gesture, at: time, into: &events)
        }
    }

    /// Fewer contacts came than these take.
    mutating func failUnbegunLongPresses(at time: Timestamp, into events: inout [GestureEvent]) {
        for i in longPresses.indices where longPresses[i].isWaiting {
            let action = longPresses[i].sequenceEnded(peak: group.peak)
            perform(action, longPresses[i].gesture, at: time, into: &events)
        }
    }

    /// The last contact that is not another region's.
    func isLastFree(_ id: ContactID) -> Bool { group.count == 1 && group.isFree(id) }

    /// The last contact is about to lift: what can no longer be recognized fails before that, so that
    /// what gave way to it may still come.
    mutating func failHopeless(_ id: ContactID, at time: Timestamp, into events: inout [GestureEvent]) {
        for i in transforms.indices where !transforms[i].isActive && !isDormant(transforms[i].gesture) {
            perform(transforms[i].giveUp(), transforms[i].gesture, at: time, into: &events)
        }
        for i in longPresses.indices where longPresses[i].isWaiting && !isDormant(longPresses[i].gesture) {
            perform(longPresses[i].lifted(id, at: time), longPresses[i].gesture, at: time, into: &events)
        }
        failUnbegunLongPresses(at: time, into: &events)
        for i in taps.indices where taps[i].lacksContacts {
            report(taps[i].sequenceEnded(), i, at: time, into: &events)
        }
        settle(at: time, into: &events)
    }

    // MARK: Cancels

    /// Ends everything under way, in the order of lines; what is idle stays so.
    mutating func cancelAll(_ reason: CancelReason, at time: Timestamp, into events: inout [GestureEvent]) {
        isClosed = true
        for gesture in rules.lineOrder { cancel(gesture, reason, at: time, into: &events) }
        scheduleDeadline()
    }

    /// Ends one gesture, or keeps it from being recognized in this sequence.
    /// - Parameter isTaken: by another gesture: for a tap of an earlier sequence that waits for this one,
    ///   the next tap has failed. A cancel from outside never fires a tap.
    mutating func cancel(
        _ gesture: Int, _ reason: CancelReason, isTaken: Bool = false, at time: Timestamp,
        into events: inout [GestureEvent]
    ) {
        let failure = GestureFailure(.cancelled(reason))
        if !held.isEmpty { dropHeld(gesture, failure, at: time, into: &events) }
        guard sequence != nil else {
            // Only a streak outlives its sequence.
            if case .tap(let i) = members[gesture] { taps[i].forgetStreak() }
            return
        }
        switch members[gesture] {
        case .drag(let i): perform(drags[i].cancel(reason, motion), gesture, at: time, into: &events)
        case .transform(let i): perform(transforms[i].cancel(reason, motion), gesture, at: time, into: &events)
        case .swipe(let i): perform(swipes[i].fail(failure), gesture, at: time, into: &events)
        case .tap(let i):
            let isEarlier = isTaken && taps[i].waitingSequence != sequence
            report(isEarlier ? taps[i].fail(failure) : taps[i].cancel(failure), i, at: time, into: &events)
        case .longPress(let i):
            perform(longPresses[i].cancel(reason, at: time), gesture, at: time, into: &events)
        case .repeat(let i): perform(repeats[i].stop(failure), gesture, at: time, into: &events)
        case .press(let i): perform(presses[i].cancel(reason, at: time), gesture, at: time, into: &events)
        case .pattern: break
        }
    }

    /// Whether a gesture takes the sequence from others when it is recognized.
    func takesOthers(_ gesture: Int) -> Bool {
        rules.isMultiFinger(gesture) || rules.isExclusive(gesture)
    }

    /// Takes the sequence from all others, or from those of one finger.
    mutating func cancelOthers(of winner: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        let isExclusive = rules.isExclusive(winner)
        for gesture in rules.lineOrder where gesture != winner {
            guard isExclusive || rules.isSingleFinger(gesture), !rules.isCompanion(winner, of: gesture, in: index)
            else { continue }
            // What comes after the winner is what it is for.
            if isDormant(gesture), rules.after[gesture].contains(winner) { continue }
            cancel(gesture, isExclusive ? .claimed : .multiTouch, isTaken: true, at: time, into: &events)
        }
    }

    // MARK: The end

    /// Forgets a contact; with the last one the sequence ends.
    mutating func remove(_ member: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        if group.members.count > 1 {
            let wasCounted = !group.members[member].isClaimed
            if wasCounted { contactsWillChange() }
            group.remove(member)
            if wasCounted { contactsDidChange(at: time) }
            if group.count == 0 { renew() }
            // What is left may be outside.
            if asksInside { insideChanged(at: time, into: &events) }
        } else {
            endSequence()
        }
        settle(at: time, into: &events)
    }

    /// All contacts that are left are other regions': the next to land is a try of its own, though
    /// the sequence goes on. What is continuous and has begun is not begun again in one sequence.
    mutating func renew() {
        guard !isClosed else { return }
        for gesture in members.indices {
            let hasFailed = progress[gesture] == .failed
            switch members[gesture] {
            case .tap(let i): _ = taps[i].sequenceEnded()
            case .swipe(let i): swipes[i].sequenceEnded()
            case .drag(let i) where hasFailed: drags[i].sequenceEnded()
            case .transform(let i) where hasFailed: _ = transforms[i].sequenceEnded()
            case .longPress(let i) where hasFailed: _ = longPresses[i].sequenceEnded(peak: 0)
            case .press, .longPress, .repeat, .drag, .transform, .pattern: break
            }
        }
    }

    /// A contact lands while all others are other regions'.
    /// - Parameter shadowed: gestures that a region nearer to it has as well.
    mutating func reopen(without shadowed: [Int], at time: Timestamp, into events: inout [GestureEvent]) {
        guard !isClosed else { return }
        for gesture in members.indices {
            switch members[gesture] {
            case .tap, .swipe: progress[gesture] = opening(gesture)
            case .drag, .transform, .longPress:
                if progress[gesture] == .failed { progress[gesture] = opening(gesture) }
            case .press, .repeat, .pattern: break
            }
        }
        for gesture in shadowed {
            guard case .longPress(let i) = members[gesture] else { continue }
            perform(longPresses[i].fail(GestureFailure(.shadowed)), gesture, at: time, into: &events)
        }
    }

    /// What a gesture is before anything has become of it.
    private func opening(_ gesture: Int) -> Progress {
        guard rules.hasAfter else { return .possible }
        return rules.after[gesture].allSatisfy { progress[$0] == .recognized } ? .possible : .dormant
    }

    private mutating func endSequence() {
        for i in taps.indices { _ = taps[i].sequenceEnded() }
        for i in presses.indices { presses[i].sequenceEnded() }
        for i in drags.indices { drags[i].sequenceEnded() }
        for i in transforms.indices { _ = transforms[i].sequenceEnded() }
        for i in swipes.indices { swipes[i].sequenceEnded() }
        for i in longPresses.indices { _ = longPresses[i].sequenceEnded(peak: 0) }
        for i in repeats.indices { repeats[i].sequenceEnded() }
        group.removeAll()
        motion.reset()
        velocity.reset()
        sequence = nil
        needsEvaluation = false
        hasMoved = false
        isRestReported = false
        hasInsideChanged = false
    }
}
