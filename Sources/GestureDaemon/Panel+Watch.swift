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

    /// While no finger is down, nothing is waited for.
    var silenceDeadline: Timestamp? { pipeline.hasContacts ? lastHeard + Self.patience : nil }

    /// Events came.
    func heard(at time: Timestamp) {
        lastHeard = time
        // The common case: shared by everybody, and nothing is wrong.
        guard grab != PanelGrab(state: .shared) else { return }
        grab.isElsewhere = false
        takeAlone()
        guard grab.state == .held else { return }
        pipeline.copyContacts(into: &contacts)
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
        guard !isClosed, input.hasFullTable, let table = input.slotTable(), !input.hasMore, isNews(table) else {
            return false
        }
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

    private func isNews(_ table: KernelSlots) -> Bool {
        let known = pipeline.slots
        for index in known.indices where index < table.slots.count {
            var slot = table.slots[index]
            slot.trackingID = max(-1, slot.trackingID)
            if slot != known[index] { return true }
        }
        return false
    }
}
