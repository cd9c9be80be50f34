// SPDX-License-Identifier: MIT

/// Contacts that rest and are no fingers: water, a sleeve, a sticker (`rest_after`).
///
/// Decided when another contact lands or moves, so that nothing happens to a finger that is alone.
extension GestureEngine {
    /// Takes contacts out of regions in which they have rested for long enough, unless they drag, pinch or turn there.
    func layToRest(besides id: ContactID, in route: [Int]) {
        for region in route where !engines[region].holdsClaim {
            guard let restAfter = units.regions[region].restAfter else { continue }
            for contact in contacts.indices
            where contacts.entries[contact].id != id && contacts.entries[contact].restsSince + restAfter <= context.now
            {
                engines[region].cancelled(contacts.entries[contact].id, .rest)
            }
        }
    }

    /// A contact that was taken out of regions and has moved lands in them where it is now.
    mutating func comeBack(_ change: ContactChange, _ contact: Int) {
        guard contacts.entries[contact].restsSince == context.now else { return }
        contacts.scratch.removeAll(keepingCapacity: true)
        contacts.scratch.append(contentsOf: contacts.routes[contact])
        for place in contacts.scratch.indices {
            let region = contacts.scratch[place]
            guard units.regions[region].restAfter != nil, engines[region].contacts.group.index(of: change.id) == nil
            else {
                continue
            }
            tellLanding(of: change, to: region, at: place)
            beginAccepted(region)
        }
    }
}
