// SPDX-License-Identifier: MIT

/// What contacts do.
extension RegionEngine {
    /// A contact has landed.
    /// - Parameters:
    ///   - new: the id of the sequence, if this contact begins one.
    ///   - shadowed: gestures that a region nearer to the contact has as well.
    func landed(_ id: ContactID, at position: Point, newSequence new: SequenceID, shadowed: [Int]) {
        if contacts.sequence == nil {
            beginSequence(new)
        } else if contacts.group.count == 0 {
            // Since the last contact was claimed, a gesture may have been cancelled.
            renew()
        }
        notifyCompetitors(.contactsWillChange)
        contacts.changeGroup { $0.add(id, at: position) }
        contactsDidChange()
        _ = tapCounter?.handle(.contactLanded(id, isShadowed: false))
        let isFirst = contacts.group.members.count == 1
        if isFirst {
            for gesture in shadowed { send(.refused(GestureFailure(.shadowed)), to: gesture) }
            refuseWithoutTaps()
        } else if contacts.group.count == 1 {
            reopen(without: shadowed)
        }
        for gesture in rules.landingOrder where !isDormant(gesture) {
            if isDeferred(gesture) { send(.interrupted(.multiTouch), to: gesture) }
            send(.contactLanded(id, isShadowed: shadowed.contains(gesture)), to: gesture)
        }
        if !isFirst { insideChanged() }
        settle()
    }

    /// Takes over where a contact is now. To be evaluated once the frame's other positions are taken over.
    func move(_ id: ContactID, to position: Point, _ kind: ContactChange.Kind) {
        guard let (place, member, hasMoved) = contacts.changeGroup({ $0.move(id, to: position) }) else { return }
        let isResynchronized = kind == .resynchronized
        guard hasMoved || isResynchronized else {
            if kind == .moved { changes.insert(.rested) }
            return
        }
        contacts.squaredExcursion = max(contacts.squaredExcursion, member.squaredExcursion)
        if watchesInside { updateInside(place, position) }
        changes.insert(.moved)
        // A contact that another region has claimed moves nothing here.
        guard !member.isClaimed else { return }
        changes.insert(.travelled)
        if isResynchronized { contacts.resynchronize() }
    }

    /// Tells gestures that do not compete with other regions that contacts have moved.
    func evaluate() {
        // The common frame changes nothing here.
        guard changes.contains(.crossed) || contacts.squaredExcursion > restLimit else { return }
        dispatch(.contactsMoved, in: rules.lineOrder)
        if changes.contains(.crossed) { insideChanged() }
        settle()
    }

    /// A contact lifts.
    func lifted(_ id: ContactID, at position: Point) {
        guard let member = contacts.group.index(of: id) else { return }
        let isLast = contacts.group.members.count == 1
        let isClaimed = contacts.group.members[member].isClaimed
        if !isClaimed {
            // What takes the sequence from others does so before any line of theirs.
            for gesture in rules.takers where permits(gesture) && recognizers[gesture].accepts(liftOf: id) {
                cancelOthers(of: gesture)
            }
            dispatch(.contactWillLift(id, at: position), in: rules.lineOrder)
            contacts.noteLift(at: position)
        }
        if isLast {
            for gesture in recognizers.indices where isDormant(gesture) { reject(gesture, GestureFailure(.notAfter)) }
            dispatch(.lastContactWillLift, in: rules.lineOrder)
        }
        // Long presses that rest fail first: one that is held may wait for their failure.
        if !isClaimed { dispatch(.restEnds(id), in: rules.configuredOrder) }
        if isLast { dispatch(.restLacksContacts, in: rules.configuredOrder) }
        if rules.hasUnless { settle() }
        dispatch(.contactLifted(id), in: rules.lineOrder)
        if isLast {
            dispatch(.spanEnds, in: rules.configuredOrder)
            dispatch(.tapEnds, in: rules.configuredOrder)
            settle()
            dispatch(.released, in: rules.lineOrder)
        }
        remove(member)
    }

    /// The last contact is about to lift: what can no longer be recognized fails before that, so that
    /// what waits for its failure may still come.
    func failHopeless(_ id: ContactID) {
        dispatch(.spanEnds, in: rules.configuredOrder)
        dispatch(.restEnds(id), in: rules.configuredOrder)
        for gesture in recognizers.indices { send(.restLacksContacts, to: gesture) }
        dispatch(.tapLacksContacts, in: rules.configuredOrder)
        settle()
    }

    /// The last contact that is not another region's.
    func isLastFree(_ id: ContactID) -> Bool { contacts.group.count == 1 && contacts.group.isFree(id) }

    /// A contact is gone without having lifted: what needs it is cancelled, what has others goes on.
    func cancelled(_ id: ContactID, _ reason: CancelReason) {
        guard let member = contacts.group.index(of: id) else { return }
        let isClaimed = contacts.group.members[member].isClaimed
        cancelTaps(reason)
        if contacts.group.members.count == 1 {
            cancelAll(reason)
        } else {
            for gesture in rules.lineOrder where needs(id, isClaimed: isClaimed, gesture) { cancel(gesture, reason) }
        }
        // What fails with this contact makes nothing begin that was deferred for it.
        if !isClaimed {
            for gesture in recognizers.indices where isDeferred(gesture) { cancel(gesture, reason) }
        }
        dispatch(.contactCancelled(id, reason), in: rules.lineOrder)
        remove(member)
    }

    /// Whether a gesture cannot go on when one of several contacts is taken away.
    private func needs(_ id: ContactID, isClaimed: Bool, _ gesture: Int) -> Bool {
        let recognizer = recognizers[gesture]
        guard recognizer.needs(id) else { return false }
        // A long press that has begun keeps contacts which another region has claimed since.
        return !isClaimed || (recognizer.isActive && recognizer.outlastsClaims)
    }

    /// Forgets a contact; with the last one the sequence ends.
    private func remove(_ member: Int) {
        if contacts.group.members.count > 1 {
            let wasCounted = !contacts.group.members[member].isClaimed
            if wasCounted { notifyCompetitors(.contactsWillChange) }
            contacts.changeGroup { $0.remove(member) }
            if wasCounted { contactsDidChange() }
            if contacts.group.count == 0 { renew() }
            // The contacts that are left may be outside.
            insideChanged()
        } else {
            endSequence()
        }
        settle()
    }

    /// Measures movement anew, so that it goes on without a jump.
    func contactsDidChange() {
        contacts.rebase()
        notifyCompetitors(.contactsDidChange)
        sampleVelocity()
    }

    private func insideChanged() {
        changes.remove(.crossed)
        dispatch(.insideChanged, in: rules.insideOrder)
    }

    /// Left at `leaveDistance` outside; returned when back inside the drawn shape.
    private func updateInside(_ member: Int, _ position: Point) {
        let wasOutside = contacts.group.members[member].isOutside
        let isInside = shape.contains(position)
        let isOutside = !isInside && (wasOutside || !leaveDistance.exceeds(shape.distance(to: position)))
        guard isOutside != wasOutside else { return }
        contacts.changeGroup { $0.setOutside(member, isOutside) }
        changes.insert(.crossed)
    }
}
