// SPDX-License-Identifier: MIT

/// The contacts that are down, and the regions that each is told to.
///
/// Flat memory that is kept: adding and removing contacts allocates nothing once as many have
/// been down at a time.
struct ContactTable: Hashable, Sendable {
    private struct Entry: Hashable, Sendable, BitwiseCopyable {
        var id: ContactID
        var owner: Int?
        /// Which stretch of `routes` is this contact's.
        var slot: Int
        var count: Int
        /// A region has it for itself.
        var isClaimed = false
    }

    /// Where the route of the next contact is put together.
    var scratch: [Int] = []
    /// Contacts that are down come first; the rest keeps its slots.
    private var entries: [Entry] = []
    private var routes: [Int] = []
    /// Regions in a slot.
    private var stride = 4
    private var count = 0

    var isEmpty: Bool { count == 0 }
    var indices: Range<Int> { 0..<count }

    func index(of id: ContactID) -> Int? {
        for i in 0..<count where entries[i].id == id { return i }
        return nil
    }

    func id(_ contact: Int) -> ContactID { entries[contact].id }

    func owner(_ contact: Int) -> Int? { entries[contact].owner }

    func isClaimed(_ contact: Int) -> Bool { entries[contact].isClaimed }

    mutating func claim(_ contact: Int) {
        entries[contact].isClaimed = true
    }

    /// Places in the table that `region(_:)` takes: the owner, its ancestors, those that pass.
    func route(_ contact: Int) -> Range<Int> {
        let start = entries[contact].slot * stride
        return start..<(start + entries[contact].count)
    }

    func region(_ place: Int) -> Int { routes[place] }

    func isRouted(_ contact: Int, to region: Int) -> Bool {
        for place in route(contact) where routes[place] == region { return true }
        return false
    }

    /// Adds a contact with the route that is in `scratch`.
    mutating func add(_ id: ContactID, owner: Int?) -> Int {
        if scratch.count > stride { widen(to: scratch.count) }
        if count == entries.count {
            entries.append(Entry(id: id, owner: nil, slot: count, count: 0))
            routes.append(contentsOf: repeatElement(0, count: stride))
        }
        let contact = count
        count += 1
        entries[contact].id = id
        entries[contact].isClaimed = false
        reroute(contact, owner: owner)
        return contact
    }

    /// Gives a contact the route that is in `scratch`.
    mutating func reroute(_ contact: Int, owner: Int?) {
        if scratch.count > stride { widen(to: scratch.count) }
        entries[contact].owner = owner
        entries[contact].count = scratch.count
        let start = entries[contact].slot * stride
        for i in scratch.indices { routes[start + i] = scratch[i] }
    }

    mutating func remove(_ contact: Int) {
        count -= 1
        // The others stay in the order in which they landed.
        let entry = entries.remove(at: contact)
        entries.insert(entry, at: count)
    }

    /// Regions have other numbers now; those without one are told no more.
    mutating func renumber(_ kept: [Int?]) {
        for contact in 0..<count {
            entries[contact].owner = entries[contact].owner.flatMap { kept[$0] }
            let start = entries[contact].slot * stride
            var length = 0
            for place in route(contact) {
                guard let region = kept[routes[place]] else { continue }
                routes[start + length] = region
                length += 1
            }
            entries[contact].count = length
        }
    }

    private mutating func widen(to width: Int) {
        var wider: [Int] = []
        for slot in entries.indices {
            wider.append(contentsOf: routes[(slot * stride)..<((slot + 1) * stride)])
            wider.append(contentsOf: repeatElement(0, count: width - stride))
        }
        routes = wider
        stride = width
    }
}
