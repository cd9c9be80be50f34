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

    private let input: InputDevice
    private let server: GestureServer
    private let lost: () -> Void
    private var isClosed = false

    /// - Parameter lost: the device cannot be read any more.
    init(
        _ setup: PanelSetup, input: InputDevice, identifiers: SharedIdentifiers, server: GestureServer,
        lost: @escaping () -> Void
    ) {
        self.input = input
        self.identifiers = identifiers
        self.server = server
        self.lost = lost
        pipeline = PanelPipeline(setup, identifiers: identifiers.next)
        if let table = input.slotTable() { pipeline.setInitial(table.slots, currentSlot: table.current) }
    }

    func start(_ loop: EventLoop) throws(SystemError) {
        try input.start(loop: loop, delegate: self)
    }

    /// Reads what the device has to say now.
    func readAvailable() { input.readAvailable() }

    /// Fires each deadline up to `now` at its own time.
    func fireDeadlines(until now: Int64) {
        withPipeline {
            while let deadline = pipeline.nextDeadline, deadline.microseconds <= now {
                pipeline.advance(to: deadline) { server.broadcast($0) }
            }
        }
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
    func inputDevice(_ device: InputDevice, received events: UnsafeBufferPointer<KernelEvent>) {
        withPipeline {
            pipeline.feed(events) { server.broadcast($0) }
        }
    }

    func inputDevice(_ device: InputDevice, resynchronized table: KernelSlots, at time: Timestamp) {
        withPipeline {
            pipeline.resynchronize(table.slots, currentSlot: table.current, at: time) { server.broadcast($0) }
        }
    }

    func inputDeviceWasLost(_ device: InputDevice) {
        lost()
    }
}
