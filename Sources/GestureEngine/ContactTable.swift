// SPDX-License-Identifier: MIT

/// The contacts that are down, and the route of each: the regions that receive it.
///
/// Entries are reused: adding a contact allocates only if more are down than ever before.
struct ContactTable {
    private struct Entry {
        var id: ContactID
        var owner: Int?
        /// The units of the owner, of its ancestors from the inside out, then of regions that pass.
        var route: [Int] = []
        /// A region has claimed it.
        var isClaimed = false
        /// From where it has not moved.
        var anchor = Point.zero
        /// When it landed, or last moved.
        var restsSince = Timestamp(microseconds: 0)
    }

    /// Millimetres that are no movement of a contact that rests: a tap's slop.
    private static let restSlop = 3.0

    /// The route of the next contact.
    var scratch: [Int] = []
    /// Contacts that are down come first, in the order in which they landed.
    private var entries: [Entry] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }
    var indices: Range<Int> { 0..<count }

    func index(of id: ContactID) -> Int? {
        for i in 0..<count where entries[i].id == id { return i }
        return nil
    }

    func id(_ contact: Int) -> ContactID { entries[contact].id }
    func owner(_ contact: Int) -> Int? { entries[contact].owner }
    func route(_ contact: Int) -> [Int] { entries[contact].route }
    func isClaimed(_ contact: Int) -> Bool { entries[contact].isClaimed }
    func restsSince(_ contact: Int) -> Timestamp { entries[contact].restsSince }

    /// Notes where a contact is, and whether that is a movement.
    mutating func track(_ contact: Int, at position: Point, _ now: Timestamp) {
        guard (position - entries[contact].anchor).length.exceeds(Self.restSlop) else { return }
        entries[contact].anchor = position
        entries[contact].restsSince = now
    }

    mutating func claim(_ contact: Int) {
        entries[contact].isClaimed = true
    }

    /// Adds a contact with the route that is in `scratch`.
    mutating func add(_ id: ContactID, at position: Point, _ now: Timestamp, owner: Int?) -> Int {
        if count == entries.count { entries.append(Entry(id: id)) }
        let contact = count
        count += 1
        entries[contact].id = id
        entries[contact].isClaimed = false
        entries[contact].anchor = position
        entries[contact].restsSince = now
        reroute(contact, owner: owner)
        return contact
    }

    /// Replaces the route of a contact by that in `scratch`.
    mutating func reroute(_ contact: Int, owner: Int?) {
        entries[contact].owner = owner
        entries[contact].route.removeAll(keepingCapacity: true)
        entries[contact].route.append(contentsOf: scratch)
    }

    mutating func remove(_ contact: Int) {
        count -= 1
        let entry = entries.remove(at: contact)
        entries.insert(entry, at: count)
    }

    /// Renumbers the units of routes, and the regions that own contacts; those without a new number are left out.
    mutating func renumber(_ kept: [Int?], owners: [Int?]) {
        for contact in 0..<count {
            entries[contact].owner = entries[contact].owner.flatMap { owners[$0] }
            entries[contact].route = entries[contact].route.compactMap { kept[$0] }
        }
    }
}
