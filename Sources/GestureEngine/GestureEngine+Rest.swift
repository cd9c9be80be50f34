// SPDX-License-Identifier: MIT

/// Excludes contacts that rest and are not fingers, such as water, a sleeve or a sticker (`rest_after`).
///
/// Contacts are checked when another one lands or moves, so a single finger is never affected.
extension GestureEngine {
    /// Removes contacts from regions in which they have rested long enough, unless a drag, pinch or rotation is active
    /// there.
    func layToRest(besides id: ContactID, in route: [UnitIndex]) {
        for unit in route where !engines[unit].holdsClaim {
            guard let restAfter = units[unit].restAfter else { continue }
            for contact in contacts.indices
            where contacts.entries[contact].id != id && contacts.entries[contact].restsSince + restAfter <= context.now
            {
                engines[unit].cancelled(contacts.entries[contact].id, .rest)
            }
        }
    }

    /// Passes a contact that moves again as a new landing, at its current position, to the regions from which it was
    /// removed.
    mutating func comeBack(_ change: ContactChange, _ contact: Int) {
        guard contacts.entries[contact].restsSince == context.now else { return }
        let route = contacts.routes[contact]
        for (place, unit) in route.enumerated() where units[unit].restAfter != nil {
            guard engines[unit].contacts.group.index(of: change.id) == nil else { continue }
            tellLanding(of: change, on: route, at: place)
            beginAccepted(unit)
        }
    }
}
