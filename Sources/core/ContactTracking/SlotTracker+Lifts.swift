// SPDX-License-Identifier: MIT
import GestureEngine

/// A contact that lifted a short time ago.
struct LiftedContact: Sendable, BitwiseCopyable {
    var contact: TrackedContact
    var slot: Int
    var time: Timestamp
    /// Whether the engine still has the contact, because it may land again in time (`FilterSettings.bridge`).
    var isHeld: Bool
}

// Handles contacts that a panel loses for a moment.
extension SlotTracker {
    /// Ends the contact of a slot that has lifted. With `bridge`, the engine receives the lift later.
    /// - Parameter position: the position of the lift.
    mutating func part(_ index: Int, at position: Point) {
        forgetLifts()
        if lifts.count >= slots.count, let old = oldestLift { lifts.remove(at: old) }
        let isHeld = filter.bridge != nil
        var contact = slots[index].contact
        let hasMoved = contact.position != position
        contact.position = position
        lifts.append(LiftedContact(contact: contact, slot: index, time: frame.time, isHeld: isHeld))
        if isHeld {
            contactCount += 1
            if hasMoved { report(contact, .moved) }
        } else {
            add(contact, .lifted)
        }
        updateDeadline()
    }

    /// Continues lifted contacts if a contact lands in time at the same spot in this frame. The closest pair is matched
    /// first, then the closest of the remaining pairs. Contacts that are held come before those that have lifted for
    /// good. Landings that continue a contact are removed from `landing`.
    mutating func continueLifted(isResynchronized: Bool) {
        liftOverdue(at: frame.time)
        forgetLifts()
        // Landings from this index on are flickers that are not continued.
        var end = landing.count
        while let nearest = nearestLift(before: end, isHeld: true) ?? nearestLift(before: end, isHeld: false) {
            let lifted = lifts.remove(at: nearest.lift)
            let isPrivate = lifted.contact.id.isPrivate
            if lifted.isHeld {
                contactCounts[isPrivate: isPrivate].bridged &+= 1
                resume(lifted.contact, in: landing.remove(at: nearest.landing), isResynchronized: isResynchronized)
            } else {
                contactCounts[isPrivate: isPrivate].flickers &+= 1
                landing.swapAt(nearest.landing, end - 1)
            }
            end -= 1
        }
        if filter.bridge != nil { updateDeadline() }
    }

    private mutating func forgetLifts() {
        let now = frame.time
        lifts.removeAll { !$0.isHeld && now - $0.time >= FilterSettings.flickerTime }
    }

    /// The contact that lifted for good first. Of contacts that lifted in one frame it is the oldest.
    private var oldestLift: Int? {
        var oldest: Int?
        for (place, lifted) in lifts.enumerated() where !lifted.isHeld {
            guard let before = oldest else { oldest = place; continue }
            let other = lifts[before]
            if (lifted.time, lifted.contact.id) < (other.time, other.contact.id) { oldest = place }
        }
        return oldest
    }

    /// The closest pair of a lifted contact and a landing. Of equally close pairs it is the one of the older contact,
    /// then of the earlier landing, because slots have no meaning.
    private func nearestLift(before end: Int, isHeld: Bool) -> (lift: Int, landing: Int)? {
        var nearest: (lift: Int, landing: Int)?
        var shortest = Double.infinity
        // A contact that is a palm from the start is a different contact, and no region receives it.
        for (place, index) in landing.prefix(end).enumerated() where !filter.isPalm(slots[index].state) {
            let position = position(of: index)
            for (lift, lifted) in lifts.enumerated() where lifted.isHeld == isHeld {
                let distance = (position - lifted.contact.position).squaredLength
                guard distance <= shortest, FilterSettings.isSameSpot(position, lifted.contact.position),
                    lifted.contact.id.isPrivate == isPrivate(index)
                else { continue }
                if distance == shortest, let nearest, !precedes((lift, place), nearest) { continue }
                (nearest, shortest) = ((lift, place), distance)
            }
        }
        return nearest
    }

    private func precedes(_ pair: (lift: Int, landing: Int), _ other: (lift: Int, landing: Int)) -> Bool {
        let (id, otherID) = (lifts[pair.lift].contact.id, lifts[other.lift].contact.id)
        return id == otherID ? landsBefore(landing[pair.landing], landing[other.landing]) : id < otherID
    }

    /// Continues a held contact in the slot in which it has landed again. As after any landing, the size in the first
    /// report is not used at once.
    private mutating func resume(_ contact: TrackedContact, in index: Int, isResynchronized: Bool) {
        let state = slots[index].state
        contactCount -= 1
        setPhase(.shown, of: index)
        slots[index].contact = contact
        slots[index].contact.sizeCounts = sizeDeadline(of: state)
        slots[index].contact.move(to: state, at: position(of: index))
        report(slots[index].contact, isResynchronized ? .resynchronized : .moved)
    }

    /// Lifts held contacts because another contact has landed on their side of the panel.
    mutating func liftHeld(isPrivate: Bool) { endHeld(.lifted) { $0.contact.id.isPrivate == isPrivate } }

    /// Lifts held contacts that have not landed again in time.
    mutating func liftOverdue(at time: Timestamp) {
        guard let bridge = filter.bridge else { return }
        endHeld(.lifted) { $0.time + bridge <= time }
    }

    /// Ends held contacts and reports this to the engine.
    mutating func endHeld(_ kind: ContactChange.Kind, where predicate: (LiftedContact) -> Bool) {
        for index in lifts.indices where lifts[index].isHeld && predicate(lifts[index]) {
            lifts[index].isHeld = false
            contactCount -= 1
            report(lifts[index].contact, kind, delay: frame.time - lifts[index].time)
        }
    }

    /// Adds a change to the frame. It replaces an earlier change of the same contact, which may lift and land in one
    /// frame.
    private mutating func report(_ contact: TrackedContact, _ kind: ContactChange.Kind, delay: Interval = .zero) {
        if let place = frame.changes.firstIndex(where: { $0.id == contact.id }) { frame.changes.remove(at: place) }
        add(contact, kind, delay: delay)
    }
}
