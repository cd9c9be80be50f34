// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// The effects of the application's filter on the twin.
extension TwinFrames {
    // MARK: Hidden contacts

    /// Hides the contact in a slot from the application, which is informed immediately.
    /// - Parameter lifts: whether the contact lifts at once instead of standing still first.
    /// - Returns: `false` if the application neither has the contact nor may receive it later.
    @discardableResult
    mutating func hide(_ slot: Int, by rule: ApplicationFilter.Rule, lifts: Bool = false) -> Bool {
        guard slots[slot].fate == .forwarded || slots[slot].fate == .held else { return false }
        slots[slot].fate = .hidden(by: rule)
        frame.given &= ~(1 << UInt64(slot))
        takeBack(slot)
        if lifts, case .still = slots[slot].image {
            lift(slot)
            report()
        }
        return true
    }

    /// The slots with a contact that the application has, or receives in this frame, as a bit set.
    /// - Parameter includesEnding: whether contacts that lift at the end of this frame are included.
    func shown(includesEnding: Bool) -> UInt64 {
        (includesEnding ? pointer.shown : pointer.shown & ~(frame.ended & ~frame.bridged)) | frame.given
    }

    /// The slots of this bit set whose contacts are not in private regions.
    func open(_ shown: UInt64) -> UInt64 {
        slots.indices.reduce(0) { slots[$1].isPrivate ? $0 : $0 | shown & 1 << UInt64($1) }
    }

    /// The slot of this bit set with the contact of a private region that landed last; `nil` if there is none.
    func newestPrivate(_ shown: UInt64) -> Int? {
        let candidates = slots.indices.filter { shown >> UInt64($0) & 1 == 1 && slots[$0].isPrivate }
        // A contact that lands in this frame has no order yet.
        return candidates.first { frame.given >> UInt64($0) & 1 == 1 }
            ?? candidates.max { slots[$0].order < slots[$1].order }
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

    /// Keeps the images of contacts that end in this frame but may land again.
    mutating func waitForEnded(_ tracker: borrowing SlotTracker) {
        for slot in slots.indices where frame.ended >> UInt64(slot) & 1 == 1 {
            if let contact = slots[slot].contact, tracker.isHeld(contact) { frame.bridged |= 1 << UInt64(slot) }
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

    /// The slot with the image of a contact that has lifted on the panel.
    private func image(of contact: ContactID) -> Int? {
        slots.indices.first { slot in
            let isEnding = frame.ended >> UInt64(slot) & 1 == 1 && slots[slot].contact == contact
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
        slots[slot].changed = .max
    }
}
