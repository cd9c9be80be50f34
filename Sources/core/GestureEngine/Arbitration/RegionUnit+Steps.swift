// SPDX-License-Identifier: MIT

/// The steps of a region: how it handles each change of a contact.
extension RegionUnit {
    // MARK: The sequence

    /// Starts a sequence, because a contact lands on a region without one.
    private func beginSequence(_ id: SequenceID) {
        contacts.state = .open(id)
        for candidate in candidates {
            candidate.state =
                !candidate.traits.hasRecognizer ? .rejected : candidate.after.isEmpty ? .possible : .dormant
            candidate.wasHeldBack = false
        }
    }

    /// Starts another try within the sequence, because a contact lands while other regions own all earlier ones.
    /// - Returns: `false` if the sequence was cancelled from outside, in which case nothing is tried again.
    private func beginTry() -> Bool {
        guard case .open = contacts.state else { return false }
        let retried = rules.lineOrder.filter { $0.isCounter || mayRetry($0) }
        for candidate in retried {
            // A gesture listed in `after` that is itself retried has not been recognized in this try.
            let isAwake = candidate.after.allSatisfy { other in
                candidates[other].state == .accepted && !retried.contains { $0.index == other }
            }
            tell(candidate, .reset)
            if candidate.isCounter { continue }
            candidate.wasHeldBack = false
            decide(candidate, isAwake ? .possible : .dormant)
        }
        return true
    }

    /// Whether a gesture takes part in another try.
    private func mayRetry(_ candidate: Candidate) -> Bool {
        switch candidate.traits.retry {
        case .never: false
        case .whenOver: candidate.state == .rejected || candidate.state == .accepted && !candidate.isActive
        case .always: true
        }
    }

    /// Ends the sequence after the last contact has left.
    private func endSequence() {
        tellMissingTaps()
        for candidate in candidates { _ = candidate.recognizer.handle(.reset) }
        contacts.reset()
        context.hasEndedSequence = true
        settle()
    }

    /// Ends all gestures, in the order of events. Nothing more is recognized in this sequence.
    func cancelAll(_ reason: CancelReason) {
        if case .open(let id) = contacts.state { contacts.state = .closed(id) }
        for candidate in rules.lineOrder { close(candidate, reason) }
        settle()
    }

    // MARK: Landing

    /// Handles a landing.
    /// - Parameters:
    ///   - new: the id of the sequence, if this contact begins one.
    ///   - shadowed: gestures that a region nearer to the contact also has.
    func landed(_ id: ContactID, at position: Point, newSequence new: SequenceID, shadowed: [GestureIndex]) {
        let isFirst = contacts.sequence == nil
        var isTry = isFirst
        if isFirst {
            beginSequence(new)
        } else if contacts.group.count == 0 {
            isTry = beginTry()
        }
        contacts.add(id, at: position)
        if let counter = rules.counter { tell(counter, .landed(id, isShadowed: false)) }
        if isTry { refuse(shadowed, isFirst: isFirst) }
        for candidate in rules.landingOrder where !candidate.isDormant {
            closeDeferred(candidate, .multiTouch)
            let isShadowed = candidate.traits.shadowing == .everyContact && shadowed.contains(candidate.index)
            tell(candidate, .landed(id, isShadowed: isShadowed))
        }
        contacts.changes.remove(.crossed)
        regroup(rules.lineOrder)
        settle()
    }

    /// Excludes a gesture from this try if a nearer region has the same gesture, or if it was not preceded by the
    /// required number of taps.
    private func refuse(_ shadowed: [GestureIndex], isFirst: Bool) {
        for candidate in shadowed.map({ candidates[$0] }) where candidate.traits.shadowing == .firstContact {
            if isFirst || candidate.traits.retry != .never { tell(candidate, .refuse(GestureFailure(.shadowed))) }
        }
        guard let counter else { return }
        for candidate in candidates where candidate.taps > 0 && candidate.taps != counter.tapsBefore {
            let (value, limit) = (Double(counter.tapsBefore), Double(candidate.taps))
            tell(candidate, .refuse(GestureFailure(.wrongTaps, value: value, limit: limit)))
        }
    }

    /// Restarts measurements at the current positions after contacts have joined or left, so that movement continues
    /// without a jump.
    /// - Parameters:
    ///   - order: the gestures to update, in this order.
    ///   - isFinger: `false` if a contact has left that turned out not to be a finger.
    func regroup(_ order: [Candidate], isFinger: Bool = true) {
        contacts.rebase(isFinger: isFinger)
        tell(order, .regrouped)
    }

    // MARK: Movement

    /// Passes a movement to the competing gestures that it concerns, in the order in which they are recognized.
    func tellCompetitors() {
        // Iterates by index, because retaining the array would cost more than the loop.
        for place in rules.followers.indices where !rules.followers[place].isDormant {
            tell(rules.followers[place], .moved)
        }
    }

    /// Passes a movement to the other gestures, if it can affect them.
    func tellBystanders() {
        // In most frames, no contact crosses an edge or moves beyond `stillLimit`.
        guard contacts.changes.contains(.crossed) || contacts.squaredExcursion > stillLimit else { return }
        contacts.changes.remove(.crossed)
        tell(rules.bystanders, .moved)
        settle()
    }

