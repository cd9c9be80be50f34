// SPDX-License-Identifier: MIT

/// Replaces the regions between two frames.
extension GestureEngine {
    /// Replaces the regions. Active gestures go on in regions that stay the same. In others they are cancelled with
    /// `disabled` if the region was switched off, `reload` if it changed, or `removalReason` if it is gone. Contacts
    /// keep their owners.
    ///
    /// - Parameters:
    ///   - arbitration: the new rules; `nil` keeps the current ones.
    ///   - inherits: whether changed regions inherit the last lifts and the attempts at patterns. The new regions must
    ///     then differ from the old ones only in the settings of gestures other than patterns.
    /// - Note: Indices in the emitted events refer to the old regions.
    package mutating func replaceRegions(
        _ new: [Region], arbitration: ArbitrationSettings? = nil, removalReason: CancelReason = .reload,
        inherits: Bool = false, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        fireDeadlines(upTo: time)
        let heirs = Self.places(of: regions, in: new)
        let same = Self.correspondence(regions, new, heirs)
        var kept = same
        for i in regions.regionIndices {
            if let j = same[i.raw], regions[i].isEnabled, !new[j].isEnabled { kept[i.raw] = nil }
        }
        for unit in active where kept[units.region(of: unit).raw] == nil {
            let region = units.region(of: unit)
            let isGone = !new.contains { $0.id == regions[region].id }
            engines[unit].cancelAll(same[region.raw] != nil ? .disabled : isGone ? removalReason : .reload)
        }
        guard inherits else {
            return install(new, kept, arbitration ?? self.arbitration, patterns: kept, heirs)
        }
        let (lifts, old) = (changedLifts(kept), units)
        install(new, kept, arbitration ?? self.arbitration, patterns: heirs, heirs)
        for (unit, lifts) in lifts {
            guard let heir = old.successor(of: unit, heirs, in: units) else { continue }
            makeEngineIfNeeded(heir)
            engines[heir].contacts.inherit(lifts)
        }
    }

    /// The last lifts in each unit whose region is not kept.
    private func changedLifts(_ kept: [RegionIndex?]) -> [(UnitIndex, RecentLifts)] {
        engines.indices.compactMap { place in
            let (unit, lifts) = (UnitIndex(raw: place), engines[place].contacts.lifts)
            return lifts.newest == nil || kept[units.region(of: unit).raw] != nil ? nil : (unit, lifts)
        }
    }

    /// Maps each old region to the new one with the same id.
    private static func places(of old: [Region], in new: [Region]) -> [RegionIndex?] {
        let places = Dictionary(new.regionIndices.map { (new[$0].id, $0) }) { $1 }
        return old.map { places[$0.id] }
    }

    /// Replaces all regions, because the panel has been mapped to another output. Nothing continues, except that patterns
    /// of regions with the same id keep their wrong steps and lockouts.
    ///
    /// Call `interrupt` first, and end all contacts.
    /// - Parameter bounds: the panel in millimetres.
    package mutating func replaceOutput(bounds: Rectangle, _ new: [Region], arbitration: ArbitrationSettings) {
        self.bounds = bounds
        let nowhere = [RegionIndex?](repeating: nil, count: regions.count)
        install(new, nowhere, arbitration, patterns: nowhere, Self.places(of: regions, in: new))
    }

    /// Regions that are in use, because a contact is down or a gesture is active or pending, and all regions around
    /// them. Activity in private regions does not mark regions outside them.
    package var busyRegions: Set<RegionIndex> {
        var result: Set<RegionIndex> = []
        forEachBusyRegion { result.insert($0).inserted }
        return result
    }

    /// Whether a region is one of `busyRegions`. Allocates nothing.
    package func isBusy(_ region: RegionIndex) -> Bool {
        var isBusy = false
        forEachBusyRegion { place in
            if place == region { isBusy = true }
            return !isBusy
        }
        return isBusy
    }

    /// Calls `body` with each of `busyRegions`, perhaps several times.
    /// - Parameter body: returns whether to go on with the regions around this one.
    private func forEachBusyRegion(_ body: (RegionIndex) -> Bool) {
        func add(_ region: RegionIndex) {
            var next: RegionIndex? = region
            while let place = next, regions[place].isPrivate == regions[region].isPrivate, body(place) {
                next = regions[place].parent
            }
        }
        for unit in active { add(units.region(of: unit)) }
        for contact in contacts.indices {
            if let owner = contacts.entries[contact].owner { add(owner) }
            for unit in contacts.routes[contact] { add(units.region(of: unit)) }
        }
        patterns.forEachBusyRegion(add)
    }

