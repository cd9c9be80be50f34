// SPDX-License-Identifier: MIT

/// Contacts that rest and are no fingers: water, a sleeve, a sticker (`rest_after`).
///
/// Decided when another contact lands or moves, so that nothing happens to a finger that is alone.
extension GestureEngine {
    /// Takes contacts out of regions in which they have rested for long enough, unless they drag, pinch or turn there.
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

    /// A contact that was taken out of regions and has moved lands in them where it is now.
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
