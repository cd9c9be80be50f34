// SPDX-License-Identifier: MIT

/// Excludes contacts that rest and are not fingers: water, a sleeve, a sticker (`rest_after`).
///
/// Contacts are checked when another contact lands or moves, so a single finger is never affected.
extension GestureEngine {
    /// Decides which contacts leave a region because of a frame's changes, and removes them from the region. Call this
    /// before any change is applied, so that no gesture begins with a contact that leaves, and the other contacts are
    /// measured from their previous positions.
    mutating func layToRest(_ changes: [ContactChange]) {
        for i in changes.indices where changes[i].kind != .landed {
            guard let contact = contacts.index(of: changes[i].id) else { continue }
            contacts.track(contact, at: changes[i].position, context)
        }
        // All leaving contacts are found before any is removed, because a contact that leaves in this frame may also
        // move in it.
        var leaving: [Leaving] = []
        for i in changes.indices { findResting(besides: changes[i], into: &leaving) }
        leave(leaving)
        context.contact = nil
    }

    private struct Leaving {
        let contact: ContactID
        let unit: UnitIndex
        /// The contact that landed or moved.
        let cause: ContactID
    }

    /// Finds the contacts that have to leave because this one lands or moves.
    private func findResting(besides change: ContactChange, into leaving: inout [Leaving]) {
        switch change.kind {
        case .landed:
            guard contacts.index(of: change.id) == nil else { return }
            let route = map.route(change.position, regions)
            for unit in units(on: route, for: change.id, at: change.position) {
                findResting(in: unit, besides: change.id, stir: .infinity, into: &leaving)
            }
        case .moved, .resynchronized:
            guard let contact = contacts.index(of: change.id) else { return }
            for unit in contacts.routes[contact] {
                guard let restAfter = units[unit].restAfter else { continue }
                let stir = contacts.stir(contact, restAfter, context)
                if engines[unit].contacts.group.index(of: change.id) != nil {
                    if stir > 0 { findResting(in: unit, besides: change.id, stir: stir, into: &leaving) }
                } else if stir == .infinity {
                    let next = self.unit(after: unit, comingBack: change.id, at: change.position)
                    findResting(in: next, besides: change.id, stir: stir, into: &leaving)
                }
            }
        case .lifted, .cancelled: break
        }
    }

    /// Finds the contacts that have rested in a region and have moved no farther than the contact that lands or moves
    /// there. A contact that another region has claimed is a finger and stays.
    private func findResting(in unit: UnitIndex, besides id: ContactID, stir: Double, into leaving: inout [Leaving]) {
        guard let restAfter = units[unit].restAfter, mayLeave(unit, besides: id, restAfter) else { return }
        for contact in contacts.indices where contacts.entries[contact].id != id {
            let other = contacts.entries[contact].id
            guard contacts.hasRested(contact, restAfter, context.now),
                !contacts.stir(contact, restAfter, context).exceeds(stir),
                engines[unit].contacts.group.isFree(other)
            else { continue }
            leaving.append(Leaving(contact: other, unit: unit, cause: id))
        }
    }

    /// Whether contacts may leave a region. Those of a drag, dial, pinch or rotation that is under way leave only if all of
    /// them rest, as a hand that leans does, and only for a contact that lands.
    private func mayLeave(_ unit: UnitIndex, besides id: ContactID, _ restAfter: Interval) -> Bool {
        guard engines[unit].holdsClaim else { return true }
        guard contacts.index(of: id) == nil else { return false }
        return contacts.indices.allSatisfy { contact in
            !engines[unit].contacts.group.isFree(contacts.entries[contact].id)
                || contacts.hasRested(contact, restAfter, context.now)
        }
    }

    /// Removes resting contacts from regions into which a contact is handed over.
    mutating func layToRest(besides id: ContactID, in route: [UnitIndex]) {
        var leaving: [Leaving] = []
        for unit in route { findResting(in: unit, besides: id, stir: .infinity, into: &leaving) }
        leave(leaving)
    }

    /// Removes resting contacts from regions. If a gesture of the region had claimed one, that gesture has ended, and the
    /// claim ends with the contact's part in it.
    private mutating func leave(_ all: [Leaving]) {
        for leaving in all {
            context.contact = leaving.cause
            engines[leaving.unit].cancelled(all.filter { $0.unit == leaving.unit }.map { $0.contact }, .rest)
            if let contact = contacts.index(of: leaving.contact) { contacts.release(contact, from: leaving.unit) }
        }
    }

    /// Whether a contact is missing in a region on its route, because it has rested there.
    private func hasLeft(_ contact: Int) -> Bool {
        for unit in contacts.routes[contact] where units[unit].restAfter != nil {
            if engines[unit].contacts.group.index(of: contacts.entries[contact].id) == nil { return true }
        }
        return false
    }

    /// Lands a contact again, at its current position, in the regions from which it was removed while it rested,
    /// because it has moved. Where a drag, dial, pinch or rotation is under way, it joins that gesture. If another region
    /// has claimed it, it comes back only to regions with `pass`, from which nothing is claimed.
    mutating func comeBack(_ change: ContactChange, _ contact: Int) {
        guard contacts.entries[contact].restsSince == context.now, hasLeft(contact) else { return }
        var joined = contacts.routes[contact].filter { units[$0].pass }
        if !contacts.entries[contact].isClaimed {
            let (route, claimant) = joining(contacts.routes[contact])
            if let claimant { contacts.claim(contact, for: claimant) }
            joined = route
        }
        for (place, unit) in contacts.routes[contact].enumerated() where units[unit].restAfter != nil {
            guard engines[unit].contacts.group.index(of: change.id) == nil, joined.contains(unit) else { continue }
            var route = contacts.routes[contact]
            route[place] = self.unit(after: unit, comingBack: change.id, at: change.position)
            contacts.reroute(contact, owner: contacts.entries[contact].owner, route)
            tellLanding(of: change, on: route, at: place)
            beginAccepted(route[place])
        }
    }
}
