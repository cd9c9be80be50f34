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

    /// The events that stand for `slots`, all at `time`.
    package static func events(_ slots: [SlotState], currentSlot: Int, at time: Timestamp) -> [RawEvent] {
        var events: [RawEvent] = []
        func add(_ code: UInt16, _ value: Int32) {
            events.append(RawEvent(time: time, type: 3, code: code, value: value))
        }
        for (number, slot) in slots.enumerated() {
            add(Axis.slot, Int32(clamping: number))
            add(Axis.trackingID, slot.trackingID)
            add(Axis.x, slot.x)
            add(Axis.y, slot.y)
            if slot.major != 0 { add(Axis.touchMajor, slot.major) }
            if slot.tool != 0 { add(Axis.tool, slot.tool) }
            if slot.distance != 0 { add(Axis.distance, slot.distance) }
        }
        add(Axis.slot, Int32(clamping: currentSlot))
        events.append(RawEvent(time: time, type: 0, code: 0, value: 0))
        return events
    }

    /// The table that `events` stand for, and the slot that is spoken of next; `nil` when it does
    /// not exist. Slots out of range are left out.
    package static func read(_ events: [RawEvent]) -> (slots: [SlotState], currentSlot: Int?) {
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
