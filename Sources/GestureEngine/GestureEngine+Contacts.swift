// SPDX-License-Identifier: MIT

/// What contacts do, passed on to the regions on their route.
extension GestureEngine {
    mutating func apply(_ change: ContactChange) {
        context.contact = change.id
        defer { context.contact = nil }
        switch change.kind {
        case .landed: landed(change)
        case .moved, .resynchronized: moved(change)
        case .lifted: lifted(change)
        case .cancelled(let reason): cancelled(change.id, reason)
        }
    }

    /// All positions of a frame are taken over before any of them is evaluated.
    mutating func applyPosition(_ change: ContactChange) {
        guard change.kind != .landed, let contact = contacts.index(of: change.id) else { return }
        if knowsRest { contacts.track(contact, at: change.position, context.now) }
        // By place, because a route that is held costs more than what is done here.
        for place in contacts.routes[contact].indices {
            engines[contacts.routes[contact][place]].contacts.move(change.id, to: change.position, change.kind)
        }
    }

    private mutating func landed(_ change: ContactChange) {
        guard contacts.index(of: change.id) == nil else { return }
        let owner = map.route(change.position, regions, into: &contacts.scratch)
        let touches = context.claims == nil ? .share : touchesOfLanding
        chooseUnits(for: change.id, at: change.position)
        if knowsRest { layToRest(besides: change.id, in: contacts.scratch) }
        let isClaimed = joinsClaim()
        let contact = contacts.add(change.id, at: change.position, context.now, owner: owner, touches)
        if isClaimed { contacts.claim(contact) }
        for (place, region) in contacts.routes[contact].enumerated() {
            tellLanding(of: change, to: region, at: place)
        }
        beginAtLanding(contact)
        if context.claims != nil { for unit in contacts.routes[contact] { engines[unit].noteJoined(change.id) } }
    }

    /// Drags without a start distance begin where they land: the innermost, once all regions know of the contact.
    mutating func beginAtLanding(_ contact: Int) {
        for region in contacts.routes[contact] { beginAccepted(region) }
    }

    /// Tells a region of a contact that has landed.
    /// - Parameter place: of the region on the contact's route; those before it are nearer.
    mutating func tellLanding(of change: ContactChange, to region: Int, at place: Int) {
        makeEngineIfNeeded(region)
        evaluateIfNeeded(region)
        let base = units.base[region]
        let shadowed =
            regions[base].pass ? [] : Shadows.shadowed(base, by: contacts.scratch[..<place], units.base, regions)
        var sequence = SequenceID(0)
        if engines[region].contacts.sequence == nil {
            activate(region)
            sequence = SequenceID(context.identifiers.sequences.take(isPrivate: regions[base].isPrivate))
        }
        engines[region].landed(change.id, at: change.position, newSequence: sequence, shadowed: shadowed)
    }

    private mutating func moved(_ change: ContactChange) {
        guard let contact = contacts.index(of: change.id) else { return }
        if let owner = contacts.entries[contact].owner, regions[owner].capture == .follow {
            follow(change, contact, from: owner)
        }
        if knowsRest {
            layToRest(besides: change.id, in: contacts.routes[contact])
            comeBack(change, contact)
        }
        for place in contacts.routes[contact].indices { evaluateIfNeeded(contacts.routes[contact][place]) }
    }

    private mutating func lifted(_ change: ContactChange) {
        guard let contact = contacts.index(of: change.id) else { return }
        let route = contacts.routes[contact]
        // Swipes claim before any region is told of the lift, so that a button under a swiped list is cancelled
        // and does not end. From the inside out: a swipe of a child comes before a drag of its list.
        for region in route {
            evaluateIfNeeded(region)
            guard let swipe = engines[region].accepting(liftOf: change.id) else { continue }
            claim(region, for: swipe)
        }
        for region in route {
            guard let lift = engines[region].contacts.lift(of: change.id, at: change.position) else { continue }
            engines[region].prepareLift(lift)
            if lift.isLastFree, engines[region].rules.hasUnless { beginAccepted(region) }
            engines[region].finishLift(lift)
        }
        contacts.remove(contact)
    }

    private mutating func cancelled(_ id: ContactID, _ reason: CancelReason) {
        guard let contact = contacts.index(of: id) else { return }
        for region in contacts.routes[contact] { engines[region].cancelled(id, reason) }
        contacts.remove(contact)
    }

    /// Hands a contact over that has crossed from a region into another (`capture = "follow"`).
    ///
    /// Not to an ancestor: the space between the keys of a keyboard is no other key. Not across the border of a private
    /// region. And not while a drag, pinch or rotation has it.
    private mutating func follow(_ change: ContactChange, _ contact: Int, from owner: Int) {
        guard !contacts.entries[contact].isClaimed,
            let next = map.route(change.position, regions, into: &contacts.scratch),
            next != owner, !regions.isAncestor(next, of: owner), regions.island(of: next) == regions.island(of: owner)
        else { return }
        // For regions that pass nothing changes, whether they have seen it land or not.
        chooseUnits(for: change.id, at: change.position)
        contacts.scratch.removeAll { units.regions[$0].pass }
        let route = contacts.routes[contact]
        for region in route where units.regions[region].pass { contacts.scratch.append(region) }
        // A region around both may claim it with this very movement.
        for region in route where contacts.scratch.contains(region) { evaluateIfNeeded(region) }
        guard !contacts.entries[contact].isClaimed else { return }
        for region in route where !contacts.scratch.contains(region) { engines[region].cancelled(change.id, .handover) }
        contacts.reroute(contact, owner: next)
        for place in contacts.scratch.indices {
            let region = contacts.scratch[place]
            guard engines[region].contacts.group.index(of: change.id) == nil else { continue }
            tellLanding(of: change, to: region, at: place)
        }
        beginAtLanding(contact)
    }

    private mutating func activate(_ region: Int) {
        guard !active.contains(region) else { return }
        let base = units.base
        // In the order of the configuration, in which equal deadlines fire.
        active.insert(region, at: active.firstIndex { (base[$0], $0) > (base[region], region) } ?? active.count)
    }
}
