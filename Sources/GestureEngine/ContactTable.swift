// SPDX-License-Identifier: MIT

/// The contacts that are down, and the route of each: the regions that receive it.
///
/// Entries are reused: adding a contact allocates only if more are down than ever before.
struct ContactTable {
    struct Entry {
        fileprivate(set) var id: ContactID
        fileprivate(set) var owner: Int?
        /// A region has claimed it.
        fileprivate(set) var isClaimed = false
        /// Of the regions that it landed in.
        fileprivate(set) var touches = Region.Touches.share
        /// From where it has not moved.
        fileprivate var anchor = Point.zero
        /// When it landed, or last moved.
        fileprivate(set) var restsSince = Timestamp(microseconds: 0)
    }

    /// Millimetres that are no movement of a contact that rests: a tap's slop.
    private static let restSlop = 3.0

    /// Contacts that are down come first, in the order in which they landed.
    private(set) var entries: [Entry] = []
    /// By entry: the units of the owner, of its ancestors from the inside out, then of regions that pass.
    private(set) var routes: [[UnitIndex]] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }
    var indices: Range<Int> { 0..<count }

    func index(of id: ContactID) -> Int? {
        for i in 0..<count where entries[i].id == id { return i }
        return nil
    }

    /// Notes where a contact is, and whether that is a movement.
    mutating func track(_ contact: Int, at position: Point, _ now: Timestamp) {
        guard (position - entries[contact].anchor).length.exceeds(Self.restSlop) else { return }
        entries[contact].anchor = position
        entries[contact].restsSince = now
    }

    mutating func claim(_ contact: Int) {
        entries[contact].isClaimed = true
    }

    mutating func add(
        _ id: ContactID, at position: Point, _ now: Timestamp, owner: Int?, _ route: [UnitIndex],
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
        entries[contact].touches = touches
        entries[contact].anchor = position
        entries[contact].restsSince = now
        reroute(contact, owner: owner, route)
        return contact
    }

    /// Replaces the route of a contact.
    mutating func reroute(_ contact: Int, owner: Int?, _ route: [UnitIndex]) {
        entries[contact].owner = owner
        routes[contact] = route
    }

    mutating func remove(_ contact: Int) {
        count -= 1
        entries.insert(entries.remove(at: contact), at: count)
        routes.insert(routes.remove(at: contact), at: count)
    }

    /// Renumbers the regions that own contacts, and the units of routes; those without a new number are left out.
    mutating func renumber(_ regions: [Int?], _ successor: (UnitIndex) -> UnitIndex?) {
        for contact in 0..<count {
            entries[contact].owner = entries[contact].owner.flatMap { regions[$0] }
            routes[contact] = routes[contact].compactMap(successor)
        }
    }
}
