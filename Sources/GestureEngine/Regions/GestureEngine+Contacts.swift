// SPDX-License-Identifier: MIT

/// What contacts do, told to the regions on their way.
extension GestureEngine {
    mutating func apply(
        _ change: ContactChange, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        switch change.kind {
        case .landed: landed(change, at: time, into: &events)
        case .moved, .resynchronized: moved(change, at: time, into: &events)
        case .lifted: lifted(change, at: time, into: &events)
        case .cancelled(let reason): cancelled(change.id, reason, at: time, into: &events)
        }
    }

    /// All positions of a frame are taken over before anybody looks at them.
    mutating func applyPosition(_ change: ContactChange, at time: Timestamp) {
        guard change.kind != .landed, let contact = contacts.index(of: change.id) else { return }
        for i in contacts.route(contact) {
            engines[contacts.region(i)].move(change.id, to: change.position, change.kind, at: time)
        }
    }

    private mutating func landed(
        _ change: ContactChange, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard contacts.index(of: change.id) == nil else { return }
        let owner = map.route(change.position, regions, into: &contacts.scratch)
        let isClaimed = joinsClaim()
        let contact = contacts.add(change.id, owner: owner)
        if isClaimed { contacts.claim(contact) }
        for i in contacts.route(contact) {
            tellLanding(of: change, to: contacts.region(i), at: i - contacts.route(contact).lowerBound, time, &events)
        }
        beginAtLanding(contact, at: time, into: &events)
    }

    /// Drags without a start distance begin where they land: the innermost, once all have been told.
    private mutating func beginAtLanding(_ contact: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        for i in contacts.route(contact) { beginAccepted(contacts.region(i), at: time, into: &events) }
    }

    /// Tells a region of a contact.
    /// - Parameter place: of the region on the contact's route; those before it are nearer.
    private mutating func tellLanding(
        of change: ContactChange, to region: Int, at place: Int, _ time: Timestamp, _ events: inout [GestureEvent]
    ) {
        evaluateIfNeeded(region, at: time, into: &events)
        let shadowed = regions[region].pass ? [] : shadows.shadowed(region, by: contacts.scratch[..<place])
        if engines[region].sequence == nil {
            activate(region)
            nextSequence += 1
        }
        engines[region].landed(
            change.id, at: change.position, time: time, newSequence: SequenceID(nextSequence - 1),
            shadowed: shadowed, into: &events)
    }

    private mutating func moved(
        _ change: ContactChange, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let contact = contacts.index(of: change.id) else { return }
        if let owner = contacts.owner(contact), regions[owner].capture == .follow {
            follow(change, contact, from: owner, at: time, into: &events)
        }
        for i in contacts.route(contact) {
            evaluateIfNeeded(contacts.region(i), at: time, into: &events)
        }
    }

    private mutating func lifted(
        _ change: ContactChange, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let contact = contacts.index(of: change.id) else { return }
        let route = contacts.route(contact)
        // Before anybody is told of the lift: a button under a swiped list lets go, and does not end. From
        // the inside out: a swipe of a child comes before a drag of its list.
        for i in route {
            let region = contacts.region(i)
            evaluateIfNeeded(region, at: time, into: &events)
            guard let swipe = engines[region].acceptingLift(of: change.id, at: time) else { continue }
            claim(region, for: swipe, at: time, into: &events)
        }
        for i in route {
            let region = contacts.region(i)
            if engines[region].rules.hasUnless, engines[region].isLastFree(change.id) {
                engines[region].failHopeless(change.id, at: time, into: &events)
                beginAccepted(region, at: time, into: &events)
            }
            engines[region].lifted(change.id, at: change.position, time: time, into: &events)
        }
        contacts.remove(contact)
        hasEnded = true
    }

    private mutating func cancelled(
        _ id: ContactID, _ reason: CancelReason, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let contact = contacts.index(of: id) else { return }
        for i in contacts.route(contact) {
            engines[contacts.region(i)].cancelled(id, reason, at: time, into: &events)
        }
        contacts.remove(contact)
        hasEnded = true
    }

    /// Hands a contact over that has crossed from a region into another (`capture = "follow"`).
    ///
    /// Not to an ancestor: what lies between the keys of a keyboard is no other key. And not while a
    /// drag, pinch or rotation has it.
    private mutating func follow(
        _ change: ContactChange, _ contact: Int, from owner: Int, at time: Timestamp,
        into events: inout [GestureEvent]
    ) {
        guard !contacts.isClaimed(contact),
            let next = map.route(change.position, regions, into: &contacts.scratch),
            next != owner, !isAncestor(next, of: owner)
        else { return }
        // Regions that pass have seen it land, or have not: nothing changes for them.
        contacts.scratch.removeAll { regions[$0].pass }
        for i in contacts.route(contact) where regions[contacts.region(i)].pass {
            contacts.scratch.append(contacts.region(i))
        }
        // What lies around both may take it with this very movement.
        for i in contacts.route(contact) where contacts.scratch.contains(contacts.region(i)) {
            evaluateIfNeeded(contacts.region(i), at: time, into: &events)
        }
        guard !contacts.isClaimed(contact) else { return }
        for i in contacts.route(contact) where !contacts.scratch.contains(contacts.region(i)) {
            engines[contacts.region(i)].cancelled(change.id, .handover, at: time, into: &events)
        }
        contacts.reroute(contact, owner: next)
        for place in contacts.scratch.indices {
            let region = contacts.scratch[place]
            guard engines[region].group.index(of: change.id) == nil else { continue }
            tellLanding(of: change, to: region, at: place, time, &events)
        }
        beginAtLanding(contact, at: time, into: &events)
        hasEnded = true
    }

    private mutating func activate(_ region: Int) {
        guard !active.contains(region) else { return }
        // In the order of the configuration, in which equal deadlines fire.
        active.insert(region, at: active.firstIndex { $0 > region } ?? active.count)
    }
}
