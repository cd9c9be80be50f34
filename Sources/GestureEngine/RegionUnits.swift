// SPDX-License-Identifier: MIT

/// The regions of an engine, and one unit for each sequence that may be under way in them at a time.
///
/// A region has one unit. One with `contacts = "each"` has many, so that each contact that lands in it has a sequence
/// of its own. A region's first unit has its index; the others come after all regions. Units are numbered once;
/// their engines are made when a contact first lands in them.
struct RegionUnits {
    /// Contacts of one region at a time that have a sequence each; further ones are not told to it.
    static let mostContacts = 16

    /// By unit. Whether they are enabled, `GestureEngine.regions` knows.
    let regions: [Region]
    /// By unit: the index of its region.
    let base: [Int]
    /// What some region has.
    let traits: Region.Traits
    /// By region: its units but for the first. Empty where no region has any.
    private let others: [Range<Int>]

    init(_ regions: [Region]) {
        traits = regions.allTraits
        var all = regions
        var base = Array(regions.indices)
        var others: [Range<Int>] = []
        for index in regions.indices where traits.contains(.hasUnits) {
            let first = all.count
            if regions[index].traits.contains(.hasUnits) {
                for _ in 1..<Self.mostContacts {
                    all.append(regions[index])
                    base.append(index)
                }
            }
            others.append(first..<all.count)
        }
        self.regions = all
        self.base = base
        self.others = others
    }

    var indices: Range<Int> { regions.indices }

    /// The units of a region but for its first.
    func others(of region: Int) -> Range<Int> { others.isEmpty ? 0..<0 : others[region] }

    /// For each unit, that of the region which `kept` names for its own region.
    func renumbered(_ kept: [Int?], in new: RegionUnits) -> [Int?] {
        if others.isEmpty { return kept }
        return indices.map { unit in
            guard let successor = kept[base[unit]] else { return nil }
            if unit == base[unit] { return successor }
            return new.others(of: successor).lowerBound + (unit - others[base[unit]].lowerBound)
        }
    }
}

extension GestureEngine {
    /// Replaces regions in `contacts.scratch` by the units that take the contact: those that know it, or free ones.
    /// Regions that have none left do not see it.
    mutating func chooseUnits(for id: ContactID, at point: Point) {
        guard units.regions.count > regions.count else { return }
        var kept = 0
        for place in contacts.scratch.indices {
            guard let unit = unit(of: contacts.scratch[place], for: id, at: point) else { continue }
            contacts.scratch[kept] = unit
            kept += 1
        }
        contacts.scratch.removeLast(contacts.scratch.count - kept)
    }

    /// The unit of a region that has the contact, or takes it. A contact that lands where one lifted lately may be
    /// its next tap, or the panel's bounce: it goes to the same unit.
    private func unit(of region: Int, for id: ContactID, at point: Point) -> Int? {
        guard regions[region].contacts == .each else { return region }
        var next: Int?
        var nextLift = Timestamp(microseconds: .min)
        var free: Int?
        for i in 0...units.others(of: region).count {
            let unit = i == 0 ? region : units.others(of: region).lowerBound + i - 1
            let engine = engines[unit]
            if engine.contacts.group.index(of: id) != nil { return unit }
            guard engine.contacts.sequence == nil else { continue }
            if let lift = engine.contacts.lifts.last(within: Self.nextTapDistance, of: point), lift > nextLift {
                (next, nextLift) = (unit, lift)
            }
            if free == nil || (engine.isIdle && !engines[free ?? unit].isIdle) { free = unit }
        }
        return next ?? free
    }

    /// Millimetres from a lift within which a landing may continue what it was a part of: where a panel's bounce ends
    /// (`bounce_distance`), and more than the taps of a row are apart.
    private static var nextTapDistance: Double { TapSettings().bounceDistance }
}
