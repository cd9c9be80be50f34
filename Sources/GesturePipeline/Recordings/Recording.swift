// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine

/// A device and what it said: an evemu file in memory.
///
/// A recording of the project's own holds besides what a replay needs to print the same bytes as
/// the daemon did: the names it had for the panel, and what it would have counted next.
package struct Recording: Hashable, Sendable {
    /// What happened, in order.
    package enum Entry: Hashable, Sendable {
        case event(KernelEvent)
        /// The events from here to the next `SYN_REPORT` are no changes but the whole slot table,
        /// read after the kernel's buffer had overflowed (see `SlotTable`).
        case resynchronized
        /// The panel was unplugged.
        case removed(Timestamp)
    }

    /// Where a slot's last contact was when the recording began: the kernel repeats no position
    /// that did not change, so the next contact may land with one axis only.
    package struct SlotPosition: Hashable, Sendable {
        package var x: Int32
        package var y: Int32

        package init(x: Int32, y: Int32) {
            self.x = x
            self.y = y
        }
    }

    package var description: DeviceDescription
    /// The id of the panel in the daemon's lines; none in a foreign recording.
    package var device: String?
    /// The id of the first contact that lands.
    package var nextContact: Int64
    /// The id of the first sequence that begins.
    package var nextSequence: Int64
    /// By slot; empty when unknown, then all are where the axes' values say.
    package var slots: [SlotPosition]
    package var entries: [Entry]

    package init(
        description: DeviceDescription, device: String? = nil, nextContact: Int64 = 1, nextSequence: Int64 = 1,
        slots: [SlotPosition] = [], entries: [Entry] = []
    ) {
        self.description = description
        self.device = device
        self.nextContact = nextContact
        self.nextSequence = nextSequence
        self.slots = slots
        self.entries = entries
    }

    /// What its first contact and its first sequence are called.
    package var identifiers: Identifiers {
        Identifiers(nextContact: nextContact, nextSequence: nextSequence)
    }

    /// The kernel's events alone, without the marks between them.
    package var events: [KernelEvent] {
        entries.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }
}
