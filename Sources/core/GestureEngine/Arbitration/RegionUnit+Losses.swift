// SPDX-License-Identifier: MIT

/// The steps of a region for contacts that are lost without a lift: cancelled, or claimed by another region.
extension RegionUnit {
    /// Handles contacts of one frame that have turned out not to be fingers. Gestures are judged when the last of them has
    /// left.
    func cancelled(_ ids: [ContactID], _ reason: CancelReason) {
        let lost = contacts.group.members.filter { ids.contains($0.id) }
        for (place, member) in lost.enumerated() {
            contacts.isThinning = place + 1 < lost.count
            cancelled(member.id, reason)
        }
    }

    /// Handles a contact that was lost without a lift. Gestures that need it are cancelled; gestures with other
    /// contacts go on.
    func cancelled(_ id: ContactID, _ reason: CancelReason) {
        guard contacts.group.index(of: id) != nil else { return }
        if contacts.group.members.count == 1 {
            cancelAll(reason)
        } else {
            followLast()
            if let counter = rules.counter, !reason.isNoFinger { close(counter, reason) }
            cancelDeferred(reason)
            tell(rules.lineOrder, .gone(id, .cancelled(reason)))
        }
        remove(id, isFinger: !reason.isNoFinger)
    }

    /// Handles the movement of a frame before a contact is removed, if a gesture follows the contacts. The movement of the
    /// others would be lost otherwise.
    private func followLast() {
        guard contacts.changes.contains(.travelled), holdsClaim else { return }
        contacts.changes.remove(.travelled)
        trackMotion()
        tellCompetitors()
    }

    /// Drops deferred events before the contact is removed, so that they are not emitted when other gestures fail with
    /// it. Events of recognized gestures are kept if the contact was not a finger, because they do not depend on it.
    private func cancelDeferred(_ reason: CancelReason) {
        for candidate in rules.lineOrder {
            let isWaiting = !reason.isNoFinger && deferred.contains { $0.event.gesture == candidate.index }
            if isWaiting || candidate.state == .deferred { close(candidate, reason) }
        }
    }

    /// Ends all gestures except companions, because a gesture of a region above has claimed contacts of this one.
    func surrender(to winner: GestureReference) {
        guard contacts.sequence != nil else { return }
        for candidate in rules.lineOrder where !rules.isCompanion(candidate, of: winner) {
            close(candidate, .claimed, byGesture: true)
        }
        settle()
    }

    /// Handles the claim of a contact by a gesture of a region below. Competing gestures go on without the contact,
    /// and contacts that land later can still take part. A press and a repeat last as long as the contact is down.
    func lose(_ id: ContactID, to winner: GestureReference) {
        guard let member = contacts.group.index(of: id), !contacts.group.members[member].isClaimed else { return }
        if rules.hasCompanion(of: winner) { return keepCompanions(of: winner) }
        if contacts.changes.contains(.travelled) { trackMotion() }
        for candidate in rules.claimOrder where !candidate.isDormant {
            closeDeferred(candidate, .claimed)
            tell(candidate, .gone(id, .claimed))
        }
        contacts.claim(member)
        // A claim moves no contact across the edge, so only competing gestures are informed.
        regroup(rules.competitors)
        settle()
    }

    /// Ends a deferred long press, because it would begin with contacts other than those it measured.
    func closeDeferred(_ candidate: Candidate, _ reason: CancelReason) {
        guard candidate.state == .deferred, candidate.traits.needsSameContacts else { return }
        close(candidate, reason, byGesture: true)
    }

    /// Keeps a contact for companions of the winner. Other gestures end unless their kind survives a claim.
    private func keepCompanions(of winner: GestureReference) {
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
