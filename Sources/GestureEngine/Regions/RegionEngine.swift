// SPDX-License-Identifier: MIT

/// One region's recognizers, and the sequence that they are in.
///
/// It is told of every contact that landed in the region or in one below it, and routes what it
/// is told to the recognizers in the order in which their lines are to come. Which region may
/// have a contact for itself is decided outside, before `compete` is called.
struct RegionEngine: ~Copyable {
    /// Where a recognizer that has deadlines is kept.
    enum Timed: BitwiseCopyable {
        case press(Int)
        case tap(Int)
        case longPress(Int)
        case `repeat`(Int)
    }

    /// Index into the engine's regions.
    private(set) var index: Int
    private let shape: Shape
    private let leaveDistance: Double
    /// Press and repeat ask whether contacts are inside; nobody else does.
    private let asksInside: Bool
    /// A contact has left or returned, and nobody has been told.
    private var hasInsideChanged = false
    /// While no contact has strayed further than this from where it landed, nothing that rests
    /// need be asked. Squared millimetres.
    var restLimit = Double.infinity
    /// What has deadlines, in the order of the configuration.
    private(set) var timed: [Timed] = []

    var presses: [PressRecognizer] = []
    var drags: [DragRecognizer] = []
    var swipes: [SwipeRecognizer] = []
    var taps: [TapRecognizer] = []
    var longPresses: [LongPressRecognizer] = []
    var repeats: [RepeatRecognizer] = []

    private(set) var sequence: SequenceID?
    var group = ContactGroup()
    var velocity = VelocityTracker()
    /// The group has moved, and nobody has looked at it yet.
    private(set) var needsEvaluation = false
    /// When a contact last lifted.
    private var lastLift: Timestamp?
    /// When something is next due.
    var nextDeadline: Timestamp?

    init(_ region: Region, index: Int) {
        self.index = index
        shape = region.shape
        leaveDistance = region.leaveDistance
        var asksInside = false
        for (i, gesture) in region.gestures.enumerated() {
            switch gesture.settings {
            case .press(let settings):
                timed.append(.press(presses.count))
                presses.append(PressRecognizer(settings, gesture: i))
                asksInside = true
            case .tap(let settings):
                timed.append(.tap(taps.count))
                let longest = region.longestTapCount(fingers: settings.fingers)
                taps.append(TapRecognizer(settings, longestCount: longest, gesture: i))
            case .longPress(let settings):
                timed.append(.longPress(longPresses.count))
                longPresses.append(LongPressRecognizer(settings, gesture: i))
            case .repeat(let settings):
                timed.append(.repeat(repeats.count))
                repeats.append(RepeatRecognizer(settings, gesture: i))
                asksInside = true
            case .drag(let settings):
                drags.append(DragRecognizer(settings, gesture: i))
            case .swipe(let settings):
                swipes.append(SwipeRecognizer(settings, gesture: i))
            case .pinch, .rotate, .pattern: break
            }
        }
        self.asksInside = asksInside
    }

    /// Nothing is down, and nothing waits for a deadline.
    var isIdle: Bool {
        sequence == nil && taps.allSatisfy { $0.isIdle }
    }

    /// Tells which place among the regions this one has from now on.
    mutating func renumber(_ index: Int) {
        self.index = index
    }

    // MARK: Contacts

