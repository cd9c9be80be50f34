// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import TouchSharing

/// Checks the events that an application receives from a shared panel against the law of slots:
///
/// 1. After each frame of the panel, the twin has all contacts that are forwarded, with all their values. It has no
///    others except those that were taken: these stand still for at most 100 ms, or are palms until they lift.
/// 2. A slot does not lift and land in one frame, a landing has a position, and each frame selects its slots.
/// 3. After a contact was taken, the twin receives only its lift, and the contact is never forwarded again.
/// 4. `BTN_TOUCH` is down while there is a contact that is not a palm.
/// 5. At the end, all contacts have lifted.
struct TwinWatch {
    private let cancel: TouchCancel
    private var panel: SlotTable
    private var twin: SlotTable
    private var isPressed = false
    /// Slots whose contacts were turned into palms by the daemon, not by the panel.
    private var palms: Set<Int> = []
    /// The time since which a slot has had a contact that is not forwarded.
    private var stillSince: [Int: Timestamp] = [:]
    /// The latest time: older frames are processed at this time, as by the tracker.
    private var now = Timestamp(microseconds: 0)
    /// Tracking ids of contacts that were taken from the application, by slot.
    private var taken: [Int: Int32] = [:]
    private(set) var violation: LawViolation?

    /// The slots that have lifted in the current frame of the twin.
    private var lifted: Set<Int> = []
    private var landed: [Int: Set<UInt16>] = [:]
    private var isSlotKnown = false

    init(slots: Int, cancel: TouchCancel) {
        self.cancel = cancel
        panel = SlotTable(slots: Array(repeating: SlotState(), count: slots), current: 0)
        twin = panel
    }

    mutating func takePanel(_ event: KernelEvent) { panel.apply(CollectionOfOne(event), isSingleTouch: false) }

    mutating func takePanel(_ table: SlotTable) {
        panel.slots = table.slots + panel.slots.dropFirst(table.slots.count)
        panel.current = table.current
    }

    // MARK: The twin's frames

    mutating func takeTwin(_ events: [KernelEvent]) {
        for event in events { takeTwin(event) }
        if events.last?.endsFrame == false { fail("2", "a frame without an end") }
    }

    private mutating func takeTwin(_ event: KernelEvent) {
        switch (event.type, event.code) {
        case (EventCode.evKey, EventCode.btnTouch): isPressed = event.value == 1
        case (EventCode.evSyn, _): endTwinFrame()
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
        let isDown = twin.slots[slot].trackingID >= 0
        if event.code == EventCode.absMTTrackingID {
            if event.value < 0 { lifted.insert(slot) }
            if event.value >= 0 {
                if isDown || lifted.contains(slot) { fail("2", "slot \(slot) lands before it has lifted") }
                landed[slot, default: []].insert(event.code)
                if taken[slot] == event.value { fail("3", "\(event.value) was taken and is back in slot \(slot)") }
                taken[slot] = nil
            } else {
                palms.remove(slot)
                stillSince[slot] = nil
            }
        } else {
            landed[slot, default: []].insert(event.code)
            let isLastWord = event.code == EventCode.absMTToolType && event.value == EventCode.mtToolFinger
            if palms.contains(slot), !isLastWord { fail("3", "slot \(slot) is a palm, and \(event.code) follows") }
            if event.code == EventCode.absMTToolType, event.value == EventCode.mtToolPalm, isDown,
                panel.slots[slot].tool != EventCode.mtToolPalm
            {
                palms.insert(slot)
            }
        }
        twin.apply(CollectionOfOne(event), isSingleTouch: false)
    }

    private mutating func endTwinFrame() {
        for (slot, codes) in landed where codes.contains(EventCode.absMTTrackingID) {
            let needed: Set = [EventCode.absMTPositionX, EventCode.absMTPositionY, EventCode.absMTToolType]
            if !codes.isSuperset(of: needed) { fail("2", "slot \(slot) lands without a value") }
        }
        // A palm may come from the panel, or its contact may have been taken at the same time. Only `compare` can
        // distinguish the two cases, so `BTN_TOUCH` is not checked here if there is such a palm.
        let isUncertain = twin.slots.indices.contains { isDown($0) && !palms.contains($0) && isPalmOfBoth($0) }
        if !isUncertain { checkPointer(hasContact: twin.slots.indices.contains { isDown($0) && !palms.contains($0) }) }
        lifted = []
        landed = [:]
        isSlotKnown = false
    }

    private mutating func checkPointer(hasContact: Bool) {
        if hasContact != isPressed { fail("4", "BTN_TOUCH is \(isPressed) in \(twin.slots)") }
    }

    private func isDown(_ slot: Int) -> Bool { twin.slots[slot].trackingID >= 0 }

    private func isPalmOfBoth(_ slot: Int) -> Bool {
        twin.slots[slot].tool == EventCode.mtToolPalm && panel.slots[slot].tool == EventCode.mtToolPalm
    }

    /// Notes that the pipeline has reached a time. Frames with an earlier one are processed at this time.
    mutating func advance(to time: Timestamp) { now = max(now, time) }

    // MARK: Comparison

    /// Compares the twin with the panel. Call it after passing the panel's frame and the application's events.
    mutating func compare(at frameTime: Timestamp, fate: (Int) -> TouchFate) {
        advance(to: frameTime)
        let time = now
        for slot in panel.slots.indices {
            let (mine, theirs) = (panel.slots[slot], twin.slots[slot])
            if fate(slot) == .forwarded {
                if mine != theirs { fail("1", "slot \(slot) at \(time.microseconds): \(theirs) instead of \(mine)") }
                continue
            }
            guard theirs.trackingID >= 0 else { continue }
            if mine.trackingID == theirs.trackingID { taken[slot] = mine.trackingID }
            let since = stillSince[slot] ?? time
            stillSince[slot] = since
            let isAllowed =
                switch cancel {
                case .lift: time <= since + TwinFrames.stillness
                case .palm: isTakenPalm(slot, fate) && mine.trackingID == theirs.trackingID
                }
            if !isAllowed { fail("1", "slot \(slot) at \(time.microseconds) still has \(theirs)") }
        }
        checkPointer(hasContact: twin.slots.indices.contains { isDown($0) && !isTakenPalm($0, fate) })
    }

    private func isTakenPalm(_ slot: Int, _ fate: (Int) -> TouchFate) -> Bool {
        palms.contains(slot) || cancel == .palm && fate(slot) != .forwarded && isPalmOfBoth(slot)
    }

    mutating func finish() {
        if let slot = twin.slots.firstIndex(where: { $0.trackingID >= 0 }) { fail("5", "slot \(slot) has not lifted") }
        if isPressed { fail("5", "BTN_TOUCH is down") }
    }

    private mutating func fail(_ law: String, _ text: String) {
        if violation == nil { violation = LawViolation("twin \(law)", text) }
    }
}

/// Chooses the settings of a shared panel that a run does not determine, from the seed and the region only.
enum SharedWorld {
    static func share(_ regions: [Region], _ seed: UInt64) -> [Region] {
        regions.map { region in
            var region = region
            let number = region.id.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) }
            var random = RunRandom(number)
            region.touches = random.pick([.share, .share, .share, .hold, .hold, .capture])
            region.gestures = region.gestures.map { gesture in
                var gesture = gesture
                gesture.consumes = random.chance(35)
                return gesture
            }
            return region
        }
    }
}
