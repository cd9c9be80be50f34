// SPDX-License-Identifier: MIT

/// Drag, pinch, rotate and swipe: what takes contacts for itself, and so competes with other regions.
///
/// What only looks is `mutating` all the same: the compiler copies the whole engine for a method
/// that borrows it, and this is asked for every movement.
extension RegionEngine {
    /// Whether something that competes has not given up.
    var competes: Bool {
        mutating get {
            for i in drags.indices where !drags[i].isOver { return true }
            for i in transforms.indices where !transforms[i].isOver { return true }
            for i in swipes.indices where !swipes[i].isOver { return true }
            return false
        }
    }

    /// A drag, pinch or rotation is under way: contacts that land join it.
    var holdsClaim: Bool {
        mutating get {
            for i in drags.indices where drags[i].isActive { return true }
            for i in transforms.indices where transforms[i].isActive { return true }
            return false
        }
    }

    /// Notes where the contacts are, for velocities, spans and turns.
    mutating func trackMotion(at time: Timestamp) {
        isRestReported = false
        motion.follow(group, measuresSpan: measuresSpan)
        sampleVelocity(at: time)
    }

    /// A report of a contact that lies still counts for its velocity: a pause is a time without reports.
    mutating func trackRest(at time: Timestamp) {
        isRestReported = false
        sampleVelocity(at: time)
    }

    /// Only drags and swipes ask how fast contacts are. A position that was taken over after a loss tells
    /// where a contact is, not when it came there: it is no sample.
    mutating func sampleVelocity(at time: Timestamp) {
        if drags.isEmpty && swipes.isEmpty || time == resynchronized { return }
        velocity.add(motion.centroid, at: time)
    }

    /// The gesture that would begin, or be recognized, where the contacts are now; of several the
    /// one that comes first.
    mutating func accepting(at time: Timestamp) -> Int? {
        for gesture in rules.competitors where isAccepted(gesture, at: time) {
            if permits(gesture) { return gesture }
            if case .drag(let i) = members[gesture], !isDormant(gesture) { drags[i].keepBack() }
        }
        return nil
    }

    private mutating func isAccepted(_ gesture: Int, at time: Timestamp) -> Bool {
        switch members[gesture] {
        case .drag(let i): return drags[i].outcome(motion, count: group.count) == .accept
        case .transform(let i): return transforms[i].outcome(motion, count: group.count) == .accept
        case .swipe(let i): return swipes[i].isRecognizedEarly && isAcceptedAtLift(i, at: time)
        case .press, .tap, .longPress, .repeat, .pattern: return false
        }
    }

    /// Whether a swipe would be recognized if a contact lifted now.
    mutating func isAcceptedAtLift(_ swipe: Int, at time: Timestamp) -> Bool {
        if case .accept? = swipes[swipe].judge(motion, count: group.count, velocity, at: time) { return true }
        return false
    }

    /// The swipe that would be recognized if a contact lifted now.
    mutating func acceptingLift(of id: ContactID, at time: Timestamp) -> Int? {
        guard !swipes.isEmpty, let member = group.index(of: id), !group.members[member].isClaimed else { return nil }
        for i in swipes.indices where isAcceptedAtLift(i, at: time) && permits(swipes[i].gesture) {
            return swipes[i].gesture
        }
        return nil
    }

    /// Begins, or recognizes, what was accepted and has won its contacts.
    mutating func begin(_ gesture: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        switch members[gesture] {
        case .drag(let i): perform(drags[i].begin(motion), gesture, at: time, into: &events)
        case .transform(let i): perform(transforms[i].begin(motion), gesture, at: time, into: &events)
        case .swipe(let i): judge(swipe: i, at: time, into: &events)
        case .press, .tap, .longPress, .repeat, .pattern: break
        }
        settle(at: time, into: &events)
    }

    /// Tells where what is under way has come.
    ///
    /// - Parameter begun: gestures that began in this frame, a bit for each.
    mutating func update(except begun: UInt64, at time: Timestamp, into events: inout [GestureEvent]) {
        for gesture in rules.competitors where begun & (1 << UInt64(gesture)) == 0 {
            switch members[gesture] {
            case .drag(let i) where drags[i].isActive:
                let velocity = velocity.velocity(at: time, rest: Self.rest)
                perform(drags[i].update(motion, velocity: velocity), gesture, at: time, into: &events)
            case .transform(let i) where transforms[i].isActive:
                perform(transforms[i].update(motion), gesture, at: time, into: &events)
            case .press, .tap, .longPress, .repeat, .drag, .swipe, .transform, .pattern: break
            }
        }
    }

