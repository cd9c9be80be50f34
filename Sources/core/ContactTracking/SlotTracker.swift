// SPDX-License-Identifier: MIT
package import GestureEngine

/// Turns a panel's kernel events into touch frames: slots become contacts, device units become millimetres, and
/// contacts hidden by filters are left out.
///
/// Equal events result in equal frames, both live and in a replay. `feed` allocates nothing once `frame` has grown.
/// Input from a device never causes a trap.
package struct SlotTracker: ~Copyable {
    /// The changes found by the last call that returned `true`. The storage is reused.
    package internal(set) var frame = TouchFrame()
    /// The id of the next contact that lands.
    var nextContact: Int64 = 1
    /// Returns whether a contact that lands at a point lands in a private region; `nil` if there are none.
    package var isPrivate: ((Point) -> Bool)?
    /// The source of contact numbers.
    let identifiers: Identifiers
    /// The tracking id reported last; -1 before the first one.
    package internal(set) var lastTrackingID: Int32 = -1
    /// The mapping from device units to millimetres.
    package private(set) var mapping: AxisMapping
    /// Keeps contacts away while the display is off; `nil` if the panel has no such guard.
    package var wake: WakeGuard?
    /// The time at which `lookAtDisplay(at:)` must next be called; `.never` if there is no need to.
    package internal(set) var nextLook = Timestamp.never
    /// Whether a contact hidden by a filter landed, moved or lifted in the last frame. `frame` does not contain it.
    package internal(set) var hasFilteredChange = false
    /// Whether contacts were moved to other slots in the last frame, because the panel had confused them.
    package internal(set) var hasExchange = false
    /// The time at which `advance(to:)` must next be called, because a contact becomes too old, is hidden because of its
    /// size, or has lifted for good; `nil` while nothing is pending.
    package internal(set) var nextDeadline: Timestamp?

    /// The slots as reported by the device, with the state of their contacts.
    var slots: [TrackedSlot]
    /// The number of contacts shown to the engine, including those that have lifted and are held.
    // This is a stored property, because a computed one would copy the tracker on each iteration.
    package internal(set) var contactCount = 0
    /// The slot that the next events refer to; `nil` if it does not exist.
    var current: Int? = 0
    /// Slots with a contact that lands in the current frame; empty between frames.
    var landing: [Int] = []
    /// Contacts that are held, and the last ones that have lifted within 80 ms.
    var lifts: [LiftedContact] = []
    let isSingleTouch: Bool
    /// Set only for a panel without slots.
    var decoder: ProtocolADecoder?
    package private(set) var filter: FilterSettings
    /// The width in device units above which a touch is a palm.
    private(set) var largestMajor: Int32
    private(set) var millimetersPerMajor: Double?
    /// Private regions have a separate detector, so that a storm on one side does not end contacts on the other.
    var storms: Sides<StormDetector?>
    /// `counts` without the storms that `storms` has counted.
    var contactCounts = Sides<ContactCounts>()
    /// Whether a contact hidden by a filter has ended since the last frame.
    var hasFilteredEnd = false
    /// Whether events were lost and the slots are unknown. The rest of the frame is ignored.
    var isDiscarding = false

    /// Creates a tracker without contacts.
    /// - Parameters:
    ///   - touchProtocol: the protocol determined by `Admission`.
    ///   - identifiers: the source of contact numbers.
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
        lifts.reserveCapacity(2 * count)
        let first = Int(device.axis(EventCode.absMTSlot)?.value ?? 0)
        if !isSingleTouch, slots.indices.contains(first) { current = first }
    }

    /// Handles one kernel event.
    ///
    /// Call `advance(to:)` first if `nextDeadline` is not later than the event.
    /// - Returns: `true` if it completed a `frame` with at least one change.
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

    /// Consumes axis events from `first`, up to the next pending deadline. Nearly all events of a panel are axis
    /// events.
    /// - Returns: the index of the first event that is left for `feed`.
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

    /// Changes the phase of the contact in a slot.
    mutating func setPhase(_ phase: TrackedSlot.Phase, of index: Int) {
        contactCount += slots[index].setPhase(phase)
    }

    /// Cancels contacts that have been down for too long (`syncLost`: the panel missed the lift), or whose only
    /// report has too large a size. They are ignored until they lift. Lifts contacts that did not land again in time.
    /// - Returns: `true` if `frame` contains such a change.
    package mutating func advance(to time: Timestamp) -> Bool {
        guard let deadline = nextDeadline, deadline <= time else { return false }
        begin(at: deadline)
        endOverdue(at: deadline)
        return finish()
    }

    /// Sets the slots to those of the kernel when the device is opened. Contacts that are already down are ignored
    /// until they lift, because their landing positions are unknown.
    /// - Parameter initial: the kernel's table. If it has no current slot, the one from the device's description is
    ///   used.
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

    /// Sets the kernel's slot table after events were lost (`SYN_DROPPED`).
    ///
    /// A contact with the same tracking id in the same slot goes on and is `resynchronized`, a contact that is gone is
    /// cancelled (`syncLost`), and a new contact lands. An incomplete frame is dropped. Without slots (protocol A),
    /// contacts cannot be identified, so all are cancelled, and those that are down are ignored until they lift.
    /// - Returns: `true` if `frame` contains a change.
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

    /// Cancels every contact. Contacts that are still down are ignored until they lift.
    /// - Returns: `true` if `frame` contains a cancelled contact.
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
        endHeld(.cancelled(reason)) { _ in true }
        lifts.removeAll(keepingCapacity: true)
        updateDeadline()
        return finish()
    }

    /// Replaces the mapping to the output, and the settings that depend on its size.
    ///
    /// Call `cancelAll` first, so that no contact continues at another position.
    package mutating func replaceMapping(
        _ mapping: AxisMapping, _ filter: FilterSettings, of device: DeviceDescription
    ) {
        self.mapping = mapping
        millimetersPerMajor = isSingleTouch ? nil : Self.millimetersPerMajor(device, mapping)
        replaceFilter(filter)
    }

    /// Replaces the filter. A storm that is under way ends if the limits of storms change.
    ///
    /// Call this only while no contact is down.
    package mutating func replaceFilter(_ filter: FilterSettings) {
        if filter.storm != self.filter.storm {
            contactCounts = counts
            storms = Sides(filter.storm.map { StormDetector($0) })
        }
        self.filter = filter
        largestMajor = Self.units(filter.maxTouch, millimetersPerMajor)
    }

    /// The storms, for the tracker that takes the place of this one.
    package var stormMemory: StormMemory { StormMemory(settings: filter.storm, storms: storms) }

    /// Continues the storms of another tracker, unless their limits have changed.
    package mutating func restore(_ memory: StormMemory) {
        guard memory.settings == filter.storm else { return }
        storms.open = memory.storms.open?.uncounted
        storms.hidden = memory.storms.hidden?.uncounted
    }

    // MARK: Widths

    /// The size in millimetres of one unit of a touch width. Widths have the same unit as positions unless their axis
    /// has its own resolution.
    private static func millimetersPerMajor(_ device: DeviceDescription, _ mapping: AxisMapping) -> Double? {
        guard let axis = device.axis(EventCode.absMTTouchMajor) else { return nil }
        let isCredible = axis.resolution > 0 && Double(axis.maximum) / Double(axis.resolution) <= largestCredibleTouch
        if isCredible { return 1 / Double(axis.resolution) }
        return mapping.isSizeKnown ? mapping.millimetersPerUnit : nil
    }

    /// The largest plausible width of a hand in millimetres. A resolution that results in more is wrong.
    private static let largestCredibleTouch = 200.0

    private static func units(_ millimeters: Double?, _ millimetersPerUnit: Double?) -> Int32 {
        guard let millimeters, let millimetersPerUnit else { return .max }
        let units = millimeters / millimetersPerUnit
        return units >= 0 && units < Double(Int32.max) ? Int32(units) : .max
    }
}
