// SPDX-License-Identifier: MIT
import GestureEngine

// Handles the events of the slots until a SYN_REPORT completes the frame.
extension SlotTracker {
    @inline(__always)  // nearly all events are axes
    mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        if code == EventCode.absMTSlot { return select(Int(value)) }
        guard let slot = current else { return }
        let isPosition = code == EventCode.absMTPositionX || code == EventCode.absMTPositionY
        // The kernel does not repeat a position, so positions are used even if they are in a lost frame.
        guard isPosition || !isDiscarding else { return }
        if code == EventCode.absMTTrackingID { return setTrackingID(value, of: slot) }
        slots[slot].set(code, value, isPosition: isPosition)
    }

    /// Sets the slot that the next events refer to. If the slot does not exist, those events are ignored.
    mutating func select(_ slot: Int) {
        guard !isSingleTouch else { return }
        current = slots.indices.contains(slot) ? slot : nil
    }

    mutating func takeSync(_ event: KernelEvent) -> Bool {
        if event.code == EventCode.synDropped { isDiscarding = true }
        // If the kernel has split a long frame, the value is 1 and the rest of the frame follows.
        guard event.code == EventCode.synReport, event.value != 1 else { return false }
        guard isDiscarding else { return complete(at: event.time, isResynchronized: false) }
        isDiscarding = false
        for index in slots.indices {
            slots[index].isChanged = false
            slots[index].isPositioned = false
        }
        return cancelAll(.syncLost, at: event.time)
    }

    /// Handles a contact that enters a slot, leaves it, or is replaced by another one.
    private mutating func setTrackingID(_ id: Int32, of slot: Int) {
        endContact(slot, next: id, .lifted)
        slots[slot].state.trackingID = max(-1, id)
        slots[slot].isChanged = true
        if id >= 0 { lastTrackingID = id }
    }

    /// Ends the contact of a slot if the slot's next tracking id is different.
    mutating func endContact(_ index: Int, next id: Int32, _ kind: ContactChange.Kind) {
        let state = slots[index].state
        guard max(-1, id) != state.trackingID else { return }
        if slots[index].phase == .shown {
            // A new id without a lift means a second contact, not a jump of the first one.
            slots[index].ended = ContactChange(
                id: slots[index].contact.id, kind: id >= 0 ? .cancelled(.syncLost) : kind,
                position: mapping.point(x: state.x, y: state.y))
        }
        if case .ignored(.some) = slots[index].phase { hasFilteredEnd = true }
        setPhase(.none, of: index)
    }

    mutating func feedProtocolA(_ event: KernelEvent) -> Bool {
        switch decoder?.take(event) {
        case .pending, nil: return false
        case .lost: return resynchronize(table, at: event.time)
        case .frame: break
        }
        decoder?.matchContacts(with: slots)
        for slot in slots.indices where slots[slot].state.trackingID >= 0 && decoder?.isTaken(slot) == false {
            setTrackingID(-1, of: slot)
        }
        for contact in decoder?.contacts ?? [] {
            // There is always a free slot, because a frame has no more contacts than there are slots.
            guard let slot = contact.slot ?? slots.firstIndex(where: { $0.state.trackingID < 0 }) else { continue }
            if contact.slot == nil { setTrackingID(decoder?.begin(contact, in: slot) ?? 0, of: slot) }
            slots[slot].state.x = contact.state.x
            slots[slot].state.y = contact.state.y
            slots[slot].state.major = contact.state.major
            slots[slot].state.tool = contact.state.tool
            slots[slot].isChanged = true
        }
        return complete(at: event.time, isResynchronized: false)
    }
}

// Turns the slots of a frame into changes of contacts.
extension SlotTracker {
    mutating func begin(at time: Timestamp) {
        if frame.time < time { frame.time = time }
        frame.changes.removeAll(keepingCapacity: true)
        hasFilteredChange = false
        hasExchange = false
    }

    /// - Returns: whether the frame contains a change.
    mutating func finish() -> Bool {
        // The engine expects the changes ordered by id.
        if frame.changes.count > 1 { frame.changes.sort { $0.id < $1.id } }
        return !frame.changes.isEmpty
    }

