// SPDX-License-Identifier: MIT

/// What contacts do, step by step.
extension RegionUnit {
    // MARK: The sequence

    /// A contact lands on an empty region.
    private func beginSequence(_ id: SequenceID) {
        contacts.state = .open(id)
        for gesture in candidates.indices {
            let rules = rules.gestures[gesture]
            candidates[gesture].state =
                !rules.traits.hasRecognizer ? .rejected : rules.after.isEmpty ? .possible : .dormant
            candidates[gesture].wasHeldBack = false
        }
    }

    /// A contact lands while all others are other regions': a try of its own, though the sequence goes on.
    /// - Returns: `false`: the sequence was cancelled from outside, and nothing is tried again.
    private func beginTry() -> Bool {
        guard case .open = contacts.state else { return false }
        if let gesture = rules.counter { tell(gesture, .reset) }
        let retried = rules.lineOrder.filter { $0 != rules.counter && mayRetry($0) }
        for gesture in retried {
            // What is tried again itself has not been recognized in this try.
            let isAwake = rules.gestures[gesture].after.allSatisfy {
                candidates[$0].state == .accepted && !retried.contains($0)
            }
            tell(gesture, .reset)
            candidates[gesture].wasHeldBack = false
            decide(gesture, isAwake ? .possible : .dormant)
        }
        return true
    }

    private func mayRetry(_ gesture: Int) -> Bool {
        switch rules.gestures[gesture].traits.retry {
        case .never: false
        case .whenOver:
            candidates[gesture].state == .rejected || candidates[gesture].state == .accepted && !isActive(gesture)
        case .always: true
        }
    }

    /// The last contact is gone.
    private func endSequence() {
        tellMissingTaps()
        for recognizer in recognizers { _ = recognizer.handle(.reset) }
        contacts.reset()
        context.hasEndedSequence = true
        settle()
    }

    /// Ends everything under way, in the order of lines; nothing more is recognized in this sequence.
    func cancelAll(_ reason: CancelReason) {
        if case .open(let id) = contacts.state { contacts.state = .closed(id) }
        for gesture in rules.lineOrder { close(gesture, reason) }
        settle()
    }

    // MARK: Landing

    /// A contact has landed.
    /// - Parameters:
    ///   - new: the id of the sequence, if this contact begins one.
    ///   - shadowed: gestures that a region nearer to the contact has as well.
    func landed(_ id: ContactID, at position: Point, newSequence new: SequenceID, shadowed: [Int]) {
        let isFirst = contacts.sequence == nil
        var isTry = isFirst
        if isFirst {
            beginSequence(new)
        } else if contacts.group.count == 0 {
            isTry = beginTry()
        }
        contacts.changeGroup { $0.add(id, at: position) }
        if let gesture = rules.counter { tell(gesture, .landed(id)) }
        if isTry { refuse(shadowed, isFirst: isFirst) }
        for gesture in rules.landingOrder where gesture != rules.counter && !isDormant(gesture) {
            closeDeferred(gesture, .multiTouch)
            let isShadowed =
                rules.gestures[gesture].traits.shadowing == .everyContact && shadowed.contains(gesture)
            tell(gesture, isShadowed ? .refuse(GestureFailure(.shadowed)) : .landed(id))
        }
        contacts.changes.remove(.crossed)
        regroup(rules.lineOrder)
        settle()
    }

    /// Nothing comes of this try of gestures that a nearer region has as well, or that come after another number of taps.
    private func refuse(_ shadowed: [Int], isFirst: Bool) {
        for gesture in shadowed where rules.gestures[gesture].traits.shadowing == .firstContact {
            if !isFirst, rules.gestures[gesture].traits.retry == .never { continue }
            tell(gesture, .refuse(GestureFailure(.shadowed)))
        }
        guard let counter else { return }
        for gesture in candidates.indices {
            let taps = rules.gestures[gesture].taps
            guard taps > 0, taps != counter.tapsBefore else { continue }
            let failure = GestureFailure(.wrongTaps, value: Double(counter.tapsBefore), limit: Double(taps))
            tell(gesture, .refuse(failure))
        }
    }

    /// Measures movement anew, so that it goes on without a jump: contacts that count have joined or left.
    /// - Parameter order: who is told.
    func regroup(_ order: [Int]) {
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
        if let gesture = rules.counter { tell(gesture, .deadline(mayCome: true)) }
        for gesture in recognizers.indices where gesture != rules.counter {
            guard let deadline = recognizers[gesture].deadline, deadline <= contacts.now else { continue }
            tell(gesture, .deadline(mayCome: !waits(gesture)))
        }
        settle()
    }

