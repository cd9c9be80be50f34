// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import LinuxSystem
import TouchInput

/// What a panel looks at beside its gestures: whether it is the daemon's alone, and whether it has fallen
/// silent for a reason.
extension Panel {
    /// A finger may rest for long, and the kernel tells only what changes. But a panel may forget to lift one,
    /// and another process may get its events.
    private static var patience: Interval { .milliseconds(10_000) }

    /// Milliseconds that a driver takes at most to report a frame that it has begun: it has read it before.
    private static var longestFrame: Int32 { 1 }

    /// While no finger is down, nothing is waited for.
    var silenceDeadline: Timestamp? { pipeline.hasContacts ? lastHeard + Self.patience : nil }

    /// Events came.
    func heard(at time: Timestamp) {
        lastHeard = time
        // The common case: shared by everybody, and nothing is wrong.
        guard grab != PanelGrab(state: .shared) else { return }
        grab.isElsewhere = false
        takeAlone()
        followHold(at: time)
    }

    /// Whether five fingers rest on it: the way out while the daemon has it alone. Those that a filter hides count,
    /// too: a wrong mask must not bar the way.
    func followHold(at time: Timestamp) {
        guard grab.state == .held else { return }
        pipeline.copyTouching(into: &contacts)
        hold.follow(contacts, at: time)
    }

    /// The configuration was read again: what a person was given back is taken again.
    func wantAlone() {
        if grab.state == .givenBack { grab.state = .waiting }
        takeAlone()
    }

    /// Grabs the device, if the configuration wants that and no finger is down.
    func takeAlone() {
        guard grab.state == .waiting, !isClosed, !pipeline.hasContacts else { return }
        switch input.grab() {
        case .grabbed:
            grab = PanelGrab(state: .held)
            tell(.grabbed)
        case .fingerDown: break
        case .busy: noteElsewhere()
        case .failed(let code): tell(.cannotGrab(errno: code))
        }
    }

    /// Looks whether touches pass us: the kernel follows them whoever gets the events. Changes nothing.
    ///
    /// Not by `EVIOCGRAB`, which would say it at once: that would take events from those who get them.
    /// - Returns: whether the slots are others than what was told.
    @discardableResult
    func look() -> Bool {
        guard !isClosed, input.hasFullTable, let table = input.tableAsRead(), isNews(table) else { return false }
        // The kernel may have taken in half of a frame: then the rest comes, and tells us.
        guard grab.isElsewhere || !input.hasMore(within: Self.longestFrame) else { return false }
        noteElsewhere()
        return true
    }

    /// udev has seen a change: a rule may have given the axes other ranges (`EVIOCSABS`).
    func checkAxes() {
        if !isClosed, !input.isAsDescribed { input.resynchronize() }
    }

    /// Fires what is due of the fingers that rest.
    func watchFingers(at now: Timestamp) {
        if let deadline = hold.deadline, deadline <= now { giveBack() }
        if let deadline = silenceDeadline, deadline <= now {
            lastHeard = now
            if look() { input.resynchronize() }
        }
    }

    private func giveBack() {
        hold.reset()
        input.ungrab()
        grab.state = .givenBack
        tell(.givenBack)
    }

    private func noteElsewhere() {
        guard !grab.isElsewhere else { return }
        grab.isElsewhere = true
        tell(.grabbedElsewhere)
    }

    private func isNews(_ table: SlotTable) -> Bool { !table.hasSameSlots(as: pipeline.slotTable) }

    /// Without the fingers that have landed since another process has the panel: they are told to that one.
    func ownSlots(_ table: SlotTable) -> SlotTable {
        guard grab.isElsewhere, input.hasFullTable else { return table }
        var own = table
        for (index, known) in zip(own.slots.indices, pipeline.slotTable.slots)
        where own.slots[index].trackingID != known.trackingID {
            own.slots[index].trackingID = -1
        }
        return own
    }

    // MARK: After another process had it

    /// Whether events are the first after some that another process got, so that they must not be taken: the
    /// kernel tells only what changes, and what it told the other one is missing here, even the slot.
    func hasMissedSome(before events: ArraySlice<KernelEvent>) -> Bool {
        if grab.isElsewhere { return true }
        // Nobody may have looked meanwhile. But a first finger whose number does not follow the last one shows it.
        guard !pipeline.hasContacts, isOutOfSequence(events), input.hasFullTable else { return false }
        var expected = pipeline.slotTable
        expected.apply(events, isSingleTouch: pipeline.setup.touchProtocol == .singleTouch)
        guard let table = input.tableAsRead() else { return false }
        return !table.hasSameSlots(as: expected)
    }

    /// The kernel numbers contacts one after the other, with 16 bits. Some drivers have numbers of their own,
    /// and a panel of one contact has none: then the slots are compared at each first finger.
    private func isOutOfSequence(_ events: ArraySlice<KernelEvent>) -> Bool {
        for event in events {
            if event.type == EventCode.evKey, event.code == EventCode.btnTouch, event.value == 1,
                pipeline.setup.touchProtocol == .singleTouch
            {
                return true
            }
            let isLanding = event.type == EventCode.evAbs && event.code == EventCode.absMTTrackingID && event.value >= 0
            guard isLanding else { continue }
            let next = lastTrackingID &+ 1
            lastTrackingID = event.value
            return event.value & 0xffff != next & 0xffff
        }
        return false
    }
}