    /// Samples the positions for spans and turns.
    func trackMotion() {
        if contacts.keepsHistory, contacts.group.count > 2 || contacts.changes.contains(.leapt) {
            trackMovers()
        } else {
            contacts.trackMotion()
        }
    }

    /// Samples the positions when pinches and rotations may have to measure different contacts. This is the case with
    /// three or more contacts, and after a jump, which restarts the measurement.
    private func trackMovers() {
        let before = contacts.measured
        contacts.trackMotion()
        var old = contacts.measured
        var mark = contacts.chooseMovers()
        if contacts.changes.contains(.leapt) {
            contacts.changes.remove(.leapt)
            contacts.restart()
            old = before
            mark = MotionMark(time: contacts.now, motion: contacts.measured)
        }
        guard let mark else { return }
        for candidate in rules.competitors where !candidate.isDormant {
            candidate.recognizer.remeasure(after: old, since: mark)
        }
    }

    /// Passes deadlines to the gestures that are due, in the order of the configuration.
    func fire() {
        if let counter = rules.counter { tell(counter, .deadline(mayCome: true)) }
        for candidate in candidates where !candidate.isCounter {
            guard let deadline = candidate.recognizer.deadline, deadline <= contacts.now else { continue }
            tell(candidate, .deadline(mayCome: !waits(candidate)))
        }
        settle()
    }

    // MARK: Lift

    /// The first step of a lift. Gestures that can no longer be recognized fail, so that gestures waiting for them may
    /// still begin.
    func prepareLift(_ lift: ContactLift) {
        for candidate in candidates where candidate.isDormant && isHopeless(candidate, after: lift) {
            reject(candidate, GestureFailure(.notAfter))
        }
        for candidate in rules.lineOrder where !candidate.isDormant && isHopeless(candidate, after: lift) {
            candidate.knowsLift = true
            tell(candidate, .lifts(lift))
        }
        announceAll()
    }

    /// Whether a gesture can no longer be recognized after the lift.
    func isHopeless(_ candidate: Candidate, after lift: ContactLift) -> Bool {
        candidate.isDormant
            ? lift.leavesNone && !mayWake(candidate, after: lift)
            : candidate.recognizer.isHopeless(after: lift)
    }

    /// Whether a dormant gesture may still wake. A press woken by the last lift begins and ends with it; other gestures
    /// cannot wake then. If contacts owned by other regions stay down, a gesture that is never retried waits for the
    /// next landing.
    private func mayWake(_ candidate: Candidate, after lift: ContactLift) -> Bool {
        lift.isLast ? candidate.traits.liftStage == .last : candidate.traits.retry == .never
    }

    /// The second step of a lift, after gestures may have begun: the contact completes its gestures and leaves the
    /// group.
    func finishLift(_ lift: ContactLift) {
        if lift.isFree {
            // Gestures that a completed gesture excludes are closed before any gesture emits an event.
            for candidate in rules.takers where permits(candidate) && candidate.recognizer.wants(.lift(lift.id)) {
                closeOthers(of: candidate)
            }
        }
        for stage in GestureTraits.LiftStage.allCases {
            // A gesture that waited for a failure may begin here and ends with the lift.
            if stage == .held || stage == .last { announceAll() }
            // Searched again each time, because a gesture may wake another one.
            while let candidate = nextLiftee(stage) {
                candidate.knowsLift = true
                tell(candidate, .lifts(lift))
            }
            if stage == .unbegun, lift.isLast {
                for candidate in candidates where candidate.isDormant { reject(candidate, GestureFailure(.notAfter)) }
            }
        }
        contacts.noteLift(at: lift.position)
        for candidate in candidates { candidate.knowsLift = false }
        remove(lift.id)
    }

    /// The next gesture of a stage, or of an earlier one if it has just been woken, that has not handled the lift.
    private func nextLiftee(_ stage: GestureTraits.LiftStage) -> Candidate? {
        for candidate in rules.lineOrder where !candidate.knowsLift && !candidate.isDormant {
            if liftStage(candidate).rawValue <= stage.rawValue { return candidate }
        }
        return nil
    }

    private func liftStage(_ candidate: Candidate) -> GestureTraits.LiftStage {
        let isUnbegun = candidate.traits.isContinuous && candidate.recognizer.progress == .waiting
        return candidate.traits.liftStage == .first && isUnbegun ? .unbegun : candidate.traits.liftStage
    }

    /// Removes a contact. The last one ends the sequence.
    func remove(_ id: ContactID, isFinger: Bool = true) {
        guard let member = contacts.group.index(of: id) else { return }
        guard contacts.group.members.count > 1 else { return endSequence() }
        let wasFree = !contacts.group.members[member].isClaimed
        contacts.remove(member, isFinger: isFinger)
        // The remaining contacts may all be outside, so gestures are informed even if no contact has crossed the edge.
        contacts.changes.remove(.crossed)
        if wasFree { regroup(rules.lineOrder, isFinger: isFinger) } else { tell(rules.bystanders, .moved) }
        settle()
    }
}
