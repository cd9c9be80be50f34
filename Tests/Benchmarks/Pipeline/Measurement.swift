// SPDX-License-Identifier: MIT
import CAllocationCount
import ContactTracking
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem

/// The measured result of playing frames on a panel.
struct Measurement {
    var frames = 0
    var lines = 0
    var microseconds: Int64 = 0
    var allocations: UInt64 = 0

    var framesPerSecond: Int { microseconds > 0 ? Int(Int64(frames) * 1_000_000 / microseconds) : 0 }
}

/// A panel with fingers on it, measured from kernel events to lines.
struct PanelRun: ~Copyable {
    private var pipeline: PanelPipeline
    private var fingers: FingerEvents
    private let twin = Application()

    /// Counts the events that an application receives.
    private final class Application {
        var events = 0
    }

    /// The number of events that an application received.
    var twinEvents: Int { twin.events }

    /// - Parameters:
    ///   - updates: whether a client subscribes to updates of drags and other continuous gestures.
    ///   - isShared: whether an application also receives the contacts.
    init(_ setup: PanelSetup, updates: Bool, fingers: Int = FingerEvents.fingers, isShared: Bool = false) {
        self.fingers = FingerEvents(fingers, from: Timestamp(microseconds: 1_000_000))
        pipeline = PanelPipeline(setup)
        pipeline.interest = LineInterest(updates: updates)
        if isShared { pipeline.startSharing { [twin] in twin.events &+= $0.count } }
    }

    /// - Parameter reason: returns why the display is off; `nil` if it is on.
    mutating func guardWake(_ reason: @escaping () -> WakeGuard.Reason?) { pipeline.guardWake(reason: reason) }

    mutating func land(_ sink: PanelPipeline.Sink) {
        fingers.clear()
        fingers.land()
        pipeline.feed(fingers.events[...], sink)
    }

    mutating func lift(_ sink: PanelPipeline.Sink) {
        fingers.clear()
        fingers.lift()
        pipeline.feed(fingers.events[...], sink)
    }

    /// Plays frames in which all contacts move. The time for creating the events is not measured.
    /// - Parameter batch: the number of frames in one read.
    mutating func move(
        frames: Int, batch: Int = 8, _ sink: PanelPipeline.Sink, after: () -> Void = {}
    ) -> Measurement {
        move(
            frames: frames, batch: batch,
            feed: { pipeline, events in
                pipeline.feed(events, sink)
                after()
            })
    }

    /// - Parameter feed: passes the events of one read to the pipeline. Only this call is measured.
    mutating func move(
        frames: Int, batch: Int, feed: (inout PanelPipeline, ArraySlice<KernelEvent>) -> Void
    ) -> Measurement {
        var result = Measurement()
        while result.frames < frames {
            fingers.clear()
            for _ in 0..<batch { fingers.move() }
            let before = pipeline.counts.open.events
            let allocations = allocation_count()
            let start = MonotonicClock.now()
            feed(&pipeline, fingers.events[...])
            result.microseconds += MonotonicClock.now() - start
            result.allocations += allocation_count() - allocations
            result.lines += Int(pipeline.counts.open.events - before)
            result.frames += batch
        }
        return result
    }
}
