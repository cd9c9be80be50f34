// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import TouchSharing

/// Checks the events that an application receives from a shared panel against the law of slots:
///
/// 1. After each frame of the panel, the twin has all contacts that are forwarded, with all their values. It has no
///    others except those that were taken: these stand still for at most 100 ms, or are palms until they lift; and those
///    that wait because the panel may have lost them.
/// 2. A slot does not lift and land in one frame, a landing has a position, an empty slot has no values, and each frame
///    selects its slots.
/// 3. After a contact was taken, the twin receives only its lift, and the contact is never forwarded again.
/// 4. `BTN_TOUCH` is down while there is a contact that is not a palm.
/// 5. After all contacts have lifted and all deadlines have passed, all contacts of the twin have lifted.
///
/// `ApplicationLaws` has the laws of the application's filter and of the display.
struct TwinWatch {
    private let cancel: TouchCancel
    private var panel: SlotTable
    private var twin: SlotTable
    private var isPressed = false
    /// The panel's tracking ids of the contacts on the twin, by the twin's slot.
    private var owners: [Int: Int32] = [:]
    /// Slots whose contacts were turned into palms by the daemon, not by the panel.
    private var palms: Set<Int> = []
    /// The time since which a slot has had a contact that is not forwarded.
    private var stillSince: [Int: Timestamp] = [:]
    /// The latest time: older frames are processed at this time, as by the tracker.
    private var now = Timestamp(microseconds: 0)
    /// The panel's tracking ids of contacts that the application must never receive.
    private var taken: Set<Int32> = []
    /// Whether contacts may have changed slots, because the panel had lost them.
    private var mayChangeSlots = false
    private(set) var laws: ApplicationLaws
    /// The mapping of the panel's units to the glass; `nil` before the panel is shared.
    private var mapping: AxisMapping?
    private(set) var violation: LawViolation?

    // The current frame of the twin.
    private var lifted: Set<Int> = []
    private var landed: [Int: Set<UInt16>] = [:]
    private var isSlotKnown = false

    init(slots: Int, cancel: TouchCancel, _ filter: ApplicationFilter) {
        self.cancel = cancel
        panel = SlotTable(slots: Array(repeating: SlotState(), count: slots), current: 0)
        twin = panel
        laws = ApplicationLaws(filter)
    }

    mutating func takePanel(_ event: KernelEvent) {
        panel.apply(CollectionOfOne(event), isSingleTouch: false)
    }

    mutating func takePanel(_ table: SlotTable) {
        panel.slots = table.slots + panel.slots.dropFirst(table.slots.count)
        panel.current = table.current
    }

    /// Notes that the pipeline has reached a time. Frames with an earlier one are processed at this time.
    mutating func advance(to time: Timestamp) { now = max(now, time) }

    mutating func setFilter(_ filter: ApplicationFilter, _ pipeline: borrowing PanelPipeline) {
        let problems = laws.setFilter(filter, PanelView(panel, pipeline), at: now)
        for problem in problems { fail(problem.law, problem.text) }
    }

    mutating func setMapping(_ mapping: AxisMapping) { self.mapping = mapping }

    mutating func setDisplay(isOff: Bool) { laws.isDisplayOff = isOff }

    /// Notes that all contacts have lifted for the application, and that those that are down do not come back.
    mutating func interrupt() {
        for slot in panel.slots where slot.trackingID >= 0 { taken.insert(slot.trackingID) }
        laws.interrupt()
    }

    // MARK: The twin's frames

    mutating func takeTwin(_ events: [KernelEvent]) {
        for event in events { takeTwin(event) }
        if events.last?.endsFrame == false { fail("2", "a frame without an end") }
    }

    private mutating func takeTwin(_ event: KernelEvent) {
        switch (event.type, event.code) {
        case (EventCode.evKey, EventCode.btnTouch): isPressed = event.value == 1
        case (EventCode.evSyn, _):
            followRests(at: event.time)
            endTwinFrame()
        case (EventCode.evAbs, EventCode.absMTSlot):
            isSlotKnown = true
            twin.apply(CollectionOfOne(event), isSingleTouch: false)
        case (EventCode.evAbs, let code) where code > EventCode.absMTSlot: takeContact(event)
        default: break
        }
    }

