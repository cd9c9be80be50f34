// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import GestureServer
import LinuxSystem
import TouchInput
import TouchSharing

/// An open touchscreen, which sends its events through its pipeline to the server.
final class Panel {
    var pipeline: PanelPipeline
    let identifiers: Identifiers
    var grab: PanelGrab
    var watch: ContactWatch
    /// The next deadline of the pipeline, as returned by its last call.
    private var pipelineDeadline: Timestamp?
    private var seen: SeenContacts?
    private var hasMissedLandings = false
    var sharing: PanelSharing
    /// The display, if touches that wake it are kept from gestures.
    var display: WakeDisplay?
    let input: InputDevice
    let notify: (PanelEvent) -> Void
    private let server: GestureServer
    private(set) var isClosed = false

    /// Creates a panel that does not read events yet.
    /// - Parameters:
    ///   - seen: the contacts stored for this panel; with `nil`, nothing is stored for the next process.
    ///   - sharingRefusal: called before the panel is shared; returns the reason why it may not be.
    ///   - notify: receives the panel's events. After `lost` and `axesChanged`, the panel must be closed.
    init(
        _ setup: PanelSetup, input: InputDevice, identifiers: Identifiers, server: GestureServer,
        seen: SeenContacts? = nil, sharingRefusal: @escaping () -> String?, notify: @escaping (PanelEvent) -> Void
    ) {
        self.input = input
        self.identifiers = identifiers
        self.server = server
        self.notify = notify
        sharing = PanelSharing(refusal: sharingRefusal)
        grab = PanelGrab(state: setup.share == .listen ? .free : .waiting)
        watch = ContactWatch(
            lastActivity: Timestamp(microseconds: MonotonicClock.now()), hold: FiveFingerHold(for: setup.fiveFingers))
        pipeline = PanelPipeline(setup, identifiers: identifiers)
        self.seen = seen
        guard let table = input.initialTable() else { return }
        let known = seen?.known(in: table)
        hasMissedLandings = known != nil
        pipeline.setInitial(known ?? table)
    }

    /// Reports the contacts that landed while no daemon was running. Call this once, after the panel has been announced
    /// to clients.
    func landMissed() {
        if hasMissedLandings { input.resynchronize() }
        noteSeen()
    }

    /// Stores the tracking ids. Call this after each turn.
    func noteSeen() {
        seen?.note(pipeline.tracker.table, lastTrackingID: pipeline.tracker.lastTrackingID)
    }

    func start(_ loop: EventLoop) throws(SystemError) {
        try input.start(loop: loop, delegate: self)
        grabIfIdle()
    }

    /// Checks for changes of which the kernel does not tell: of the axes, of other programs' grabs, and of the display.
    func check() {
        checkAxes()
        retryGrab()
        checkForOtherGrab()
        lookAtDisplay()
    }

    /// Looks whether the display has come on since a touch should have woken it. Call this now and then.
    func lookAtDisplay() {
        guard display != nil else { return }
        let time = now
        pipelineDeadline = pipeline.run { $0.lookAtDisplay(at: time) }
    }

    /// The trouble with the display; `nil` if there is none that is known.
    var displayProblem: String? {
        guard let display else { return nil }
        return display.check() ?? (pipeline.longDarkness == nil ? nil : display.darkProblem)
    }

    func readAvailable() { input.readAvailable() }

    /// The time at which `fireDeadlines(until:)` must next be called; `nil` while nothing is pending.
    var nextDeadline: Timestamp? {
        var next = pipelineDeadline ?? .never
        let watched = watch.nextDeadline(contacts: pipeline.tracker.contactCount)
        if let watched, watched < next { next = watched }
        return next < .never ? next : nil
    }

    /// Fires all deadlines up to `now`. Each is handled with the time at which it was due.
    func fireDeadlines(until now: Timestamp) {
        let wasTouched = pipeline.tracker.contactCount > 0
        withPipeline { pipeline, batch in
            while let deadline = pipeline.nextDeadline, deadline <= now {
                pipeline.advance(to: deadline) { batch.add($0) }
            }
        }
        // With `bridge`, the last contact lifts at a deadline.
        if wasTouched { grabIfIdle() }
        fireWatchDeadlines(until: now)
    }

    /// Replaces the regions. Gestures in changed regions are cancelled.
    ///
    /// - Parameters:
    ///   - removalReason: the reason with which gestures in removed regions are cancelled.
    ///   - reads: whether to handle all available events first.
    func replaceRegions(_ setup: PanelSetup, removalReason: CancelReason = .reload, reads: Bool = true) {
        afterReading(reads) { pipeline, batch, time in
            pipeline.replaceRegions(setup, removalReason: removalReason, at: time) { batch.add($0) }
        }
    }

