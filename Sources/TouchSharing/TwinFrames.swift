// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine

/// Makes the frames that the application gets in place of a panel's: of the panel's contacts those that are forwarded.
///
/// They are made of slots and are no copy of the panel's events: a contact that lands on the twin has all its values,
/// for the kernel repeats none that is as it was. A slot that lifts and lands takes two frames, for libinput.
///
/// For each frame of the panel: `take` each event, `begin`, say what becomes of the contacts (`land`, `keep`, `give`),
/// `finish`, and write `events`.
package struct TwinFrames {
    /// A contact that is taken stands still for so long before it lifts, so that nothing is flung: Chromium needs 100 ms.
    package static let stillness = Interval.milliseconds(100)

    /// The events that are to be written to the twin, in one call.
    var events: [KernelEvent] = []
    /// When `advance(to:)` must next be called; `nil` while nothing is pending.
    var nextDeadline: Timestamp?

    let model: Model
    var frame = Frame()
    var pointer = Pointer()
    var slots: [TwinSlot]
    /// The slot that the next events are about; `nil`: one that does not exist.
    private var current: Int? = 0
    /// Slots about which events have said something since the last frame.
    var dirty: UInt64 = 0
    var lifted: [LiftedHold] = []
    /// Keys other than `BTN_TOUCH`, until the frame ends.
    var keys: [KernelEvent] = []
    var keysDown: [UInt16] = []

    /// The properties of the panel and of its twin.
    struct Model: Sendable {
        let cancel: TouchCancel
        /// By axis: whether the twin has it.
        let axes: UInt16
        let hasPointer: Bool
        let isSingleTouch: Bool
        /// The panel has no slots, and says of several contacts.
        let isUnslotted: Bool
    }

    /// The frame that is being made.
    struct Frame: Sendable {
        var time = Timestamp(microseconds: 0)
        /// Where it begins in `events`.
        var start = 0
        /// It is one of the panel.
        var isComplete = false
        /// Slots in which a contact has landed in it.
        var landed: UInt64 = 0
        /// Slots whose contact has ended in it.
        var ended: UInt64 = 0
    }

    /// The pointer of the twin, as it was last reported.
    struct Pointer: Sendable {
        var isDown = false
        var x = Int32.min
        var y = Int32.min
        /// The slot that it follows.
        var slot: Int?
        /// Slots with an image that is no palm. `BTN_TOUCH` and the pointer follow them.
        var shown: UInt64 = 0
        /// The number of the contact that has landed last (`TwinSlot.order`).
        var lastOrder: Int64 = 0
    }

    /// - Parameters:
    ///   - twin: as `DeviceDescription.twin(of:)` describes it.
    ///   - touchProtocol: the panel's.
    init(_ twin: DeviceDescription, _ touchProtocol: TouchProtocol, cancel: TouchCancel) {
        var axes: UInt16 = 0
        for (place, code) in TwinSlot.axisCodes.enumerated() where twin.axis(code) != nil { axes |= 1 << UInt16(place) }
        model = Model(
            cancel: cancel, axes: axes,
            hasPointer: twin.axis(EventCode.absX) != nil && twin.axis(EventCode.absY) != nil,
            isSingleTouch: touchProtocol == .singleTouch, isUnslotted: touchProtocol == .unslotted)
        let last = Int(twin.axis(EventCode.absMTSlot)?.maximum ?? 0)
        let count = min(max(1, last + 1), Admission.maximumSlots)
        slots = Array(repeating: TwinSlot(), count: count)
        events.reserveCapacity(256)
    }

    // MARK: What the panel says

    /// Takes an event of the panel. Of one without slots (protocol A) only the keys count: `set` tells the rest.
    mutating func take(_ event: KernelEvent) {
        if event.type == EventCode.evKey { takeKey(event) }
        guard !model.isUnslotted, let event = model.isSingleTouch ? event.fromSingleTouch : event,
            event.type == EventCode.evAbs
        else { return }
        takeAxis(event.code, event.value)
    }

    /// Takes events of a panel with slots that say nothing but axes (`SlotTracker.takeAxes`).
    mutating func takeAxes(_ events: ArraySlice<KernelEvent>) {
        for event in events { takeAxis(event.code, event.value) }
    }

    private mutating func takeAxis(_ code: UInt16, _ value: Int32) {
        if code == EventCode.absMTSlot {
            select(Int(value))
        } else if let current {
            set(code, value, of: current)
        }
    }

    /// Sets what the panel says of a slot.
    mutating func set(_ code: UInt16, _ value: Int32, of slot: Int) {
        guard slots.indices.contains(slot), TwinSlot.axisCodes.contains(code) else { return }
        dirty |= 1 << UInt64(slot)
        slots[slot].set(code, value)
    }

    /// Takes what the panel says of a slot, where its events do not say it: the panel has no slots, or they were lost.
    mutating func set(_ state: SlotState, of slot: Int) {
        set(EventCode.absMTPositionX, state.x, of: slot)
        set(EventCode.absMTPositionY, state.y, of: slot)
        set(EventCode.absMTTouchMajor, state.major, of: slot)
        set(EventCode.absMTToolType, state.tool, of: slot)
        set(EventCode.absMTDistance, state.distance, of: slot)
        set(EventCode.absMTTrackingID, state.trackingID, of: slot)
    }

    /// Takes a slot table.
    mutating func take(_ table: SlotTable) {
        for (slot, state) in zip(slots.indices, table.slots) { set(state, of: slot) }
        if let slot = table.current { select(slot) }
    }

    private mutating func select(_ slot: Int) { current = slots.indices.contains(slot) ? slot : nil }

    /// Keys beside the glass go to the application as they come. Tools and `BTN_TOUCH` are made of the contacts.
    private mutating func takeKey(_ event: KernelEvent) {
        guard !EventCode.digitizerKeys.contains(event.code), event.value == 0 || event.value == 1 else { return }
        keys.append(event)
        keysDown.removeAll { $0 == event.code }
        if event.value == 1 { keysDown.append(event.code) }
    }

    // MARK: What has been decided

    /// Where the contact in a slot goes.
    func fate(of slot: Int) -> TouchFate { slots.indices.contains(slot) ? slots[slot].fate : .none }

    /// Where a contact goes that is down.
    func fate(of contact: ContactID) -> TouchFate { slot(of: contact).map { slots[$0].fate } ?? .none }

    func slot(of contact: ContactID) -> Int? {
        for index in slots.indices where slots[index].contact == contact { return index }
        return nil
    }

    /// Begins the frame that the panel has reported, or one without it.
    /// - Parameter isComplete: `false` while events of a frame may have been taken whose end has not come.
    mutating func begin(at time: Timestamp, isComplete: Bool) {
        frame = Frame(time: time, start: events.count, isComplete: isComplete)
        guard isComplete else { return }
        var rest = dirty
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            rest &= rest - 1
            let (wasDown, isDown) = (slots[slot].wasDown, slots[slot].isDown)
            let isOther = slots[slot].isReplaced || wasDown != isDown
            if wasDown, isOther { frame.ended |= 1 << UInt64(slot) }
            if isDown, isOther { frame.landed |= 1 << UInt64(slot) }
            slots[slot].wasDown = isDown
            slots[slot].isReplaced = false
        }
    }

    /// Takes a contact from the application, which is told at once; or it is not held any more.
    /// - Returns: whether the application had it.
    @discardableResult
    mutating func keep(_ contact: ContactID) -> Bool {
        lifted.removeAll { $0.contact == contact }
        guard let slot = slot(of: contact) else { return false }
        let hadIt = slots[slot].image == .live
        slots[slot].fate = .kept
        guard hadIt else { return false }
        switch model.cancel {
        case .lift:
            let deadline = frame.time + Self.stillness
            slots[slot].image = .still(until: deadline)
            nextDeadline = min(nextDeadline ?? deadline, deadline)
        case .palm:
            put(EventCode.absMTSlot, Int32(slot))
            put(EventCode.absMTToolType, EventCode.mtToolPalm)
            setImage(.palm, of: slot)
            report()
        }
        return true
    }

    /// Gives a held contact to the application: it lands where it landed, and moves and lifts if it has.
    /// - Returns: whether it could: another contact may be where it was.
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
        guard slots[hold.slot].image == .none else { return false }
        show(hold)
        lift(hold.slot)
        report()
        return true
    }

    /// A contact has landed in a slot of `landed`.
    /// - Parameter contact: `nil`: the engine does not see it.
    mutating func land(_ slot: Int, _ contact: ContactID?, _ fate: TouchFate) {
        if frame.ended & 1 << UInt64(slot) != 0 { end(slot) }
        // The slot is used again.
        if slots[slot].image != .none { lift(slot) }
        report()
        slots[slot].fate = fate
        slots[slot].contact = contact
        slots[slot].id = slots[slot].trackingID
        slots[slot].start = slots[slot].position
    }

    /// Ends the frame.
    mutating func finish() {
        guard frame.isComplete else { return report() }
        var rest = dirty
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            let bit: UInt64 = 1 << UInt64(slot)
            rest &= rest - 1
            if frame.landed & bit != 0 {
                if slots[slot].fate == .forwarded { putLanding(slot) }
            } else if frame.ended & bit != 0 {
                end(slot)
            } else if slots[slot].image == .live {
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

    /// The contact of a slot has lifted, or another one has taken its place.
    private mutating func end(_ slot: Int) {
        switch slots[slot].image {
        case .live, .palm: lift(slot)
        case .none, .still: break
        }
        // It may still be given.
        if slots[slot].fate == .held, let contact = slots[slot].contact {
            lifted.append(slots[slot].hold(of: contact, in: slot))
        }
        slots[slot].fate = .none
        slots[slot].contact = nil
    }
}
