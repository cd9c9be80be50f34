// SPDX-License-Identifier: MIT
import GestureClient
import GestureEngine
import GesturePipeline

/// The last lifts of one panel.
struct RecentLifts {
    /// A lift as seen from a later landing.
    struct Distance: Hashable {
        /// The time from the lift to the landing, in microseconds.
        var time: Int64
        /// The distance in millimetres.
        var length: Double
    }

    /// The maximum number of lifts. The application's filter has more than this only while a panel is stormed.
    private static let most = 32

    private var down: [TouchesReport.Contact] = []
    private var lifts: [(contact: TouchesReport.Contact, time: Int64)] = []

    mutating func follow(_ touches: TouchesReport) {
        for contact in down {
            // A filter may hide a contact that stays down.
            let isDown =
                contact.id.map { id in touches.contacts.contains { $0.id == id } } == true
                || touches.hidden.contains { $0.slot == contact.slot }
            if !isDown { lifts.append((contact, touches.time)) }
        }
        lifts.removeFirst(max(0, lifts.count - Self.most))
        down = touches.contacts + touches.hidden
    }

    /// Returns how far the lifts were from the landing of a contact. As in the daemon, lifts in private regions count
    /// only for landings there.
    func distances(to contact: TouchesReport.Contact, _ pixel: PixelSize, at time: Int64) -> [Distance] {
        let isPrivate = contact.id.map { $0 < 0 }
        return lifts.filter { $0.contact.id.map { ($0 < 0) == isPrivate } ?? true }.map { lift in
            let way = pixel.onGlass(contact.position) - pixel.onGlass(lift.contact.position)
            return Distance(time: time - lift.time, length: way.length)
        }
    }
}

extension TouchesReport.Contact {
    var position: GestureClient.Point { .init(x: x, y: y) }
}
