// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
package import GesturePipeline

/// Runs a recording through a panel's pipeline, on the recording's own clock.
///
/// The lines are those that the daemon makes of the same events, byte for byte.
package enum RecordingReplay {
    /// How long the replay goes on after the last event, at most.
    package static let limit = Interval.milliseconds(3_600_000)

    /// - Parameters:
    ///   - pipeline: a new one with the recording's `identifiers`.
    /// - Returns: `false` when a deadline is left after `limit`.
    @discardableResult
    package static func run(
        _ recording: Recording, through pipeline: inout PanelPipeline, _ sink: PanelPipeline.Sink
    ) -> Bool {
        if !recording.slots.isEmpty { pipeline.setInitial(SlotTable(slots: recording.slots)) }
        var last = Timestamp(microseconds: 0)
        var table: [KernelEvent]?
        for entry in recording.entries {
            switch entry {
            case .resynchronized: table = []
            case .removed(let time):
                last = max(last, time)
                pipeline.remove(at: time, sink)
            case .event(let event):
                last = max(last, event.time)
                if table != nil {
                    table?.append(event)
                    guard event.endsFrame, let events = table else { continue }
                    table = nil
                    pipeline.resynchronize(SlotTable(events), at: event.time, sink)
                } else {
                    if let deadline = pipeline.nextDeadline, deadline <= event.time {
                        pipeline.advance(to: event.time, sink)
                    }
                    pipeline.feed(event, sink)
                }
            }
        }
        return finish(&pipeline, until: last + limit, sink)
    }

    /// Fires all deadlines that are left.
    private static func finish(
        _ pipeline: inout PanelPipeline, until end: Timestamp, _ sink: PanelPipeline.Sink
    ) -> Bool {
        while let deadline = pipeline.nextDeadline {
            guard deadline <= end else { return false }
            pipeline.advance(to: deadline, sink)
            // A deadline that stays would be a bug; it must not hang the tool.
            if let next = pipeline.nextDeadline, next <= deadline { return false }
        }
        return true
    }
}
