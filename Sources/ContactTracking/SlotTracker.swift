// SPDX-License-Identifier: MIT
package import GestureEngine

/// Turns a panel's kernel events into touch frames: slots become contacts, device units become millimetres, and
/// contacts that the filter excludes do not show.
///
/// The same events give the same frames, live and in a replay. `feed` allocates nothing once `frame` has grown.
/// Nothing that a device sends traps.
package struct SlotTracker: ~Copyable {
    /// What the last call that returned `true` found; its storage is reused.
    package internal(set) var frame = TouchFrame()
    /// The id of the contact that lands next.
    var nextContact: Int64 = 1
    /// Whether a contact that lands at a point lands in a private region; `nil`: there are none.
    package var isPrivate: ((Point) -> Bool)?
    /// Number its contacts.
    let identifiers: Identifiers
    /// The tracking id of the contact that was reported last; -1 before the first one.
    package internal(set) var lastTrackingID: Int32 = -1
    package let mapping: AxisMapping
    /// Whether in the last frame a contact landed, moved or lifted that a filter hides. `frame` says nothing of it.
    package internal(set) var hasFilteredChange = false
    /// When `advance(to:)` must next be called, because a contact is too old then, or its size counts; `nil` while there is
    /// nothing to be done.
    package internal(set) var nextDeadline: Timestamp?

    /// The slots as the device has reported them, and what became of their contacts.
    var slots: [TrackedSlot]
    /// How many contacts are shown to the engine.
    // Stored, because it is asked in each turn: what is computed is asked of a copy of the tracker.
    package private(set) var contactCount = 0
    /// The slot that the next events are about; `nil`: one that does not exist.
    var current: Int? = 0
    /// Slots in which a contact lands in the frame that is being made; empty between frames.
    var landing: [Int] = []
    let isSingleTouch: Bool
    /// Only for a panel without slots.
    var decoder: ProtocolADecoder?
    let filter: FilterSettings
    /// A touch wider than this many device units is a palm.
    let largestMajor: Int32
    let millimetersPerMajor: Double?
    /// A storm in private regions ends no other contacts, and the other way round.
    var storms: Sides<StormDetector?>
    /// `counts` without the storms.
    var contactCounts = Sides<ContactCounts>()
    /// A contact that a filter hides has ended since the last frame.
    var hasFilteredEnd = false
    /// Events were lost and the slots are unknown: the rest of the frame is ignored.
    var isDiscarding = false

    /// - Parameters:
    ///   - touchProtocol: as `Admission` found it.
    ///   - identifiers: number its contacts.
    package init(
        _ device: DeviceDescription, protocol touchProtocol: TouchProtocol, mapping: AxisMapping,
        filter: FilterSettings, identifiers: Identifiers = Identifiers()
    ) {
        self.mapping = mapping
        self.filter = filter
        self.identifiers = identifiers
        let count = min(max(1, touchProtocol.slotCount), Admission.maximumSlots)
        slots = Array(repeating: TrackedSlot(), count: count)
        isSingleTouch = touchProtocol == .singleTouch
        decoder = touchProtocol == .unslotted ? ProtocolADecoder(device) : nil
        millimetersPerMajor = isSingleTouch ? nil : Self.millimetersPerMajor(device, mapping)
        largestMajor = Self.units(filter.maxTouch, millimetersPerMajor)
        storms = Sides(filter.storm.map { StormDetector($0) })
        frame.changes.reserveCapacity(2 * count)
        landing.reserveCapacity(count)
        let first = Int(device.axis(EventCode.absMTSlot)?.value ?? 0)
        if !isSingleTouch, slots.indices.contains(first) { current = first }
    }

    /// Takes one kernel event.
    ///
    /// Call `advance(to:)` first when `nextDeadline` is not later than the event.
    /// - Returns: `true` when it completed a `frame` that holds at least one change.
    package mutating func feed(_ event: KernelEvent) -> Bool {
        if decoder != nil { return feedProtocolA(event) }
        guard let event = isSingleTouch ? event.fromSingleTouch : event else { return false }
        switch event.type {
        case EventCode.evAbs: takeAxis(event.code, event.value)
        case EventCode.evSyn: return takeSync(event)
        default: break
        }
        return false
    }

    /// Takes the events from `first` on that say nothing but axes, up to one that `advance(to:)` comes before. Nearly all
    /// events of a panel are such.
    /// - Returns: the place of the first event that is left for `feed`.
    package mutating func takeAxes(_ events: ArraySlice<KernelEvent>, from first: Int) -> Int {
        guard decoder == nil, !isSingleTouch else { return first }
        let deadline = nextDeadline ?? .never
        var place = first
        while place < events.endIndex, events[place].type == EventCode.evAbs, events[place].time < deadline {
            takeAxis(events[place].code, events[place].value)
            place += 1
        }
        return place
    }

    /// Changes what has become of the contact of a slot.
    mutating func setPhase(_ phase: TrackedSlot.Phase, of index: Int) {
        contactCount += slots[index].setPhase(phase)
    }

    /// Cancels contacts that have been down for too long (`syncLost`: the panel has lost the lift), or whose only report has
    /// too large a size. They are ignored until they lift.
    /// - Returns: `true` when `frame` holds such a change.
    package mutating func advance(to time: Timestamp) -> Bool {
        guard let deadline = nextDeadline, deadline <= time else { return false }
        begin(at: deadline)
        ignoreOverdue(at: deadline)
        return finish()
    }

    /// Takes the kernel's slot table at the opening. Contacts that are down already are ignored until they lift:
    /// where they landed is not known.
    /// - Parameter initial: without a current slot, that of the device's description holds.
    package mutating func setInitial(_ initial: SlotTable) {
        if decoder != nil {
            decoder?.restart(isDown: initial.slots.contains { $0.trackingID >= 0 })
            return
        }
        for (index, state) in zip(slots.indices, initial.slots) {
            slots[index].state = state
            slots[index].state.trackingID = max(-1, state.trackingID)
            setPhase(state.trackingID >= 0 ? .ignored(by: nil) : .none, of: index)
        }
        if let current = initial.current { select(current) }
    }

    /// Takes the kernel's slot table after events were lost (`SYN_DROPPED`).
    ///
    /// A contact with the same tracking id in the same slot goes on and is `resynchronized`; one that is gone is
    /// cancelled (`syncLost`), and a new one lands. A frame that was not complete is forgotten. Without slots
    /// (protocol A) contacts cannot be told apart: all are cancelled, and what is down is ignored until it
    /// lifts.
    /// - Returns: `true` when `frame` holds a change.
    package mutating func resynchronize(_ new: SlotTable, at time: Timestamp) -> Bool {
        var new = new
        if decoder != nil {
            decoder?.restart(isDown: new.slots.contains { $0.trackingID >= 0 })
            new = SlotTable()
        }
        isDiscarding = false
        for index in slots.indices {
            var state = index < new.slots.count ? new.slots[index] : slots[index].state
            state.trackingID = index < new.slots.count ? max(-1, state.trackingID) : -1
            endContact(index, next: state.trackingID, .cancelled(.syncLost))
            slots[index].ended?.kind = .cancelled(.syncLost)
            slots[index].isChanged = true
            slots[index].state = state
        }
        if let current = new.current { select(current) }
        return complete(at: time, isResynchronized: true)
    }

    /// Cancels every contact. Those that are still down are ignored until they lift.
    /// - Returns: `true` when there was one, and `frame` holds it.
    package mutating func cancelAll(_ reason: CancelReason, at time: Timestamp) -> Bool {
        begin(at: time)
        for index in slots.indices {
            if var ended = slots[index].ended {
                slots[index].ended = nil
                ended.kind = .cancelled(reason)
                frame.changes.append(ended)
            }
            if slots[index].phase == .shown { ignore(index, reason, by: nil) }
        }
        updateDeadline()
        return finish()
    }

    // MARK: What is down

    /// The slots as the device has reported them.
    package var table: SlotTable { SlotTable(slots: slots.map { $0.state }, current: current) }

    /// One of them.
    package func state(of slot: Int) -> SlotState { slots[slot].state }

    /// Where it is.
    package func position(of slot: Int) -> Point { mapping.point(x: slots[slot].state.x, y: slots[slot].state.y) }

    /// Whether a slot is where a contact would land in a private region.
    package func isPrivate(_ slot: Int) -> Bool {
        slots.indices.contains(slot) && isPrivate?(position(of: slot)) == true
    }

    /// The numbers of the slots.
    package var slotNumbers: Range<Int> { slots.indices }

    /// The contact in a slot that is shown to the engine.
    package func contact(in slot: Int) -> ContactID? {
        slots.indices.contains(slot) && slots[slot].phase == .shown ? slots[slot].id : nil
    }

    /// The contacts that are shown to the engine, by id.
    package var contacts: [PanelContact] {
        var result: [PanelContact] = []
        copyContacts(into: &result)
        return result
    }

    /// `contacts` without an allocation once `result` has grown.
    package func copyContacts(into result: inout [PanelContact]) {
        result.removeAll(keepingCapacity: true)
        for index in slots.indices where slots[index].phase == .shown {
            let major = millimetersPerMajor.map { Double(slots[index].state.major) * $0 }
            result.append(
                PanelContact(id: slots[index].id, slot: index, position: slots[index].position, major: major))
        }
        result.sort { $0.id < $1.id }
    }

    /// The contacts that a filter hides from the engine, by slot. Allocates nothing once `result` has grown.
    package func copyFiltered(into result: inout [FilteredContact]) {
        result.removeAll(keepingCapacity: true)
        for (index, slot) in slots.enumerated() {
            guard case .ignored(let filter?) = slot.phase, slot.state.isTouching else { continue }
            let position = mapping.point(x: slot.state.x, y: slot.state.y)
            result.append(FilteredContact(slot: index, position: position, filter: filter))
        }
    }

    /// All that touches, by slot, whether or not the filter hides it from the engine; the ids are the device's
    /// tracking ids. Allocates nothing once `result` has grown.
    package func copyTouching(into result: inout [PanelContact]) {
        result.removeAll(keepingCapacity: true)
        for (index, slot) in slots.enumerated() where slot.phase != .none && slot.state.isTouching {
            let id = ContactID(Int64(slot.state.trackingID))
            let position = mapping.point(x: slot.state.x, y: slot.state.y)
            result.append(PanelContact(id: id, slot: index, position: position, major: nil))
        }
    }

    /// Whether contacts outside of private regions are ignored because of ghost touches.
    package func isStorming(at time: Timestamp) -> Bool { storms.open?.isStorming(at: time) ?? false }

    package var counts: Sides<ContactCounts> {
        var counts = contactCounts
        counts.open.storms = storms.open?.count ?? 0
        counts.hidden.storms = storms.hidden?.count ?? 0
        return counts
    }

    // MARK: Widths

    /// Touch widths are in the units of positions, unless the axis has a resolution of its own.
    private static func millimetersPerMajor(_ device: DeviceDescription, _ mapping: AxisMapping) -> Double? {
        guard let axis = device.axis(EventCode.absMTTouchMajor) else { return nil }
        let isCredible = axis.resolution > 0 && Double(axis.maximum) / Double(axis.resolution) <= largestCredibleTouch
        if isCredible { return 1 / Double(axis.resolution) }
        return mapping.isSizeKnown ? mapping.millimetersPerUnit : nil
    }

    /// Millimetres. No hand is wider: a resolution that says so is wrong.
    private static let largestCredibleTouch = 200.0

    private static func units(_ millimeters: Double?, _ millimetersPerUnit: Double?) -> Int32 {
        guard let millimeters, let millimetersPerUnit else { return .max }
        let units = millimeters / millimetersPerUnit
        return units >= 0 && units < Double(Int32.max) ? Int32(units) : .max
    }
}

/// A contact that is down now.
package struct PanelContact: Hashable, Sendable, BitwiseCopyable {
    package var id: ContactID
    package var slot: Int
    package var position: Point
    /// The width of the touch in millimetres; `nil` where the panel does not say, or its size is not known.
    package var major: Double?
}

/// A contact that is down now, and that a filter hides until it lifts.
package struct FilteredContact: Hashable, Sendable, BitwiseCopyable {
    package var slot: Int
    package var position: Point
    package var filter: ContactFilter
}
