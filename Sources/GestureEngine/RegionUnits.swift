// SPDX-License-Identifier: MIT

/// One of the units of an engine. A unit is where a region has one sequence at a time (`RegionUnits`).
struct UnitIndex: Hashable, Comparable {
    let raw: Int

    static func < (a: Self, b: Self) -> Bool { a.raw < b.raw }
}

/// The regions of an engine, and one unit for each sequence that may be under way in them at a time.
///
/// A region has one unit. One with `contacts = "each"` has many, so that each contact that lands in it has a sequence
/// of its own. Units are numbered once; their engines are made when a contact first lands in them.
struct RegionUnits {
    /// Contacts of one region at a time that have a sequence each; further ones are not told to it.
    static let mostContacts = 16

    /// By unit. Whether they are enabled, `GestureEngine.regions` knows.
    private let regions: [Region]
    /// By unit: the index of its region.
    private let bases: [Int]
    /// By region: its units but for the first, which has the region's number. Empty where no region has any.
    private let others: [Range<Int>]
    /// What some region has.
    let traits: Region.Traits

    init(_ regions: [Region]) {
        traits = regions.allTraits
        var all = regions
        var bases = Array(regions.indices)
        var others: [Range<Int>] = []
        for index in regions.indices where traits.contains(.hasUnits) {
            let first = all.count
            if regions[index].traits.contains(.hasUnits) {
                for _ in 1..<Self.mostContacts {
                    all.append(regions[index])
                    bases.append(index)
                }
            }
            others.append(first..<all.count)
        }
        self.regions = all
        self.bases = bases
        self.others = others
    }

    var count: Int { regions.count }

    /// The region of a unit.
    subscript(unit: UnitIndex) -> Region { regions[unit.raw] }

    /// The index of a unit's region.
    func region(of unit: UnitIndex) -> Int { bases[unit.raw] }

    /// The order of the configuration.
    func isBefore(_ a: UnitIndex, _ b: UnitIndex) -> Bool { (bases[a.raw], a) < (bases[b.raw], b) }

    /// The units of a region.
    func units(of region: Int) -> [UnitIndex] {
        let others = others.isEmpty ? 0..<0 : others[region]
        return [UnitIndex(raw: region)] + others.map { UnitIndex(raw: $0) }
    }

    /// The unit of another list that takes the place of a unit, whose region is `kept` there with a new index; `nil`: none.
    func successor(of unit: UnitIndex, _ kept: [Int?], in new: RegionUnits) -> UnitIndex? {
        let region = region(of: unit)
        guard let successor = kept[region] else { return nil }
        if unit.raw == region { return UnitIndex(raw: successor) }
        return UnitIndex(raw: new.others[successor].lowerBound + (unit.raw - others[region].lowerBound))
    }
}

extension [RegionUnit] {
    subscript(unit: UnitIndex) -> RegionUnit {
        get { self[unit.raw] }
        set { self[unit.raw] = newValue }
    }
}

extension GestureEngine {
    /// The units that take a contact on its way: those that know it, or free ones. Regions that have none left do not see
    /// it.
    func units(on route: Route, for id: ContactID, at point: Point) -> [UnitIndex] {
        route.regions.compactMap { unit(of: $0, for: id, at: point) }
    }

    /// The unit of a region that has the contact, or takes it. A contact that lands where one lifted lately may be
    /// its next tap, or the panel's bounce: it goes to the same unit.
    private func unit(of region: Int, for id: ContactID, at point: Point) -> UnitIndex? {
        guard regions[region].contacts == .each else { return UnitIndex(raw: region) }
        var next: UnitIndex?
        var nextLift = Timestamp(microseconds: .min)
        var free: UnitIndex?
        for unit in units.units(of: region) {
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
