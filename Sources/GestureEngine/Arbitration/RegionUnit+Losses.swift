// SPDX-License-Identifier: MIT

/// Steps in which a region loses contacts that have not lifted.
extension RegionUnit {
    // MARK: Contacts that are taken away

    /// A contact is gone without having lifted: what needs it is cancelled, what has others goes on.
    func cancelled(_ id: ContactID, _ reason: CancelReason) {
        guard let member = contacts.group.index(of: id) else { return }
        if let gesture = rules.counter { close(gesture, reason) }
        if contacts.group.members.count == 1 {
            cancelAll(reason)
        } else {
            if !contacts.group.members[member].isClaimed { cancelDeferred(reason) }
            tell(rules.lineOrder, .gone(id, .cancelled(reason)))
        }
        remove(id)
    }

    /// What fails with a contact makes nothing come that was deferred for it.
    private func cancelDeferred(_ reason: CancelReason) {
        for gesture in rules.lineOrder {
            let isWaiting = deferred.contains { $0.event.gesture == gesture }
            if isWaiting || candidates[gesture].state == .deferred { close(gesture, reason) }
        }
    }

    // MARK: Claims of other regions

    /// A gesture of a region above has claimed contacts of this one: everything lets go of them.
    func surrender(to winner: Int, of region: Int) {
        guard contacts.sequence != nil else { return }
        for gesture in rules.lineOrder where !rules.isCompanion(gesture, of: winner, in: region) {
            close(gesture, .claimed, byGesture: true)
        }
        settle()
    }

    /// A gesture of a region below has claimed a contact. What competes goes on without it, and so
    /// does a contact that lands later; press and repeat last as long as the contact is down.
    func lose(_ id: ContactID, to winner: Int, of region: Int) {
        guard let member = contacts.group.index(of: id), !contacts.group.members[member].isClaimed else { return }
        if rules.hasCompanion(of: winner, in: region) { return share(with: winner, of: region) }
        if contacts.changes.contains(.travelled) { trackMotion() }
        for gesture in rules.claimOrder where !isDormant(gesture) {
            closeDeferred(gesture, .claimed)
            tell(gesture, .gone(id, .claimed))
        }
        contacts.changeGroup { $0.claim(member) }
        // Contacts that have only been claimed are inside or outside as before.
        regroup(rules.competitors)
        settle()
    }

    /// A deferred long press has not begun for clients: it would begin with other contacts.
    func closeDeferred(_ gesture: Int, _ reason: CancelReason) {
        guard candidates[gesture].state == .deferred, rules.gestures[gesture].traits.needsSameContacts else { return }
        close(gesture, reason, byGesture: true)
    }

    /// The winner does not cancel everything here: its companions go on with the contact.
    private func share(with winner: Int, of region: Int) {
        for gesture in rules.lineOrder where !rules.isCompanion(gesture, of: winner, in: region) && !isDormant(gesture)
        {
            closeDeferred(gesture, .claimed)
            let goesOn =
                switch rules.gestures[gesture].traits.claimed {
                case .goesOn: true
                case .goesOnIfBegun: isActive(gesture)
                case .ends: false
                }
            if !goesOn, gesture != rules.counter { close(gesture, .claimed, byGesture: true) }
        }
        settle()
    }
}
