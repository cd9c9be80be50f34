// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine

/// The whole slot table as events, so that a recording can hold a resynchronisation.
///
/// The form is what a kernel would send if it repeated every slot: `ABS_MT_SLOT`, tracking id, x,
/// y, and what else is not 0, for one slot after the other; then the slot that is spoken of next,
/// and `SYN_REPORT`. Single-touch panels have one slot.
package enum SlotTable {
    /// Codes of `EV_ABS` in linux/input-event-codes.h.
    private enum Axis {
        static let slot: UInt16 = 0x2F
        static let touchMajor: UInt16 = 0x30
        static let x: UInt16 = 0x35
        static let y: UInt16 = 0x36
        static let tool: UInt16 = 0x37
        static let trackingID: UInt16 = 0x39
        static let distance: UInt16 = 0x3B
    }

    /// What no panel has more of, and admission allows.
    private static let slotLimit = 64

    /// Tells `body` type, code and value of each event that stands for `slots`, the `SYN_REPORT` too.
    /// - Parameter currentSlot: the slot that the next events will be about; `nil`: nobody knows.
    package static func forEachEvent(
        _ slots: [SlotState], currentSlot: Int? = nil, _ body: (UInt16, UInt16, Int32) -> Void
    ) {
        for (number, slot) in slots.enumerated() {
            body(3, Axis.slot, Int32(clamping: number))
            body(3, Axis.trackingID, slot.trackingID)
            body(3, Axis.x, slot.x)
            body(3, Axis.y, slot.y)
            if slot.major != 0 { body(3, Axis.touchMajor, slot.major) }
            if slot.tool != 0 { body(3, Axis.tool, slot.tool) }
            if slot.distance != 0 { body(3, Axis.distance, slot.distance) }
        }
        body(3, Axis.slot, currentSlot.map { Int32(clamping: $0) } ?? -1)
        body(0, 0, 0)
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
        for event in events where event.type == 3 {
            if event.code == Axis.slot {
                let number = Int(event.value)
                current = number >= 0 && number < slotLimit ? number : nil
                while let current, slots.count <= current { slots.append(SlotState()) }
            } else if let current {
                set(event.value, of: event.code, in: &slots[current])
            }
        }
        return (slots, current)
    }

    private static func set(_ value: Int32, of code: UInt16, in slot: inout SlotState) {
        switch code {
        case Axis.trackingID: slot.trackingID = value
        case Axis.x: slot.x = value
        case Axis.y: slot.y = value
        case Axis.touchMajor: slot.major = value
        case Axis.tool: slot.tool = value
        case Axis.distance: slot.distance = value
        default: break
        }
    }
}