    /// - Parameters:
    ///   - new: the id of the sequence, if this contact begins one.
    ///   - shadowed: gestures that a region nearer to the contact has as well.
    mutating func landed(
        _ id: ContactID, at position: Point, time: Timestamp, newSequence new: SequenceID, shadowed: [Int],
        into events: inout [GestureEvent]
    ) {
        if sequence == nil { sequence = new }
        let before = group.centroid
        for i in drags.indices { drags[i].contactsWillChange(before) }
        group.add(id, at: position)
        contactsDidChange(at: time)

        let isFirst = group.count == 1
        for i in presses.indices {
            let isOut = isFirst && shadowed.contains(presses[i].gesture)
            let action = isOut ? presses[i].cancel(.claimed, at: time) : presses[i].landed(at: time)
            perform(action, presses[i].gesture, at: time, into: &events)
        }
        for i in swipes.indices { _ = swipes[i].landed(group, at: time) }
        let sinceLift = lastLift.map { time - $0 }
        for i in taps.indices {
            if shadowed.contains(taps[i].gesture) {
                taps[i].cancel()
            } else {
                report(taps[i].landed(id, group, at: time, sinceLift: sinceLift), i, at: time, into: &events)
            }
        }
        for i in longPresses.indices {
            let isOut = isFirst && shadowed.contains(longPresses[i].gesture)
            _ = isOut ? longPresses[i].fail() : longPresses[i].landed(group, at: time)
        }
        for i in repeats.indices {
            if isFirst, shadowed.contains(repeats[i].gesture) {
                repeats[i].stop()
            } else {
                repeats[i].landed(id, at: time)
            }
        }
        if asksInside, !isFirst { insideChanged(at: time, into: &events) }
        scheduleDeadline()
    }

    /// Takes over where a contact is now; `evaluate` must follow once the frame's other contacts
    /// have been told.
    mutating func move(_ id: ContactID, to position: Point, isResynchronized: Bool) {
        guard let member = group.index(of: id), isResynchronized || group.members[member].position != position
        else { return }
        group.move(member, to: position)
        if asksInside { updateInside(member, position) }
        // What happened while nobody looked says nothing about speed.
        if isResynchronized { velocity.reset() }
        needsEvaluation = true
    }

    /// Tells the recognizers that do not compete with other regions that contacts have moved.
    mutating func evaluate(at time: Timestamp, into events: inout [GestureEvent]) {
        needsEvaluation = false
        // The common frame changes nothing here.
        guard hasInsideChanged || group.squaredExcursion > restLimit else { return }
        for i in taps.indices { report(taps[i].moved(group), i, at: time, into: &events) }
        for i in longPresses.indices { _ = longPresses[i].moved(group) }
        if hasInsideChanged { insideChanged(at: time, into: &events) }
        scheduleDeadline()
    }

    private mutating func insideChanged(at time: Timestamp, into events: inout [GestureEvent]) {
        hasInsideChanged = false
        for i in repeats.indices {
            for member in group.members { repeats[i].moved(member.id, isOutside: member.isOutside, at: time) }
        }
        let inside = group.isInside
        for i in presses.indices {
            perform(presses[i].moved(inside: inside), presses[i].gesture, at: time, into: &events)
        }
    }

    mutating func lifted(_ id: ContactID, at position: Point, time: Timestamp, into events: inout [GestureEvent]) {
        guard let member = group.index(of: id), let sequence else { return }
        let isLast = group.count == 1
        if taps.contains(where: { $0.fingers > 1 && $0.isCompleted(byLiftOf: id) }) {
            cancelSingleFinger(at: time, into: &events)
        }
        if isLast { endDrags(at: time, into: &events) }
        judgeSwipes(at: time, into: &events)
        for i in taps.indices {
            let tap = taps[i].lifted(id, at: position, time: time, sequence: sequence)
            report(tap, i, at: time, into: &events)
        }
        for i in longPresses.indices {
            perform(longPresses[i].lifted(at: time), longPresses[i].gesture, at: time, into: &events)
        }
        for i in repeats.indices { repeats[i].lifted(id) }
        if isLast {
            for i in presses.indices {
                perform(presses[i].lastLifted(at: time), presses[i].gesture, at: time, into: &events)
            }
        }
        lastLift = time
        remove(member, at: time, into: &events)
    }

