// SPDX-License-Identifier: MIT
package import GestureEngine

/// Makes frames of a panel's kernel events: slots become contacts, device units millimetres, and
/// what is no finger does not show.
///
/// Live and in a replay the same events make the same frames. `feed` allocates nothing
/// once `frame` has grown. Nothing that a device sends traps.
package struct SlotTracker: ~Copyable {
    /// What the last call that returned `true` found; its storage is used again and again.
    package internal(set) var frame = TouchFrame()
    /// The id of the contact that lands next. May be raised, so that several panels share one count.
    package var nextContact: Int64
    package let mapping: AxisMapping

    /// As the device says it; after the last, `nowhere`.
    ///
    /// Here and below plain memory that belongs to the tracker: an array would be checked for
    /// uniqueness at each event, and inline storage of 7 KB be copied whenever somebody asks the
    /// tracker something. Indices come from `current` and from loops over `slotCount` only.
    @usableFromInline let slots: UnsafeMutablePointer<SlotState>
    /// As the engine knows it; one for each slot.
    let fingers: UnsafeMutablePointer<Finger>
    /// The contact that ended in a slot within the frame that is being collected: a slot may end
    /// and begin again in one frame. Counts while the slot's bit is set in `endings`.
    let ended: UnsafeMutablePointer<ContactChange>
    @usableFromInline let slotCount: Int
    /// Takes what is said of slots that do not exist.
    @usableFromInline static var nowhere: Int { 64 }
    /// The slot that events are about now; `nowhere` after a slot number that does not exist.
    @usableFromInline var current: Int
    /// The bit of `current`; 0 for `nowhere`.
    @usableFromInline var currentBit: UInt64
    /// One bit for each slot that events have spoken of since the last frame.
    @usableFromInline var touched: UInt64 = 0
    /// Slots whose position the frame says, be it the one that they had. (Only a file says that; the
    /// kernel reports changes.)
    @usableFromInline var reported: UInt64 = 0
    /// One bit for each slot in which a contact has ended since the last frame.
    var endings: UInt64 = 0
    @usableFromInline let codeX: UInt16
    @usableFromInline let codeY: UInt16
    @usableFromInline let isSingleTouch: Bool
    var lastInserted = ContactID(.min)
    /// Whether the changes of the frame are in the order of ids.
    var isOrdered = true
    let filter: FilterSettings
    /// Device units; more is a palm.
    let largestMajor: Int32
    let millimetersPerMajor: Double?
    var landings: LandingRate?
    /// When the oldest live contact is too old.
    var ageDeadline: Timestamp?
    /// Events were lost and nobody could say how the slots are: wait for the end of the frame.
    @usableFromInline var isDiscarding = false

    /// - Parameters:
    ///   - touchProtocol: as `Admission` found it.
    ///   - nextContact: the id of the first contact: ids are never used again while the daemon runs.
    package init(
        _ device: DeviceDescription, protocol touchProtocol: TouchProtocol, mapping: AxisMapping,
        filter: FilterSettings, nextContact: Int64 = 1
    ) {
        self.mapping = mapping
        self.filter = filter
        self.nextContact = nextContact
        let count = min(max(1, touchProtocol.slotCount), Admission.maximumSlots)
        slotCount = count
        slots = .allocate(capacity: Admission.maximumSlots + 1)
        slots.initialize(repeating: SlotState(), count: Admission.maximumSlots + 1)
        fingers = .allocate(capacity: Admission.maximumSlots)
        fingers.initialize(repeating: Finger(), count: Admission.maximumSlots)
        ended = .allocate(capacity: Admission.maximumSlots)
        let nobody = ContactChange(id: ContactID(0), kind: .lifted, position: .zero)
        ended.initialize(repeating: nobody, count: Admission.maximumSlots)
        isSingleTouch = touchProtocol == .singleTouch
        codeX = isSingleTouch ? EventCode.absX : EventCode.absMTPositionX
        codeY = isSingleTouch ? EventCode.absY : EventCode.absMTPositionY
        let slot = isSingleTouch ? 0 : Int(device.axis(EventCode.absMTSlot)?.value ?? 0)
        current = slot >= 0 && slot < count ? slot : 0
        currentBit = 1 << UInt64(current)
        millimetersPerMajor = isSingleTouch ? nil : Self.millimetersPerMajor(device, mapping)
        largestMajor = Self.units(filter.maxTouch, millimetersPerMajor)
        landings = filter.storm.map { LandingRate($0) }
        frame.changes.reserveCapacity(2 * count)
    }

    deinit {
        // All three hold plain values.
        slots.deallocate()
        fingers.deallocate()
        ended.deallocate()
    }

    /// Takes one kernel event.
    ///
    /// Call `advance(to:)` first when `nextDeadline` is not later than `time`.
    /// - Returns: `true` when it completed a `frame` that holds at least one change.
    @inlinable
    @inline(__always)
    package mutating func feed(type: UInt16, code: UInt16, value: Int32, time: Timestamp) -> Bool {
        if type == EventCode.evAbs {
            takeAxis(code, value)
            return false
        }
        return takeOther(type: type, code: code, value: value, time: time)
    }

    /// When `advance(to:)` must next be called, or `nil` while no time limit runs.
    package var nextDeadline: Timestamp? { ageDeadline }

    /// Contacts that have been down for too long are cancelled (`syncLost`: the panel has lost
    /// the lift), and ignored until they lift.
    /// - Returns: `true` when `frame` holds such a change.
    package mutating func advance(to time: Timestamp) -> Bool {
        guard let deadline = ageDeadline, deadline <= time else { return false }
        begin(at: deadline)
        muteOverdue(at: deadline)
        return finish()
    }

    /// The kernel's slot table at the opening. A finger that is down already is ignored until it
    /// lifts: nobody saw it land.
    /// - Parameter currentSlot: the slot that the next events will be about; `nil`: as described.
    package mutating func setInitial(_ states: [SlotState], currentSlot: Int? = nil) {
        for index in 0..<slotCount where index < states.count {
            slots[index] = states[index]
            slots[index].trackingID = max(-1, states[index].trackingID)
            fingers[index].phase = slots[index].trackingID >= 0 ? .muted : .empty
        }
        if let currentSlot { select(currentSlot) }
    }

    /// Events were lost (`SYN_DROPPED`) and this is how the kernel's slot table is now.
    ///
    /// The same id in the same slot goes on and is `resynchronized`; what vanished is cancelled
    /// (`syncLost`); what appeared lands. A frame that was not complete is forgotten.
    /// - Returns: `true` when `frame` holds a change.
    package mutating func resynchronize(
        _ states: [SlotState], currentSlot: Int? = nil, at time: Timestamp
    ) -> Bool {
        isDiscarding = false
        for index in 0..<slotCount {
            var state = index < states.count ? states[index] : slots[index]
            if index >= states.count { state.trackingID = -1 }
            state.trackingID = max(-1, state.trackingID)
            endContact(index, next: state.trackingID, .cancelled(.syncLost))
            ended[index].kind = .cancelled(.syncLost)
            slots[index] = state
            touched |= 1 << UInt64(index)
        }
        if let currentSlot { select(currentSlot) }
        return complete(at: time, isResynchronized: true)
    }

    /// Cancels every contact; those that are still down are ignored until they lift.
    /// - Returns: `true` when there was one, and `frame` holds it.
    package mutating func cancelAll(_ reason: CancelReason, at time: Timestamp) -> Bool {
        begin(at: time)
        for index in 0..<slotCount {
            cancelEnded(index, reason)
            if fingers[index].phase == .live { mute(index, reason) }
        }
        updateAgeDeadline()
        return finish()
    }

    /// The slot that the next events are about, as the kernel's `ABS_MT_SLOT` says it.
    package var currentSlot: Int { isSingleTouch ? 0 : current }

    /// The slot table as the device has told it.
    package var slotStates: [SlotState] {
        (0..<slotCount).map { slots[$0] }
    }

    /// The contacts that are down now, by id.
    package var contacts: [LiveContact] {
        var result: [LiveContact] = []
        copyContacts(into: &result)
        return result
    }

    /// Whether there is one.
    package var hasContacts: Bool {
        for index in 0..<slotCount where fingers[index].phase == .live { return true }
        return false
    }

    /// `contacts` without an allocation, once `result` has grown.
    package func copyContacts(into result: inout [LiveContact]) {
        result.removeAll(keepingCapacity: true)
        for index in 0..<slotCount where fingers[index].phase == .live {
            let finger = fingers[index]
            let major = millimetersPerMajor.map { Double(slots[index].major) * $0 }
            let contact = LiveContact(id: finger.contact, slot: index, position: finger.position, major: major)
            var place = result.count
            while place > 0, contact.id < result[place - 1].id { place -= 1 }
            result.insert(contact, at: place)
        }
    }

    /// What touches, whether it is shown to the engine or not (mask, palm, age), by slot: for what must not depend
    /// on the filter. The ids are the device's own. Allocates nothing once `result` has grown.
    package func copyTouching(into result: inout [LiveContact]) {
        result.removeAll(keepingCapacity: true)
        for index in 0..<slotCount where fingers[index].phase != .empty && slots[index].isTouching {
            let slot = slots[index]
            let id = ContactID(Int64(slot.trackingID))
            result.append(LiveContact(id: id, slot: index, position: mapping.point(x: slot.x, y: slot.y), major: nil))
        }
    }

    /// Whether the panel is ignored because of ghost touches.
    package func isStorming(at time: Timestamp) -> Bool { landings?.isStorming(at: time) ?? false }

    /// Touch widths are in the units of positions, unless the axis has a scale of its own.
    private static func millimetersPerMajor(_ device: DeviceDescription, _ mapping: AxisMapping) -> Double? {
        guard let axis = device.axis(EventCode.absMTTouchMajor) else { return nil }
        let isCredible = axis.resolution > 0 && Double(axis.maximum) / Double(axis.resolution) <= largestCredibleTouch
        if isCredible { return 1 / Double(axis.resolution) }
        return mapping.isSizeKnown ? mapping.millimetersPerUnit : nil
    }

    /// Millimetres; no hand is wider, a resolution that says so is wrong.
    private static let largestCredibleTouch = 200.0

    private static func units(_ millimeters: Double?, _ millimetersPerUnit: Double?) -> Int32 {
        guard let millimeters, let millimetersPerUnit else { return .max }
        let units = millimeters / millimetersPerUnit
        return units >= 0 && units < Double(Int32.max) ? Int32(units) : .max
    }
}
