// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
package import TouchSharing

/// The content of a `touches` line: every contact that is down, with its position, region and sequence; other regions that
/// receive contacts; and contacts that a filter hides.
package struct TouchesReport {
    /// If there are more contacts than this, including hidden ones, a report contains only their positions, and at most
    /// this many hidden ones. It is also the maximum for the sum of contacts and other regions: with the longest names,
    /// 20 of them take 3.9 KB of the 4 KiB that an event may have.
    private static let mostWithNames = 20

    package struct Contact {
        /// The id; `nil` if a filter hides the contact.
        package var id: Int64?
        package var slot: Int
        /// The position in output pixels, rounded to tenths.
        package var x: Double
        package var y: Double
        /// The receiver on a shared panel.
        package var receiver: TouchReceiver?
        /// The region that owns the contact.
        package var region: String?
        /// The sequence in that region; `nil` if the region does not pass the contact to its gestures.
        package var sequence: Int64?
        /// The width in millimetres.
        package var major: Double?
        /// The key of `[filter]` or `[[device]]` that hides the contact.
        package var filter: String?

        package init(id: Int64?, slot: Int, x: Double, y: Double, receiver: TouchReceiver?) {
            (self.id, self.slot, self.x, self.y, self.receiver) = (id, slot, x, y, receiver)
        }
    }

    /// A region that receives contacts without owning them.
    package struct FurtherRegion {
        package var region: String
        package var sequence: Int64
        /// The ids of the contacts.
        package var contacts: [Int64]

        package init(region: String, sequence: Int64, contacts: [Int64]) {
            (self.region, self.sequence, self.contacts) = (region, sequence, contacts)
        }
    }

    /// The time in microseconds.
    package var time: Int64 = 0
    package var contacts: [Contact] = []
    package var further: [FurtherRegion] = []
    /// Contacts that the application received only after they had lifted.
    package var given: [Int64] = []
    package var hidden: [Contact] = []

    // Reused memory.
    private var shown: [PanelContact] = []
    private var filtered: [FilteredContact] = []

    package init() {}

    /// Replaces the report with the present state of a panel.
    mutating func fill(
        at time: Timestamp, _ setup: PanelSetup, _ tracker: borrowing SlotTracker, _ engine: borrowing GestureEngine,
        _ sharing: TouchSharing
    ) {
        tracker.copyContacts(into: &shown)
        tracker.copyFiltered(into: &filtered)
        self.time = time.microseconds
        contacts.removeAll(keepingCapacity: true)
        further.removeAll(keepingCapacity: true)
        hidden.removeAll(keepingCapacity: true)
        given = sharing.givenLate.map(\.number)
        let scale = PixelScale(setup.size)
        let room = Self.mostWithNames - shown.count - filtered.count
        for contact in shown {
            let owner = engine.owner(of: contact.id)
            let receiver = sharing.receiver(of: contact.id, owner: owner)
            var told = Contact(id: contact.id.number, slot: contact.slot, contact.position, scale, receiver)
            if room >= 0 { name(contact, owner, setup, engine, in: &told) }
            contacts.append(told)
        }
        further.removeLast(max(0, further.count - max(0, room)))
        for contact in filtered.prefix(Self.mostWithNames) {
            let receiver = sharing.receiver(ofSlot: contact.slot)
            var told = Contact(id: nil, slot: contact.slot, contact.position, scale, receiver)
            told.filter = contact.filter.word
            hidden.append(told)
        }
    }

    /// Adds the regions that receive a contact.
    private mutating func name(
        _ contact: PanelContact, _ owner: RegionIndex?, _ setup: PanelSetup, _ engine: borrowing GestureEngine,
        in told: inout Contact
    ) {
        told.region = owner.map { setup.regions[$0].name }
        told.major = contact.major
        engine.forEachReceiver(of: contact.id) { region, sequence in
            if region == owner {
                told.sequence = sequence.rawValue
            } else {
                add(contact.id, setup.regions[region], sequence)
            }
        }
    }

    private mutating func add(_ contact: ContactID, _ region: Region, _ sequence: SequenceID) {
        if let place = further.firstIndex(where: { $0.sequence == sequence.rawValue }) {
            further[place].contacts.append(contact.number)
        } else {
            further.append(
                FurtherRegion(region: region.name, sequence: sequence.rawValue, contacts: [contact.number]))
        }
    }
}

extension TouchesReport.Contact {
    fileprivate init(id: Int64?, slot: Int, _ position: Point, _ scale: PixelScale, _ receiver: TouchReceiver?) {
        // Adding 0 turns -0 into 0.
        func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 + 0 }
        self.init(
            id: id, slot: slot, x: tenths(scale.x(position.x)), y: tenths(scale.y(position.y)), receiver: receiver)
    }
}
