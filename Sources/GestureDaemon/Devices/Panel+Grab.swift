// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import TouchInput
import TouchSharing

/// Grabbing the panel, and detecting that another process has grabbed it or that it went silent.
extension Panel {
    /// Milliseconds that a driver takes at most between the first event of a frame and its report.
    private static var longestFrame: Int32 { 1 }

    /// Every 30 s.
    private static var mostBusyGrabs: Int { 10 }

    /// Must be called after events were received.
    func noteActivity(at time: Timestamp) {
        watch.lastActivity = time
        // The common case.
        guard grab.state != .shared || grab.isElsewhere else { return }
        grab.isElsewhere = false
        grabIfIdle()
        updateHold(at: time)
    }

    /// Watches for the five-finger hold that releases the grab. Contacts that a filter hides count, too: a wrong mask
    /// must not prevent the release.
    func updateHold(at time: Timestamp) {
        guard grab.state == .grabbed else { return }
        watch.followHold(of: pipeline.tracker, at: time)
    }

    /// Must be called after a reload: a panel that was given back is grabbed again.
    func renewGrab() {
        if grab.state == .givenBack { grab.state = .waiting }
        if pipeline.setup.share == .forward, sharing.twin == nil { grab.state = .waiting }
        grab.busyTries = 0
        grabIfIdle()
    }

    /// Tries again to grab the device, if another process had it: Xorg's evdev driver never lets go.
    func retryGrab() {
        if grab.busyTries < Self.mostBusyGrabs { grabIfIdle() }
    }

    /// Grabs the device if the configuration asks for it and no contact is down.
    func grabIfIdle() {
        guard grab.state == .waiting, !isClosed, pipeline.tracker.contactCount == 0 else { return }
        var outcome = input.grab()
        if outcome == .grabbed, pipeline.setup.share == .forward, sharing.twin == nil {
            // Everybody gets the panel while the twin is made, which may take a while.
            input.ungrab()
            guard makeTwin() else { return }
            outcome = input.grab()
        }
        switch outcome {
        case .grabbed:
            grab = PanelGrab(state: .grabbed)
            beginSharing()
            notify(.grabbed)
        case .fingerDown: break
        case .busy:
            grab.busyTries += 1
            noteOtherGrab()
        case .failed(let code): notify(.grabFailed(errno: code))
        }
    }

    /// Detects that another process has grabbed the device: the kernel's slots differ from those that events have set.
    ///
    /// Does not try `EVIOCGRAB`, which would take events from the others.
    /// - Returns: whether the slots differ.
    @discardableResult
    func checkForOtherGrab() -> Bool {
        guard !isClosed, input.hasFullTable, let table = input.tableAsRead(), differsFromKnown(table) else {
            return false
        }
        guard grab.isElsewhere || !isHalfOfFrame else { return false }
        noteOtherGrab()
        return true
    }

    /// Whether slots that differ say nothing: the kernel may have processed half of a frame; the rest follows and is read.
    private var isHalfOfFrame: Bool { input.hasMore(within: Self.longestFrame) }

    /// Resynchronizes if the ranges of the axes have changed (`EVIOCSABS`).
    func checkAxes() {
        if !isClosed, !input.isAsDescribed { input.resynchronize() }
    }

    /// Fires the deadlines of the five-finger hold and of the silence.
    func fireWatchDeadlines(until now: Timestamp) {
        if let deadline = watch.hold.deadline, deadline <= now { giveBack() }
        if let deadline = watch.silenceDeadline(contacts: pipeline.tracker.contactCount), deadline <= now {
            watch.lastActivity = now
            if checkForOtherGrab() { input.resynchronize() }
        }
    }

    private func giveBack() {
        watch.hold.reset()
        endSharing()
        input.ungrab()
        grab.state = .givenBack
        notify(.givenBack)
    }

    private func noteOtherGrab() {
        guard !grab.isElsewhere else { return }
        grab.isElsewhere = true
        notify(.grabbedElsewhere)
    }

    private func differsFromKnown(_ table: SlotTable) -> Bool { !table.hasSameSlots(as: pipeline.tracker.table) }

