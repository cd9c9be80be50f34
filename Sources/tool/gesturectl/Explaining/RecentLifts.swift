// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine

/// The last lifts of one panel, from `touches` lines.
struct RecentLifts {
    /// A lift as seen from a later landing.
    struct Distance: Hashable {
        /// The time from the lift to the landing, in microseconds.
        var time: Int64
        /// The distance in millimetres.
        var length: Double
    }

    private struct Contact {
        /// The id; `nil` if a filter hides the contact.
        var id: Int?
        var slot: Int
        var position: GestureClient.Point
    }

    /// The maximum number of lifts. The application's filter has more than this only while a panel is stormed.
    private static let most = 32

    private var down: [Contact] = []
    private var lifts: [(contact: Contact, time: Int64)] = []

    /// Handles a `touches` line.
    mutating func follow(_ touches: GestureClient.Touches) {
        let contacts = touches.contacts.map { Contact(id: $0.id, slot: $0.slot, position: $0.position) }
        let ignored = touches.ignored.map { Contact(slot: $0.slot, position: $0.position) }
        for contact in down {
            // A filter may hide a contact that stays down.
            let isDown =
                contact.id.map { id in contacts.contains { $0.id == id } } == true
                || ignored.contains { $0.slot == contact.slot }
            if !isDown { lifts.append((contact, Int64(touches.time))) }
        }
        lifts.removeFirst(max(0, lifts.count - Self.most))
        down = contacts + ignored
    }

    /// Returns how far the lifts were from the landing of a contact. As in the daemon, lifts in private regions count
    /// only for landings there.
    func distances(to contact: GestureClient.Contact, _ pixel: PixelSize, at time: Int64) -> [Distance] {
        lifts.filter { $0.contact.id.map { ($0 < 0) == (contact.id < 0) } ?? true }.map { lift in
            let way = pixel.onGlass(contact.position) - pixel.onGlass(lift.contact.position)
            return Distance(time: time - lift.time, length: way.length)
        }
    }
}
