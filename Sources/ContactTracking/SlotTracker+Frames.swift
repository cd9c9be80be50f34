// SPDX-License-Identifier: MIT
import GestureEngine

extension SlotTracker {
    mutating func begin(at time: Timestamp) {
        frame.time = max(frame.time, time)
        frame.changes.removeAll(keepingCapacity: true)
        lastInserted = ContactID(.min)
        isOrdered = true
    }

    /// - Returns: whether the frame says anything.
    mutating func finish() -> Bool {
        if !isOrdered { sort() }
        return !frame.changes.isEmpty
    }

    mutating func complete(at time: Timestamp, isResynchronized: Bool) -> Bool {
        begin(at: time)
        if endings != 0 { showEndings() }
        var landing: UInt64 = 0
        while touched != 0 {
            let index = touched.trailingZeroBitCount
            touched &= touched &- 1
            let state = slots[index]
            switch fingers[index].phase {
            case .live: follow(index, state, isResynchronized: isResynchronized)
            case .empty: if state.isTouching { landing |= 1 << UInt64(truncatingIfNeeded: index) }
            case .muted: if !state.isTouching { fingers[index].phase = .empty }
            }
        }
        reported = 0
        if landing != 0 { land(landing) }
        if let deadline = ageDeadline, deadline <= frame.time { muteOverdue(at: frame.time) }
        return finish()
    }

    /// Fingers of one frame land in the order of their tracking ids, which the kernel counts up (16 bits, which
    /// wrap): a slot is only a place, and its number says nothing about who was first.
    private mutating func land(_ landing: UInt64) {
        var rest = landing
        while rest != 0 {
            var first = rest.trailingZeroBitCount
            var others = rest & (rest &- 1)
            while others != 0 {
                let other = others.trailingZeroBitCount
                others &= others &- 1
                let difference = slots[other].trackingID &- slots[first].trackingID
                if Int16(truncatingIfNeeded: difference) < 0 { first = other }
            }
            rest &= ~(1 << UInt64(truncatingIfNeeded: first))
            land(first, slots[first])
        }
    }

    private mutating func showEndings() {
        while endings != 0 {
            let index = endings.trailingZeroBitCount
            endings &= endings &- 1
            insert(ended[index])
        }
        updateAgeDeadline()
    }

    @inline(__always)
    private mutating func follow(_ index: Int, _ state: SlotState, isResynchronized: Bool) {
        guard state.isTouching else { return lift(index) }
        guard !isPalm(state) else { return takeForPalm(index) }
        // Not `fingers[index].move`: with ThreadSanitizer the compiler makes invalid code of that (Swift 6.3.1).
        let finger = fingers + index
        let hasMoved = finger.pointee.move(to: state, mapping)
        guard hasMoved || isResynchronized || reported >> UInt64(truncatingIfNeeded: index) & 1 == 1 else { return }
        insert(
            ContactChange(
                id: fingers[index].contact, kind: isResynchronized ? .resynchronized : .moved,
                position: fingers[index].position))
    }

    private mutating func takeForPalm(_ index: Int) {
        mute(index, .palm)
        updateAgeDeadline()
    }

    private mutating func land(_ index: Int, _ state: SlotState) {
        let time = frame.time
        let position = mapping.point(x: state.x, y: state.y)
        fingers[index].phase = .muted
        guard !isPalm(state), !filter.masks.contains(where: { $0.contains(position) }) else { return }
        if landings?.isStorm(landingAt: time) == true { return cancelForStorm() }
        fingers[index].phase = .live
        fingers[index].shownX = state.x
        fingers[index].shownY = state.y
        fingers[index].position = position
        fingers[index].landed = time
        fingers[index].contact = ContactID(nextContact)
        insert(ContactChange(id: ContactID(nextContact), kind: .landed, position: position))
        nextContact &+= 1
        if ageDeadline == nil, let age = filter.maxContactAge { ageDeadline = time + age }
    }

    private mutating func lift(_ index: Int) {
        insert(ContactChange(id: fingers[index].contact, kind: .lifted, position: fingers[index].position))
        fingers[index].phase = .empty
        updateAgeDeadline()
    }

    /// Shows a cancel and nothing more until it lifts. A contact that landed in this very frame
    /// has never been.
    mutating func mute(_ index: Int, _ reason: CancelReason) {
        fingers[index].phase = .muted
        let id = fingers[index].contact
        guard let place = frame.changes.firstIndex(where: { $0.id == id }) else {
            return insert(ContactChange(id: id, kind: .cancelled(reason), position: fingers[index].position))
        }
        if frame.changes[place].kind == .landed {
            frame.changes.remove(at: place)
        } else {
            frame.changes[place].kind = .cancelled(reason)
        }
    }

    private mutating func cancelForStorm() {
        for index in 0..<slotCount where fingers[index].phase == .live { mute(index, .syncLost) }
        updateAgeDeadline()
    }

    @inline(__always)
    private mutating func insert(_ change: ContactChange) {
        if change.id < lastInserted { isOrdered = false }
        lastInserted = change.id
        frame.changes.append(change)
    }

    /// The engine wants the frame ordered by id. Slots mostly are already, and a frame is short.
    private mutating func sort() {
        for place in 1..<frame.changes.count {
            let change = frame.changes[place]
            var hole = place
            while hole > 0, change.id < frame.changes[hole - 1].id {
                frame.changes[hole] = frame.changes[hole - 1]
                hole -= 1
            }
            frame.changes[hole] = change
        }
    }

    private func isPalm(_ state: SlotState) -> Bool {
        (filter.palmCancels && state.tool == EventCode.mtToolPalm) || state.major > largestMajor
    }

    /// Takes back what is pending, as a cancel.
    mutating func cancelEnded(_ index: Int, _ reason: CancelReason) {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: index)
        guard endings & bit != 0 else { return }
        endings &= ~bit
        ended[index].kind = .cancelled(reason)
        insert(ended[index])
    }

    mutating func muteOverdue(at time: Timestamp) {
        guard let age = filter.maxContactAge else { return }
        for index in 0..<slotCount where fingers[index].phase == .live && fingers[index].landed + age <= time {
            mute(index, .syncLost)
        }
        updateAgeDeadline()
    }

    mutating func updateAgeDeadline() {
        ageDeadline = nil
        guard let age = filter.maxContactAge else { return }
        for index in 0..<slotCount where fingers[index].phase == .live {
            let deadline = fingers[index].landed + age
            ageDeadline = min(ageDeadline ?? deadline, deadline)
        }
    }
}
