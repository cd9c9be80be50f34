// SPDX-License-Identifier: MIT
import GestureEngine

// What events say of the slots, until a SYN_REPORT completes the frame.
extension SlotTracker {
    mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        if code == EventCode.absMTSlot { return select(Int(value)) }
        guard let slot = table.current else { return }
        let isPosition = code == EventCode.absMTPositionX || code == EventCode.absMTPositionY
        // The kernel does not repeat a position, so even that of a lost frame counts.
        guard isPosition || !isDiscarding else { return }
        if code == EventCode.absMTTrackingID { return setTrackingID(value, of: slot) }
        guard table.slots[slot].set(code, value) else { return }
        tracked[slot].isChanged = true
        if isPosition { tracked[slot].isPositioned = true }
    }

    /// The next events are about `slot`. They are ignored when it does not exist.
    mutating func select(_ slot: Int) {
        guard !isSingleTouch else { return }
        table.current = table.slots.indices.contains(slot) ? slot : nil
    }

    mutating func takeSync(_ event: KernelEvent) -> Bool {
        if event.code == EventCode.synDropped { isDiscarding = true }
        // With the value 1 the kernel has cut a long frame, and the rest follows.
        guard event.code == EventCode.synReport, event.value != 1 else { return false }
        guard isDiscarding else { return complete(at: event.time, isResynchronized: false) }
        isDiscarding = false
        for index in tracked.indices {
            tracked[index].isChanged = false
            tracked[index].isPositioned = false
        }
        return cancelAll(.syncLost, at: event.time)
    }

    /// A contact comes to a slot, leaves it, or is replaced by another one.
    private mutating func setTrackingID(_ id: Int32, of slot: Int) {
        endContact(slot, next: id, .lifted)
        table.slots[slot].trackingID = max(-1, id)
        tracked[slot].isChanged = true
    }

    /// Ends the contact of a slot, if it has one, when the slot's next tracking id is not the one it has.
    mutating func endContact(_ index: Int, next id: Int32, _ kind: ContactChange.Kind) {
        let state = table.slots[index]
        guard max(-1, id) != state.trackingID else { return }
        if tracked[index].phase == .shown {
            // Another id without a lift between them: two contacts, not one that jumped.
            tracked[index].ended = ContactChange(
                id: tracked[index].id, kind: id >= 0 ? .cancelled(.syncLost) : kind,
                position: mapping.point(x: state.x, y: state.y))
        }
        if case .ignored(.some) = tracked[index].phase { hasFilteredEnd = true }
        tracked[index].phase = .none
    }

    mutating func feedProtocolA(_ event: KernelEvent) -> Bool {
        switch decoder?.take(event) {
        case .pending, nil: return false
        case .lost: return resynchronize(table, at: event.time)
        case .frame: break
        }
        decoder?.matchContacts(with: table.slots)
        for slot in table.slots.indices where table.slots[slot].trackingID >= 0 && decoder?.isTaken(slot) == false {
            setTrackingID(-1, of: slot)
        }
        for contact in decoder?.contacts ?? [] {
            // There is one: a frame has no more contacts than there are slots.
            guard let slot = contact.slot ?? table.slots.firstIndex(where: { $0.trackingID < 0 }) else { continue }
            if contact.slot == nil { setTrackingID(decoder?.begin(contact, in: slot) ?? 0, of: slot) }
            table.slots[slot].x = contact.state.x
            table.slots[slot].y = contact.state.y
            table.slots[slot].major = contact.state.major
            table.slots[slot].tool = contact.state.tool
            tracked[slot].isChanged = true
        }
        return complete(at: event.time, isResynchronized: false)
    }
}

// What becomes of the slots in a frame.
extension SlotTracker {
    mutating func begin(at time: Timestamp) {
        frame.time = max(frame.time, time)
        frame.changes.removeAll(keepingCapacity: true)
        hasFilteredChange = false
    }

    /// - Returns: whether the frame holds a change.
    mutating func finish() -> Bool {
        // The engine wants the changes by id.
        frame.changes.sort { $0.id < $1.id }
        return !frame.changes.isEmpty
    }

    mutating func complete(at time: Timestamp, isResynchronized: Bool) -> Bool {
        begin(at: time)
        (hasFilteredChange, hasFilteredEnd) = (hasFilteredEnd, false)
        for index in tracked.indices where tracked[index].isChanged {
            showEnded(index)
            let isTouching = table.slots[index].isTouching
            switch tracked[index].phase {
            case .shown: follow(index, isResynchronized: isResynchronized)
            case .none: if isTouching { landing.append(index) }
            case .ignored(let filter):
                if filter != nil { hasFilteredChange = true }
                if !isTouching { tracked[index].phase = .none }
            }
            tracked[index].isChanged = false
            tracked[index].isPositioned = false
        }
        landAll()
        if let deadline = nextDeadline, deadline <= frame.time { ignoreOverdue(at: frame.time) }
        return finish()
    }

    private mutating func showEnded(_ index: Int) {
        guard let ended = tracked[index].ended else { return }
        tracked[index].ended = nil
        frame.changes.append(ended)
        updateDeadline()
    }

