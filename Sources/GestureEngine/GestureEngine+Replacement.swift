// SPDX-License-Identifier: MIT

/// Replacing the regions between two frames.
extension GestureEngine {
    /// Replaces the regions. Active gestures go on in regions that stay the same. In others they are cancelled:
    /// `disabled` in those that were switched off, `reload` in those that changed, `removalReason` in those that are
    /// gone. Contacts keep their owners.
    ///
    /// - Parameter arbitration: `nil` keeps the present settings.
    /// - Note: The indices in events are those of the old regions.
    package mutating func replaceRegions(
        _ new: [Region], arbitration: ArbitrationSettings? = nil, removalReason: CancelReason = .reload,
        at time: Timestamp, into events: inout [GestureEvent]
    ) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        fireDeadlines(upTo: time)
        let same = Self.correspondence(regions, new)
        var kept = same
        for i in regions.indices {
            if let j = same[i], regions[i].isEnabled, !new[j].isEnabled { kept[i] = nil }
        }
        for unit in active where kept[units.region(of: unit)] == nil {
            let region = units.region(of: unit)
            let isGone = !new.contains { $0.id == regions[region].id }
            engines[unit].cancelAll(same[region] != nil ? .disabled : isGone ? removalReason : .reload)
        }
        install(new, kept, arbitration ?? self.arbitration)
    }

    /// The regions in which a contact is down or something is under way, and all that they lie in: what happens in private
    /// regions keeps no others busy.
    package var busyRegions: Set<Int> {
        var result: Set<Int> = []
        func add(_ region: Int) {
            var next: Int? = region
            while let place = next, regions[place].isPrivate == regions[region].isPrivate,
                result.insert(place).inserted
            {
                next = regions[place].parent
            }
        }
        for unit in active { add(units.region(of: unit)) }
        for contact in contacts.indices {
            if let owner = contacts.entries[contact].owner { add(owner) }
        }
        patterns.busyRegions.forEach(add)
        return result
    }

    /// Cancels the active gestures of some regions. They recognize nothing more before all their contacts have lifted.
    package mutating func cancel(
        _ reason: CancelReason, where isChosen: (Int) -> Bool, at time: Timestamp,
        into events: inout [GestureEvent]
    ) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        cancel(reason, where: isChosen, at: time)
    }

    /// Call it when events since `time` are lost. Cancels all active gestures, and drops what waits (taps that may become
    /// double taps, patterns). Contacts keep their owners.
    package mutating func interrupt(_ reason: CancelReason, at time: Timestamp, into events: inout [GestureEvent]) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        cancel(reason, where: { _ in true }, at: time)
        patterns.interrupt(reason, context)
        noteDeadline()
    }

    private mutating func cancel(_ reason: CancelReason, where isChosen: (Int) -> Bool, at time: Timestamp) {
        fireDeadlines(upTo: time)
        for unit in active where isChosen(units.region(of: unit)) { engines[unit].cancelAll(reason) }
        retire()
        noteDeadline()
    }

    private mutating func install(_ new: [Region], _ kept: [Int?], _ arbitration: ArbitrationSettings) {
        let newUnits = RegionUnits(new)
        let successors = (0..<units.count).map { units.successor(of: UnitIndex(raw: $0), kept, in: newUnits) }
        let hasOtherOrder = arbitration.priority != self.arbitration.priority
        let hadCompanions = !companions.isEmpty
        companions = Self.companions(new, arbitration)
        // Idle ones too: without this, the next landing could be a bounce, or continue a streak.
        for (old, engine) in takeEngines(leaving: newUnits.count) {
            guard let unit = successors[old] else { continue }
            let region = newUnits.region(of: unit)
            if region != engine.index { engine.renumber(region) }
            if hasOtherOrder { engine.rules.prioritize(arbitration.priority) }
            if hadCompanions || !companions.isEmpty { engine.rules.companions = companions[region] ?? [] }
            engines[unit] = engine
        }
        units = newUnits
        active = active.compactMap { successors[$0.raw] }.sorted { newUnits.isBefore($0, $1) }
        contacts.renumber(kept) { successors[$0.raw] }
        patterns.replace(new, kept, newUnits.traits)
        map = RegionMap(new, bounds: bounds)
        regions = new
        knowsRest = newUnits.traits.contains(.rests)
        self.arbitration = arbitration
        noteDeadline()
    }

    /// Takes out the engines that have been made. As many units as `count` are left, all of them untouched.
    private mutating func takeEngines(leaving count: Int) -> [(unit: Int, engine: RegionUnit)] {
        var taken: [(unit: Int, engine: RegionUnit)] = []
        for unit in engines.indices where engines[unit] !== untouched {
            taken.append((unit, engines[unit]))
            engines[unit] = untouched
        }
        // In the same list: to make one of thousands takes longer than to look through it.
        if count < engines.count {
            engines.removeLast(engines.count - count)
        } else {
            engines += repeatElement(untouched, count: count - engines.count)
        }
        return taken
    }

    /// For each old region, the new one that is equal to it, apart from `isEnabled`.
    private static func correspondence(_ old: [Region], _ new: [Region]) -> [Int?] {
        let places = Dictionary(new.indices.map { (new[$0].id, $0) }) { $1 }
        var same: [Int?] = []
        // Parents come first.
        for region in old {
            let place = places[region.id].flatMap { place in
                isSameParent(region.parent, new[place].parent, same) && region.hasSameBody(as: new[place]) ? place : nil
            }
            same.append(place)
        }
        return same
    }

    private static func isSameParent(_ parent: Int?, _ other: Int?, _ same: [Int?]) -> Bool {
        guard let parent, let other else { return parent == other }
        return same[parent] == other
    }
}