    /// A contact is gone without having lifted: what needs it is cancelled, what has others goes on.
    mutating func cancelled(
        _ id: ContactID, _ reason: CancelReason, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let member = group.index(of: id) else { return }
        if group.count == 1 { cancelAll(reason, at: time, into: &events) }
        for i in swipes.indices { _ = swipes[i].fail() }
        for i in taps.indices { taps[i].cancel() }
        for i in longPresses.indices {
            perform(longPresses[i].cancel(reason, at: time), longPresses[i].gesture, at: time, into: &events)
        }
        for i in repeats.indices { repeats[i].lifted(id) }
        remove(member, at: time, into: &events)
    }

    // MARK: Sequence

    /// Ends everything under way, in the order of lines; what is idle stays so.
    mutating func cancelAll(_ reason: CancelReason, at time: Timestamp, into events: inout [GestureEvent]) {
        let centroid = group.centroid
        for i in drags.indices {
            perform(drags[i].cancel(reason, centroid), drags[i].gesture, at: time, into: &events)
        }
        for i in swipes.indices { _ = swipes[i].fail() }
        for i in taps.indices { taps[i].cancel() }
        for i in longPresses.indices {
            perform(longPresses[i].cancel(reason, at: time), longPresses[i].gesture, at: time, into: &events)
        }
        for i in repeats.indices { repeats[i].stop() }
        for i in presses.indices {
            perform(presses[i].cancel(reason, at: time), presses[i].gesture, at: time, into: &events)
        }
        scheduleDeadline()
    }

    /// A recognized gesture of more fingers takes the sequence from those of one finger.
    mutating func cancelSingleFinger(at time: Timestamp, into events: inout [GestureEvent]) {
        let centroid = group.centroid
        for i in drags.indices where drags[i].fingers == 1 {
            perform(drags[i].cancel(.multiTouch, centroid), drags[i].gesture, at: time, into: &events)
        }
        for i in swipes.indices where swipes[i].fingers == 1 { _ = swipes[i].fail() }
        for i in taps.indices where taps[i].fingers == 1 { taps[i].cancel() }
        for i in longPresses.indices where longPresses[i].fingers == 1 {
            perform(longPresses[i].cancel(.multiTouch, at: time), longPresses[i].gesture, at: time, into: &events)
        }
        for i in repeats.indices { repeats[i].stop() }
        for i in presses.indices {
            perform(presses[i].cancel(.multiTouch, at: time), presses[i].gesture, at: time, into: &events)
        }
    }

    /// Forgets a contact; with the last one the sequence ends.
    private mutating func remove(_ member: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        let before = group.centroid
        for i in drags.indices { drags[i].contactsWillChange(before) }
        if group.count > 1 {
            group.remove(member)
            contactsDidChange(at: time)
            // What is left may be outside.
            if asksInside { insideChanged(at: time, into: &events) }
        } else {
            endSequence(at: time, into: &events)
        }
        scheduleDeadline()
    }

    private mutating func contactsDidChange(at time: Timestamp) {
        let centroid = group.centroid
        for i in drags.indices { drags[i].contactsDidChange(centroid) }
        // The centroid of other contacts has another velocity.
        velocity.reset()
        if !drags.isEmpty || !swipes.isEmpty { velocity.add(centroid, at: time) }
    }

    private mutating func endSequence(at time: Timestamp, into events: inout [GestureEvent]) {
        for i in taps.indices { report(taps[i].sequenceEnded(), i, at: time, into: &events) }
        for i in presses.indices { presses[i].sequenceEnded() }
        for i in drags.indices { drags[i].sequenceEnded() }
        for i in swipes.indices { swipes[i].sequenceEnded() }
        for i in longPresses.indices { longPresses[i].sequenceEnded() }
        for i in repeats.indices { repeats[i].sequenceEnded() }
        group.removeAll()
        velocity.reset()
        sequence = nil
        needsEvaluation = false
        hasInsideChanged = false
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

extension Region {
    /// The highest tap count configured for so many fingers.
    func longestTapCount(fingers: Int) -> Int {
        var longest = 1
        for gesture in gestures {
            if case .tap(let settings) = gesture.settings, settings.fingers == fingers {
                longest = max(longest, settings.count)
            }
        }
        return longest
    }
}
