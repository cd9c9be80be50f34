// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine

/// Builds the frames that the application receives instead of the panel's. They contain the forwarded contacts.
///
/// The frames are built from slots rather than copied from the panel's events: a contact that lands on the twin needs
/// all its values, but the kernel does not repeat unchanged ones. A lift and a landing in the same slot are written as
/// two frames, for libinput.
///
/// For each frame of the panel, call `take` with each event, then call `begin`, decide about contacts (`land`, `keep`,
/// `give`), call `finish`, and write `events`.
package struct TwinFrames {
    /// A contact that was taken stands still for this time before it lifts, so that the application does not start a
    /// fling. Chromium needs 100 ms.
    package static let stillness = Interval.milliseconds(100)

    /// The events to write to the twin with one system call.
    var events: [KernelEvent] = []
    /// `maxHold` and `holdSlop` of the application's filter, for contacts that land on the twin from now on.
    var (maxHold, holdSlop): (Interval?, Double) = (nil, 0)
    /// Slots with a `rest`.
    var resting: UInt64 = 0
    /// Slots whose images have lifted because of `maxHold`, since this was last emptied.
    var expired: UInt64 = 0
    /// The time at which `advance(to:)` must next be called; `nil` while nothing is pending.
    @usableFromInline var nextDeadline: Timestamp?

    let model: Model
    var frame = Frame()
    var pointer = Pointer()
    var slots: [TwinSlot]
    /// The slot to which the next events refer; `nil` if it does not exist.
    var current: Int? = 0
    /// Slots that events have changed since the last frame.
    var dirty: UInt64 = 0
    /// Slots whose contacts are taken from the application if a filter hides them from gestures.
    var filtered: UInt64 = 0
    var lifted: [LiftedHold] = []
    /// Contacts that have ended in a slot but may land again if the panel has only lost them for a moment.
    var former: [(contact: ContactID, fate: TouchFate)] = []
    /// Events of keys other than `BTN_TOUCH`, which are kept until the frame ends.
    var keys: [KernelEvent] = []
    var keysDown: [UInt16] = []

    /// The properties of the panel and of its twin.
    struct Model: Sendable {
        let cancel: TouchCancel
        /// The axes of the twin, as a bit set.
        let axes: UInt16
        let hasPointer: Bool
        let isSingleTouch: Bool
        /// Whether the panel reports several contacts without slots.
        let isUnslotted: Bool
    }

    struct Frame: Sendable {
        var time = Timestamp(microseconds: 0)
        /// The index of the frame's first event in `events`.
        var start = 0
        /// Whether the frame is a complete frame of the panel.
        var isComplete = false
        /// Slots in which a contact has landed.
        var landed: UInt64 = 0
        /// Slots in which a contact has ended.
        var ended: UInt64 = 0
        /// The slots of `ended` whose contacts may land again, and therefore do not lift yet.
        var bridged: UInt64 = 0
        /// The slots of `landed` whose contacts the application receives.
        var given: UInt64 = 0
    }

    /// The pointer of the twin, as it was last reported.
    struct Pointer: Sendable {
        var isDown = false
        var x = Int32.min
        var y = Int32.min
        /// The slot that the pointer follows.
        var slot: Int?
        /// Slots that have an image other than a palm. `BTN_TOUCH` and the pointer follow these slots.
        var shown: UInt64 = 0
        /// The number of the contact that landed last (`TwinSlot.order`).
        var lastOrder: Int64 = 0
    }

    /// Creates frames without contacts.
    /// - Parameters:
    ///   - twin: the description from `DeviceDescription.twin(of:)`.
    ///   - touchProtocol: the protocol of the panel.
    init(_ twin: DeviceDescription, _ touchProtocol: TouchProtocol, cancel: TouchCancel) {
        var axes: UInt16 = 0
        for (place, code) in TwinSlot.axisCodes.enumerated() where twin.axis(code) != nil { axes |= 1 << UInt16(place) }
        model = Model(
            cancel: cancel, axes: axes,
            hasPointer: twin.axis(EventCode.absX) != nil && twin.axis(EventCode.absY) != nil,
            isSingleTouch: touchProtocol == .singleTouch, isUnslotted: touchProtocol == .unslotted)
        let last = Int(twin.axis(EventCode.absMTSlot)?.maximum ?? 0)
        let count = min(max(1, last + 1), Admission.maximumSlots)
        slots = (0..<count).map { TwinSlot(twinSlot: Int32($0)) }
        events.reserveCapacity(256)
    }

    // MARK: Decisions

    /// Returns the receiver of the contact in a slot.
    func fate(of slot: Int) -> TouchFate { slots.indices.contains(slot) ? slots[slot].fate : .none }

    /// Returns the receiver of a contact that is down, or that has lifted but may land again.
    func fate(of contact: ContactID) -> TouchFate {
        slot(of: contact).map { slots[$0].fate } ?? former.first { $0.contact == contact }?.fate ?? .none
    }

    func slot(of contact: ContactID) -> Int? {
        for index in slots.indices where slots[index].contact == contact { return index }
        return nil
    }

    /// Begins a frame: either a frame of the panel, or one for another reason, such as a deadline.
    /// - Parameter isComplete: `false` if the events handled so far may belong to a frame that has not ended.
    mutating func begin(at time: Timestamp, isComplete: Bool) {
        frame = Frame(time: time, start: events.count, isComplete: isComplete)
        guard isComplete else { return }
        var rest = dirty
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest - 1
            let (wasDown, isDown) = (slots[slot].wasDown, slots[slot].isDown)
            guard slots[slot].isReplaced || wasDown != isDown else { continue }
            if wasDown { frame.ended |= 1 << UInt64(slot) }
            if isDown { frame.landed |= 1 << UInt64(slot) }
            slots[slot].wasDown = isDown
            slots[slot].isReplaced = false
        }
    }

    /// Follows contacts that have changed slots. The application's slots stay the same.
    mutating func rename(_ tracker: borrowing SlotTracker) {
        for slot in slots.indices
        where slots[slot].contact != nil && (frame.landed | frame.ended) >> UInt64(slot) & 1 == 0 {
            if let other = tracker.contact(in: slot) { slots[slot].contact = other }
        }
    }

    /// Takes a contact from the application, which is informed immediately. If the contact is held, stops holding it
    /// instead.
    /// - Parameter lifts: whether a contact that has lifted on the panel lifts at once instead of standing still first.
    /// - Returns: whether the application had the contact.
    @discardableResult
    mutating func keep(_ contact: ContactID, as fate: TouchFate = .kept, lifts: Bool = false) -> Bool {
        lifted.removeAll { $0.contact == contact }
        setFormerFate(of: contact, fate)
        if let slot = slot(of: contact) {
            slots[slot].fate = fate
            return takeBack(slot)
        }
        guard let slot = slots.indices.first(where: { slots[$0].image == .waiting(for: contact) }) else { return false }
        takeBack(slot)
        // Nothing else would lift a palm that has already lifted on the panel.
        if lifts || slots[slot].image == .palm {
            lift(slot)
            report()
        }
        return true
    }

    /// Ends the image of a contact.
    /// - Returns: whether the application had the contact.
    @discardableResult
    mutating func takeBack(_ slot: Int) -> Bool {
        switch slots[slot].image {
        case .live, .waiting: break
        case .none, .still, .palm: return false
        }
        switch model.cancel {
        case .lift:
            let deadline = frame.time + Self.stillness
            setImage(.still(until: deadline), of: slot)
            nextDeadline = min(nextDeadline ?? deadline, deadline)
        case .palm:
            putPalm(slot)
            report()
        }
        return true
    }

    /// Passes a held contact to the application. The contact lands at its original position, moves to its last
    /// position, and lifts if it has already lifted on the panel.
    /// - Returns: `false` if the contact is no longer held, or if another contact occupies its slot.
    @discardableResult
    mutating func give(_ contact: ContactID) -> Bool {
        if let slot = slot(of: contact), slots[slot].fate == .held {
            slots[slot].fate = .forwarded
            guard slots[slot].image == .none else { return false }
            show(slots[slot].hold(of: contact, in: slot))
            slots[slot].changed = 0
            return true
        }
        guard let place = lifted.firstIndex(where: { $0.contact == contact }) else { return false }
        let hold = lifted.remove(at: place)
        setFormerFate(of: contact, .forwarded)
        guard slots[hold.slot].image == .none else { return false }
        show(hold)
        lift(hold.slot)
        report()
        return true
    }

    /// Handles the landing of a contact in a slot of `frame.landed`.
    /// - Parameters:
    ///   - contact: the contact; `nil` if it is hidden from the engine.
    ///   - isPrivate: whether it lands in a private region.
    mutating func land(_ slot: Int, _ contact: ContactID?, _ fate: TouchFate, isPrivate: Bool = false) {
        if frame.ended & 1 << UInt64(slot) != 0 { end(slot) }
        // The slot is being reused while the application may still have the slot's previous contact.
        clear(slot)
        report()
        if fate == .forwarded { frame.given |= 1 << UInt64(slot) }
        slots[slot].fate = fate
        slots[slot].contact = contact
        slots[slot].isPrivate = isPrivate
        slots[slot].id = slots[slot].trackingID
        slots[slot].start = slots[slot].position
    }

    mutating func finish() {
        guard frame.isComplete else { return report() }
        // Lifts come first, because Wayland's clients receive the events of a frame one by one, and must not have more
        // contacts in between than `max_contacts`.
        var ending = frame.ended & ~frame.landed
        while ending != 0 {
            end(ending.trailingZeroBitCount)
            ending &= ending - 1
        }
        var rest = dirty
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest - 1
            if frame.landed >> UInt64(slot) & 1 == 1 {
                if slots[slot].fate == .forwarded { putLanding(slot) }
            } else if case .live = slots[slot].image {
                putChanges(of: slot)
            }
            slots[slot].changed = 0
        }
        dirty = 0
        if !keys.isEmpty {
            events.append(contentsOf: keys)
            keys.removeAll(keepingCapacity: true)
        }
        report()
    }

    /// Handles the end of the contact in a slot, which has lifted or was replaced.
    mutating func end(_ slot: Int) {
        switch slots[slot].image {
        case .live:
            if frame.bridged & 1 << UInt64(slot) != 0, let contact = slots[slot].contact {
                setImage(.waiting(for: contact), of: slot)
            } else {
                lift(slot)
            }
        case .palm: lift(slot)
        case .none, .still, .waiting: break
        }
        // A held contact may still be passed on later.
        if slots[slot].fate == .held, let contact = slots[slot].contact {
            lifted.append(slots[slot].hold(of: contact, in: slot))
        }
        if let contact = slots[slot].contact { former.append((contact, slots[slot].fate)) }
        slots[slot].fate = .none
        slots[slot].contact = nil
    }

    mutating func setFormerFate(of contact: ContactID, _ fate: TouchFate) {
        if let place = former.firstIndex(where: { $0.contact == contact }) { former[place].fate = fate }
    }

    /// Returns the receiver of a contact that lands again; `nil` for a new contact.
    mutating func takeFormerFate(of contact: ContactID) -> TouchFate? {
        // The contact lands in the same frame in which it ended.
        if let slot = slot(of: contact) {
            slots[slot].contact = nil
            return slots[slot].fate
        }
        guard let place = former.firstIndex(where: { $0.contact == contact }) else { return nil }
        lifted.removeAll { $0.contact == contact }
        return former.remove(at: place).fate
    }
}
