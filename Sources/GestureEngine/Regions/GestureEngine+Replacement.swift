// SPDX-License-Identifier: MIT

/// Another set of regions, between two frames.
extension GestureEngine {
    /// Takes new regions. What is under way in regions that stay the same goes on; in those that
    /// changed or went it is cancelled (`reload`; `disabled` where they were merely switched off).
    /// Contacts keep what owned them.
    ///
    /// - Parameters:
    ///   - arbitration: `nil`: as before.
    ///   - reason: for regions that changed or went.
    /// - Note: events are in terms of the regions as they were.
    package mutating func replaceRegions(
        _ new: [Region], arbitration: ArbitrationSettings? = nil, reason: CancelReason = .reload,
        at time: Timestamp, into events: inout [GestureEvent]
    ) {
        advance(to: time, into: &events)
        let first = events.count
        let kept = Self.correspondence(regions, new)
        let isSwitchedOff = Self.switchedOff(regions, new)
        for region in active where kept[region] == nil {
            let reason = isSwitchedOff[region] ? .disabled : reason
            engines[region].cancelAll(reason, at: self.time, into: &events)
        }
        patterns.watch(from: first, regions, at: self.time, reportsFailures, &events)
        install(new, kept, arbitration ?? self.arbitration)
    }

    private mutating func install(_ new: [Region], _ kept: [Int?], _ arbitration: ArbitrationSettings) {
        let replaced = RegionEngines(new, arbitration)
        for region in active {
            if let successor = kept[region] { replaced.resume(successor, from: engines, region) }
        }
        replaced.arbitrate(new, arbitration)
        engines = replaced
        active = active.compactMap { kept[$0] }.sorted()
        contacts.renumber(kept)
        patterns.replace(new, kept)
        regions = new
        self.arbitration = arbitration
        map = RegionMap(new, bounds: bounds)
        shadows = Shadows(new)
        for i in new.indices { engines[i].reportsFailures = reportsFailures }
    }

    /// For each old region, the new one that is the same in every respect.
    private static func correspondence(_ old: [Region], _ new: [Region]) -> [Int?] {
        let indices = indices(new)
        let enabled = (old: RegionOrder.enabled(old), new: RegionOrder.enabled(new))
        var kept = [Int?](repeating: nil, count: old.count)
        for (i, region) in old.enumerated() {
            guard let j = indices[region.id], isSame(region, new[j], kept), !enabled.old[i] || enabled.new[j]
            else { continue }
            kept[i] = j
        }
        return kept
    }

    /// Regions that are what they were, but can no longer be touched.
    private static func switchedOff(_ old: [Region], _ new: [Region]) -> [Bool] {
        let indices = indices(new)
        let enabled = RegionOrder.enabled(new)
        return old.map { region in
            guard let j = indices[region.id], !enabled[j] else { return false }
            var candidate = new[j]
            candidate.parent = region.parent
            candidate.isEnabled = region.isEnabled
            return candidate == region
        }
    }

    private static func isSame(_ region: Region, _ other: Region, _ kept: [Int?]) -> Bool {
        let isSameParent =
            switch (region.parent, other.parent) {
            case (nil, nil): true
            case (let a?, let b?): kept[a] == b
            case (nil, _?), (_?, nil): false
            }
        var candidate = other
        candidate.parent = region.parent
        candidate.isEnabled = region.isEnabled
        return isSameParent && candidate == region
    }

    private static func indices(_ regions: [Region]) -> [String: Int] {
        var indices: [String: Int] = [:]
        for (i, region) in regions.enumerated() { indices[region.id] = i }
        return indices
    }
}
