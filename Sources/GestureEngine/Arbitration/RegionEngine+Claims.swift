// SPDX-License-Identifier: MIT

/// A region's part in the competition for contacts: what it would begin, and what a claim of another region
/// takes from it.
extension RegionEngine {
    /// A drag, pinch or rotation is under way: contacts that land join it.
    var holdsClaim: Bool {
        for gesture in rules.competitors where recognizers[gesture].isActive { return true }
        return false
    }

    // MARK: Movement

    /// Notes where the contacts are, for velocities, spans and turns.
    func trackMotion() {
        changes.remove(.rested)
        contacts.trackMotion()
        sampleVelocity()
    }

    /// A report of a contact that lies still counts for its velocity: a pause is a time without reports.
    func trackRest() {
        changes.remove(.rested)
        sampleVelocity()
    }

    /// Only gestures that compete use the velocity of contacts.
    func sampleVelocity() {
        if !rules.competitors.isEmpty { contacts.sampleVelocity() }
    }

    /// The gesture that would begin, or be recognized, where the contacts are now; of several the
    /// one that comes first.
    func accepting() -> Int? {
        // By place, because a list that is held costs more than what is done here.
        for place in rules.competitors.indices {
            let gesture = rules.competitors[place]
            guard recognizers[gesture].accepts else { continue }
            if permits(gesture) { return gesture }
            if !isDormant(gesture) { send(.blocked, to: gesture) }
        }
        return nil
    }

    /// The gesture that competes and would be recognized if this contact lifted now.
    func accepting(liftOf id: ContactID) -> Int? {
        guard contacts.group.isFree(id) else { return nil }
        for gesture in rules.competitors
        where recognizers[gesture].accepts(liftOf: id) && permits(gesture) {
            return gesture
        }
        return nil
    }

    /// Begins, or recognizes, what was accepted and has won its contacts.
    func begin(_ gesture: Int) {
        send(.begin, to: gesture)
        recognizers[gesture].firstFrame = context.frame
        settle()
    }

    // MARK: Claims of others

    /// A gesture of a region above has claimed contacts of this one: everything lets go of them.
    func surrender(to winner: Int, of region: Int) {
        guard contacts.sequence != nil else { return }
        cancelTaps(.claimed)
        for gesture in rules.lineOrder where !rules.isCompanion(gesture, of: winner, in: region) {
            cancel(gesture, .claimed, byGesture: true)
        }
        settle()
    }

    /// A gesture of a region below has claimed a contact. What competes goes on without it, and so
    /// does a contact that lands later; press and repeat last as long as the contact is down.
    func lose(_ id: ContactID, to winner: Int, of region: Int) {
        guard let member = contacts.group.index(of: id), !contacts.group.members[member].isClaimed else { return }
        if rules.hasCompanion(of: winner, in: region) {
            share(with: winner, of: region)
            return
        }
        if changes.contains(.travelled) { trackMotion() }
        notifyCompetitors(.contactsWillChange)
        contacts.changeGroup { $0.claim(member) }
        contactsDidChange()
        _ = tapCounter?.handle(.contactClaimed)
        for gesture in rules.claimOrder where !isDormant(gesture) {
            // A deferred long press has not begun for clients.
            if isDeferred(gesture) { send(.interrupted(.claimed), to: gesture) }
            send(.contactClaimed, to: gesture)
        }
        if contacts.group.count == 0 { loseAll() }
        settle()
    }

    /// No contact is left to what competes.
    private func loseAll() {
        for gesture in rules.lineOrder where recognizers[gesture].competes && isActive(gesture) {
            cancel(gesture, .claimed)
        }
        for gesture in rules.competitors where !isDormant(gesture) {
            reject(gesture, GestureFailure(.cancelled(.claimed)))
        }
        renew()
    }

    /// The winner does not cancel everything here: its companions go on with the contact.
    private func share(with winner: Int, of region: Int) {
        for gesture in rules.lineOrder where !rules.isCompanion(gesture, of: winner, in: region) {
            if isDeferred(gesture) { send(.interrupted(.claimed), to: gesture) }
            if !recognizers[gesture].outlastsClaims, !isDormant(gesture) {
                cancel(gesture, .claimed, byGesture: true)
            }
        }
        settle()
    }
}
