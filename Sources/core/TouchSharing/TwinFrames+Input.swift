// SPDX-License-Identifier: MIT
import ContactTracking

/// Follows the panel's slots.
extension TwinFrames {
    /// Handles an event of the panel. For a panel without slots (protocol A), only keys are handled here, and
    /// everything else is passed to `set`.
    mutating func take(_ event: KernelEvent) {
        if event.type == EventCode.evKey { takeKey(event) }
        guard !model.isUnslotted, let event = model.isSingleTouch ? event.fromSingleTouch : event,
            event.type == EventCode.evAbs
        else { return }
        takeAxis(event.code, event.value)
    }

    /// Handles axis events of a panel with slots (`SlotTracker.takeAxes`).
    mutating func takeAxes(_ events: ArraySlice<KernelEvent>) {
        for event in events { takeAxis(event.code, event.value) }
    }

    private mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        if code == EventCode.absMTSlot {
            setCurrent(Int(value))
        } else if let current {
            set(code, value, of: current)
        }
    }

    mutating func set(_ code: UInt16, _ value: Int32, of slot: Int) {
        guard slots.indices.contains(slot), TwinSlot.axisCodes.contains(code) else { return }
        dirty |= 1 &<< UInt64(slot)
        slots[slot].set(code, value)
    }

    /// Sets the state of a slot that events do not provide, because the panel has no slots or events were lost.
    mutating func set(_ state: SlotState, of slot: Int) {
        // The id comes first, because the position of the former contact is kept then.
        set(EventCode.absMTTrackingID, state.trackingID, of: slot)
        set(EventCode.absMTPositionX, state.x, of: slot)
        set(EventCode.absMTPositionY, state.y, of: slot)
        set(EventCode.absMTTouchMajor, state.major, of: slot)
        set(EventCode.absMTToolType, state.tool, of: slot)
        set(EventCode.absMTDistance, state.distance, of: slot)
    }

    /// Sets all slots.
    mutating func take(_ table: SlotTable) {
        for (slot, state) in zip(slots.indices, table.slots) { set(state, of: slot) }
        if let slot = table.current { setCurrent(slot) }
    }

    private mutating func setCurrent(_ slot: Int) { current = slots.indices.contains(slot) ? slot : nil }

    /// Handles an event of a key. Keys next to the screen are passed on unchanged. Tools and `BTN_TOUCH` are derived
    /// from the contacts instead.
    private mutating func takeKey(_ event: KernelEvent) {
        guard !EventCode.digitizerKeys.contains(event.code), event.value == 0 || event.value == 1 else { return }
        keys.append(event)
        keysDown.removeAll { $0 == event.code }
        if event.value == 1 { keysDown.append(event.code) }
    }
}
