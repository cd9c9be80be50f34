// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

extension TwinFrames {
    /// Removes the events after they have been written.
    mutating func removeEvents() {
        events.removeAll(keepingCapacity: true)
        frame.start = 0
    }

    /// Lifts contacts that have stood still or rested for long enough, each at the time when its lift is due.
    mutating func advance(to now: Timestamp) {
        while let deadline = nextDeadline, deadline <= now { liftDue(at: deadline) }
    }

    private mutating func liftDue(at deadline: Timestamp) {
        frame.time = deadline
        frame.start = events.count
        nextDeadline = nil
        for slot in slots.indices {
            guard let end = slots[slot].end else { continue }
            guard end <= deadline else {
                nextDeadline = min(nextDeadline ?? end, end)
                continue
            }
            if slots[slot].rest != nil { expire(slot) }
            lift(slot)
        }
        report()
    }

    /// Lifts every contact of the application, and releases every key. Contacts that are down are not passed to the
    /// application again.
    mutating func liftAll(at now: Timestamp) {
        frame.time = now
        frame.start = events.count
        for slot in slots.indices {
            if slots[slot].image != .none { lift(slot) }
            slots[slot].fate = slots[slot].isDown ? .kept : .none
            slots[slot].wasDown = slots[slot].isDown
            slots[slot].isReplaced = false
            slots[slot].contact = nil
            slots[slot].changed = 0
            slots[slot].last = slots[slot].position
        }
        dirty = 0
        lifted.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        for key in keysDown { put(EventCode.evKey, key, 0) }
        keysDown.removeAll(keepingCapacity: true)
        report()
        nextDeadline = nil
    }

    // MARK: Slots

    /// Lands a contact. All its values are written, because the twin's slot may contain older ones.
    mutating func putLanding(_ slot: Int) {
        putLanding(slot, id: slots[slot].id, slots[slot].values)
    }

    private mutating func putLanding(_ slot: Int, id: Int32, _ values: TwinSlot.Values) {
        select(slot)
        // The tool is written first, because libinput reads it together with the id.
        if has(TwinSlot.placeOfTool) { put(EventCode.absMTToolType, values[TwinSlot.placeOfTool]) }
        put(EventCode.absMTTrackingID, id)
        for place in values.indices where has(place) {
            if place == TwinSlot.placeOfID || place == TwinSlot.placeOfTool { continue }
            put(TwinSlot.axisCodes.lowerBound + UInt16(place), values[place])
        }
        pointer.lastOrder += 1
        slots[slot].order = pointer.lastOrder
        slots[slot].isImagePrivate = slots[slot].isPrivate
        setImage(.live, of: slot)
        guard let maxHold else { return }
        let end = frame.time + maxHold
        let start = (values[TwinSlot.placeOfX], values[TwinSlot.placeOfY])
        slots[slot].rest = TwinSlot.Rest(end: end, start: start, slop: holdSlop)
        resting |= 1 << UInt64(slot)
        nextDeadline = min(nextDeadline ?? end, end)
    }

    /// Lands a held contact at its original position, and then moves it to its last one.
    mutating func show(_ hold: LiftedHold) {
        var values = hold.values
        (values[TwinSlot.placeOfX], values[TwinSlot.placeOfY]) = hold.start
        putLanding(hold.slot, id: hold.id, values)
        report()
        let (x, y) = (hold.values[TwinSlot.placeOfX], hold.values[TwinSlot.placeOfY])
        guard (x, y) != hold.start else { return }
        select(hold.slot)
        put(EventCode.absMTPositionX, x)
        put(EventCode.absMTPositionY, y)
        report()
    }

    mutating func putChanges(of slot: Int) {
        var rest = slots[slot].changed & model.axes
        guard rest != 0 else { return }
        // An element of the array's element would be read from a copy of the whole slot.
        let (time, twinSlot, values) = (frame.time, slots[slot].twinSlot, slots[slot].values)
        events.append(addingCapacity: 1 + TwinSlot.axisCodes.count) { output in
            output.append(.axis(EventCode.absMTSlot, twinSlot, at: time))
            while rest != 0 {
                let place = rest.trailingZeroBitCount
                rest &= rest - 1
                output.append(.axis(TwinSlot.axisCodes.lowerBound + UInt16(place), values[place], at: time))
            }
        }
    }

