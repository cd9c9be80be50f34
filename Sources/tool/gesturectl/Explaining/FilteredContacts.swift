// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GesturePipeline

/// The contacts of one panel that a filter has hidden since they landed, from `touches` lines.
struct FilteredContacts {
    /// The contacts that are down, by slot.
    private var down: [Int: Explanation] = [:]
    /// The last touch that has woken the display.
    var wake: Explanation.Wake?
    /// The slots of contacts that regions see or have seen. The explanations of those regions cover them.
    private var seen: Set<Int> = []

    /// Handles a `touches` line.
    /// - Returns: the contacts that have lifted.
    mutating func follow(_ touches: GestureClient.Touches, _ pixel: PixelSize?) -> [Explanation] {
        let time = Int64(touches.time)
        let slots = Set(touches.ignored.map(\.slot))
        seen = Set(touches.contacts.map(\.slot)).union(seen.intersection(slots))
        for contact in touches.ignored where !seen.contains(contact.slot) {
            var landed = Explanation.Contact(
                slot: contact.slot, from: contact.position, to: contact.position,
                path: ContactPath(from: contact.position, pixel), landed: time)
            landed.add(contact.receiver, contact.kept, time)
            let first = Explanation(
                device: touches.device.safe, filter: contact.filter.safe,
                wake: contact.filter == ContactFilter.wake.word ? wake : nil, role: .ignored, contacts: [landed],
                time: time, lastTime: time)
            down[contact.slot, default: first].contacts[0].to = contact.position
            down[contact.slot]?.contacts[0].path.move(to: contact.position)
            down[contact.slot]?.contacts[0].add(contact.receiver, contact.kept, time)
        }
        var lifted: [Explanation] = []
        for (slot, explanation) in down where !slots.contains(slot) || seen.contains(slot) {
            var explanation = explanation
            explanation.contacts[0].lifted = time
            explanation.lastTime = time
            lifted.append(explanation)
            down[slot] = nil
        }
        return lifted
    }

    /// - Returns: the contacts that are still down.
    mutating func end() -> [Explanation] {
        defer { down = [:] }
        return Array(down.values)
    }
}
