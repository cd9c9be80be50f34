// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import TouchInput
import TouchSharing

/// Grabs the panel, and detects that another process has grabbed it or that it is silent.
extension Panel {
    /// The longest time in milliseconds that a driver takes to report the rest of a frame after its first event.
    private static var longestFrame: Int32 { 1 }

    /// The maximum number of attempts to grab a busy device. One is made every 30 s.
    private static var mostBusyGrabs: Int { 10 }

    /// Records that events came at `time`, which shows that no other process has grabbed the panel. Call this after
    /// events were received.
    func noteActivity(at time: Timestamp) {
        watch.lastActivity = time
        // In the common case, there is nothing to update.
        guard grab.state != .free || grab.isElsewhere else { return }
        grab.isElsewhere = false
        grabIfIdle()
        updateHold(at: time)
    }

    /// Updates the five-finger hold that releases the grab. Contacts that a filter hides are included, because a wrong
    /// mask must not prevent the release.
    func updateHold(at time: Timestamp) {
        guard grab.state == .grabbed else { return }
        watch.followHold(of: pipeline.tracker, at: time)
    }

    /// Grabs the panel again if it was given back or could not be shared. Call this after a reload.
    func renewGrab() {
        if grab.state == .givenBack { grab.state = .waiting }
        if pipeline.setup.share == .forward, sharing.twin == nil { grab.state = .waiting }
        grab.busyTries = 0
        grabIfIdle()
    }

    /// Grabs the device if another process has released it. The number of attempts is limited, because Xorg's evdev
    /// driver never releases a device.
    func retryGrab() {
        if grab.busyTries < Self.mostBusyGrabs { grabIfIdle() }
    }

    /// Grabs the device if the configuration requests it and no contact is down.
    func grabIfIdle() {
        guard grab.state == .waiting, !isClosed, pipeline.tracker.contactCount == 0 else { return }
        var outcome = input.grab()
        if outcome == .grabbed, pipeline.setup.share == .forward, sharing.twin == nil {
            // Making the twin may take a while. Until then, applications receive the touches from the panel.
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

    /// Detects that another process has grabbed the device: the kernel's slots differ from those set by events.
    ///
    /// Does not try `EVIOCGRAB`, which would take events from other readers.
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

    /// Whether the kernel has processed only a part of a frame. If so, differing slots do not mean another grab.
    private var isHalfOfFrame: Bool { input.hasMore(within: Self.longestFrame) }

    /// Resynchronizes if the ranges of the axes have changed (`EVIOCSABS`).
    func checkAxes() {
        if !isClosed, !input.isAsDescribed { input.resynchronize() }
    }

    /// Fires the deadlines of the five-finger hold and of the silence timeout.
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

    /// Returns the slots without contacts that landed while another process had grabbed the panel, because their events
    /// go to that process.
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

    /// Whether another process received the events before these. If so, these are useless: the kernel reports only
    /// changes, and the earlier ones, including the current slot, are missing.
    func hasMissedEvents(before events: ArraySlice<KernelEvent>) -> Bool {
        if grab.isElsewhere { return true }
        // The grab may not have been detected. A gap in the tracking ids before the first contact shows it.
        guard pipeline.tracker.contactCount == 0, isOutOfSequence(events), input.hasFullTable else { return false }
        var expected = pipeline.tracker.table
        expected.apply(events, isSingleTouch: pipeline.setup.touchProtocol == .singleTouch)
        guard let table = input.tableAsRead(), !table.hasSameSlots(as: expected) else { return false }
        return !isHalfOfFrame
    }

    /// Whether the tracking id of the first landing contact does not follow the last known id.
    ///
    /// The kernel counts ids with 16 bits. Some drivers use their own ids, and single-touch panels have none; with
    /// these, the slots are compared at each first contact.
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

/// Determines which readers receive a panel's events.
struct PanelGrab: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Every reader receives the events, as configured.
        case free
        /// Every reader receives the events until no contact is down and no other process has grabbed the panel.
        case waiting
        /// Only the daemon receives the events.
        case grabbed
        /// Every reader receives the events after a five-finger hold, until a reload or until the panel is plugged in
        /// again.
        case givenBack
    }

    var state: State
    /// Whether another process has grabbed the panel, so that no events come.
    var isElsewhere = false
    /// The number of consecutive attempts that failed because another process had grabbed the panel.
    var busyTries = 0

    /// The name on the wire; `nil` in the normal state.
    var word: String? {
        if isElsewhere { return "other" }
        return switch state {
        case .free: nil
        case .waiting: "waiting"
        case .grabbed: "held"
        case .givenBack: "given_back"
        }
    }
}

/// Detects the five-finger hold that releases the grab, and contacts from which no events come.
struct ContactWatch {
    /// The time without events after which the slots of a touched panel are compared with the kernel's, repeatedly. A
    /// contact may rest for a long time; but if a lift was missed or another process gets the events, a button would
    /// stay pressed.
    private static let silenceTimeout = Interval.milliseconds(1000)

    var hold = FiveFingerHold()
    /// Reused for each frame.
    private var touching: [PanelContact] = []
    /// The time of the last event, or of a later comparison of the slots.
    var lastActivity: Timestamp

    init(lastActivity: Timestamp) { self.lastActivity = lastActivity }

    mutating func followHold(of tracker: borrowing SlotTracker, at time: Timestamp) {
        tracker.copyTouching(into: &touching)
        hold.follow(touching, at: time)
    }

    /// The time at which the slots are compared; `nil` while no contact is down.
    func silenceDeadline(contacts: Int) -> Timestamp? { contacts > 0 ? lastActivity + Self.silenceTimeout : nil }

    func nextDeadline(contacts: Int) -> Timestamp? {
        let silence = silenceDeadline(contacts: contacts)
        guard let hold = hold.deadline else { return silence }
        return min(hold, silence ?? hold)
    }
}
