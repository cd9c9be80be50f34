// SPDX-License-Identifier: MIT
package import GestureEngine

extension SlotTracker {
    @inlinable
    mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        if code == EventCode.absMTSlot, !isSingleTouch {
            let slot = Int(value)
            current = slot >= 0 && slot < slots.count ? slot : -1
            return
        }
        let index = current
        guard index >= 0 else { return }
        if code == codeX {
            slots[index].x = value
        } else if code == codeY {
            slots[index].y = value
        } else {
            takeRareAxis(code, value)
            return
        }
        touched |= 1 << UInt64(truncatingIfNeeded: index)
    }

    @usableFromInline
    mutating func takeRareAxis(_ code: UInt16, _ value: Int32) {
        guard !isSingleTouch, !isDiscarding else { return }
        switch code {
        case EventCode.absMTTrackingID: setTrackingID(current, value, ends: .lifted)
        case EventCode.absMTTouchMajor: slots[current].major = value
        case EventCode.absMTToolType: slots[current].tool = value
        case EventCode.absMTDistance: slots[current].distance = value
        default: return
        }
        touched |= 1 << UInt64(truncatingIfNeeded: current)
    }

    /// Everything but an axis.
    @usableFromInline
    mutating func takeOther(type: UInt16, code: UInt16, value: Int32, time: Timestamp) -> Bool {
        if type == EventCode.evKey {
            // With slots, BTN_TOUCH says nothing that they do not say better. 2 is a key's repeat.
            if isSingleTouch, code == EventCode.btnTouch, value != 2, !isDiscarding {
                setTrackingID(0, value == 0 ? -1 : 0, ends: .lifted)
                touched |= 1
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
            return cancelAll(.syncLost, at: time)
        }
        return complete(at: time, moved: .moved)
    }

    /// A finger comes, goes, or is another one from now on.
    mutating func setTrackingID(_ index: Int, _ value: Int32, ends kind: ContactChange.Kind) {
        let id = max(-1, value)
        guard id != slots[index].trackingID else { return }
        if slots[index].phase == .live {
            // Another id without a lift between: two fingers, not one that jumped.
            let position = mapping.point(x: slots[index].x, y: slots[index].y)
            let kind = id >= 0 ? .cancelled(.syncLost) : kind
            slots[index].ended = ContactChange(id: slots[index].contact, kind: kind, position: position)
        }
        slots[index].phase = .empty
        slots[index].trackingID = id
    }

    mutating func select(_ slot: Int?) {
        if let slot, !isSingleTouch { current = slots.indices.contains(slot) ? slot : -1 }
    }
}
