// SPDX-License-Identifier: MIT

/// What contacts do, step by step.
extension RegionUnit {
    // MARK: The sequence

    /// A contact lands on an empty region.
    private func beginSequence(_ id: SequenceID) {
        contacts.state = .open(id)
        for candidate in candidates {
            candidate.state =
                !candidate.traits.hasRecognizer ? .rejected : candidate.after.isEmpty ? .possible : .dormant
            candidate.wasHeldBack = false
        }
    }

    /// A contact lands while all others are other regions': a try of its own, though the sequence goes on.
    /// - Returns: `false`: the sequence was cancelled from outside, and nothing is tried again.
    private func beginTry() -> Bool {
        guard case .open = contacts.state else { return false }
        let retried = rules.lineOrder.filter { $0.isCounter || mayRetry($0) }
        for candidate in retried {
            // What is tried again itself has not been recognized in this try.
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

    private func mayRetry(_ candidate: Candidate) -> Bool {
        switch candidate.traits.retry {
        case .never: false
        case .whenOver: candidate.state == .rejected || candidate.state == .accepted && !candidate.isActive
        case .always: true
        }
    }

    /// The last contact is gone.
    private func endSequence() {
        tellMissingTaps()
        for candidate in candidates { _ = candidate.recognizer.handle(.reset) }
        contacts.reset()
        context.hasEndedSequence = true
        settle()
    }

    /// Ends everything under way, in the order of lines; nothing more is recognized in this sequence.
    func cancelAll(_ reason: CancelReason) {
        if case .open(let id) = contacts.state { contacts.state = .closed(id) }
        for candidate in rules.lineOrder { close(candidate, reason) }
        settle()
    }

    // MARK: Landing

    /// A contact has landed.
    /// - Parameters:
    ///   - new: the id of the sequence, if this contact begins one.
    ///   - shadowed: gestures that a region nearer to the contact has as well.
    func landed(_ id: ContactID, at position: Point, newSequence new: SequenceID, shadowed: [GestureIndex]) {
        let isFirst = contacts.sequence == nil
        var isTry = isFirst
        if isFirst {
            beginSequence(new)
        } else if contacts.group.count == 0 {
            isTry = beginTry()
        }
        contacts.group.add(id, at: position)
        if let counter = rules.counter { tell(counter, .landed(id)) }
        if isTry { refuse(shadowed, isFirst: isFirst) }
        for candidate in rules.landingOrder where !candidate.isDormant {
            closeDeferred(candidate, .multiTouch)
            let isShadowed = candidate.traits.shadowing == .everyContact && shadowed.contains(candidate.index)
            tell(candidate, isShadowed ? .refuse(GestureFailure(.shadowed)) : .landed(id))
        }
        contacts.changes.remove(.crossed)
        regroup(rules.lineOrder)
        settle()
    }

    /// Nothing comes of this try of gestures that a nearer region has as well, or that come after another number of taps.
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

    /// Measures movement anew, so that it goes on without a jump: contacts that count have joined or left.
    /// - Parameter order: who is told.
    private func regroup(_ order: [Candidate]) {
        contacts.rebase()
        tell(order, .regrouped)
        sampleVelocity()
    }

    // MARK: Movement

    /// Tells gestures that compete that contacts have moved, in the order in which they are recognized.
    func tellCompetitors() { tell(rules.competitors, .moved) }

    /// Tells the others, if that may matter to them.
    func tellBystanders() {
        // The common frame changes nothing here.
        guard contacts.changes.contains(.crossed) || contacts.squaredExcursion > stillLimit else { return }
        contacts.changes.remove(.crossed)
        tell(rules.bystanders, .moved)
        settle()
    }

    /// Notes where the contacts are, for velocities, spans and turns.
    func trackMotion() {
        contacts.changes.remove(.rested)
        contacts.trackMotion()
        sampleVelocity()
    }

    /// A report of a contact that lies still counts for its velocity: a pause is a time without reports.
    func trackRest() {
        contacts.changes.remove(.rested)
        sampleVelocity()
    }

    /// Only gestures that compete use the velocity of contacts.
    private func sampleVelocity() {
        if !rules.competitors.isEmpty { contacts.sampleVelocity() }
    }

    /// Tells gestures that are due, in the order of the configuration.
    func fire() {
        if let counter = rules.counter { tell(counter, .deadline(mayCome: true)) }
        for candidate in candidates where !candidate.isCounter {
            guard let deadline = candidate.recognizer.deadline, deadline <= contacts.now else { continue }
            tell(candidate, .deadline(mayCome: !waits(candidate)))
        }
        settle()
    }

    // MARK: Lift

    /// First step of a lift: what this lift makes impossible fails, so that what waits for its failure may still come.
    func prepareLift(_ lift: ContactLift) {
        if lift.isLastFree || lift.isLast {
            for candidate in candidates where candidate.isDormant && !mayWake(candidate, after: lift) {
                reject(candidate, GestureFailure(.notAfter))
            }
        }
        for candidate in rules.lineOrder where !candidate.isDormant && candidate.recognizer.isHopeless(after: lift) {
            candidate.knowsLift = true
            tell(candidate, .lifts(lift))
        }
        announceAll()
    }

    /// A press that is woken by the last lift begins and ends with it; of others nothing comes any more. If contacts of other
    /// regions stay down, a gesture that is not tried again waits for the next that lands.
    private func mayWake(_ candidate: Candidate, after lift: ContactLift) -> Bool {
        lift.isLast ? candidate.traits.liftStage == .last : candidate.traits.retry == .never
    }

    /// Second step of a lift, after gestures may have begun by the first: the contact ends what it is a part of, then it is gone.
    func finishLift(_ lift: ContactLift) {
        if lift.isFree {
            // What takes the sequence from others does so before any line of theirs.
            for candidate in rules.takers where permits(candidate) && candidate.recognizer.wants(.lift(lift.id)) {
                closeOthers(of: candidate)
            }
        }
        for stage in GestureTraits.LiftStage.allCases {
            // What waited for a failure may have begun, and then ends with the lift.
            if stage == .held || stage == .last { announceAll() }
            // A gesture that another one wakes here is told, too.
            while let candidate = nextLiftee(stage) {
                candidate.knowsLift = true
                tell(candidate, .lifts(lift))
            }
            if stage == .unbegun, lift.isLast {
                for candidate in candidates where candidate.isDormant { reject(candidate, GestureFailure(.notAfter)) }
            }
        }
        if lift.isFree { contacts.noteLift(at: lift.position) }
        for candidate in candidates { candidate.knowsLift = false }
        remove(lift.id)
    }

    private func nextLiftee(_ stage: GestureTraits.LiftStage) -> Candidate? {
        for candidate in rules.lineOrder where !candidate.knowsLift && !candidate.isDormant {
            if liftStage(candidate) == stage { return candidate }
        }
        return nil
    }

    private func liftStage(_ candidate: Candidate) -> GestureTraits.LiftStage {
        let isUnbegun = candidate.traits.isContinuous && candidate.recognizer.progress == .waiting
        return candidate.traits.liftStage == .first && isUnbegun ? .unbegun : candidate.traits.liftStage
    }

    /// Forgets a contact; with the last one the sequence ends.
    private func remove(_ id: ContactID) {
        guard let member = contacts.group.index(of: id) else { return }
        guard contacts.group.members.count > 1 else { return endSequence() }
        let wasFree = !contacts.group.members[member].isClaimed
        contacts.group.remove(member)
        // The contacts that are left may be outside.
        contacts.changes.remove(.crossed)
        if wasFree { regroup(rules.lineOrder) } else { tell(rules.bystanders, .moved) }
        settle()
    }

    // MARK: Contacts that are taken away

    /// A contact is gone without having lifted: what needs it is cancelled, what has others goes on.
    func cancelled(_ id: ContactID, _ reason: CancelReason) {
        guard let member = contacts.group.index(of: id) else { return }
        if let counter = rules.counter { close(counter, reason) }
        if contacts.group.members.count == 1 {
            cancelAll(reason)
        } else {
            if !contacts.group.members[member].isClaimed { cancelDeferred(reason) }
            tell(rules.lineOrder, .gone(id, .cancelled(reason)))
        }
        remove(id)
    }

    /// A gesture that fails with a contact makes nothing come that was deferred for it.
    private func cancelDeferred(_ reason: CancelReason) {
        for candidate in rules.lineOrder {
            let isWaiting = deferred.contains { $0.event.gesture == candidate.index }
            if isWaiting || candidate.state == .deferred { close(candidate, reason) }
        }
    }

    /// A gesture of a region above has claimed contacts of this one: everything lets go of them.
    func surrender(to winner: GestureReference) {
        guard contacts.sequence != nil else { return }
        for candidate in rules.lineOrder where !rules.isCompanion(candidate, of: winner) {
            close(candidate, .claimed, byGesture: true)
        }
        settle()
    }

    /// A gesture of a region below has claimed a contact. What competes goes on without it, and so
    /// does a contact that lands later; press and repeat last as long as the contact is down.
    func lose(_ id: ContactID, to winner: GestureReference) {
        guard let member = contacts.group.index(of: id), !contacts.group.members[member].isClaimed else { return }
        if rules.hasCompanion(of: winner) { return share(with: winner) }
        if contacts.changes.contains(.travelled) { trackMotion() }
        for candidate in rules.claimOrder where !candidate.isDormant {
            closeDeferred(candidate, .claimed)
            tell(candidate, .gone(id, .claimed))
        }
        contacts.group.claim(member)
        // Contacts that have only been claimed are inside or outside as before.
        regroup(rules.competitors)
        settle()
    }

    /// A deferred long press has not begun for clients: it would begin with other contacts.
    private func closeDeferred(_ candidate: Candidate, _ reason: CancelReason) {
        guard candidate.state == .deferred, candidate.traits.needsSameContacts else { return }
        close(candidate, reason, byGesture: true)
    }

    /// The winner does not cancel everything here: its companions go on with the contact.
    private func share(with winner: GestureReference) {
        for candidate in rules.lineOrder where !candidate.isDormant && !rules.isCompanion(candidate, of: winner) {
            closeDeferred(candidate, .claimed)
            let goesOn =
                switch candidate.traits.claimed {
                case .goesOn: true
                case .goesOnIfBegun: candidate.isActive
                case .ends: false
                }
            if !goesOn, !candidate.isCounter { close(candidate, .claimed, byGesture: true) }
        }
        settle()
    }
}