    /// Drags give up that move along the wrong axis.
    mutating func rejectMoves(at time: Timestamp, into events: inout [GestureEvent]) {
        for i in drags.indices where !isDormant(drags[i].gesture) {
            guard case .reject(let failure) = drags[i].outcome(motion, count: group.count) else { continue }
            perform(drags[i].fail(failure), drags[i].gesture, at: time, into: &events)
        }
    }

    /// The lift of a contact ends what cannot go on without it.
    mutating func endMotions(at time: Timestamp, into events: inout [GestureEvent]) {
        for i in drags.indices where drags[i].isActive && group.count == 1 {
            let velocity = velocity.velocity(at: time, rest: Self.rest)
            let action = drags[i].lastLifted(motion, count: group.count, velocity: velocity)
            perform(action, drags[i].gesture, at: time, into: &events)
        }
        guard group.count <= 2 else { return }
        for gesture in rules.lineOrder {
            guard case .transform(let i) = members[gesture] else { continue }
            perform(transforms[i].end(motion), gesture, at: time, into: &events)
        }
    }

    /// The lift decides every swipe.
    mutating func judgeSwipes(at time: Timestamp, into events: inout [GestureEvent]) {
        for i in swipes.indices where !isDormant(swipes[i].gesture) { judge(swipe: i, at: time, into: &events) }
    }

    private mutating func judge(swipe i: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        guard let verdict = swipes[i].judge(motion, count: group.count, velocity, at: time) else { return }
        let action =
            switch verdict {
            case .accept(let detail): swipes[i].recognize(detail)
            case .reject(let failure): swipes[i].fail(failure)
            }
        perform(action, swipes[i].gesture, at: time, into: &events)
    }

    // MARK: Claims of others

    /// A gesture of a region above has claimed contacts of this one: everything lets go of them.
    mutating func surrender(
        to winner: Int, of region: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard sequence != nil else { return }
        for gesture in rules.lineOrder where !rules.isCompanion(gesture, of: winner, in: region) {
            cancel(gesture, .claimed, isTaken: true, at: time, into: &events)
        }
        settle(at: time, into: &events)
    }

    /// A gesture of a region below has claimed a contact. What competes goes on without it, and so
    /// does whoever lands later; press and repeat last as long as the contact is down.
    mutating func lose(
        _ id: ContactID, to winner: Int, of region: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let member = group.index(of: id), !group.members[member].isClaimed else { return }
        if hasCompanion(winner, of: region) {
            share(with: winner, of: region, at: time, into: &events)
            return
        }
        if hasMoved { trackMotion(at: time) }
        contactsWillChange()
        group.claim(member)
        contactsDidChange(at: time)
        let failure = GestureFailure(.cancelled(.claimed))
        for i in longPresses.indices where !isDormant(longPresses[i].gesture) {
            // One that nobody has been told of has not begun.
            if progress[longPresses[i].gesture] == .withheld {
                cancel(longPresses[i].gesture, .claimed, at: time, into: &events)
            }
            perform(longPresses[i].fail(failure), longPresses[i].gesture, at: time, into: &events)
        }
        for i in swipes.indices where !isDormant(swipes[i].gesture) {
            perform(swipes[i].fail(failure), swipes[i].gesture, at: time, into: &events)
        }
        for i in taps.indices where !isDormant(taps[i].gesture) {
            report(taps[i].fail(failure), i, at: time, into: &events)
        }
        if group.count == 0 {
            cancelMotions(at: time, into: &events)
            for gesture in rules.competitors where !isDormant(gesture) {
                note(failure, gesture, at: time, into: &events)
            }
            renew()
        }
        settle(at: time, into: &events)
    }

    /// The winner does not cancel everything here: its companions go on with the contact.
    private mutating func share(
        with winner: Int, of region: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        for gesture in rules.lineOrder where !rules.isCompanion(gesture, of: winner, in: region) {
            switch members[gesture] {
            case .press, .repeat, .pattern: break
            case .longPress(let i) where longPresses[i].isActive && progress[gesture] == .recognized: break
            case .longPress, .tap, .drag, .swipe, .transform:
                if !isDormant(gesture) { cancel(gesture, .claimed, isTaken: true, at: time, into: &events) }
            }
        }
        settle(at: time, into: &events)
    }

    /// No contact is left to what is under way.
    private mutating func cancelMotions(at time: Timestamp, into events: inout [GestureEvent]) {
        for gesture in rules.lineOrder where rules.competitors.contains(gesture) && isActive(gesture) {
            cancel(gesture, .claimed, at: time, into: &events)
        }
    }

    private func hasCompanion(_ winner: Int, of region: Int) -> Bool {
        for companion in rules.companions where companion.gesture == winner && companion.region == region {
            return true
        }
        return false
    }

    /// A drag has no `rest` of its own: the swipe's default holds for its velocity too.
    private static var rest: Interval { .milliseconds(150) }
}
