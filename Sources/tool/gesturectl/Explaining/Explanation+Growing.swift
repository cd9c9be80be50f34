// SPDX-License-Identifier: MIT
import GestureClient
import GesturePipeline

/// The growth of an explanation while a touch goes on.
extension Explanation {
    /// The order of explanations that are complete at the same time: by the time at which they began, then owners, hidden
    /// contacts, and ancestors.
    var order: (Int64, Int, Int) {
        switch role {
        case .owner, .none, .onlooker: (time, 0, 0)
        case .ignored: (time, 1, contacts.first?.slot ?? 0)
        case .ancestor: (time, 2, 0)
        }
    }

    mutating func note(_ gesture: Recognized) {
        guard let index = recognized.firstIndex(where: { $0.kind == gesture.kind && $0.name == gesture.name }) else {
            return recognized.append(gesture)
        }
        recognized[index].times += gesture.times
        recognized[index].isOver = gesture.isOver
        (recognized[index].cancelled, recognized[index].cancelTime) = (gesture.cancelled, gesture.cancelTime)
    }

    /// The time at which the last contact lifted; `nil` if no contact has lifted.
    var end: Int64? { contacts.compactMap(\.lifted).max() }

    mutating func begin(_ role: Role, _ owner: String?, _ time: Int64) {
        (self.role, self.owner, self.time) = (role, owner, min(self.time, time))
    }

    mutating func land(
        _ contact: TouchesReport.Contact, _ pixel: PixelSize?, _ time: Int64, _ lifts: [RecentLifts.Distance]?
    ) {
        contacts.append(
            Contact(
                id: contact.id, slot: contact.slot, from: contact.position, to: contact.position,
                path: ContactPath(from: contact.position, pixel), landed: time, lifts: lifts ?? []))
    }

    mutating func move(_ contact: TouchesReport.Contact, _ time: Int64) {
        change(contact.id) {
            ($0.slot, $0.to) = (contact.slot, contact.position)
            $0.path.move(to: contact.position)
            $0.add(contact.receiver, time)
        }
    }

    mutating func change(_ id: Int64?, _ body: (inout Contact) -> Void) {
        if let index = contacts.lastIndex(where: { $0.id == id }) { body(&contacts[index]) }
    }
}
