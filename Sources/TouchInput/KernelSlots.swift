// SPDX-License-Identifier: MIT
import CEvdev
package import ContactTracking

/// The kernel's view of all slots of a device, at one moment.
package struct KernelSlots: Hashable, Sendable {
    package var slots: [SlotState]
    /// The slot that the next events will be about.
    package var current: Int

    package init(slots: [SlotState], current: Int) {
        self.slots = slots
        self.current = current
    }

    /// Asks the kernel.
    /// - Returns: `nil` when it does not say where each contact is.
    init?(descriptor: CInt, device: DeviceDescription, slotCount: Int) {
        if !device.hasMultitouchPositions {
            self.init(singleTouch: descriptor)
        } else if device.axis(EventCode.absMTSlot) != nil {
            self.init(multitouch: descriptor, device, slotCount)
        } else {
            self.init(unslotted: descriptor, device)
        }
    }

    private init?(multitouch descriptor: CInt, _ device: DeviceDescription, _ slotCount: Int) {
        let count = min(max(1, slotCount), Admission.maximumSlots)
        var slots = Array(repeating: SlotState(), count: count)
        var values = [Int32](repeating: 0, count: count)
        let axes: [(code: UInt16, isNeeded: Bool)] = [
            (EventCode.absMTTrackingID, true), (EventCode.absMTPositionX, true), (EventCode.absMTPositionY, true),
            (EventCode.absMTTouchMajor, false), (EventCode.absMTToolType, false), (EventCode.absMTDistance, false),
        ]
        for (code, isNeeded) in axes where isNeeded || device.axis(code) != nil {
            guard evdev_slot_values(descriptor, UInt32(code), &values, CInt(count)) >= 0 else {
                if isNeeded { return nil }
                continue
            }
            for index in 0..<count { slots[index].set(code, values[index]) }
        }
        var current = input_absinfo()
        guard evdev_axis(descriptor, UInt32(EventCode.absMTSlot), &current) >= 0 else { return nil }
        self.init(slots: slots, current: Int(current.value))
    }

    /// Protocol A has no table: one slot says whether anything is down, where the device knows that.
    private init?(unslotted descriptor: CInt, _ device: DeviceDescription) {
        let isDown = evdev_key_is_down(descriptor, UInt32(EventCode.btnTouch))
        guard device.hasKey(EventCode.btnTouch), isDown >= 0 else { return nil }
        self.init(slots: [SlotState(trackingID: isDown - 1)], current: 0)
    }

    private init?(singleTouch descriptor: CInt) {
        var (x, y) = (input_absinfo(), input_absinfo())
        let isDown = evdev_key_is_down(descriptor, UInt32(EventCode.btnTouch))
        guard isDown >= 0, evdev_axis(descriptor, UInt32(EventCode.absX), &x) >= 0,
            evdev_axis(descriptor, UInt32(EventCode.absY), &y) >= 0
        else { return nil }
        self.init(slots: [SlotState(trackingID: isDown - 1, x: x.value, y: y.value)], current: 0)
    }
}

extension KernelSlots {
    /// How they are after events, in terms of the kernel: to be compared with what it says.
    package mutating func take(_ events: UnsafeBufferPointer<KernelEvent>, isSingleTouch: Bool) {
        guard !slots.isEmpty else { return }
        for event in events {
            switch (event.type, event.code) {
            case (EventCode.evKey, EventCode.btnTouch):
                if isSingleTouch, event.value != 2 { slots[0].trackingID = event.value == 0 ? -1 : 0 }
            case (EventCode.evAbs, EventCode.absMTSlot): current = Int(event.value)
            case (EventCode.evAbs, EventCode.absX): if isSingleTouch { slots[0].x = event.value }
            case (EventCode.evAbs, EventCode.absY): if isSingleTouch { slots[0].y = event.value }
            case (EventCode.evAbs, let code):
                if !isSingleTouch, slots.indices.contains(current) { slots[current].set(code, event.value) }
            default: continue
            }
        }
    }

    /// Whether the fingers are the same, and where they are; also where they were last.
    package func hasSameSlots(as other: KernelSlots) -> Bool {
        guard slots.count == other.slots.count else { return false }
        for index in slots.indices {
            var (a, b) = (slots[index], other.slots[index])
            a.trackingID = max(-1, a.trackingID)
            b.trackingID = max(-1, b.trackingID)
            if a != b { return false }
        }
        return true
    }
}