    /// Lifts the contact in a slot. The tool of a palm is reset first. Otherwise, the slot's next contact would be a
    /// palm too.
    mutating func lift(_ slot: Int) {
        select(slot)
        if slots[slot].image == .palm { put(EventCode.absMTToolType, EventCode.mtToolFinger) }
        put(EventCode.absMTTrackingID, -1)
        setImage(.none, of: slot)
    }

    mutating func setImage(_ image: TwinSlot.Image, of slot: Int) {
        slots[slot].image = image
        let bit: UInt64 = 1 << UInt64(slot)
        switch image {
        case .live, .waiting: pointer.shown |= bit
        case .still:
            pointer.shown |= bit
            endRest(of: slot)
        case .none, .palm:
            endRest(of: slot)
            pointer.shown &= ~bit
            if pointer.slot == slot { pointer.slot = nil }
        }
    }

    /// Turns the contact in a slot into a palm.
    mutating func putPalm(_ slot: Int) {
        select(slot)
        put(EventCode.absMTToolType, EventCode.mtToolPalm)
        setImage(.palm, of: slot)
    }

    /// Exchanges the images of two slots, so that a contact keeps its image when it continues in another slot.
    mutating func exchangeImages(_ a: Int, _ b: Int) {
        let (first, second) = (slots[a], slots[b])
        (slots[a].image, slots[b].image) = (second.image, first.image)
        (slots[a].id, slots[b].id) = (second.id, first.id)
        (slots[a].order, slots[b].order) = (second.order, first.order)
        (slots[a].isImagePrivate, slots[b].isImagePrivate) = (second.isImagePrivate, first.isImagePrivate)
        (slots[a].twinSlot, slots[b].twinSlot) = (second.twinSlot, first.twinSlot)
        (slots[a].rest, slots[b].rest) = (second.rest, first.rest)
        exchangeBits(a, b, of: \.resting)
        exchangeBits(a, b, of: \.filtered)
        exchangeBits(a, b, of: \.pointer.shown)
        if pointer.slot == a { pointer.slot = b } else if pointer.slot == b { pointer.slot = a }
    }

    private mutating func exchangeBits(_ a: Int, _ b: Int, of set: WritableKeyPath<Self, UInt64>) {
        let (first, second) = (self[keyPath: set] >> UInt64(a) & 1, self[keyPath: set] >> UInt64(b) & 1)
        self[keyPath: set] &= ~(1 << UInt64(a) | 1 << UInt64(b))
        self[keyPath: set] |= second << UInt64(a) | first << UInt64(b)
    }

    private func has(_ place: Int) -> Bool { model.axes & 1 << UInt16(place) != 0 }

    // MARK: Events

    /// Selects the twin's slot for the image of a slot.
    @inline(__always) private mutating func select(_ slot: Int) { put(EventCode.absMTSlot, slots[slot].twinSlot) }

    private mutating func put(_ code: UInt16, _ value: Int32) { put(EventCode.evAbs, code, value) }

    private mutating func put(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        events.append(KernelEvent(time: frame.time, type: type, code: code, value: value))
    }

    /// Ends a frame of the twin, unless it is empty.
    mutating func report() {
        guard events.count > frame.start else { return }
        putPointer()
        events.append(.report(at: frame.time))
        frame.start = events.count
    }

    /// Writes `BTN_TOUCH`, and `ABS_X` and `ABS_Y` of the application's oldest contact.
    private mutating func putPointer() {
        let isDown = pointer.shown != 0
        if isDown != pointer.isDown {
            pointer.isDown = isDown
            put(EventCode.evKey, EventCode.btnTouch, isDown ? 1 : 0)
        }
        guard isDown, model.hasPointer else { return }
        let slot = pointer.slot ?? oldest()
        pointer.slot = slot
        guard case .live = slots[slot].image else { return }
        let (x, y) = slots[slot].position
        if x != pointer.x { put(EventCode.absX, x) }
        if y != pointer.y { put(EventCode.absY, y) }
        (pointer.x, pointer.y) = (x, y)
    }

    private func oldest() -> Int {
        var rest = pointer.shown
        var oldest = rest.trailingZeroBitCount
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest - 1
            if slots[slot].order < slots[oldest].order { oldest = slot }
        }
        return oldest
    }
}