    private mutating func follow(_ index: Int, isResynchronized: Bool) {
        let state = table.slots[index]
        guard state.isTouching else { return lift(index) }
        if isPalm(state) || isTooLarge(state) {
            ignore(index, .palm, by: isPalm(state) ? .palm : .maxTouch)
            return updateDeadline()
        }
        tracked[index].sizeCounts = nil
        let hasMoved = state.x != tracked[index].shownX || state.y != tracked[index].shownY
        if hasMoved { setPosition(index) }
        guard hasMoved || isResynchronized || tracked[index].isPositioned else { return }
        add(index, isResynchronized ? .resynchronized : .moved)
    }

    private mutating func setPosition(_ index: Int) {
        let (x, y) = (table.slots[index].x, table.slots[index].y)
        tracked[index].shownX = x
        tracked[index].shownY = y
        tracked[index].position = mapping.point(x: x, y: y)
    }

    /// Contacts of one frame land in the order of their tracking ids, which the kernel counts up with 16 bits that
    /// wrap. The number of a slot does not say which contact was first.
    private mutating func landAll() {
        while !landing.isEmpty {
            var first = 0
            for next in landing.indices.dropFirst() {
                let difference = table.slots[landing[next]].trackingID &- table.slots[landing[first]].trackingID
                if Int16(truncatingIfNeeded: difference) < 0 { first = next }
            }
            land(landing.remove(at: first))
        }
    }

    private mutating func land(_ index: Int) {
        let state = table.slots[index]
        let position = mapping.point(x: state.x, y: state.y)
        if let filter = landingFilter(state, position) { return hide(index, by: filter) }
        if storm?.isStorm(landingAt: frame.time) == true {
            hide(index, by: .storm)
            return cancelForStorm()
        }
        tracked[index].phase = .shown
        tracked[index].id = ContactID(nextContact)
        tracked[index].landed = frame.time
        setPosition(index)
        add(index, .landed)
        nextContact &+= 1
        contactCounts.landed &+= 1
        tracked[index].sizeCounts = isTooLarge(state) ? frame.time + FilterSettings.sizeDelay : nil
        if let deadline = deadline(of: index) { nextDeadline = min(nextDeadline ?? deadline, deadline) }
    }

    /// Which filter hides a contact that has landed. (Its size is judged later.)
    private func landingFilter(_ state: SlotState, _ position: Point) -> ContactFilter? {
        if isPalm(state) { return .palm }
        return filter.masks.contains { $0.contains(position) } ? .mask : nil
    }

    private mutating func hide(_ index: Int, by filter: ContactFilter) {
        tracked[index].phase = .ignored(by: filter)
        contactCounts.hide(by: filter)
        hasFilteredChange = true
    }

    private mutating func lift(_ index: Int) {
        add(index, .lifted)
        tracked[index].phase = .none
        updateDeadline()
    }

    /// Cancels the contact of a slot and ignores the slot until it lifts. A contact that landed in this very frame
    /// is not shown at all.
    /// - Parameter filter: that is the reason; `nil`: there is another one.
    mutating func ignore(_ index: Int, _ reason: CancelReason, by filter: ContactFilter?) {
        tracked[index].phase = .ignored(by: filter)
        if let filter {
            contactCounts.hide(by: filter)
            hasFilteredChange = true
        }
        let id = tracked[index].id
        guard let place = frame.changes.firstIndex(where: { $0.id == id }) else {
            return add(index, .cancelled(reason))
        }
        if frame.changes[place].kind == .landed {
            frame.changes.remove(at: place)
            contactCounts.landed &-= 1
        } else {
            frame.changes[place].kind = .cancelled(reason)
        }
    }

    private mutating func cancelForStorm() {
        for index in tracked.indices where tracked[index].phase == .shown { ignore(index, .syncLost, by: .storm) }
        updateDeadline()
    }

    private mutating func add(_ index: Int, _ kind: ContactChange.Kind) {
        frame.changes.append(
            ContactChange(id: tracked[index].id, kind: kind, position: tracked[index].position))
    }

    private func isPalm(_ state: SlotState) -> Bool {
        filter.palmCancels && state.tool == EventCode.mtToolPalm
    }

    private func isTooLarge(_ state: SlotState) -> Bool { state.major > largestMajor }

    mutating func ignoreOverdue(at time: Timestamp) {
        for index in tracked.indices where tracked[index].phase == .shown {
            if let sizeCounts = tracked[index].sizeCounts, sizeCounts <= time {
                ignore(index, .palm, by: .maxTouch)
            } else if let age = filter.maxContactAge, tracked[index].landed + age <= time {
                ignore(index, .syncLost, by: .maxContactAge)
            }
        }
        updateDeadline()
    }

    mutating func updateDeadline() {
        nextDeadline = nil
        for index in tracked.indices where tracked[index].phase == .shown {
            if let deadline = deadline(of: index) { nextDeadline = min(nextDeadline ?? deadline, deadline) }
        }
    }

    /// When the contact of a slot is too old, or its size counts.
    private func deadline(of index: Int) -> Timestamp? {
        let tooOld = filter.maxContactAge.map { tracked[index].landed + $0 }
        guard let sizeCounts = tracked[index].sizeCounts else { return tooOld }
        return min(tooOld ?? sizeCounts, sizeCounts)
    }
}
