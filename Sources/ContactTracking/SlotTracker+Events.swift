// SPDX-License-Identifier: MIT
package import GestureEngine

// What the device says, before it makes a frame.
extension SlotTracker {
    @inlinable
    @inline(__always)
    mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        // The three that come with every movement first.
        if code == codeX {
            slots[current].x = value
            touched |= currentBit
            reported |= currentBit
        } else if code == codeY {
            slots[current].y = value
            touched |= currentBit
            reported |= currentBit
        } else if code == EventCode.absMTSlot {
            select(Int(value))
        } else {
            takeRareAxis(code, value)
        }
    }

    /// The next events are about `slot`; nothing is heard of one that does not exist.
    @inlinable
    mutating func select(_ slot: Int) {
        guard !isSingleTouch else { return }
        let exists = slot >= 0 && slot < slotCount
        current = exists ? slot : Self.nowhere
        currentBit = exists ? 1 << UInt64(truncatingIfNeeded: slot) : 0
    }

    @usableFromInline
    mutating func takeRareAxis(_ code: UInt16, _ value: Int32) {
        guard !isSingleTouch, !isDiscarding else { return }
        switch code {
        case EventCode.absMTTrackingID: setTrackingID(value)
        case EventCode.absMTTouchMajor: slots[current].major = value
        case EventCode.absMTToolType: slots[current].tool = value
        case EventCode.absMTDistance: slots[current].distance = value
        default: return
        }
        touched |= currentBit
    }

    /// Everything but an axis.
    @usableFromInline
    mutating func takeOther(type: UInt16, code: UInt16, value: Int32, time: Timestamp) -> Bool {
        if type == EventCode.evKey {
            // With slots, BTN_TOUCH says nothing that they do not say better. 2 is a key's repeat.
            if isSingleTouch, code == EventCode.btnTouch, value != 2, !isDiscarding {
                setTrackingID(value == 0 ? -1 : 0)
                touched |= currentBit
            }
            return false
        }
        guard type == EventCode.evSyn else { return false }
        if code == EventCode.synDropped { isDiscarding = true }
        // Value 1: the kernel cut a long frame; the rest follows.
        guard code == EventCode.synReport, value != 1 else { return false }
        if isDiscarding {
            isDiscarding = false
            touched = 0
            reported = 0
            return cancelAll(.syncLost, at: time)
        }
        return complete(at: time, isResynchronized: false)
    }

    /// A finger comes to the current slot, goes, or is another one from now on.
    private mutating func setTrackingID(_ value: Int32) {
        guard current != Self.nowhere else { return }
        endContact(current, next: value, .lifted)
        slots[current].trackingID = max(-1, value)
    }

    /// The contact of a slot, if it has one, ends when the slot's next `id` is not its own.
    mutating func endContact(_ index: Int, next id: Int32, _ kind: ContactChange.Kind) {
        let state = slots[index]
        guard max(-1, id) != state.trackingID else { return }
        if fingers[index].phase == .live {
            let position = mapping.point(x: state.x, y: state.y)
            // Another id without a lift between: two fingers, not one that jumped.
            let kind = id >= 0 ? .cancelled(.syncLost) : kind
            ended[index] = ContactChange(id: fingers[index].contact, kind: kind, position: position)
            endings |= 1 << UInt64(truncatingIfNeeded: index)
        }
        fingers[index].phase = .empty
    }
}
