// SPDX-License-Identifier: MIT
package import GestureEngine

/// The state of the contact in one slot, in device units.
package struct SlotState: Hashable, Sendable, BitwiseCopyable {
    /// Negative while no contact is down. In that case, the other values are those of the last contact.
    package var trackingID: Int32
    package var x: Int32
    package var y: Int32
    package var major: Int32
    package var tool: Int32
    package var distance: Int32

    package init(
        trackingID: Int32 = -1, x: Int32 = 0, y: Int32 = 0, major: Int32 = 0, tool: Int32 = 0, distance: Int32 = 0
    ) {
        self.trackingID = trackingID
        self.x = x
        self.y = y
        self.major = major
        self.tool = tool
        self.distance = distance
    }

    /// Sets the value of an `ABS_MT_*` axis.
    /// - Returns: `false` if the code is not that of an axis stored here.
    @discardableResult
    package mutating func set(_ code: UInt16, _ value: Int32) -> Bool {
        switch code {
        case EventCode.absMTPositionX: x = value
        case EventCode.absMTPositionY: y = value
        case EventCode.absMTTrackingID: trackingID = value
        case EventCode.absMTTouchMajor: major = value
        case EventCode.absMTToolType: tool = value
        case EventCode.absMTDistance: distance = value
        default: return false
        }
        return true
    }

    /// Whether the contact touches the glass. A contact that hovers above the glass also has a tracking id.
    package var isTouching: Bool { trackingID >= 0 && distance <= 0 }
}

/// All slots of a device at one moment. A device for a single contact has one slot.
package struct SlotTable: Hashable, Sendable {
    /// The slots; their indices are the slot numbers.
    package var slots: [SlotState]
    /// The slot that the next events refer to (`ABS_MT_SLOT`); `nil` if unknown.
    package var current: Int?

    package init(slots: [SlotState] = [], current: Int? = nil) {
        self.slots = slots
        self.current = current
    }

    /// Applies events as the kernel does. Events for slots that do not exist are ignored.
    package mutating func apply(_ events: some Sequence<KernelEvent>, isSingleTouch: Bool) {
        for event in events {
            guard let event = isSingleTouch ? event.fromSingleTouch : event, event.type == EventCode.evAbs else {
                continue
            }
            if event.code == EventCode.absMTSlot {
                current = Int(event.value)
            } else if let current, slots.indices.contains(current) {
                slots[current].set(event.code, event.value)
            }
        }
    }

    /// Whether both contain the same contacts at the same positions. For empty slots, the last positions are compared.
    package func hasSameSlots(as other: SlotTable) -> Bool {
        slots.count == other.slots.count
            && zip(slots, other.slots).allSatisfy { a, b in
                var (a, b) = (a, b)
                a.trackingID = max(-1, a.trackingID)
                b.trackingID = max(-1, b.trackingID)
                return a == b
            }
    }
}

// After lost events, a recording stores the slot table as if the kernel had reported every slot again. Each slot is
// written as ABS_MT_SLOT, tracking id, x, y, and all other values that are not 0. Then follow ABS_MT_SLOT with the
// current slot or -1, and SYN_REPORT.
extension SlotTable {
    /// The events that represent this table.
    package func events(at time: Timestamp) -> [KernelEvent] {
        var events: [KernelEvent] = []
        for (number, slot) in slots.enumerated() {
            events.append(.axis(EventCode.absMTSlot, Int32(clamping: number), at: time))
            events.append(.axis(EventCode.absMTTrackingID, slot.trackingID, at: time))
            events.append(.axis(EventCode.absMTPositionX, slot.x, at: time))
            events.append(.axis(EventCode.absMTPositionY, slot.y, at: time))
            if slot.major != 0 { events.append(.axis(EventCode.absMTTouchMajor, slot.major, at: time)) }
            if slot.tool != 0 { events.append(.axis(EventCode.absMTToolType, slot.tool, at: time)) }
            if slot.distance != 0 { events.append(.axis(EventCode.absMTDistance, slot.distance, at: time)) }
        }
        events.append(.axis(EventCode.absMTSlot, current.map { Int32(clamping: $0) } ?? -1, at: time))
        events.append(.report(at: time))
        return events
    }

    /// Creates the table that `events` represent. Slots beyond `Admission.maximumSlots` are omitted.
    package init(_ events: [KernelEvent]) {
        self.init()
        for event in events {
            if event.type == EventCode.evAbs, event.code == EventCode.absMTSlot {
                let number = Int(event.value)
                current = (0..<Admission.maximumSlots).contains(number) ? number : nil
                while let current, slots.count <= current { slots.append(SlotState()) }
            } else {
                apply(CollectionOfOne(event), isSingleTouch: false)
            }
        }
    }
}
