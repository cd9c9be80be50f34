// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine

/// The whole slot table as events, so that a recording can hold a resynchronisation.
///
/// The form is what a kernel would send if it repeated every slot: `ABS_MT_SLOT`, tracking id, x,
/// y, and what else is not 0, for one slot after the other; then the slot that is spoken of next,
/// and `SYN_REPORT`. Single-touch panels have one slot.
package enum SlotTable {
    /// Tells `body` type, code and value of each event that stands for `slots`, the `SYN_REPORT` too.
    /// - Parameter currentSlot: the slot that the next events will be about; `nil`: nobody knows.
    package static func forEachEvent(
        _ slots: [SlotState], currentSlot: Int? = nil, _ body: (UInt16, UInt16, Int32) -> Void
    ) {
        for (number, slot) in slots.enumerated() {
            body(EventCode.evAbs, EventCode.absMTSlot, Int32(clamping: number))
            body(EventCode.evAbs, EventCode.absMTTrackingID, slot.trackingID)
            body(EventCode.evAbs, EventCode.absMTPositionX, slot.x)
            body(EventCode.evAbs, EventCode.absMTPositionY, slot.y)
            if slot.major != 0 { body(EventCode.evAbs, EventCode.absMTTouchMajor, slot.major) }
            if slot.tool != 0 { body(EventCode.evAbs, EventCode.absMTToolType, slot.tool) }
            if slot.distance != 0 { body(EventCode.evAbs, EventCode.absMTDistance, slot.distance) }
        }
        body(EventCode.evAbs, EventCode.absMTSlot, currentSlot.map { Int32(clamping: $0) } ?? -1)
        body(EventCode.evSyn, EventCode.synReport, 0)
    }

    /// The same with times.
    package static func events(_ slots: [SlotState], currentSlot: Int? = nil, at time: Timestamp) -> [KernelEvent] {
        var events: [KernelEvent] = []
        forEachEvent(slots, currentSlot: currentSlot) { type, code, value in
            events.append(KernelEvent(time: time, type: type, code: code, value: value))
        }
        return events
    }

    /// The table that `events` stand for, and the slot that is spoken of next; `nil` when it does
    /// not exist. Slots out of range are left out.
    package static func read(_ events: [KernelEvent]) -> (slots: [SlotState], currentSlot: Int?) {
        var slots: [SlotState] = []
        var current: Int?
        for event in events where event.type == EventCode.evAbs {
            if event.code == EventCode.absMTSlot {
                let number = Int(event.value)
                current = number >= 0 && number < Admission.maximumSlots ? number : nil
                while let current, slots.count <= current { slots.append(SlotState()) }
            } else if let current {
                slots[current].set(event.code, event.value)
            }
        }
        return (slots, current)
    }
}
