// SPDX-License-Identifier: MIT
package import GestureEngine

/// The contacts on the glass, and what has been counted of them.
extension SlotTracker {
    /// The slots as reported by the device.
    package var table: SlotTable { SlotTable(slots: slots.map { $0.state }, current: current) }

    /// The state of one slot.
    package func state(of slot: Int) -> SlotState { slots[slot].state }

    /// The position on the glass of the contact in a slot.
    package func position(of slot: Int) -> Point { mapping.point(x: slots[slot].state.x, y: slots[slot].state.y) }

    /// Whether a contact in the slot would land in a private region.
    package func isPrivate(_ slot: Int) -> Bool {
        slots.indices.contains(slot) && isPrivate?(position(of: slot)) == true
    }

    /// The numbers of the slots.
    package var slotNumbers: Range<Int> { slots.indices }

    /// The contact in a slot that is shown to the engine; `nil` if there is none.
    package func contact(in slot: Int) -> ContactID? {
        slots.indices.contains(slot) && slots[slot].phase == .shown ? slots[slot].contact.id : nil
    }

    /// The filter that hides the contact in a slot from the engine; `nil` if there is no such contact.
    package func filter(in slot: Int) -> ContactFilter? {
        if slots.indices.contains(slot), case .ignored(let filter) = slots[slot].phase { filter } else { nil }
    }

    /// Whether a contact has lifted but is held, because it may land again in time.
    package func isHeld(_ contact: ContactID) -> Bool { lifts.contains { $0.isHeld && $0.contact.id == contact } }

    /// The contacts shown to the engine, ordered by id.
    package var contacts: [PanelContact] {
        var result: [PanelContact] = []
        copyContacts(into: &result)
        return result
    }

    /// Like `contacts`, without an allocation once `result` has grown.
    package func copyContacts(into result: inout [PanelContact]) {
        result.removeAll(keepingCapacity: true)
        func add(_ contact: TrackedContact, in index: Int) {
            let major = millimetersPerMajor.map { Double(slots[index].state.major) * $0 }
            result.append(PanelContact(id: contact.id, slot: index, position: contact.position, major: major))
        }
        for index in slots.indices where slots[index].phase == .shown { add(slots[index].contact, in: index) }
        for lifted in lifts where lifted.isHeld { add(lifted.contact, in: lifted.slot) }
        result.sort { $0.id < $1.id }
    }

    /// Lists the contacts that a filter hides from the engine, ordered by slot. Allocates nothing once `result` has
    /// grown.
    package func copyFiltered(into result: inout [FilteredContact]) {
        result.removeAll(keepingCapacity: true)
        for (index, slot) in slots.enumerated() {
            guard case .ignored(let filter?) = slot.phase, slot.state.isTouching else { continue }
            let position = mapping.point(x: slot.state.x, y: slot.state.y)
            result.append(FilteredContact(slot: index, position: position, filter: filter))
        }
    }

    /// Lists all contacts on the glass ordered by slot, including those hidden by filters. The ids are the device's
    /// tracking ids. Allocates nothing once `result` has grown.
    package func copyTouching(into result: inout [PanelContact]) {
        result.removeAll(keepingCapacity: true)
        for (index, slot) in slots.enumerated() where slot.phase != .none && slot.state.isTouching {
            let id = ContactID(Int64(slot.state.trackingID))
            let position = mapping.point(x: slot.state.x, y: slot.state.y)
            result.append(PanelContact(id: id, slot: index, position: position, major: nil))
        }
    }

    /// Whether contacts outside private regions are ignored because of ghost touches.
    package func isStorming(at time: Timestamp) -> Bool { storms.open?.isStorming(at: time) ?? false }

    /// The numbers of contacts and storms since the panel was opened.
    package var counts: Sides<ContactCounts> {
        var counts = contactCounts
        counts.open.storms &+= storms.open?.count ?? 0
        counts.hidden.storms &+= storms.hidden?.count ?? 0
        return counts
    }
}

/// A contact that is down.
package struct PanelContact: Hashable, Sendable, BitwiseCopyable {
    package var id: ContactID
    package var slot: Int
    package var position: Point
    /// The width of the touch in millimetres; `nil` if the panel does not report it or has no known size.
    package var major: Double?
}

/// A contact that is down and hidden by a filter until it lifts.
package struct FilteredContact: Hashable, Sendable, BitwiseCopyable {
    package var slot: Int
    package var position: Point
    package var filter: ContactFilter
}
