// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// One touchscreen that is open: what it says goes through its pipeline to the server.
final class Panel {
    var pipeline: PanelPipeline
    let identifiers: SharedIdentifiers
    var grab: PanelGrab
    /// Of the last event, or of the last look at the slots while none came.
    var lastHeard: Timestamp
    var hold = FiveFingerHold()
    private var deadlineGuard = DeadlineGuard()
    /// The kernel's number of the last finger that landed on an empty panel.
    var lastTrackingID: Int32 = -1
    /// Used again and again.
    var contacts: [PanelContact] = []

    let input: InputDevice
    let tell: (PanelNews) -> Void
    private let server: GestureServer
    private(set) var isClosed = false

    /// - Parameter tell: what it finds out; after `lost` and `otherAxes` it must be closed.
    init(
        _ setup: PanelSetup, input: InputDevice, identifiers: SharedIdentifiers, server: GestureServer,
        tell: @escaping (PanelNews) -> Void
    ) {
        self.input = input
        self.identifiers = identifiers
        self.server = server
        self.tell = tell
        grab = PanelGrab(state: setup.isGrabbed ? .waiting : .shared)
        lastHeard = Timestamp(microseconds: MonotonicClock.now())
        pipeline = PanelPipeline(setup, identifiers: identifiers.next)
        if let table = input.initialTable() { pipeline.setInitial(table) }
    }

    func start(_ loop: EventLoop) throws(SystemError) {
        try input.start(loop: loop, delegate: self)
        takeAlone()
    }

    /// Reads what the device has to say now.
    func readAvailable() { input.readAvailable() }

    /// When `fireDeadlines(until:)` must next be called, in microseconds; `nil` while nothing is pending.
    var nextDeadline: Int64? {
        var next = pipelineDeadline.map { Timestamp(microseconds: $0) } ?? .never
        if let deadline = hold.deadline { next = min(next, deadline) }
        if let deadline = silenceDeadline { next = min(next, deadline) }
        return next == .never ? nil : next.microseconds
    }

    private var pipelineDeadline: Int64? { deadlineGuard.passed(pipeline.nextDeadline?.microseconds) }

    /// Fires each deadline up to `now` at its own time.
    func fireDeadlines(until now: Int64) {
        withPipeline {
            while let deadline = pipelineDeadline, deadline <= now {
                pipeline.advance(to: Timestamp(microseconds: deadline)) { server.broadcast($0) }
                if deadlineGuard.fired(deadline, next: pipeline.nextDeadline?.microseconds) { tell(.stuckDeadline) }
            }
        }
        watchFingers(at: Timestamp(microseconds: now))
    }

    /// Takes another configuration's regions; what changed cancels.
    ///
    /// - Parameter removalReason: why regions that are not there any more cancel.
    func replaceRegions(_ setup: PanelSetup, removalReason: CancelReason = .reload) {
        afterReading { time in
            pipeline.replaceRegions(setup, removalReason: removalReason, at: time) { server.broadcast($0) }
        }
    }

    /// Cancels what is under way in some regions.
    func cancel(_ reason: CancelReason, where isMeant: (Region) -> Bool) {
        afterReading { time in
            pipeline.cancel(reason, where: isMeant, at: time) { server.broadcast($0) }
        }
    }

    /// The machine slept, and was last known to be awake at `time`: no deadline after it has come. Fingers may
    /// have lifted, and panels lost their state.
    func resume(sleptAfter time: Timestamp) {
        guard !isClosed else { return }
        withPipeline {
            pipeline.interrupt(.suspend, at: time) { server.broadcast($0) }
        }
        hold.reset()
        // What waits to be read is older than the slots as they are now.
        input.resynchronize()
    }

    /// A finger may have lifted before a deadline and not been read yet. The read may find the
    /// device gone.
    private func afterReading(_ body: (Timestamp) -> Void) {
        let time = now
        readAvailable()
        guard !isClosed else { return }
        withPipeline { body(time) }
    }

    /// Cancels what is under way and lets go of the device. Twice is harmless.
    func close(_ reason: CancelReason) {
        guard !isClosed else { return }
        isClosed = true
        input.stop()
        withPipeline {
            if reason == .deviceRemoved {
                pipeline.remove(at: now) { server.broadcast($0) }
            } else {
                pipeline.cancelAll(reason, at: now) { server.broadcast($0) }
            }
        }
    }

    private var now: Timestamp { Timestamp(microseconds: MonotonicClock.now()) }

    /// Ids go on where the other panels have left them, and the lines of one read go out together.
    private func withPipeline(_ body: () -> Void) {
        pipeline.continueCounting(from: identifiers.next)
        server.beginBatch()
        body()
        server.endBatch()
        identifiers.next = pipeline.identifiers
    }
}

extension Panel: InputDeviceDelegate {
    func inputDevice(_ device: InputDevice, received events: ArraySlice<KernelEvent>) {
        if hasMissedSome(before: events) {
            grab.isElsewhere = false
            return input.resynchronize()
        }
        withPipeline {
            pipeline.feed(events) { server.broadcast($0) }
        }
        if let last = events.last { heard(at: last.time) }
    }

    func inputDevice(_ device: InputDevice, resynchronized table: SlotTable, at time: Timestamp) {
        let table = ownSlots(table)
        withPipeline {
            pipeline.resynchronize(table, at: time) { server.broadcast($0) }
        }
        lastHeard = time
        takeAlone()
        followHold(at: time)
    }

    func inputDeviceHasOtherAxes(_ device: InputDevice) { tell(.otherAxes) }

    func inputDeviceWasLost(_ device: InputDevice) { tell(.lost) }
}
