// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// The touches that are down on a played panel, so that they can be lifted.
struct HeldTouches {
    /// The number of touches that have landed.
    private(set) var landings = 0

    private let touchProtocol: TouchProtocol
    private var slot: Int32 = 0
    /// The slots with a contact.
    private var slots: Set<Int32> = []
    private var keys: Set<UInt16> = []
    /// The number of contacts on a panel without slots, those that the current frame lists so far, and whether it has
    /// begun to list another.
    private var contacts = 0, listed = 0, isListing = false

    init(_ touchProtocol: TouchProtocol) { self.touchProtocol = touchProtocol }

    var isEmpty: Bool { slots.isEmpty && keys.isEmpty && contacts == 0 }

    /// Follows a frame that has been written.
    mutating func take(_ frame: [KernelEvent]) {
        for event in frame {
            switch event.type {
            case EventCode.evAbs: takeAxis(event.code, event.value)
            case EventCode.evKey: takeKey(event.code, isDown: event.value != 0)
            default: takeSync(event.code)
            }
        }
    }

    /// Returns a frame that lifts all of them; empty if nothing is down.
    func lift() -> [KernelEvent] {
        guard !isEmpty else { return [] }
        let time = Timestamp(microseconds: 0)
        var frame: [KernelEvent] = []
        for slot in slots.sorted() {
            frame.append(.axis(EventCode.absMTSlot, slot, at: time))
            frame.append(.axis(EventCode.absMTTrackingID, -1, at: time))
        }
        if contacts > 0 {
            frame.append(KernelEvent(time: time, type: EventCode.evSyn, code: EventCode.synMTReport, value: 0))
        }
        for key in keys.sorted() { frame.append(KernelEvent(time: time, type: EventCode.evKey, code: key, value: 0)) }
        return frame + [.report(at: time)]
    }

    private mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        switch (touchProtocol, code) {
        // The kernel ignores slots that do not exist.
        case (.slots(let count), EventCode.absMTSlot) where value >= 0 && value < Int32(clamping: count): slot = value
        case (.slots, EventCode.absMTTrackingID) where value < 0: slots.remove(slot)
        case (.slots, EventCode.absMTTrackingID):
            slots.insert(slot)
            landings += 1
        case (.unslotted, EventCode.absMTPositionX): isListing = true
        default: break
        }
    }

    private mutating func takeKey(_ key: UInt16, isDown: Bool) {
        guard isDown else {
            keys.remove(key)
            return
        }
        if keys.insert(key).inserted, key == EventCode.btnTouch, touchProtocol == .singleTouch { landings += 1 }
    }

    private mutating func takeSync(_ code: UInt16) {
        guard touchProtocol == .unslotted else { return }
        if isListing { listed += 1 }
        isListing = false
        guard code == EventCode.synReport else { return }
        landings += max(0, listed - contacts)
        (contacts, listed) = (listed, 0)
    }
}
