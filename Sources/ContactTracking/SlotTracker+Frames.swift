// SPDX-License-Identifier: MIT
import GestureEngine

extension SlotTracker {
    mutating func begin(at time: Timestamp) {
        frame.time = max(frame.time, time)
        frame.changes.removeAll(keepingCapacity: true)
    }

    mutating func complete(at time: Timestamp, moved: ContactChange.Kind) -> Bool {
        begin(at: time)
        let now = frame.time
        var hasEnd = false
        while touched != 0 {
            let index = touched.trailingZeroBitCount
            touched &= touched &- 1
            if let ended = slots[index].ended {
                insert(ended)
                slots[index].ended = nil
                hasEnd = true
            }
            switch slots[index].phase {
            case .live: follow(index, moved: moved)
            case .empty: if slots[index].isTouching { land(index, at: now) }
            case .muted: if !slots[index].isTouching { slots[index].phase = .empty }
            }
        }
        if hasEnd { updateAgeDeadline() }
        if let deadline = ageDeadline, deadline <= now { muteOverdue(at: now) }
        return !frame.changes.isEmpty
    }

    @inline(__always)
    mutating func follow(_ index: Int, moved: ContactChange.Kind) {
        let slot = slots[index]
        guard slot.isTouching else { return lift(index) }
        guard !isPalm(slot) else { return mute(index, .palm) }
        guard slot.x != slot.shownX || slot.y != slot.shownY || moved != .moved else { return }
        let position = mapping.point(x: slot.x, y: slot.y)
        slots[index].shownX = slot.x
        slots[index].shownY = slot.y
        slots[index].position = position
        insert(ContactChange(id: slot.contact, kind: moved, position: position))
    }

    mutating func land(_ index: Int, at time: Timestamp) {
        let slot = slots[index]
        let position = mapping.point(x: slot.x, y: slot.y)
        slots[index].phase = .muted
        guard !isPalm(slot), !filter.masks.contains(where: { $0.contains(position) }) else { return }
        if landings?.isStorm(landingAt: time) == true { return cancelForStorm() }
        slots[index].phase = .live
        slots[index].shownX = slot.x
        slots[index].shownY = slot.y
        slots[index].position = position
        slots[index].landed = time
        slots[index].contact = ContactID(nextContact)
        insert(ContactChange(id: ContactID(nextContact), kind: .landed, position: position))
        nextContact &+= 1
        if ageDeadline == nil, let age = filter.maxContactAge { ageDeadline = time + age }
    }

    mutating func lift(_ index: Int) {
        insert(ContactChange(id: slots[index].contact, kind: .lifted, position: slots[index].position))
        slots[index].phase = .empty
        updateAgeDeadline()
    }

    /// Shows a cancel and nothing more until it lifts. A contact that landed in this very frame
    /// has never been.
    mutating func mute(_ index: Int, _ reason: CancelReason) {
        slots[index].phase = .muted
        let id = slots[index].contact
        guard let place = frame.changes.firstIndex(where: { $0.id == id }) else {
            return insert(ContactChange(id: id, kind: .cancelled(reason), position: slots[index].position))
        }
        if frame.changes[place].kind == .landed {
            frame.changes.remove(at: place)
        } else {
            frame.changes[place].kind = .cancelled(reason)
        }
    }

    private mutating func cancelForStorm() {
        for index in slots.indices where slots[index].phase == .live { mute(index, .syncLost) }
        updateAgeDeadline()
    }

    /// The frame is ordered by id. Slots mostly are, too: the loop mostly ends where it begins.
    private mutating func insert(_ change: ContactChange) {
        var place = frame.changes.count
        while place > 0, change.id < frame.changes[place - 1].id { place -= 1 }
        frame.changes.insert(change, at: place)
    }

    private func isPalm(_ slot: Slot) -> Bool {
        (filter.palmCancels && slot.tool == EventCode.mtToolPalm) || slot.major > largestMajor
    }

    /// Takes back what is pending, as a cancel.
    mutating func cancelEnded(_ index: Int, _ reason: CancelReason) {
        guard var ended = slots[index].ended else { return }
        ended.kind = .cancelled(reason)
        slots[index].ended = nil
        insert(ended)
    }

    mutating func muteOverdue(at time: Timestamp) {
        guard let age = filter.maxContactAge else { return }
        for index in slots.indices where slots[index].phase == .live && slots[index].landed + age <= time {
            mute(index, .syncLost)
        }
        updateAgeDeadline()
    }

    mutating func updateAgeDeadline() {
        ageDeadline = nil
        guard let age = filter.maxContactAge else { return }
        for slot in slots where slot.phase == .live {
            ageDeadline = min(ageDeadline ?? slot.landed + age, slot.landed + age)
        }
    }
}
