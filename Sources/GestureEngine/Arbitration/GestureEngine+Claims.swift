// SPDX-License-Identifier: MIT

/// Arbitration between regions: which of those that a contact is told to has it for itself.
extension GestureEngine {
    /// Tells a region once a frame that its contacts have moved.
    mutating func evaluateIfNeeded(_ region: Int) {
        let engine = engines[region]
        guard engine.contacts.changes.contains(.moved) else {
            if engine.contacts.changes.contains(.rested) { engine.trackRest() }
            return
        }
        let hasTravelled = engine.contacts.changes.contains(.travelled)
        engine.contacts.changes.subtract([.moved, .travelled])
        if hasTravelled, !engine.rules.competitors.isEmpty {
            engine.trackMotion()
            // Most frames begin nothing.
            if engine.accepting() != nil { beginAccepted(region) }
            engine.tellCompetitors()
        }
        engine.tellBystanders()
        // The movement may have failed all that a drag waited for.
        if engine.rules.hasUnless { beginAccepted(region) }
    }

    /// Begins what the contacts of a region have become.
    mutating func beginAccepted(_ region: Int) {
        while let gesture = engines[region].accepting() {
            if yields(region, gesture) { continue }
            claim(region, for: gesture)
            engines[region].begin(gesture)
        }
    }

    /// In one frame the innermost region wins, unless `priority` says that another kind comes first.
    ///
    /// - Returns: another region went first, and may have claimed something: ask again.
    private mutating func yields(_ region: Int, _ gesture: Int) -> Bool {
        let rank = rank(region, gesture)
        for contact in contacts.indices where contacts.routes[contact].contains(region) {
            var isNearer = true
            for other in contacts.routes[contact] {
                if other == region {
                    isNearer = false
                    continue
                }
                guard engines[other].contacts.changes.contains(.travelled), !units.regions[other].pass else { continue }
                engines[other].trackMotion()
                guard let rival = engines[other].accepting() else { continue }
                let theirs = self.rank(other, rival)
                guard theirs < rank || (isNearer && theirs == rank) else { continue }
                evaluateIfNeeded(other)
                return true
            }
        }
        return false
    }

    /// Kinds that `priority` does not name are equal between regions: nearness decides.
    private func rank(_ region: Int, _ gesture: Int) -> Int {
        let kind = units.regions[region].gestures[gesture].settings.kind
        return arbitration.priority.firstIndex(of: kind) ?? arbitration.priority.count
    }

    /// Takes the contacts of a region for one of its gestures: other regions on their way let go.
    mutating func claim(_ region: Int, for gesture: Int) {
        guard !units.regions[region].pass else { return }
        for contact in contacts.indices {
            let id = contacts.entries[contact].id
            guard contacts.routes[contact].contains(region), engines[region].contacts.group.isFree(id) else { continue }
            contacts.claim(contact)
            for other in contacts.routes[contact] {
                guard other != region, !units.regions[other].pass else { continue }
                if regions.isAncestor(units.base[region], of: units.base[other]) {
                    engines[other].surrender(to: gesture, of: units.base[region])
                } else {
                    engines[other].lose(id, to: gesture, of: units.base[region])
                }
            }
        }
    }

    /// A contact that lands where a drag, pinch or rotation is under way joins it: regions that lie
    /// nearer or around are not told.
    ///
    /// - Returns: whether that is so; the route in `contacts.scratch` is cut down accordingly.
    mutating func joinsClaim() -> Bool {
        for region in contacts.scratch where !units.regions[region].pass && engines[region].holdsClaim {
            contacts.scratch.removeAll { $0 != region && !units.regions[$0].pass }
            return true
        }
        return false
    }
}