    private mutating func takeContact(_ event: KernelEvent) {
        guard isSlotKnown, let slot = twin.current, twin.slots.indices.contains(slot) else {
            return fail("2", "a frame without a slot")
        }
        if event.code == EventCode.absMTTrackingID {
            takeID(event.value, of: slot)
        } else {
            landed[slot, default: []].insert(event.code)
            takeValue(event, of: slot)
        }
        twin.apply(CollectionOfOne(event), isSingleTouch: false)
    }

    private mutating func takeID(_ id: Int32, of slot: Int) {
        guard id >= 0 else {
            lifted.insert(slot)
            palms.remove(slot)
            stillSince[slot] = nil
            return
        }
        if isDown(slot) || lifted.contains(slot) { fail("2", "slot \(slot) lands before it has lifted") }
        landed[slot, default: []].insert(EventCode.absMTTrackingID)
        if taken.contains(id) { fail("3", "\(id) was taken and is back in slot \(slot)") }
        if let law = laws.forbidden[id] { fail(law, "\(id) lands in slot \(slot)") }
        owners[slot] = id
        laws.tally.given += 1
    }

    private mutating func takeValue(_ event: KernelEvent, of slot: Int) {
        let isLastWord = event.code == EventCode.absMTToolType && event.value == EventCode.mtToolFinger
        let isPalm = event.code == EventCode.absMTToolType && event.value == EventCode.mtToolPalm
        if palms.contains(slot), !isLastWord { fail("3", "slot \(slot) is a palm, and \(event.code) follows") }
        guard isDown(slot) else { return }
        if let owner = owners[slot], taken.contains(owner), !isLastWord {
            fail("3", "\(owner) in slot \(slot) was taken, and \(event.code) follows")
        }
        if isPalm, origin(of: slot)?.tool != EventCode.mtToolPalm { palms.insert(slot) }
    }

    private mutating func followRests(at time: Timestamp) {
        guard let mapping else { return }
        for (slot, owner) in owners where isDown(slot) || lifted.contains(slot) {
            let isLanding = landed[slot]?.contains(EventCode.absMTTrackingID) == true
            let position = isDown(slot) ? (twin.slots[slot].x, twin.slots[slot].y) : nil
            laws.followRest(owner, at: time, position, isLanding: isLanding, mapping)
        }
    }

    private mutating func endTwinFrame() {
        for (slot, codes) in landed {
            if codes.contains(EventCode.absMTTrackingID) {
                let needed: Set = [EventCode.absMTPositionX, EventCode.absMTPositionY, EventCode.absMTToolType]
                if !codes.isSuperset(of: needed) { fail("2", "slot \(slot) lands without a value") }
            } else if !isDown(slot), codes != [EventCode.absMTToolType] {
                fail("2", "slot \(slot) is empty and has the values \(codes)")
            }
        }
        // A palm may come from the panel, or its contact may have been taken at the same time. Only `compare` can
        // distinguish the two cases, so contacts are not counted here if there is such a palm.
        let fingers = twin.slots.indices.filter { isDown($0) && !palms.contains($0) }
        let certain = fingers.count { !isPalmOfBoth($0) }
        if certain == fingers.count { checkPointer(hasContact: certain > 0) }
        let hasLanding = landed.values.contains { $0.contains(EventCode.absMTTrackingID) }
        if let problem = laws.endTwinFrame(certain...fingers.count, hasLanding: hasLanding) {
            fail("max_contacts", problem)
        }
        lifted = []
        landed = [:]
        isSlotKnown = false
    }

    private mutating func checkPointer(hasContact: Bool) {
        if hasContact != isPressed { fail("4", "BTN_TOUCH is \(isPressed) in \(twin.slots)") }
    }

    private func isDown(_ slot: Int) -> Bool { twin.slots[slot].trackingID >= 0 }

    /// The panel's state of the contact in a slot of the twin; `nil` after it has lifted.
    private func origin(of slot: Int) -> SlotState? {
        owners[slot].flatMap { owner in panel.slots.first { $0.trackingID == owner } }
    }