    /// The slots without the contacts that landed while another process had the panel: they are reported to that one.
    func ownSlots(_ table: SlotTable) -> SlotTable {
        guard grab.isElsewhere, input.hasFullTable else { return table }
        var own = table
        for (index, known) in zip(own.slots.indices, pipeline.tracker.table.slots)
        where own.slots[index].trackingID != known.trackingID {
            own.slots[index].trackingID = -1
        }
        return own
    }

    // MARK: After another process has released it

    /// Whether another process got the events before these, which are then of no use: the kernel reports only changes,
    /// and earlier ones are missing, even the current slot.
    func hasMissedEvents(before events: ArraySlice<KernelEvent>) -> Bool {
        if grab.isElsewhere { return true }
        // The grab may not have been detected. A first contact whose tracking id does not follow the last one shows it.
        guard pipeline.tracker.contactCount == 0, isOutOfSequence(events), input.hasFullTable else { return false }
        var expected = pipeline.tracker.table
        expected.apply(events, isSingleTouch: pipeline.setup.touchProtocol == .singleTouch)
        guard let table = input.tableAsRead(), !table.hasSameSlots(as: expected) else { return false }
        return !isHalfOfFrame
    }

    /// Whether the tracking id of the first contact does not follow the last one.
    ///
    /// The kernel counts them with 16 bits. Some drivers have ids of their own, and a single-touch panel has none:
    /// then the slots are compared at each first contact.
    private func isOutOfSequence(_ events: ArraySlice<KernelEvent>) -> Bool {
        for event in events {
            if event.type == EventCode.evKey, event.code == EventCode.btnTouch, event.value == 1,
                pipeline.setup.touchProtocol == .singleTouch
            {
                return true
            }
            let isLanding = event.type == EventCode.evAbs && event.code == EventCode.absMTTrackingID && event.value >= 0
            guard isLanding else { continue }
            return event.value & 0xffff != (pipeline.tracker.lastTrackingID &+ 1) & 0xffff
        }
        return false
    }
}

/// Who gets a panel's events.
struct PanelGrab: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Everybody, as configured.
        case shared
        /// Everybody, until no contact is down and no other process has grabbed the panel.
        case waiting
        /// The daemon alone.
        case grabbed
        /// Everybody, after a five-finger hold, until a reload or until it is plugged in again.
        case givenBack
    }

    var state: State
    /// Another process has grabbed the panel: no events come.
    var isElsewhere = false
    /// The number of tries in a row at which another process had grabbed it.
    var busyTries = 0

    /// The name on the wire; `nil` where nothing is special.
    var word: String? {
        if isElsewhere { return "other" }
        return switch state {
        case .shared: nil
        case .waiting: "waiting"
        case .grabbed: "held"
        case .givenBack: "given_back"
        }
    }
}

/// Follows the contacts that are down: fingers that rest to release the grab, and a silence.
struct ContactWatch {
    /// If a panel with contacts sends no events for this long, its slots are compared, again and again. A contact may
    /// rest for long, but a panel may also miss a lift, and another process may get the events: then a button stays pressed.
    private static let silenceTimeout = Interval.milliseconds(1000)

    var hold = FiveFingerHold()
    /// Reused for each frame.
    private var touching: [PanelContact] = []
    /// The time of the last event, or of the last comparison of the slots since.
    var lastActivity: Timestamp

    init(lastActivity: Timestamp) { self.lastActivity = lastActivity }

    mutating func followHold(of tracker: borrowing SlotTracker, at time: Timestamp) {
        tracker.copyTouching(into: &touching)
        hold.follow(touching, at: time)
    }

    /// When the slots are compared; `nil` while no contact is down.
    func silenceDeadline(contacts: Int) -> Timestamp? { contacts > 0 ? lastActivity + Self.silenceTimeout : nil }

    func nextDeadline(contacts: Int) -> Timestamp? {
        let silence = silenceDeadline(contacts: contacts)
        guard let hold = hold.deadline else { return silence }
        return min(hold, silence ?? hold)
    }
}
