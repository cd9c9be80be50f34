// SPDX-License-Identifier: MIT

/// Reads the frames of a panel without slots (multitouch protocol A).
///
/// Each frame lists all contacts of the panel. A contact keeps the slot of the one it was in the frame before: the
/// one with the same tracking id where the panel gives ids, else the nearest one. Of all pairs of a contact before
/// and one now the nearest pair is matched first, then the nearest of the rest. Allocates nothing after the first
/// frame.
struct ProtocolADecoder {
    /// One contact of a frame.
    struct Contact {
        var state = SlotState()
        /// The slot of the contact that it was before; `nil` for a new one.
        var slot: Int?
        fileprivate var hasX = false
        fileprivate var hasY = false
        fileprivate var hasMajor = false
    }

    /// What an event was.
    enum Outcome {
        /// Part of a frame, or meaningless.
        case pending
        /// The end of a frame: `contacts` lists what is down.
        case frame
        /// Lost events have ended: which contacts are down is not known.
        case lost
    }

    /// Those of the frame that was read last, at most `slotCount`.
    private(set) var contacts: [Contact] = []
    private var contact = Contact()
    private let hasTrackingIDs: Bool
    private let hasMajor: Bool
    private let slotCount = TouchProtocol.unslotted.slotCount
    /// The device's tracking id of the contact in each slot.
    private var trackingIDs: [Int32]
    /// What the slot table says instead: numbers that are never the same for two contacts in a row.
    private var nextTrackingID: Int32 = 0
    /// Whether the frame says anything of contacts; one that does not leaves them as they are.
    private var hasContactEvents = false
    private var isComplete = false
    private var isDiscarding = false
    /// Contacts from before the start are ignored until there is a frame without any.
    private var isWaiting = false

    init(_ device: DeviceDescription) {
        hasTrackingIDs = device.axis(EventCode.absMTTrackingID) != nil
        hasMajor = device.axis(EventCode.absMTTouchMajor) != nil
        trackingIDs = Array(repeating: 0, count: slotCount)
        contacts.reserveCapacity(slotCount)
    }

    /// Forgets the frame that is being read.
    /// - Parameter isDown: whether something touches the panel now; it is ignored until it lifts.
    mutating func restart(isDown: Bool) {
        clearFrame()
        isDiscarding = false
        isWaiting = isDown
    }

    mutating func take(_ event: KernelEvent) -> Outcome {
        if isComplete { clearFrame() }
        switch (event.type, event.code) {
        case (EventCode.evAbs, _): takeAxis(event.code, event.value)
        case (EventCode.evKey, EventCode.btnTouch): if event.value == 0 { hasContactEvents = true }
        case (EventCode.evSyn, EventCode.synMTReport): endContact()
        case (EventCode.evSyn, EventCode.synDropped): isDiscarding = true
        // With the value 1 the kernel has cut a long frame, and the rest follows.
        case (EventCode.evSyn, EventCode.synReport) where event.value != 1: return endFrame()
        default: break
        }
        return .pending
    }

    private mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        guard contact.state.set(code, value) else { return }
        switch code {
        case EventCode.absMTPositionX: contact.hasX = true
        case EventCode.absMTPositionY: contact.hasY = true
        case EventCode.absMTTouchMajor: contact.hasMajor = true
        default: break
        }
        hasContactEvents = true
    }

    private mutating func endContact() {
        hasContactEvents = true
        if isTouching(contact), contacts.count < slotCount { contacts.append(contact) }
        contact = Contact()
    }

    private func isTouching(_ contact: Contact) -> Bool {
        guard contact.hasX, contact.hasY, contact.state.distance <= 0 else { return false }
        if hasTrackingIDs {
            let id = contact.state.trackingID
            return id >= 0 && !contacts.contains { $0.state.trackingID == id }
        }
        // Drivers without tracking ids report a lifted contact with a width of 0.
        return !hasMajor || !contact.hasMajor || contact.state.major != 0
    }

    private mutating func endFrame() -> Outcome {
        isComplete = true
        if isDiscarding {
            isDiscarding = false
            return .lost
        }
        guard hasContactEvents else { return .pending }
        if isWaiting {
            isWaiting = !contacts.isEmpty
            return .pending
        }
        return .frame
    }

    private mutating func clearFrame() {
        contact = Contact()
        contacts.removeAll(keepingCapacity: true)
        hasContactEvents = false
        isComplete = false
    }

    // MARK: Slots

    /// Finds the slot of each contact of the frame, with `slots` as they were before it.
    mutating func matchContacts(with slots: [TrackedSlot]) {
        if hasTrackingIDs {
            for index in contacts.indices {
                let id = contacts[index].state.trackingID
                contacts[index].slot = slots.indices.first { slots[$0].state.trackingID >= 0 && trackingIDs[$0] == id }
            }
        } else {
            while let nearest = nearestPair(slots) { contacts[nearest.contact].slot = nearest.slot }
        }
    }

    /// The nearest contact and slot of those that have no partner yet.
    private func nearestPair(_ slots: [TrackedSlot]) -> (contact: Int, slot: Int)? {
        var nearest: (contact: Int, slot: Int)?
        var shortest = Double.infinity
        for index in contacts.indices where contacts[index].slot == nil {
            for slot in slots.indices where slots[slot].state.trackingID >= 0 && !isTaken(slot) {
                // Squared, in device units, which may have 32 bits.
                let dx = Double(contacts[index].state.x) - Double(slots[slot].state.x)
                let dy = Double(contacts[index].state.y) - Double(slots[slot].state.y)
                let distance = dx * dx + dy * dy
                if distance < shortest { (nearest, shortest) = ((index, slot), distance) }
            }
        }
        return nearest
    }

    /// Whether a contact of the frame has this slot.
    func isTaken(_ slot: Int) -> Bool { contacts.contains { $0.slot == slot } }

    /// A new contact gets a slot.
    /// - Returns: its tracking id in the slot table.
    mutating func begin(_ contact: Contact, in slot: Int) -> Int32 {
        trackingIDs[slot] = contact.state.trackingID
        // The kernel counts with 16 bits.
        defer { nextTrackingID = (nextTrackingID + 1) & 0xFFFF }
        return nextTrackingID
    }
}
