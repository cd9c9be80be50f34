// SPDX-License-Identifier: MIT

/// The index of a unit (`RegionUnits`). A unit has at most one sequence at a time.
struct UnitIndex: Hashable, Comparable {
    let raw: Int

    init(raw: Int) { self.raw = raw }

    /// The first unit of a region has the region's number.
    init(firstOf region: RegionIndex) { raw = region.raw }

    static func < (a: Self, b: Self) -> Bool { a.raw < b.raw }
}

/// The regions of an engine and their units. Each unit handles one sequence at a time.
///
/// A region has one unit. With `contacts = "each"` or `"near"` it has several, so that each contact, or each group of
/// nearby contacts, has its own sequence. All units are numbered when the list is created; the engine of a unit is
/// created when a contact first lands in it.
struct RegionUnits {
    /// The maximum number of contacts in one region that can have their own sequences at the same time. The region
    /// ignores any more contacts.
    static let mostContacts = 16

    /// The region of each unit. `isEnabled` may be outdated here; `GestureEngine.regions` is current.
    private let regions: [Region]
    /// The index of each unit's region.
    private let bases: [RegionIndex]
    /// The additional units of each region. Empty if no region has additional units.
    private let others: [Range<Int>]
    /// The union of the traits of all regions.
    let traits: Region.Traits

    init(_ regions: [Region]) {
        traits = regions.allTraits
        var all = regions
        var bases = Array(regions.regionIndices)
        var others: [Range<Int>] = []
        for index in regions.regionIndices where traits.contains(.hasUnits) {
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

    subscript(unit: UnitIndex) -> Region { regions[unit.raw] }

    func region(of unit: UnitIndex) -> RegionIndex { bases[unit.raw] }

    /// Whether `a` precedes `b` in the order of the configuration.
    func isBefore(_ a: UnitIndex, _ b: UnitIndex) -> Bool { (bases[a.raw], a) < (bases[b.raw], b) }

    func units(of region: RegionIndex) -> [UnitIndex] {
        let others = others.isEmpty ? 0..<0 : others[region.raw]
        return [UnitIndex(firstOf: region)] + others.map { UnitIndex(raw: $0) }
    }

    /// The corresponding unit in a new list; `nil` if its region was not kept.
    /// - Parameter kept: the new index of each region, or `nil`.
    func successor(of unit: UnitIndex, _ kept: [RegionIndex?], in new: RegionUnits) -> UnitIndex? {
        let region = region(of: unit)
        guard let successor = kept[region.raw] else { return nil }
        if unit == UnitIndex(firstOf: region) { return UnitIndex(firstOf: successor) }
        return UnitIndex(raw: new.others[successor.raw].lowerBound + (unit.raw - others[region.raw].lowerBound))
    }
}

extension [RegionUnit] {
    subscript(unit: UnitIndex) -> RegionUnit {
        get { self[unit.raw] }
        set { self[unit.raw] = newValue }
    }
}

extension GestureEngine {
    /// For each region on a route, the unit that receives the contact: the one that already has it, or a free one. A
    /// region without a free unit does not receive the contact.
    func units(on route: Route, for id: ContactID, at point: Point) -> [UnitIndex] {
        route.regions.compactMap { unit(of: $0, for: id, at: point) }
    }

    /// The unit of a region that has the contact or will receive it.
    private func unit(of region: RegionIndex, for id: ContactID, at point: Point) -> UnitIndex? {
        guard regions[region].traits.contains(.hasUnits) else { return UnitIndex(firstOf: region) }
        let all = units.units(of: region)
        if let unit = all.first(where: { engines[$0].contacts.group.index(of: id) != nil }) { return unit }
        if regions[region].contacts == .near, let unit = hand(in: all, near: point) { return unit }
        let free = all.filter { engines[$0].contacts.sequence == nil }
        let reach = regions[region].tapReach
        return continued(in: free, at: point, reach) ?? spare(in: free, reach)
    }

    /// The unit of the contact that is nearest to a point, if both may be of one hand; of two that are equally near, the
    /// unit of the older contact.
    private func hand(in all: [UnitIndex], near point: Point) -> UnitIndex? {
        var best: (unit: UnitIndex, id: ContactID, distance: Double)?
        for unit in all {
            guard let (id, distance) = engines[unit].contacts.group.nearest(to: point),
                !distance.exceeds(Self.handReach)
            else { continue }
            if let best, distance.exceeds(best.distance) || (!best.distance.exceeds(distance) && id > best.id) {
                continue
            }
            best = (unit, id, distance)
        }
        return best?.unit
    }

    /// The unit of the last lift near a point, because the landing may be the next tap or a bounce of the panel.
    private func continued(in free: [UnitIndex], at point: Point, _ reach: Region.TapReach) -> UnitIndex? {
        var best: (unit: UnitIndex, time: Timestamp, distance: Double)?
        for unit in free where mayContinue(unit, reach) {
            guard let lift = engines[unit].contacts.lifts.last(within: reach.distance, of: point) else { continue }
            if let best, (best.time, -best.distance) >= (lift.time, -lift.distance) { continue }
            best = (unit, lift.time, lift.distance)
        }
        return best?.unit
    }

    /// A unit for a contact that continues nothing: one in which nothing can be continued or, if there is none, that of
    /// the earliest lift.
    private func spare(in free: [UnitIndex], _ reach: Region.TapReach) -> UnitIndex? {
        if let unit = free.first(where: { !mayContinue($0, reach) }) { return unit }
        func lift(_ unit: UnitIndex) -> Timestamp { engines[unit].contacts.lifts.newest ?? .never }
        return free.min { lift($0) < lift($1) }
    }

    /// The unit in which a contact that comes back from rest lands. Its former unit may now be in use by the contacts
    /// of another person.
    func unit(after unit: UnitIndex, comingBack id: ContactID, at point: Point) -> UnitIndex {
        guard units[unit].traits.contains(.hasUnits) else { return unit }
        return self.unit(of: units.region(of: unit), for: id, at: point) ?? unit
    }

    /// The distance in millimetres within which contacts may belong to one hand. The fingers of a tap, a drag or a
    /// pinch land closer together; two people at one panel touch it farther apart.
    private static let handReach = 100.0

    /// Whether a landing may continue something in a unit without a sequence: a streak of taps, or a contact that the
    /// panel lost.
    private func mayContinue(_ unit: UnitIndex, _ reach: Region.TapReach) -> Bool {
        guard let newest = engines[unit].contacts.lifts.newest else { return false }
        return !engines[unit].isIdle || context.now - newest < reach.minGap
    }

    /// Forgets the lifts of a unit if a landing at `point` continues nothing in it, because the contact may be another
    /// person's.
    func forgetLifts(_ unit: UnitIndex, before point: Point) {
        let reach = units[unit].tapReach
        guard mayContinue(unit, reach), engines[unit].contacts.lifts.last(within: reach.distance, of: point) != nil
        else { return engines[unit].contacts.forgetLifts() }
    }
}

extension Region {
    /// The distance from a lift in millimetres within which a landing may be the next tap or a bounce of the panel, and
    /// the time within which it may be a bounce.
    struct TapReach {
        var distance: Double
        var minGap: Interval
    }

    /// The largest values of all taps of the region.
    var tapReach: TapReach {
        var reach = TapReach(distance: max(taps.bounceDistance, taps.distance), minGap: taps.minGap)
        for gesture in gestures {
            guard case .tap(let tap) = gesture.settings else { continue }
            reach.distance = max(reach.distance, tap.bounceDistance, tap.distance)
            reach.minGap = max(reach.minGap, tap.minGap)
        }
        return reach
    }
}