    // MARK: Lift

    /// First step of a lift: what this lift makes impossible fails, so that what waits for its failure may still come.
    func prepareLift(_ lift: ContactLift) {
        if lift.isLastFree || lift.isLast {
            for gesture in candidates.indices where isDormant(gesture) && !mayWake(gesture, after: lift) {
                reject(gesture, GestureFailure(.notAfter))
            }
        }
        for gesture in rules.lineOrder where !isDormant(gesture) && recognizers[gesture].isHopeless(after: lift) {
            candidates[gesture].knowsLift = true
            tell(gesture, .lifts(lift))
        }
        announceAll()
    }

    /// A press that is woken by the last lift begins and ends with it; of others nothing comes any more. If contacts of other
    /// regions stay down, a gesture that is not tried again waits for the next that lands.
    private func mayWake(_ gesture: Int, after lift: ContactLift) -> Bool {
        let traits = rules.gestures[gesture].traits
        return lift.isLast ? traits.liftStage == .last : traits.retry == .never
    }

    /// Second step of a lift, after gestures may have begun by the first: the contact ends what it is a part of, then it is gone.
    func finishLift(_ lift: ContactLift) {
        if lift.isFree {
            // What takes the sequence from others does so before any line of theirs.
            for gesture in rules.takers where permits(gesture) && recognizers[gesture].wants(.lift(lift.id)) {
                closeOthers(of: gesture)
            }
        }
        for stage in GestureTraits.LiftStage.allCases {
            // What waited for a failure may have begun, and then ends with the lift.
            if stage == .held || stage == .last { announceAll() }
            // A gesture that another one wakes here is told, too.
            while let gesture = nextLiftee(stage) {
                candidates[gesture].knowsLift = true
                tell(gesture, .lifts(lift))
            }
            if stage == .unbegun, lift.isLast {
                for gesture in candidates.indices where isDormant(gesture) {
                    reject(gesture, GestureFailure(.notAfter))
                }
            }
        }
        if lift.isFree { contacts.noteLift(at: lift.position) }
        for gesture in candidates.indices { candidates[gesture].knowsLift = false }
        remove(lift.id)
    }

    private func nextLiftee(_ stage: GestureTraits.LiftStage) -> Int? {
        for gesture in rules.lineOrder where !candidates[gesture].knowsLift && !isDormant(gesture) {
            if liftStage(gesture) == stage { return gesture }
        }
        return nil
    }

    private func liftStage(_ gesture: Int) -> GestureTraits.LiftStage {
        let traits = rules.gestures[gesture].traits
        let isUnbegun = traits.isContinuous && recognizers[gesture].progress == .waiting
        return traits.liftStage == .first && isUnbegun ? .unbegun : traits.liftStage
    }

    /// Forgets a contact; with the last one the sequence ends.
    func remove(_ id: ContactID) {
        guard let member = contacts.group.index(of: id) else { return }
        guard contacts.group.members.count > 1 else { return endSequence() }
        let wasFree = !contacts.group.members[member].isClaimed
        contacts.changeGroup { $0.remove(member) }
        // The contacts that are left may be outside.
        contacts.changes.remove(.crossed)
        if wasFree { regroup(rules.lineOrder) } else { tell(rules.bystanders, .moved) }
        settle()
    }

    // MARK: What this region would begin

    /// A drag, pinch or rotation is under way: contacts that land join it.
    var holdsClaim: Bool {
        for gesture in rules.competitors where recognizers[gesture].progress == .active { return true }
        return false
    }

    /// The gesture that would begin, or be recognized, where the contacts are now; of several the
    /// one that comes first.
    func accepting() -> Int? {
        // By place, because a list that is held costs more than what is done here.
        for place in rules.competitors.indices {
            let gesture = rules.competitors[place]
            guard recognizers[gesture].wants(.now) else { continue }
            if permits(gesture) { return gesture }
            if !isDormant(gesture) { candidates[gesture].wasHeldBack = true }
        }
        return nil
    }

    /// The gesture that competes and would be recognized if this contact lifted now.
    func accepting(liftOf id: ContactID) -> Int? {
        guard contacts.group.isFree(id) else { return nil }
        for gesture in rules.competitors where recognizers[gesture].wants(.lift(id)) && permits(gesture) {
            return gesture
        }
        return nil
    }

    /// Begins, or recognizes, what has won its contacts.
    func begin(_ gesture: Int) {
        tell(gesture, .begin(late: candidates[gesture].wasHeldBack))
        settle()
    }
}
