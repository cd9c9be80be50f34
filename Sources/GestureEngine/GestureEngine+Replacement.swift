// SPDX-License-Identifier: MIT

/// Another set of regions, between two frames.
extension GestureEngine {
    /// Takes new regions. What is under way in regions that stay the same goes on. In others it is
    /// cancelled: `disabled` where they were merely switched off, `reload` where they changed,
    /// `removalReason` where they are gone. Contacts keep what owned them.
    ///
    /// - Parameter arbitration: `nil`: as before.
    /// - Note: events are in terms of the regions as they were.
    package mutating func replaceRegions(
        _ new: [Region], arbitration: ArbitrationSettings? = nil, removalReason: CancelReason = .reload,
        at time: Timestamp, into events: inout [GestureEvent]
    ) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        fireDeadlines(upTo: time)
        let same = Self.correspondence(regions, new)
        var kept = same
        for (i, region) in regions.enumerated() {
            if let j = same[i], region.isEnabled, !new[j].isEnabled { kept[i] = nil }
        }
        let names = Set(new.map { $0.id })
        for region in active where kept[region] == nil {
            let isGone = !names.contains(regions[region].id)
            engines[region].cancelAll(same[region] != nil ? .disabled : isGone ? removalReason : .reload)
        }
        install(new, kept, arbitration ?? self.arbitration)
    }

    /// Cancels what is under way in some regions; nothing more is recognized there before all their
    /// contacts have lifted.
    package mutating func cancel(
        _ reason: CancelReason, where isChosen: (Int) -> Bool, at time: Timestamp,
        into events: inout [GestureEvent]
    ) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        cancel(reason, where: isChosen, at: time)
    }

    /// Nobody can say what happened since `time`: cancels all that is under way, and drops what waits
    /// (taps that may become double taps, patterns). Contacts keep what owned them.
    package mutating func interrupt(_ reason: CancelReason, at time: Timestamp, into events: inout [GestureEvent]) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        cancel(reason, where: { _ in true }, at: time)
        patterns.interrupt(reason, context)
    }

    private mutating func cancel(_ reason: CancelReason, where isChosen: (Int) -> Bool, at time: Timestamp) {
        fireDeadlines(upTo: time)
        for region in active where isChosen(region) { engines[region].cancelAll(reason) }
        retire()
    }

    private mutating func install(_ new: [Region], _ kept: [Int?], _ arbitration: ArbitrationSettings) {
        var replaced = Self.makeEngines(new, arbitration, context)
        // Idle ones too: a landing right after is a bounce, or continues a streak.
        for region in regions.indices {
            guard let successor = kept[region] else { continue }
            replaced[successor] = engines[region]
            replaced[successor].renumber(successor)
            replaced[successor].rules = replaced[successor].rules.with(arbitration.priority, new[successor])
        }
        Self.pair(replaced, new, arbitration)
        engines = replaced
        active = active.compactMap { kept[$0] }.sorted()
        contacts.renumber(kept)
        patterns.replace(new, kept)
        regions = new
        self.arbitration = arbitration
        map = RegionMap(new, bounds: bounds)
        shadows = Shadows(new)
    }

    /// For each old region, the new one that is the same in every respect but that it may be
    /// switched on or off.
    private static func correspondence(_ old: [Region], _ new: [Region]) -> [Int?] {
        var indices: [String: Int] = [:]
        for (i, region) in new.enumerated() { indices[region.id] = i }
        var same = [Int?](repeating: nil, count: old.count)
        for (i, region) in old.enumerated() {
            guard let j = indices[region.id], isSame(region, new[j], same) else { continue }
            same[i] = j
        }
        return same
    }

    private static func isSame(_ region: Region, _ other: Region, _ same: [Int?]) -> Bool {
        let isSameParent =
            switch (region.parent, other.parent) {
            case (nil, nil): true
            case (let a?, let b?): same[a] == b
            case (nil, _?), (_?, nil): false
            }
        var candidate = other
        candidate.parent = region.parent
        candidate.isEnabled = region.isEnabled
        return isSameParent && candidate == region
    }
}