    mutating func complete(at time: Timestamp, isResynchronized: Bool) -> Bool {
        begin(at: time)
        (hasFilteredChange, hasFilteredEnd) = (hasFilteredEnd, false)
        for index in slots.indices where slots[index].isChanged {
            if slots[index].ended != nil { showEnded(index) }
            let isTouching = slots[index].state.isTouching
            switch slots[index].phase {
            case .shown: follow(index, isResynchronized: isResynchronized)
            case .none: if isTouching { landing.append(index) }
            case .ignored(let filter):
                if filter != nil { hasFilteredChange = true }
                if !isTouching { setPhase(.none, of: index) }
            }
            slots[index].isChanged = false
            slots[index].isPositioned = false
        }
        if !lifts.isEmpty, !landing.isEmpty { continueLifted(isResynchronized: isResynchronized) }
        landAll()
        if wake != nil { followWake() }
        if let deadline = nextDeadline, deadline <= frame.time { endOverdue(at: frame.time) }
        return finish()
    }

    private mutating func showEnded(_ index: Int) {
        guard let ended = slots[index].ended else { return }
        slots[index].ended = nil
        if ended.kind == .lifted { return part(index, at: ended.position) }
        frame.changes.append(ended)
        updateDeadline()
    }

    private mutating func follow(_ index: Int, isResynchronized: Bool) {
        let state = slots[index].state
        guard state.isTouching else {
            setPhase(.none, of: index)
            return part(index, at: slots[index].contact.position)
        }
        if filter.isPalm(state) || isTooLarge(state) {
            ignore(index, .palm, by: filter.isPalm(state) ? .palm : .maxTouch)
            return updateDeadline()
        }
        if slots[index].contact.sizeCounts != nil { slots[index].contact.sizeCounts = nil }
        let hasMoved = state.x != slots[index].contact.shownX || state.y != slots[index].contact.shownY
        if hasMoved {
            let position = mapping.point(x: state.x, y: state.y)
            let step = (position - slots[index].contact.position).squaredLength
            if contactCount > 1, step > FilterSettings.leastJump * FilterSettings.leastJump, !isResynchronized {
                undoExchange(of: index, at: position)
            }
            slots[index].contact.move(to: state, at: position)
        }
        guard hasMoved || isResynchronized || slots[index].isPositioned else { return }
        add(slots[index].contact, isResynchronized ? .resynchronized : .moved)
    }

    /// Swaps the contacts of two slots if the contacts have changed places in this frame, because the panel has
    /// confused them. The first of the two slots to be handled finds the other one.
    /// - Parameter position: the new position of the slot `index`, farther from the old one than `leastJump`.
    private mutating func undoExchange(of index: Int, at position: Point) {
        let old = slots[index].contact.position
        for other in slots.indices.dropFirst(index + 1) where slots[other].isChanged && slots[other].phase == .shown {
            let state = slots[other].state
            let otherOld = slots[other].contact.position
            guard state.isTouching,
                slots[other].contact.id.isPrivate == slots[index].contact.id.isPrivate,
                FilterSettings.isSameSpot(position, otherOld),
                FilterSettings.isSameSpot(mapping.point(x: state.x, y: state.y), old),
                (otherOld - old).length.exceeds(FilterSettings.leastExchange)
            else { continue }
            (slots[index].contact, slots[other].contact) = (slots[other].contact, slots[index].contact)
            contactCounts[isPrivate: slots[index].contact.id.isPrivate].exchanges &+= 1
            hasExchange = true
            return
        }
    }

    /// Lands the contacts of one frame in order.
    private mutating func landAll() {
        while !landing.isEmpty {
            var first = 0
            for next in landing.indices.dropFirst() where landsBefore(landing[next], landing[first]) { first = next }
            land(landing.remove(at: first))
        }
    }

    /// Whether the contact in a slot has landed before that in another one of the same frame: the order of their tracking
    /// ids. The kernel's ids have 16 bits and wrap around. Slot numbers do not reflect the order of landings.
    func landsBefore(_ index: Int, _ other: Int) -> Bool {
        Int16(truncatingIfNeeded: slots[index].state.trackingID &- slots[other].state.trackingID) < 0
    }

