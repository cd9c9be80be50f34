// SPDX-License-Identifier: MIT

/// Excludes contacts that rest and are not fingers: water, a sleeve, a sticker (`rest_after`).
///
/// Checked when another contact lands or moves, so that a finger that is alone is never affected.
extension GestureEngine {
    /// Removes contacts from regions in which they have rested long enough, unless they drag, pinch or rotate there.
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

    /// Lands a contact again, at its current position, in regions that it was removed from and has moved in.
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
