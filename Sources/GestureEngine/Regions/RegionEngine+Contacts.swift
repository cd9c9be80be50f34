// SPDX-License-Identifier: MIT

/// What contacts do.
extension RegionEngine {
    /// - Parameters:
    ///   - new: the id of the sequence, if this contact begins one.
    ///   - shadowed: gestures that a region nearer to the contact has as well.
    mutating func landed(
        _ id: ContactID, at position: Point, time: Timestamp, newSequence new: SequenceID, shadowed: [Int],
        into events: inout [GestureEvent]
    ) {
        if sequence == nil { beginSequence(new) }
        contactsWillChange()
        group.add(id, at: position)
        contactsDidChange(at: time)
        let isFirst = group.members.count == 1
        if isFirst {
            shadow(shadowed, at: time, into: &events)
        } else if group.count == 1 {
            reopen(without: shadowed, at: time, into: &events)
        }

        for i in presses.indices where !isDormant(presses[i].gesture) {
            perform(presses[i].landed(at: time), presses[i].gesture, at: time, into: &events)
        }
        let start = group.originCentroid
        for i in swipes.indices where !isDormant(swipes[i].gesture) {
            let action = swipes[i].landed(from: start, motion, count: group.count, at: time)
            perform(action, swipes[i].gesture, at: time, into: &events)
        }
        let sinceLift = lastLift.map { time - $0 }
        for i in taps.indices where !isDormant(taps[i].gesture) {
            let answer =
                shadowed.contains(taps[i].gesture)
                ? taps[i].fail(GestureFailure(.shadowed))
                : taps[i].landed(id, group, at: time, sinceLift: sinceLift)
            report(answer, i, at: time, into: &events)
        }
        for i in longPresses.indices where !isDormant(longPresses[i].gesture) {
            // Nobody has been told that it has begun: one contact more still fails it.
            if progress[longPresses[i].gesture] == .withheld {
                cancel(longPresses[i].gesture, .multiTouch, at: time, into: &events)
            }
            perform(longPresses[i].landed(group, at: time), longPresses[i].gesture, at: time, into: &events)
        }
        for i in repeats.indices where !isDormant(repeats[i].gesture) { repeats[i].landed(id, at: time) }
        if asksInside, !isFirst { insideChanged(at: time, into: &events) }
        settle(at: time, into: &events)
    }

    /// Takes over where a contact is now; `evaluate` must follow once the frame's other contacts
    /// have been told.
    mutating func move(_ id: ContactID, to position: Point, _ kind: ContactChange.Kind, at time: Timestamp) {
        guard let member = group.index(of: id) else { return }
        let isResynchronized = kind == .resynchronized
        guard isResynchronized || group.members[member].position != position else {
            if kind == .moved { isRestReported = true }
            return
        }
        group.move(member, to: position)
        if asksInside { updateInside(member, position) }
        needsEvaluation = true
        // What another region has claimed moves nothing here.
        guard !group.members[member].isClaimed else { return }
        hasMoved = true
        if isResynchronized {
            velocity.reset()
            resynchronized = time
        }
    }

    /// Tells the recognizers that do not compete with other regions that contacts have moved.
    mutating func evaluate(at time: Timestamp, into events: inout [GestureEvent]) {
        // The common frame changes nothing here.
        guard hasInsideChanged || group.squaredExcursion > restLimit else { return }
        for i in taps.indices { report(taps[i].moved(group), i, at: time, into: &events) }
        for i in longPresses.indices where !isDormant(longPresses[i].gesture) {
            perform(longPresses[i].moved(group), longPresses[i].gesture, at: time, into: &events)
        }
        if hasInsideChanged { insideChanged(at: time, into: &events) }
        settle(at: time, into: &events)
    }

    mutating func lifted(_ id: ContactID, at position: Point, time: Timestamp, into events: inout [GestureEvent]) {
        guard let member = group.index(of: id) else { return }
        let isLast = group.members.count == 1
        let isClaimed = group.members[member].isClaimed
        if !isClaimed {
            cancelForLift(of: id, at: time, into: &events)
            endMotions(at: time, into: &events)
            judgeSwipes(at: time, into: &events)
            liftTaps(id, at: position, time: time, into: &events)
            lastLift = time
        }
        if isLast { failUnbegunMotions(at: time, into: &events) }
        liftLongPresses(id, isClaimed: isClaimed, isLast: isLast, at: time, into: &events)
        for i in repeats.indices {
            perform(repeats[i].lifted(id, at: time), repeats[i].gesture, at: time, into: &events)
        }
        if isLast { conclude(at: time, into: &events) }
        remove(member, at: time, into: &events)
    }

