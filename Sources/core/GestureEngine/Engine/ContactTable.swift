// SPDX-License-Identifier: MIT

/// The contacts that are down, each with its route: the regions that receive it.
///
/// Entries are reused, so adding a contact allocates only if more contacts are down than ever before.
struct ContactTable {
    struct Entry {
        fileprivate(set) var id: ContactID
        fileprivate(set) var owner: RegionIndex?
        fileprivate(set) var isClaimed = false
        /// The unit that has claimed it last; `nil` if no region has, or if that region was replaced.
        fileprivate var claimant: UnitIndex?
        /// The strictest `touches` of the regions in which it landed.
        fileprivate(set) var touches = Region.Touches.share
        /// The position from which movement is measured, and the time at which it was set.
        fileprivate var anchor = Point.zero
        fileprivate var anchored = Timestamp(microseconds: 0)
        /// The time of the landing or of the last movement.
        fileprivate(set) var restsSince = Timestamp(microseconds: 0)
        /// The last position, and the frame in which it last changed.
        fileprivate var position = Point.zero
        fileprivate var frame = 0
    }

    /// Movement up to this distance in millimetres counts as rest: the slop of a tap.
    private static let restSlop = 3.0
    /// Movement by `restSlop` that takes longer than this counts as rest: a hand that leans creeps by less than 3 mm/s.
    private static let creep = Interval.milliseconds(1000)

    /// Contacts that are down, in the order of their landing, then unused entries.
    private(set) var entries: [Entry] = []
    /// The route of each entry: the units of the owner, of its ancestors from the inside out, then of regions with
    /// `pass`.
    private(set) var routes: [[UnitIndex]] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }
    var indices: Range<Int> { 0..<count }

    func index(of id: ContactID) -> Int? {
        for i in 0..<count where entries[i].id == id { return i }
        return nil
    }

    /// Updates the position of a contact and, if it moved by more than 3 mm within a second, the start of its rest.
    mutating func track(_ contact: Int, at position: Point, _ context: EngineContext) {
        guard position != entries[contact].position else { return }
        if context.now - entries[contact].anchored >= Self.creep {
            entries[contact].anchor = entries[contact].position
            entries[contact].anchored = context.now
        }
        entries[contact].position = position
        entries[contact].frame = context.frame
        guard (position - entries[contact].anchor).length.exceeds(Self.restSlop) else { return }
        entries[contact].anchor = position
        entries[contact].anchored = context.now
        entries[contact].restsSince = context.now
    }

    func hasRested(_ contact: Int, _ time: Interval, _ now: Timestamp) -> Bool {
        entries[contact].restsSince + time <= now
    }

    /// The distance in millimetres by which a contact that rests has moved within a second; 0 if it has not moved in this
    /// frame, and infinite if it has moved without having rested for `time`.
    func stir(_ contact: Int, _ time: Interval, _ context: EngineContext) -> Double {
        guard entries[contact].frame == context.frame else { return 0 }
        guard hasRested(contact, time, context.now) else { return .infinity }
        return (entries[contact].position - entries[contact].anchor).length
    }

    mutating func claim(_ contact: Int, for unit: UnitIndex) {
        entries[contact].isClaimed = true
        entries[contact].claimant = unit
    }

    /// Ends the claim of a unit that the contact leaves.
    mutating func release(_ contact: Int, from unit: UnitIndex) {
        guard entries[contact].claimant == unit else { return }
        entries[contact].isClaimed = false
        entries[contact].claimant = nil
    }

    mutating func add(
        _ id: ContactID, at position: Point, _ now: Timestamp, owner: RegionIndex?, _ route: [UnitIndex],
        _ touches: Region.Touches
    ) -> Int {
        if count == entries.count {
            entries.append(Entry(id: id))
            routes.append([])
        }
        let contact = count
        count += 1
        entries[contact].id = id
        entries[contact].isClaimed = false
        entries[contact].claimant = nil
        entries[contact].touches = touches
        entries[contact].anchor = position
        entries[contact].anchored = now
        entries[contact].restsSince = now
        entries[contact].position = position
        reroute(contact, owner: owner, route)
        return contact
    }

    mutating func reroute(_ contact: Int, owner: RegionIndex?, _ route: [UnitIndex]) {
        entries[contact].owner = owner
        routes[contact] = route
    }

    mutating func remove(_ contact: Int) {
        count -= 1
        entries.insert(entries.remove(at: contact), at: count)
        routes.insert(routes.remove(at: contact), at: count)
    }

    /// Renumbers owners and routes after regions were replaced. Regions and units without a new number are dropped.
    mutating func renumber(_ regions: [RegionIndex?], _ successor: (UnitIndex) -> UnitIndex?) {
        for contact in 0..<count {
            entries[contact].owner = entries[contact].owner.flatMap { regions[$0.raw] }
            entries[contact].claimant = entries[contact].claimant.flatMap(successor)
            routes[contact] = routes[contact].compactMap(successor)
        }
    }
}
