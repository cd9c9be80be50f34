// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// The effects of the application's filter on the twin.
extension TwinFrames {
    // MARK: Hidden contacts

    /// Hides the contact in a slot from the application, which is informed immediately.
    /// - Returns: `false` if the application neither has the contact nor may receive it later.
    mutating func hide(_ slot: Int, by rule: ApplicationFilter.Rule) -> Bool {
        guard slots[slot].fate == .forwarded || slots[slot].fate == .held else { return false }
        slots[slot].fate = .hidden(by: rule)
        frame.given &= ~(1 << UInt64(slot))
        takeBack(slot)
        return true
    }

    // MARK: Contacts that do not move

    /// Ends the rest of each image that has moved.
    mutating func followRests(_ mapping: AxisMapping) {
        var rest = resting
        while rest != 0 {
            followRest(of: rest.trailingZeroBitCount, mapping)
            rest &= rest - 1
        }
    }

    mutating func followRest(of slot: Int, _ mapping: AxisMapping) {
        guard case .live = slots[slot].image, let rest = slots[slot].rest else { return }
        let (x, y) = slots[slot].position
        guard (x, y) != rest.start else { return }
        let way = mapping.point(x: x, y: y) - mapping.point(x: rest.start.x, y: rest.start.y)
        if way.length.exceeds(rest.slop) { endRest(of: slot) }
    }

    mutating func endRest(of slot: Int) {
        slots[slot].rest = nil
        resting &= ~(1 << UInt64(slot))
    }

    /// Keeps the contact of a resting image from the application from now on.
    mutating func expire(_ slot: Int) {
        expired |= 1 << UInt64(slot)
        if case .waiting(let contact) = slots[slot].image {
            setFormerFate(of: contact, .hidden(by: .maxHold))
        } else {
            slots[slot].fate = .hidden(by: .maxHold)
        }
    }

    /// Sets whether the contact in a slot is taken from the application if a filter hides it from gestures.
    mutating func setFiltered(_ slot: Int, _ isFiltered: Bool) {
        let bit: UInt64 = 1 << UInt64(slot)
        if isFiltered { filtered |= bit } else { filtered &= ~bit }
    }

    /// The slots with a contact that the application has, or receives in this frame, as a bit set.
    /// - Parameter includesEnding: whether contacts that lift at the end of this frame are included.
    func shown(includesEnding: Bool) -> UInt64 {
        let ending = includesEnding ? 0 : frame.ended & ~frame.bridged & ~still(pointer.shown)
        return pointer.shown & ~ending | frame.given
    }

    /// The slots of this bit set whose contacts were taken from the application, and stand still.
    func still(_ shown: UInt64) -> UInt64 {
        slots.indices.reduce(0) { set, slot in
            if case .still = slots[slot].image { set | shown & 1 << UInt64(slot) } else { set }
        }
    }

    /// The slots of this bit set whose contacts are not in private regions.
    func open(_ shown: UInt64) -> UInt64 {
        slots.indices.reduce(0) { isPrivate($1) ? $0 : $0 | shown & 1 << UInt64($1) }
    }

    /// Whether the application has, or receives in this frame, the contact of a private region in a slot.
    private func isPrivate(_ slot: Int) -> Bool {
        frame.given >> UInt64(slot) & 1 == 1 ? slots[slot].isPrivate : slots[slot].isImagePrivate
    }

    /// The slot of this bit set with the contact of a private region that landed last; `nil` if there is none.
    func newestPrivate(_ shown: UInt64) -> Int? {
        let candidates = slots.indices.filter { shown >> UInt64($0) & 1 == 1 && isPrivate($0) }
        // A contact that lands in this frame has no order yet.
        return candidates.first { frame.given >> UInt64($0) & 1 == 1 }
            ?? candidates.max { slots[$0].order < slots[$1].order }
    }

    /// Lifts the application's contact in a slot at once, or turns it into a palm, to make room for another one.
    /// - Returns: `false` if the contact had been taken from the application before.
    mutating func makeRoom(in slot: Int, by rule: ApplicationFilter.Rule) -> Bool {
        if hide(slot, by: rule) {
            if case .still = slots[slot].image { lift(slot) }
            report()
            return true
        }
        if case .waiting(let contact) = slots[slot].image { return keep(contact, as: .hidden(by: rule), lifts: true) }
        lift(slot)
        report()
        return false
    }

