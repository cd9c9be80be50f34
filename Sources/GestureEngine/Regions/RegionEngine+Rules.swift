// SPDX-License-Identifier: MIT

/// `after`, `unless` and what follows when something is recognized.
extension RegionEngine {
    /// Comes after gestures that have not been recognized: it is not told of anything.
    func isDormant(_ gesture: Int) -> Bool {
        rules.hasAfter && progress[gesture] == .dormant
    }

    /// Whether a gesture may be recognized now.
    mutating func permits(_ gesture: Int) -> Bool {
        !isDormant(gesture) && !givesWay(gesture)
    }

    /// A gesture that this one requires to fail is still possible.
    mutating func givesWay(_ gesture: Int) -> Bool {
        guard rules.hasUnless else { return false }
        for other in rules.unless[gesture] where isPossible(other) { return true }
        return false
    }

    /// The same for what was recognized in a sequence that may be over: then only what outlives a
    /// sequence, and of which it may become a part.
    mutating func givesWay(_ event: GestureEvent) -> Bool {
        guard rules.hasUnless else { return false }
        if event.sequence == sequence { return givesWay(event.gesture) }
        for other in rules.unless[event.gesture] {
            if case .tap(let i) = members[other], taps[i].mayContain(event.sequence) { return true }
            for rival in held where rival.gesture == other && rival.sequence >= event.sequence { return true }
        }
        return false
    }

    private mutating func isPossible(_ gesture: Int) -> Bool {
        for event in held where event.gesture == gesture { return true }
        if case .tap(let i) = members[gesture], taps[i].isPossible { return true }
        guard sequence != nil else { return false }
        switch progress[gesture] {
        case .dormant, .withheld: return true
        case .recognized, .failed: return false
        case .possible: break
        }
        switch members[gesture] {
        case .swipe(let i): return !swipes[i].isOver
        case .pattern: return false
        case .press, .tap, .longPress, .repeat, .drag, .transform: return true
        }
    }

    /// To be called before the first line of a gesture.
    mutating func announce(_ gesture: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        progress[gesture] = .recognized
        if takesOthers(gesture) { cancelOthers(of: gesture, at: time, into: &events) }
        // The streaks of the others have ended: its own does, too.
        if rules.isExclusive(gesture), case .tap(let i) = members[gesture] { taps[i].forgetStreak() }
    }

    /// To be called after the first line of a gesture: others give up, or are woken by it.
    mutating func didRecognize(_ event: GestureEvent, at time: Timestamp, into events: inout [GestureEvent]) {
        dropHeld(givingWayTo: event, at: time, into: &events)
        // A tap that waited says nothing more about the sequence that is under way now.
        guard event.sequence == sequence else { return }
        let gesture = event.gesture
        if rules.hasUnless {
            for other in progress.indices where rules.unless[other].contains(gesture) {
                giveUp(other, at: time, into: &events)
            }
        }
        if rules.hasAfter {
            for other in progress.indices where isDormant(other) {
                let isAwake = rules.after[other].allSatisfy { progress[$0] == .recognized }
                if isAwake { wake(other, at: time, into: &events) }
            }
        }
    }

    /// What it gives way to was recognized.
    private mutating func giveUp(_ gesture: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        guard sequence != nil, progress[gesture] != .recognized else { return }
        note(GestureFailure(.unless), gesture, at: time, into: &events)
        progress[gesture] = .failed
        // What has failed cannot end or be cancelled with a line.
        if case .tap(let i) = members[gesture] {
            _ = taps[i].cancel(GestureFailure(.unless))
        } else {
            cancel(gesture, .claimed, at: time, into: &events)
        }
    }

    /// Something was recognized: what gave way to it, and might have become a part of it, does not come.
    private mutating func dropHeld(
        givingWayTo winner: GestureEvent, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard rules.hasUnless, !held.isEmpty else { return }
        var since = winner.sequence
        if case .tap(let i) = members[winner.gesture] { since = min(since, taps[i].firstSequence) }
        var i = 0
        while i < held.count {
            let event = held[i]
            guard event.sequence >= since, rules.unless[event.gesture].contains(winner.gesture) else {
                i += 1
                continue
            }
            held.remove(at: i)
            if event.sequence == sequence {
                note(GestureFailure(.unless), event.gesture, at: time, into: &events)
            } else {
                note(GestureFailure(.unless), event.gesture, sequence: event.sequence, at: time, into: &events)
            }
        }
    }

    /// Nothing comes of what was recognized and kept.
    mutating func dropHeld(
        _ gesture: Int, _ failure: GestureFailure, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        for event in held where event.gesture == gesture && event.sequence != sequence {
            note(failure, gesture, sequence: event.sequence, at: time, into: &events)
        }
        held.removeAll { $0.gesture == gesture }
    }

    /// What it comes after has been recognized: for this gesture, the contacts land now.
    private mutating func wake(_ gesture: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        progress[gesture] = .possible
        switch members[gesture] {
        case .press(let i):
            perform(presses[i].landed(at: time, inside: group.isInside), gesture, at: time, into: &events)
        case .longPress(let i):
            perform(longPresses[i].wake(group, at: time), gesture, at: time, into: &events)
        case .repeat(let i):
            guard let first = group.members.first(where: { !$0.isClaimed }) else { break }
            repeats[i].landed(first.id, at: time)
            repeats[i].moved(first.id, isOutside: first.isOutside, at: time)
        case .drag(let i): drags[i].contactsDidChange(motion)
        case .transform(let i): transforms[i].contactsDidChange(motion)
        case .swipe(let i):
            let action = swipes[i].landed(from: motion.centroid, motion, count: group.count, at: time)
            perform(action, gesture, at: time, into: &events)
        // A tap begins with a landing.
        case .tap, .pattern: break
        }
        scheduleDeadline()
    }

    /// To be called when something may have failed: what gave way to it comes now.
    mutating func settle(at time: Timestamp, into events: inout [GestureEvent]) {
        if rules.hasUnless { release(at: time, into: &events) }
        scheduleDeadline()
    }

    private mutating func release(at time: Timestamp, into events: inout [GestureEvent]) {
        while let i = held.indices.first(where: { !givesWay(held[$0]) }) {
            var event = held.remove(at: i)
            event.time = time
            tell(event, at: time, into: &events)
        }
        for gesture in progress.indices where progress[gesture] == .withheld && !givesWay(gesture) {
            switch members[gesture] {
            case .press(let i): perform(presses[i].begin(), gesture, at: time, into: &events)
            case .longPress(let i) where longPresses[i].isActive:
                perform(.begin(.longPress(held: nil)), gesture, at: time, into: &events)
            case .tap, .longPress, .repeat, .drag, .swipe, .transform, .pattern: break
            }
        }
    }
}
