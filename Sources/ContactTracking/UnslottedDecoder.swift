// SPDX-License-Identifier: MIT

/// Gives the contacts of a panel without slots (multitouch protocol A) slots, as the events of a
/// panel that has them.
///
/// Each frame of such a panel lists all its contacts anew. Those that the panel names (tracking ids) are
/// known by their names, others by their places: of all pairs of a contact before and one now the nearest
/// is one contact, then the nearest of the rest. Allocates nothing once it has seen a full frame.
package struct UnslottedDecoder {
    /// What an event was.
    package enum Outcome {
        /// Part of a frame, or of no meaning.
        case pending
        /// The end of a frame: `events` are those of a panel with slots, but for the `SYN_REPORT`.
        case frame
        /// The end of a loss: nobody knows what is down; see `restart`.
        case lost
    }

    /// An axis of `EV_ABS`.
    package struct Event: Hashable, Sendable, BitwiseCopyable {
        package var code: UInt16
        package var value: Int32
    }

    private struct Contact: BitwiseCopyable {
        var x: Int32?
        var y: Int32?
        var name: Int32?
        var major: Int32?
        var tool: Int32 = 0
        var distance: Int32 = 0
        /// Where it was before.
        var slot: Int?
    }

    /// What the last frame said; their storage is used again and again.
    package private(set) var events: [Event] = []
    /// What has been told of each slot; a contact's name, or 0, is in `names`.
    private var slots = [SlotState](repeating: SlotState(), count: TouchProtocol.unslotted.slotCount)
    private var names = [Int32](repeating: 0, count: TouchProtocol.unslotted.slotCount)
    private var contacts: [Contact] = []
    private var contact = Contact()
    private let hasNames: Bool
    private let hasMajor: Bool
    private var nextTrackingID: Int32 = 0
    /// Whether the frame says anything of contacts; one without a word changes none.
    private var isTelling = false
    private var isDiscarding = false
    /// Fingers that were down before are ignored until there was a frame without any.
    private var isWaiting = false

    package init(_ device: DeviceDescription) {
        hasNames = device.axis(EventCode.absMTTrackingID) != nil
        hasMajor = device.axis(EventCode.absMTTouchMajor) != nil
        contacts.reserveCapacity(slots.count)
        events.reserveCapacity(slots.count * 8)
    }

    /// Forgets all contacts. What they are shown in has to forget them, too.
    /// - Parameter isDown: something touches the panel now, nobody knows what: it is ignored until it lifts.
    package mutating func restart(isDown: Bool) {
        for index in slots.indices { slots[index].trackingID = -1 }
        clearFrame()
        isDiscarding = false
        isWaiting = isDown
    }

    /// Takes one event of the panel.
    package mutating func take(type: UInt16, code: UInt16, value: Int32) -> Outcome {
        switch (type, code) {
        case (EventCode.evAbs, _): takeAxis(code, value)
        case (EventCode.evKey, EventCode.btnTouch): if value == 0 { isTelling = true }
        case (EventCode.evSyn, EventCode.synMTReport): endContact()
        case (EventCode.evSyn, EventCode.synDropped): isDiscarding = true
        // Value 1: the kernel cut a long frame; the rest follows.
        case (EventCode.evSyn, EventCode.synReport) where value != 1: return endFrame()
        default: break
        }
        return .pending
    }

    private mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        switch code {
        case EventCode.absMTPositionX: contact.x = value
        case EventCode.absMTPositionY: contact.y = value
        case EventCode.absMTTrackingID: contact.name = value
        case EventCode.absMTTouchMajor: contact.major = value
        case EventCode.absMTToolType: contact.tool = value
        case EventCode.absMTDistance: contact.distance = value
        default: return
        }
        isTelling = true
    }

    private mutating func endContact() {
        isTelling = true
        // More than there are slots are not heard.
        if isTouch(contact), contacts.count < slots.count { contacts.append(contact) }
        contact = Contact()
    }

    private func isTouch(_ contact: Contact) -> Bool {
        guard contact.x != nil, contact.y != nil, contact.distance <= 0 else { return false }
        if hasNames {
            guard let name = contact.name, name >= 0 else { return false }
            return !contacts.contains { $0.name == name }
        }
        // Drivers without names say so that a finger has lifted.
        return !hasMajor || contact.major != 0
    }

    private mutating func endFrame() -> Outcome {
        defer { clearFrame() }
        if isDiscarding {
            isDiscarding = false
            return .lost
        }
        guard isTelling else { return .pending }
        if isWaiting {
            isWaiting = !contacts.isEmpty
            return .pending
        }
        events.removeAll(keepingCapacity: true)
        if hasNames { matchNames() } else { matchPlaces() }
        tellLifted()
        for contact in contacts { tell(contact) }
        return .frame
    }

    private mutating func clearFrame() {
        contact = Contact()
        contacts.removeAll(keepingCapacity: true)
        isTelling = false
    }

    // MARK: Which is which

    private mutating func matchNames() {
        for index in contacts.indices {
            let name = contacts[index].name
            contacts[index].slot = slots.indices.first { slots[$0].trackingID >= 0 && names[$0] == name }
        }
    }

    private mutating func matchPlaces() {
        var free: UInt64 = 0
        for slot in slots.indices where slots[slot].trackingID >= 0 { free |= 1 << UInt64(slot) }
        while free != 0 {
            var nearest: (contact: Int, slot: Int, distance: Double)?
            for index in contacts.indices where contacts[index].slot == nil {
                for slot in slots.indices where free >> UInt64(slot) & 1 == 1 {
                    let distance = distance(contacts[index], slots[slot])
                    if distance < nearest?.distance ?? .infinity { nearest = (index, slot, distance) }
                }
            }
            guard let nearest else { return }
            contacts[nearest.contact].slot = nearest.slot
            free &= ~(1 << UInt64(nearest.slot))
        }
    }

    /// Squared, in device units; always finite.
    private func distance(_ contact: Contact, _ slot: SlotState) -> Double {
        let x = Double(contact.x ?? 0) - Double(slot.x)
        let y = Double(contact.y ?? 0) - Double(slot.y)
        return x * x + y * y
    }

    // MARK: Told with slots

    private mutating func tellLifted() {
        for slot in slots.indices where slots[slot].trackingID >= 0 {
            if contacts.contains(where: { $0.slot == slot }) { continue }
            slots[slot].trackingID = -1
            events.append(Event(code: EventCode.absMTSlot, value: Int32(slot)))
            events.append(Event(code: EventCode.absMTTrackingID, value: -1))
        }
    }

    private mutating func tell(_ contact: Contact) {
        // There is one: no more contacts are heard than there are slots.
        guard let slot = contact.slot ?? slots.indices.first(where: { isFree($0) }) else { return }
        events.append(Event(code: EventCode.absMTSlot, value: Int32(slot)))
        if slots[slot].trackingID < 0 {
            slots[slot].trackingID = nextTrackingID
            names[slot] = contact.name ?? 0
            events.append(Event(code: EventCode.absMTTrackingID, value: nextTrackingID))
            // 16 bits, as the kernel counts.
            nextTrackingID = (nextTrackingID + 1) & 0xFFFF
        }
        let before = slots[slot]
        slots[slot].x = contact.x ?? 0
        slots[slot].y = contact.y ?? 0
        slots[slot].major = contact.major ?? 0
        slots[slot].tool = contact.tool
        tell(EventCode.absMTPositionX, slots[slot].x, before.x)
        tell(EventCode.absMTPositionY, slots[slot].y, before.y)
        tell(EventCode.absMTTouchMajor, slots[slot].major, before.major)
        tell(EventCode.absMTToolType, slots[slot].tool, before.tool)
    }

    private mutating func tell(_ code: UInt16, _ value: Int32, _ before: Int32) {
        if value != before { events.append(Event(code: code, value: value)) }
    }

    private func isFree(_ slot: Int) -> Bool { slots[slot].trackingID < 0 }
}