    /// Cancels the active gestures of the chosen regions. These regions recognize nothing more until all their contacts
    /// have lifted.
    package mutating func cancel(
        _ reason: CancelReason, where isChosen: (RegionIndex) -> Bool, at time: Timestamp,
        into events: inout [GestureEvent]
    ) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        cancel(reason, where: isChosen, at: time)
    }

    /// Cancels all active gestures and drops pending ones (possible double taps, patterns). Call this when events
    /// since `time` were lost. Contacts keep their owners.
    package mutating func interrupt(_ reason: CancelReason, at time: Timestamp, into events: inout [GestureEvent]) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        cancel(reason, where: { _ in true }, at: time)
        patterns.interrupt(reason, context)
        noteDeadline()
    }

    private mutating func cancel(_ reason: CancelReason, where isChosen: (RegionIndex) -> Bool, at time: Timestamp) {
        fireDeadlines(upTo: time)
        for unit in active where isChosen(units.region(of: unit)) { engines[unit].cancelAll(reason) }
        retire()
        noteDeadline()
    }

    /// - Parameters:
    ///   - kept: the new region in which the gestures of each old region continue.
    ///   - attempts: the new region in which attempts at the patterns of each old region continue.
    ///   - heirs: the new region with the same id as each old one.
    private mutating func install(
        _ new: [Region], _ kept: [RegionIndex?], _ arbitration: ArbitrationSettings,
        patterns attempts: [RegionIndex?], _ heirs: [RegionIndex?]
    ) {
        let newUnits = RegionUnits(new)
        let successors = (0..<units.count).map { units.successor(of: UnitIndex(raw: $0), kept, in: newUnits) }
        let hasOtherOrder = arbitration.priority != self.arbitration.priority
        let hadCompanions = !companions.isEmpty
        companions = Self.companions(new, arbitration)
        // Idle engines are kept too, because their recent lifts determine whether the next landing is a bounce.
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
        patterns.replace(regions, with: new, attempts, heirs, newUnits.traits, context)
        map = RegionMap(new, bounds: bounds)
        regions = new
        knowsRest = newUnits.traits.contains(.rests)
        self.arbitration = arbitration
        noteDeadline()
    }

    /// Removes and returns the engines that have been created. Afterwards, `engines` has `count` untouched entries.
    private mutating func takeEngines(leaving count: Int) -> [(unit: Int, engine: RegionUnit)] {
        var taken: [(unit: Int, engine: RegionUnit)] = []
        for unit in engines.indices where engines[unit] !== untouched {
            taken.append((unit, engines[unit]))
            engines[unit] = untouched
        }
        // The array is reused, because filling a new one with thousands of elements takes longer than this scan.
        if count < engines.count {
            engines.removeLast(engines.count - count)
        } else {
            engines += repeatElement(untouched, count: count - engines.count)
        }
        return taken
    }

    /// Maps each old region to the new one that is equal to it apart from `isEnabled`, with equal regions around it.
    ///
    /// Only the id of the region around it counts if it is at the border of private regions, before and after, because no
    /// contact is in both.
    /// - Parameter places: the new region with the same id as each old one.
    private static func correspondence(
        _ old: [Region], _ new: [Region], _ places: [RegionIndex?]
    ) -> [RegionIndex?] {
        var same: [RegionIndex?] = []
        // Parents precede their children.
        for (region, place) in zip(old, places) {
            let place = place.flatMap { place in
                let isAtBorder = old.isAtBorder(region) && new.isAtBorder(new[place])
                return isSameParent(region.parent, new[place].parent, isAtBorder ? places : same)
                    && region.hasSameBody(as: new[place]) ? place : nil
            }
            same.append(place)
        }
        return same
    }

    private static func isSameParent(_ parent: RegionIndex?, _ other: RegionIndex?, _ same: [RegionIndex?]) -> Bool {
        guard let parent, let other else { return parent == other }
        return same[parent.raw] == other
    }
}

extension [Region] {
    /// Whether a region is private and in one that is not.
    fileprivate func isAtBorder(_ region: Region) -> Bool {
        region.isPrivate && region.parent.map { !self[$0].isPrivate } ?? false
    }
}
