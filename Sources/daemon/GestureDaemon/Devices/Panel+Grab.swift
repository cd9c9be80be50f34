// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import TouchInput
import TouchSharing

/// Grabs the panel, and detects when another process has grabbed it or when it sends no events.
extension Panel {
    /// The maximum time in milliseconds that a driver takes to report the remainder of a frame after its first event.
    private static var longestFrame: Int32 { 1 }

    /// The maximum number of attempts to grab a busy device. An attempt is made every 30 s.
    private static var mostBusyGrabs: Int { 10 }

    /// Records that events were received at `time`. They show that no other process has grabbed the panel. Call this
    /// whenever events have been received.
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

    /// Tries again to grab the panel if it was given back or could not be shared. Call this after a reload.
    func renewGrab() {
        takeAgain()
        if pipeline.setup.share == .forward, sharing.twin == nil { grab.state = .waiting }
        grab.busyTries = 0
        grabIfIdle()
    }

    /// Grabs a panel that was given back, as soon as no contact is down.
    func takeAgain() {
        guard grab.state == .givenBack else { return }
        grab.state = .waiting
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
            // Making the twin may take a while. In the meantime, applications receive the touches from the panel.
            input.ungrab()
            guard makeTwin() else { return }
            outcome = input.grab()
        }
        switch outcome {
        case .grabbed:
            let isAgain = grab.wasGivenBack
            grab = PanelGrab(state: .grabbed)
            beginSharing()
            notify(.grabbed(again: isAgain))
        case .fingerDown: break
        case .busy:
            grab.busyTries += 1
            noteOtherGrab()
        case .failed(let code): notify(.grabFailed(errno: code))
        }
    }

    /// Detects whether another process has grabbed the device: if so, the kernel's slots differ from those known from
    /// events.
    ///
    /// Does not try `EVIOCGRAB`, because a successful grab would take events from other readers.
    func checkForOtherGrab() {
        guard hasOtherSlots, grab.isElsewhere || !isHalfOfFrame else { return }
        noteOtherGrab()
    }

    /// Whether the kernel has processed only a part of a frame. If so, differing slots do not prove that another
    /// process has grabbed the device.
    private var isHalfOfFrame: Bool { input.hasMore(within: Self.longestFrame) }

    /// Resynchronizes if the ranges of the axes have changed (`EVIOCSABS`).
    func checkAxes() {
        if !isClosed, !input.isAsDescribed { input.resynchronize() }
    }

    /// Fires the deadlines of the five-finger hold and of the silence timeout.
    func fireWatchDeadlines(until now: Timestamp) {
        if let deadline = watch.hold.deadline, deadline <= now { giveBack() }
        if let deadline = watch.silenceDeadline(contacts: pipeline.tracker.contactCount), deadline <= now {
            checkSilence(at: now)
        }
    }

    /// Ends the contacts of a silent panel if the kernel's slots differ from those known from events. Only the second
    /// difference counts: the first may be a frame that the driver has not completed, and a busy machine can keep it from
    /// that for longer than `longestFrame`.
    private func checkSilence(at now: Timestamp) {
        let isSecond = watch.isDoubtful
        watch.lastActivity = now
        guard hasOtherSlots else { return }
        guard isSecond || grab.isElsewhere else { return watch.isDoubtful = true }
        noteOtherGrab()
        input.resynchronize()
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

    /// Whether the kernel's slots differ from those known from events.
    private var hasOtherSlots: Bool {
        guard !isClosed, input.hasFullTable, let table = input.tableAsRead() else { return false }
        return !table.hasSameSlots(as: pipeline.tracker.table)
    }

    /// Returns the slots without the contacts that landed while another process had grabbed the panel, because the
    /// events of these contacts go to that process.
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

    /// Whether another process received the events before these. If so, these cannot be used: the kernel reports only
    /// changes, and the earlier changes, including the current slot, are missing.
    func hasMissedEvents(before events: ArraySlice<KernelEvent>) -> Bool {
        // A grab that has not been detected is revealed by a gap in the tracking ids before the first contact.
        let isSuspected = pipeline.tracker.contactCount == 0 && isOutOfSequence(events)
        guard grab.isElsewhere || isSuspected, input.hasFullTable else { return grab.isElsewhere }
        var expected = pipeline.tracker.table
        expected.apply(events, isSingleTouch: pipeline.setup.touchProtocol == .singleTouch)
        guard let table = input.tableAsRead() else { return grab.isElsewhere }
        guard !table.hasSameSlots(as: expected) else { return false }
        return grab.isElsewhere || !isHalfOfFrame
    }

    /// Whether the tracking id of the first landing contact does not follow the last known id.
    ///
    /// The kernel's ids are consecutive 16-bit numbers. Some drivers assign their own ids, and single-touch panels have
    /// none. On these panels, the slots are compared whenever a first contact lands.
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
        /// Every reader receives the events. The panel is grabbed once no contact is down and no other process has
        /// grabbed it.
        case waiting
        /// Only the daemon receives the events.
        case grabbed
        /// Every reader receives the events because of a five-finger hold, until a client sets a scene, a reload, or
        /// until the panel is plugged in again.
        case givenBack
    }

    var state: State { didSet { if state == .givenBack { wasGivenBack = true } } }
    /// Whether the panel has been given back since it was last grabbed.
    private(set) var wasGivenBack = false
    /// Whether another process has grabbed the panel. If so, the daemon receives no events.
    var isElsewhere = false
    /// The number of consecutive attempts to grab the panel that failed because another process had grabbed it.
    var busyTries = 0

    init(state: State) { self.state = state }

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

/// Detects the five-finger hold that releases the grab, and contacts that send no events.
struct ContactWatch {
    /// While a panel is touched, its slots are compared with the kernel's each time this interval has passed without
    /// events. A contact may simply be at rest, but if a lift was missed or another process receives the events, a
    /// button would stay pressed.
    private static let silenceTimeout = Interval.milliseconds(1000)
    /// The time after which slots that differ are compared again.
    private static let doubtTimeout = Interval.milliseconds(100)

    var hold: FiveFingerHold
    /// This array is reused for each frame.
    private var touching: [PanelContact] = []
    /// The time of the last event, or of a later comparison of the slots.
    var lastActivity: Timestamp { didSet { isDoubtful = false } }
    /// Whether the slots differed in the last comparison, and no event has arrived since then.
    var isDoubtful = false

    init(lastActivity: Timestamp, hold: FiveFingerHold) { (self.lastActivity, self.hold) = (lastActivity, hold) }

    mutating func followHold(of tracker: borrowing SlotTracker, at time: Timestamp) {
        tracker.copyTouching(into: &touching)
        hold.follow(touching, at: time)
    }

    /// The time at which the slots are next compared; `nil` while no contact is down.
    func silenceDeadline(contacts: Int) -> Timestamp? {
        contacts > 0 ? lastActivity + (isDoubtful ? Self.doubtTimeout : Self.silenceTimeout) : nil
    }

    func nextDeadline(contacts: Int) -> Timestamp? {
        let silence = silenceDeadline(contacts: contacts)
        guard let hold = hold.deadline else { return silence }
        return min(hold, silence ?? hold)
    }
}