    /// A contact is gone without having lifted: what needs it is cancelled, what has others goes on.
    mutating func cancelled(
        _ id: ContactID, _ reason: CancelReason, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let member = group.index(of: id) else { return }
        if group.members.count == 1 {
            cancelAll(reason, at: time, into: &events)
        } else {
            let isClaimed = group.members[member].isClaimed
            for gesture in rules.lineOrder where isClaimed ? isHeld(gesture, by: id) : needs(id, gesture) {
                cancel(gesture, reason, at: time, into: &events)
            }
        }
        // What was kept back by what fails with this contact does not come true by it.
        if !group.members[member].isClaimed {
            for gesture in progress.indices where progress[gesture] == .withheld {
                cancel(gesture, reason, at: time, into: &events)
            }
        }
        for i in repeats.indices {
            let action = repeats[i].lifted(id, at: time)
            if action != .none { note(GestureFailure(.cancelled(reason)), repeats[i].gesture, at: time, into: &events) }
        }
        remove(member, at: time, into: &events)
    }

    /// Whether a gesture cannot go on when one of several contacts is taken away.
    private func needs(_ id: ContactID, _ gesture: Int) -> Bool {
        switch members[gesture] {
        case .swipe, .tap: true
        case .longPress(let i): longPresses[i].needs(id)
        case .transform: group.count <= 2
        case .drag: group.count <= 1
        case .press, .repeat, .pattern: false
        }
    }

    /// First those that still rest, because one that is held may have given way to them.
    private mutating func liftLongPresses(
        _ id: ContactID, isClaimed: Bool, isLast: Bool, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        if !isClaimed {
            for i in longPresses.indices where longPresses[i].isWaiting {
                perform(longPresses[i].lifted(id, at: time), longPresses[i].gesture, at: time, into: &events)
            }
        }
        if isLast { failUnbegunLongPresses(at: time, into: &events) }
        if rules.hasUnless { settle(at: time, into: &events) }
        for i in longPresses.indices where longPresses[i].isActive {
            perform(longPresses[i].lifted(id, at: time), longPresses[i].gesture, at: time, into: &events)
        }
    }

    /// A long press that has begun keeps contacts which another region has claimed since.
    private func isHeld(_ gesture: Int, by id: ContactID) -> Bool {
        guard case .longPress(let i) = members[gesture] else { return false }
        return longPresses[i].isActive && longPresses[i].needs(id)
    }

    /// Taps, one for each gesture that this lift completes.
    private mutating func liftTaps(
        _ id: ContactID, at position: Point, time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let sequence else { return }
        for i in taps.indices {
            let answer = taps[i].lifted(id, at: position, time: time, sequence: sequence)
            report(answer, i, at: time, into: &events)
        }
    }

    /// What a lift recognizes of more fingers, or exclusively, takes the sequence from the others
    /// before any line of theirs.
    private mutating func cancelForLift(of id: ContactID, at time: Timestamp, into events: inout [GestureEvent]) {
        for gesture in rules.takers where permits(gesture) {
            let isRecognized =
                switch members[gesture] {
                case .swipe(let i): isAcceptedAtLift(i, at: time)
                case .tap(let i): taps[i].isCompleted(byLiftOf: id)
                case .press, .longPress, .repeat, .drag, .transform, .pattern: false
                }
            if isRecognized { cancelOthers(of: gesture, at: time, into: &events) }
        }
    }

    mutating func insideChanged(at time: Timestamp, into events: inout [GestureEvent]) {
        hasInsideChanged = false
        for i in repeats.indices {
            for member in group.members { repeats[i].moved(member.id, isOutside: member.isOutside, at: time) }
        }
        let inside = group.isInside
        for i in presses.indices {
            perform(presses[i].moved(inside: inside), presses[i].gesture, at: time, into: &events)
        }
    }

    /// Left at `leaveDistance` outside; returned when back inside the drawn shape.
    private mutating func updateInside(_ member: Int, _ position: Point) {
        let wasOutside = group.members[member].isOutside
        let isInside = shape.contains(position)
        let isOutside = !isInside && (wasOutside || shape.distance(to: position) >= leaveDistance)
        guard isOutside != wasOutside else { return }
        group.setOutside(member, isOutside)
        hasInsideChanged = true
    }
}