    /// The slot of a bit set whose contact has landed first. The ids wrap around, as in the tracker.
    func first(of slots: UInt64) -> Int {
        var (first, rest) = (slots.trailingZeroBitCount, slots & (slots &- 1))
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest - 1
            let difference = self.slots[slot].trackingID &- self.slots[first].trackingID
            if Int16(truncatingIfNeeded: difference) < 0 { first = slot }
        }
        return first
    }

    /// Calls `body` with the last position, in device units, of each contact that ends in this frame.
    func forEachEnded(_ body: (_ position: (x: Int32, y: Int32), _ isPrivate: Bool) -> Void) {
        for slot in slots.indices where frame.ended >> UInt64(slot) & 1 == 1 {
            // If another contact has landed in the slot, the position is that of the landing.
            let isReused = frame.landed >> UInt64(slot) & 1 == 1
            body(isReused ? slots[slot].last : slots[slot].position, slots[slot].isPrivate)
        }
    }

    // MARK: Contacts that the panel loses for a moment

    /// Keeps the images of contacts that end in this frame but may land again, or have landed again in this frame.
    mutating func waitForEnded(_ tracker: borrowing SlotTracker) {
        for slot in slots.indices where frame.ended >> UInt64(slot) & 1 == 1 {
            guard let contact = slots[slot].contact else { continue }
            let isBack = slots.indices.contains {
                frame.landed >> UInt64($0) & 1 == 1 && tracker.contact(in: $0) == contact
            }
            if isBack || tracker.isHeld(contact) { frame.bridged |= 1 << UInt64(slot) }
        }
    }

    /// Continues images whose contacts have landed again in this frame, and lifts those whose contacts cannot land again.
    mutating func continueWaiting(_ tracker: borrowing SlotTracker) {
        var rest = frame.landed
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest - 1
            if let contact = tracker.contact(in: slot), let source = image(of: contact) {
                move(contact, from: source, to: slot)
            }
        }
        for slot in slots.indices {
            if case .waiting(let contact) = slots[slot].image, !tracker.isHeld(contact) { lift(slot) }
        }
    }

    /// Removes the image of a former contact from a slot in which another contact lands. If it waits for its contact, it
    /// moves to a free slot.
    mutating func clear(_ slot: Int) {
        guard case .waiting = slots[slot].image else {
            if slots[slot].image != .none { lift(slot) }
            return
        }
        let free = slots.indices.first {
            slots[$0].image == .none && slots[$0].fate == .none && (frame.landed | frame.ended) >> UInt64($0) & 1 == 0
        }
        if let free { exchangeImages(slot, free) } else { lift(slot) }
    }

    /// The slot with the image of a contact that has lifted on the panel.
    private func image(of contact: ContactID) -> Int? {
        slots.indices.first { slot in
            let isEnding = frame.bridged >> UInt64(slot) & 1 == 1 && slots[slot].contact == contact
            return slots[slot].image == .waiting(for: contact) || (isEnding && slots[slot].image == .live)
        }
    }

    private mutating func move(_ contact: ContactID, from source: Int, to slot: Int) {
        former.removeAll { $0.contact == contact }
        if frame.ended >> UInt64(source) & 1 == 1, slots[source].contact == contact {
            frame.ended &= ~(1 << UInt64(source))
            slots[source].contact = nil
            slots[source].fate = .none
        }
        if source != slot {
            if frame.ended >> UInt64(slot) & 1 == 1 { end(slot) }
            exchangeImages(source, slot)
        }
        frame.landed &= ~(1 << UInt64(slot))
        frame.ended &= ~(1 << UInt64(slot))
        setImage(.live, of: slot)
        slots[slot].fate = .forwarded
        slots[slot].contact = contact
        slots[slot].isPrivate = contact.isPrivate
        slots[slot].changed = ~(1 << UInt16(TwinSlot.placeOfID))
    }
}