    /// Applies another profile, or with `nil` the current one to what has become idle. Cancels nothing.
    /// - Returns: whether something keeps values of an earlier profile.
    func changeProfile(_ setup: PanelSetup? = nil) -> Bool {
        var isWaiting = false
        afterReading(setup != nil) { pipeline, batch, time in
            if let setup {
                pipeline.changeProfile(setup, at: time) { batch.add($0) }
            } else {
                pipeline.followProfile(at: time) { batch.add($0) }
            }
            isWaiting = pipeline.awaitsProfile
        }
        return isWaiting
    }

    /// Maps the panel to another output, and cancels all gestures.
    func replaceOutput(_ setup: PanelSetup) {
        afterReading { pipeline, batch, time in
            pipeline.replaceOutput(setup, at: time) { batch.add($0) }
        }
    }

    /// Enables and disables regions, and cancels gestures in the disabled ones.
    /// - Parameter application: the filter for contacts that land from now on.
    func switchRegions(_ application: ApplicationFilter, isShown: (Region) -> Bool) {
        afterReading { pipeline, batch, time in
            pipeline.switchRegions(isShown: isShown, application, at: time) { batch.add($0) }
        }
    }

    /// Cancels the gestures of some regions.
    func cancel(_ reason: CancelReason, where isMeant: (Region) -> Bool) {
        afterReading { pipeline, batch, time in
            pipeline.cancel(reason, where: isMeant, at: time) { batch.add($0) }
        }
    }

    /// Cancels all gestures after the machine has slept, because contacts may have lifted and panels lose their state
    /// during a sleep.
    /// - Parameter time: a time before the sleep. Only events that were already read may have a later time.
    func resume(sleptAfter time: Timestamp) {
        guard !isClosed else { return }
        withPipeline { pipeline, batch in
            pipeline.suspend(at: max(time, watch.lastActivity)) { batch.add($0) }
        }
        watch.hold.reset()
        // The available events are older than the current slots.
        input.resynchronize()
    }

    /// Reads the available events, which may include a lift, and then calls `body`. Does not call it if the device
    /// turns out to be gone.
    private func afterReading(
        _ reads: Bool = true, _ body: (inout PanelPipeline, inout LineBatch, Timestamp) -> Void
    ) {
        let time = now
        if reads { readAvailable() }
        guard !isClosed else { return }
        withPipeline { body(&$0, &$1, time) }
    }

    /// Cancels all gestures and closes the device. Repeated calls are harmless.
    func close(_ reason: CancelReason) {
        guard !isClosed else { return }
        isClosed = true
        endSharing()
        input.stop()
        withPipeline { pipeline, batch in
            if reason == .deviceRemoved {
                pipeline.remove(at: now) { batch.add($0) }
            } else {
                pipeline.cancelAll(reason, at: now) { batch.add($0) }
            }
        }
    }

    var now: Timestamp { Timestamp(microseconds: MonotonicClock.now()) }

    /// Calls `body` with the pipeline, sends the lines that `body` has added, and updates the deadline.
    private func withPipeline(_ body: (inout PanelPipeline, inout LineBatch) -> Void) {
        server.broadcast { batch in
            pipelineDeadline = pipeline.run { body(&$0, &batch) }
        }
        checkTwin()
    }
}

extension Panel: InputDeviceDelegate {
    func inputDevice(_ device: InputDevice, received events: ArraySlice<KernelEvent>) {
        if hasMissedEvents(before: events) {
            grab.isElsewhere = false
            return input.resynchronize()
        }
        withPipeline { pipeline, batch in
            pipeline.feed(events) { batch.add($0) }
        }
        if let last = events.last { noteActivity(at: last.time) }
    }

    func inputDevice(_ device: InputDevice, resynchronized table: SlotTable, at time: Timestamp) {
        let table = ownSlots(table)
        fetchTwinAxes()
        withPipeline { pipeline, batch in
            pipeline.resynchronize(table, at: time) { batch.add($0) }
        }
        watch.lastActivity = time
        grabIfIdle()
        updateHold(at: time)
    }

    func inputDeviceHasOtherAxes(_ device: InputDevice) { notify(.axesChanged) }

    func inputDeviceWasLost(_ device: InputDevice) { notify(.lost) }
}

/// An event that a panel reports to the daemon.
enum PanelEvent {
    /// The panel can no longer be read and has been stopped.
    case lost
    /// The ranges of the axes have changed since the panel was opened, and it has been stopped.
    case axesChanged
    /// The daemon has grabbed the panel.
    /// - `again`: whether it had been given back.
    case grabbed(again: Bool)
    /// Five contacts rested on the panel, so it is no longer grabbed.
    case givenBack
    /// Another process has grabbed the panel. The daemon receives no events until that process releases it.
    case grabbedElsewhere
    /// `EVIOCGRAB` failed.
    case grabFailed(errno: CInt)
    /// Applications can now read a twin of the panel. The twin exists as long as its descriptor is open in any process.
    case twinMade(descriptor: CInt, node: String?)
    /// The twin is no longer written to. It is removed when its object is freed.
    case twinEnds(PanelTwin)
    /// The panel is not shared as configured. `reason` includes the remedy if one is known.
    case notShared(reason: String)
}