    private func isPalmOfBoth(_ slot: Int) -> Bool {
        twin.slots[slot].tool == EventCode.mtToolPalm && origin(of: slot)?.tool == EventCode.mtToolPalm
    }

    // MARK: Comparison

    /// Compares the twin with the panel. Call it after passing the panel's frame and the application's events.
    mutating func compare(at frameTime: Timestamp, _ pipeline: borrowing PanelPipeline) {
        advance(to: frameTime)
        let contacts = PanelView(panel, pipeline)
        if laws.filter.bridge { mayChangeSlots = true }
        let shown = Set(owners.filter { isDown($0.key) }.values)
        for (slot, owner) in owners where isDown(slot) {
            guard let heir = laws.heir(of: owner, contacts) else { continue }
            owners[slot] = heir
        }
        for problem in laws.follow(contacts, shown: shown, at: now) { fail(problem.law, problem.text) }
        for (slot, owner) in owners where isDown(slot) && laws.isOverdue(owner, at: now) {
            // One that was taken may stand still, or be a palm.
            guard contacts[owner]?.fate == .forwarded || laws.mayWait(owner, contacts) else { continue }
            fail("max_hold", "\(owner) is still down at \(now.microseconds)")
        }
        compareForwarded(contacts)
        compareOthers(contacts)
        for contact in contacts.list where contact.fate.isFinal { taken.insert(contact.id) }
        for slot in twin.slots.indices where isDown(slot) && isTakenPalm(slot, contacts) { palms.insert(slot) }
        checkPointer(hasContact: twin.slots.indices.contains { isDown($0) && !palms.contains($0) })
    }

    private mutating func compareForwarded(_ contacts: PanelView) {
        for contact in contacts.list where contact.fate == .forwarded {
            let slots = twin.slots.indices.filter { isDown($0) && owners[$0] == contact.id }
            guard let slot = slots.first, slots.count == 1, mayChangeSlots || slot == contact.slot else {
                fail("1", "slot \(contact.slot) at \(now.microseconds) is forwarded, and is in \(slots)")
                continue
            }
            var theirs = twin.slots[slot]
            // A contact that the panel has lost keeps its first id for the application.
            theirs.trackingID = contact.state.trackingID
            if theirs != contact.state {
                fail("1", "slot \(slot) at \(now.microseconds): \(theirs) instead of \(contact.state)")
            }
        }
    }

    private mutating func compareOthers(_ contacts: PanelView) {
        for slot in twin.slots.indices where isDown(slot) {
            guard let owner = owners[slot], contacts[owner]?.fate != .forwarded else {
                stillSince[slot] = nil
                continue
            }
            if laws.mayWait(owner, contacts) { continue }
            let since = stillSince[slot] ?? now
            stillSince[slot] = since
            let isAllowed =
                switch cancel {
                case .lift: now <= since + TwinFrames.stillness && !laws.mustLift(owner, contacts)
                case .palm: isTakenPalm(slot, contacts) && contacts.isDown(owner)
                }
            if !isAllowed { fail("1", "slot \(slot) at \(now.microseconds) still has \(owner)") }
        }
    }

    private func isTakenPalm(_ slot: Int, _ contacts: PanelView) -> Bool {
        guard !palms.contains(slot) else { return true }
        let isForwarded = owners[slot].flatMap { contacts[$0] }?.fate == .forwarded
        return cancel == .palm && !isForwarded && isPalmOfBoth(slot)
    }

    /// Checks that nothing is down.
    mutating func finish() {
        if let slot = twin.slots.indices.first(where: isDown) { fail("5", "slot \(slot) has not lifted") }
        if isPressed { fail("5", "BTN_TOUCH is down") }
    }

    private mutating func fail(_ law: String, _ text: String) {
        if violation == nil { violation = LawViolation("twin \(law)", text) }
    }
}

extension TouchFate {
    /// Whether the application never receives the contact from now on.
    var isFinal: Bool {
        switch self {
        case .kept, .hidden: true
        case .none, .forwarded, .held: false
        }
    }
}