    private mutating func land(_ index: Int) {
        let state = slots[index].state
        let position = mapping.point(x: state.x, y: state.y)
        let isPrivate = isPrivate?(position) ?? false
        if wake != nil {
            let filter = wakeFilter(landing: state, at: position, isPrivate)
            slots[index].isDark = filter != nil
            if let filter { return hide(index, by: filter, isPrivate) }
        }
        if let filter = filter.filter(landing: state, at: position) { return hide(index, by: filter, isPrivate) }
        if storms[isPrivate: isPrivate]?.isStorm(landingAt: frame.time) == true {
            hide(index, by: .storm, isPrivate)
            return cancelForStorm(isPrivate)
        }
        if !lifts.isEmpty { liftHeld(isPrivate: isPrivate) }
        setPhase(.shown, of: index)
        slots[index].contact.id = ContactID(nextContact, number: identifiers.takeContact(isPrivate: isPrivate))
        slots[index].contact.landed = frame.time
        slots[index].contact.move(to: state, at: position)
        add(slots[index].contact, .landed)
        nextContact &+= 1
        contactCounts[isPrivate: isPrivate].landed &+= 1
        slots[index].contact.sizeCounts = sizeDeadline(of: state)
        noteDeadline(of: index)
    }

    private mutating func hide(_ index: Int, by filter: ContactFilter, _ isPrivate: Bool) {
        setPhase(.ignored(by: filter), of: index)
        contactCounts[isPrivate: isPrivate].hide(by: filter)
        hasFilteredChange = true
    }

    /// Cancels the contact of a slot and ignores the slot until it lifts. A contact that landed in the same frame is
    /// not shown at all.
    /// - Parameter filter: the filter that hides it; `nil` for other reasons.
    mutating func ignore(_ index: Int, _ reason: CancelReason, by filter: ContactFilter?) {
        setPhase(.ignored(by: filter), of: index)
        let id = slots[index].contact.id
        if let filter {
            contactCounts[isPrivate: id.isPrivate].hide(by: filter)
            hasFilteredChange = true
        }
        guard let place = frame.changes.firstIndex(where: { $0.id == id }) else {
            return add(slots[index].contact, .cancelled(reason))
        }
        if frame.changes[place].kind == .landed {
            frame.changes.remove(at: place)
            contactCounts[isPrivate: id.isPrivate].landed &-= 1
        } else {
            frame.changes[place].kind = .cancelled(reason)
        }
    }

    private mutating func cancelForStorm(_ isPrivate: Bool) {
        for index in slots.indices where slots[index].phase == .shown && slots[index].contact.id.isPrivate == isPrivate
        {
            ignore(index, .syncLost, by: .storm)
        }
        endHeld(.cancelled(.syncLost)) { $0.contact.id.isPrivate == isPrivate }
        updateDeadline()
    }

    mutating func add(_ contact: TrackedContact, _ kind: ContactChange.Kind, delay: Interval = .zero) {
        frame.changes.append(ContactChange(id: contact.id, kind: kind, position: contact.position, delay: delay))
    }

    private func isTooLarge(_ state: SlotState) -> Bool { state.major > largestMajor }

    /// The time at which the size in a contact's first report takes effect; `nil` if the size is not too large.
    func sizeDeadline(of state: SlotState) -> Timestamp? {
        isTooLarge(state) ? frame.time + FilterSettings.sizeDelay : nil
    }

    mutating func endOverdue(at time: Timestamp) {
        liftOverdue(at: time)
        for index in slots.indices where slots[index].phase == .shown {
            if let sizeCounts = slots[index].contact.sizeCounts, sizeCounts <= time {
                ignore(index, .palm, by: .maxTouch)
            } else if let age = filter.maxContactAge, slots[index].contact.landed + age <= time {
                ignore(index, .syncLost, by: .maxContactAge)
            }
        }
        updateDeadline()
    }

    mutating func updateDeadline() {
        nextDeadline = nil
        for index in slots.indices where slots[index].phase == .shown { noteDeadline(of: index) }
        guard let bridge = filter.bridge else { return }
        for lifted in lifts where lifted.isHeld {
            let deadline = lifted.time + bridge
            nextDeadline = min(nextDeadline ?? deadline, deadline)
        }
    }

    private mutating func noteDeadline(of index: Int) {
        guard let deadline = slots[index].contact.deadline(maxAge: filter.maxContactAge) else { return }
        nextDeadline = min(nextDeadline ?? deadline, deadline)
    }
}
