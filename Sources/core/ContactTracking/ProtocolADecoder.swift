// SPDX-License-Identifier: MIT

/// Reads the frames of a panel without slots (multitouch protocol A).
///
/// Each frame lists all contacts of the panel. A contact keeps its slot from the previous frame: it is matched by
/// tracking id if the panel provides ids, otherwise by distance. Among all pairs of a previous and a current contact,
/// the closest pair is matched first, then the closest of the remaining pairs. Nothing is allocated after the first
/// frame.
struct ProtocolADecoder {
    /// A contact in the current frame.
    struct Contact {
        var state = SlotState()
        /// The slot of the matching contact in the previous frame; `nil` for a new one.
        var slot: Int?
        fileprivate var hasX = false
        fileprivate var hasY = false
        fileprivate var hasMajor = false
    }

    /// The result of handling an event.
    enum Outcome {
        /// The event does not complete a frame.
        case pending
        /// The frame is complete. `contacts` lists the contacts that are down.
        case frame
        /// A frame is complete, but some of its events were lost, so it is unknown which contacts are down.
        case lost
    }

    /// The contacts of the last frame, at most `slotCount`.
    private(set) var contacts: [Contact] = []
    private var contact = Contact()
    private let hasTrackingIDs: Bool
    private let hasMajor: Bool
    private let slotCount = TouchProtocol.unslotted.slotCount
    /// The device's tracking id of the contact in each slot.
    private var trackingIDs: [Int32]
    /// The next tracking id for the slot table. Consecutive contacts never have equal ids.
    private var nextTrackingID: Int32 = 0
    /// Whether the frame has events about contacts. If not, it changes no contact.
    private var hasContactEvents = false
    private var isComplete = false
    private var isDiscarding = false
    /// Whether contacts that were down at the start may still be down. All contacts are ignored until a frame contains
    /// none.
    private var isWaiting = false

    init(_ device: DeviceDescription) {
        hasTrackingIDs = device.axis(EventCode.absMTTrackingID) != nil
        hasMajor = device.axis(EventCode.absMTTouchMajor) != nil
        trackingIDs = Array(repeating: 0, count: slotCount)
        contacts.reserveCapacity(slotCount)
    }

    /// Drops the frame that is being read.
    /// - Parameter isDown: whether contacts are down now. They are ignored until they lift.
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
        // If the kernel has split a long frame, the value is 1 and the rest of the frame follows.
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

    /// Finds the slot of each contact of the frame. `slots` is their state after the previous frame.
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

    /// The nearest pair of a contact and a slot that are not matched yet.
    private func nearestPair(_ slots: [TrackedSlot]) -> (contact: Int, slot: Int)? {
        var nearest: (contact: Int, slot: Int)?
        var shortest = Double.infinity
        for index in contacts.indices where contacts[index].slot == nil {
            for slot in slots.indices where slots[slot].state.trackingID >= 0 && !isTaken(slot) {
                // The squared distance is computed in floating point, because coordinates may have 32 bits.
                let dx = Double(contacts[index].state.x) - Double(slots[slot].state.x)
                let dy = Double(contacts[index].state.y) - Double(slots[slot].state.y)
                let distance = dx * dx + dy * dy
                if distance < shortest { (nearest, shortest) = ((index, slot), distance) }
            }
        }
        return nearest
    }

    func isTaken(_ slot: Int) -> Bool { contacts.contains { $0.slot == slot } }

    /// Assigns a slot to a new contact.
    /// - Returns: its tracking id for the slot table.
    mutating func begin(_ contact: Contact, in slot: Int) -> Int32 {
        trackingIDs[slot] = contact.state.trackingID
        // The kernel's tracking ids have 16 bits.
        defer { nextTrackingID = (nextTrackingID + 1) & 0xFFFF }
        return nextTrackingID
    }
}
