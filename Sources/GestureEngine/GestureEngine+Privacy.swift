// SPDX-License-Identifier: MIT

/// An engine that does not know of contacts in private regions (`hidesPrivate`).
///
/// Such a contact changes nothing here, not even another region's sequence, streak or claim. So what the engine makes
/// cannot depend on it, and needs no marks.
extension GestureEngine {
    /// Whether one of the regions in `contacts.scratch`, in which a contact lands, is private: an engine that
    /// `hidesPrivate` ignores it.
    var landsInPrivate: Bool { contacts.scratch.contains { regions[$0].isPrivate } }

    /// Whether a contact would be handed over to a private region (`capture = "follow"`): here it is gone before that,
    /// so that no line has its position there. Only of an engine that `hidesPrivate`.
    mutating func entersPrivate(_ change: ContactChange) -> Bool {
        guard let contact = contacts.index(of: change.id), !contacts.entries[contact].isClaimed,
            let owner = contacts.entries[contact].owner, regions[owner].capture == .follow
        else { return false }
        switch change.kind {
        case .moved, .resynchronized, .lifted: break
        case .landed, .cancelled: return false
        }
        guard map.route(change.position, regions, into: &contacts.scratch) != owner else { return false }
        // Regions that pass are not told of a handover.
        return contacts.scratch.contains { regions[$0].isPrivate && !regions[$0].pass }
    }

    /// Whether a contact is down that this engine was told of.
    package func knows(_ id: ContactID) -> Bool { contacts.index(of: id) != nil }

    /// What `route(at:)` would be if there were no private regions.
    package mutating func openRoute(at point: Point) -> (owner: Int?, route: [Int]) {
        let map = openMap ?? RegionMap(regions, bounds: bounds, omitting: .isPrivate)
        openMap = map
        var route: [Int] = []
        // All that is in a private region is private: the ancestors of what this finds are not.
        let owner = map.route(point, regions, into: &route)
        return (owner, route)
    }
}
