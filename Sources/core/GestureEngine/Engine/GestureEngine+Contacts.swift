// SPDX-License-Identifier: MIT

/// Passes the changes of contacts to the regions on their routes.
extension GestureEngine {
    mutating func apply(_ change: ContactChange, of frame: borrowing TouchFrame) {
        context.contact = change.id
        defer { context.contact = nil }
        switch change.kind {
        case .landed: landed(change)
        case .moved, .resynchronized: moved(change)
        case .lifted: lifted(change)
        case .cancelled(let reason): cancelled(change.id, reason, frame)
        }
    }

    /// Updates the position of a contact in its regions. All positions of a frame are updated before any change is
    /// handled.
    mutating func applyPosition(_ change: ContactChange) {
        guard change.kind != .landed, let contact = contacts.index(of: change.id) else { return }
        // Iterates by index, because retaining the route would cost more than the loop body.
        for place in contacts.routes[contact].indices {
            engines[contacts.routes[contact][place]].contacts.move(change.id, to: change.position, change.kind)
        }
    }

    private mutating func landed(_ change: ContactChange) {
        guard contacts.index(of: change.id) == nil else { return }
        let way = map.route(change.position, regions)
        let touches = context.claims == nil ? .share : touches(on: way)
        let units = units(on: way, for: change.id, at: change.position)
        let (route, claimant) = joining(units)
        let contact = contacts.add(change.id, at: change.position, context.now, owner: way.owner, route, touches)
        if let claimant { contacts.claim(contact, for: claimant) }
        for place in route.indices { tellLanding(of: change, on: route, at: place) }
        beginAtLanding(contact)
        if context.claims != nil { for unit in route { engines[unit].noteJoined(change.id) } }
    }

    /// Begins drags without a start distance, innermost region first. Call this after all regions have received the
    /// landing.
    mutating func beginAtLanding(_ contact: Int) {
        for unit in contacts.routes[contact] { beginAccepted(unit) }
    }

    /// Passes a landing to a region.
    /// - Parameter place: the index of its unit in `route`. Units before it are nearer to the contact.
    mutating func tellLanding(of change: ContactChange, on route: [UnitIndex], at place: Int) {
        let unit = route[place]
        makeEngineIfNeeded(unit)
        evaluateIfNeeded(unit)
        let region = units.region(of: unit)
        let nearer = regions[region].pass ? [] : route[..<place].map { units.region(of: $0) }
        let shadowed = Shadows.shadowed(region, by: nearer, regions)
        var sequence = SequenceID(0)
        if engines[unit].contacts.sequence == nil {
            if units[unit].traits.contains(.hasUnits) { forgetLifts(unit, before: change.position) }
            activate(unit)
            sequence = SequenceID(context.identifiers.sequences.take(isPrivate: regions[region].isPrivate))
        }
        engines[unit].landed(change.id, at: change.position, newSequence: sequence, shadowed: shadowed)
    }

    private mutating func moved(_ change: ContactChange) {
        guard let contact = contacts.index(of: change.id) else { return }
        if let owner = contacts.entries[contact].owner, regions[owner].capture == .follow {
            follow(change, contact, from: owner)
        }
        if knowsRest { comeBack(change, contact) }
        for place in contacts.routes[contact].indices { evaluateIfNeeded(contacts.routes[contact][place]) }
    }

    private mutating func lifted(_ change: ContactChange) {
        guard let contact = contacts.index(of: change.id) else { return }
        context.liftDelay = change.delay
        defer { context.liftDelay = .zero }
        let route = contacts.routes[contact]
        // Swipes claim their contacts before any region handles the lift, so that a press on a button in a swiped list
        // is cancelled instead of ending normally. The innermost region comes first: a child's swipe has precedence
        // over a drag of its list.
        for unit in route {
            evaluateIfNeeded(unit)
            guard let lift = engines[unit].contacts.lift(of: change.id, at: change.position),
                let swipe = engines[unit].accepting(lift)
            else { continue }
            claim(unit, for: swipe)
        }
        for unit in route {
            guard let lift = engines[unit].contacts.lift(of: change.id, at: change.position) else { continue }
            engines[unit].prepareLift(lift)
            if lift.isFree, engines[unit].rules.hasUnless { beginAccepted(unit) }
            engines[unit].finishLift(lift)
        }
        contacts.remove(contact)
    }

    /// Takes a contact away. With one that was no finger, all others of the frame leave its regions.
    private mutating func cancelled(_ id: ContactID, _ reason: CancelReason, _ frame: borrowing TouchFrame) {
        guard let contact = contacts.index(of: id) else { return }
        let route = contacts.routes[contact]
        let lost = reason.isNoFinger ? frame.changes.filter { $0.kind == .cancelled(reason) }.map { $0.id } : [id]
        for unit in route { engines[unit].cancelled(lost, reason) }
        contacts.remove(contact)
        if reason.isNoFinger { freed += route.filter { !freed.contains($0) } }
    }

    /// Begins the gestures that only contacts that were no fingers have kept back, once all of them have gone.
    mutating func beginFreed() {
        for unit in freed { beginAccepted(unit) }
        freed.removeAll(keepingCapacity: true)
    }

    /// Hands over a contact that crossed from its region into another one (`capture = "follow"`).
    ///
    /// A contact is not handed over to an ancestor (the gap between the keys of a keyboard is not another key), across
    /// the border of a private region, or while a drag, dial, pinch or rotation has claimed it.
    private mutating func follow(_ change: ContactChange, _ contact: Int, from owner: RegionIndex) {
        guard !contacts.entries[contact].isClaimed else { return }
        let way = map.route(change.position, regions)
        guard let next = way.owner, next != owner, !regions.isAncestor(next, of: owner),
            regions.island(of: next) == regions.island(of: owner)
        else { return }
        let before = contacts.routes[contact]
        // Regions with `pass` are left as they are: they keep the contact if they received its landing, and do not
        // receive it otherwise.
        let units = self.units
        let kept = self.units(on: way, for: change.id, at: change.position).filter { !units[$0].pass }
            .map { unit in before.first { units.region(of: $0) == units.region(of: unit) } ?? unit }
        let route = kept + before.filter { units[$0].pass }
        // A region on both routes may claim the contact because of this movement. Those that it leaves may not: whether it
        // is handed over does not depend on the gestures of the region around them.
        departing = before.filter { !route.contains($0) }
        for unit in before where route.contains(unit) { evaluateIfNeeded(unit) }
        defer { departing.removeAll() }
        guard !contacts.entries[contact].isClaimed else { return }
        for unit in departing { engines[unit].cancelled(change.id, .handover) }
        contacts.reroute(contact, owner: next, route)
        if knowsRest { layToRest(besides: change.id, in: route.filter { !before.contains($0) }) }
        // Regions on both routes receive no second landing, even if the contact was removed from them because it
        // rested.
        for place in route.indices where !before.contains(route[place]) {
            tellLanding(of: change, on: route, at: place)
        }
        beginAtLanding(contact)
    }

    private mutating func activate(_ unit: UnitIndex) {
        guard !active.contains(unit) else { return }
        // Kept in the order of the configuration, because equal deadlines fire in that order.
        let units = units
        active.insert(unit, at: active.firstIndex { units.isBefore(unit, $0) } ?? active.count)
    }
}
