// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureEngine
package import GesturePipeline

/// Runs a recording through a panel's pipeline, on the recording's own clock.
///
/// The lines are identical, byte for byte, to those that the daemon makes from the same events. The replay proceeds from
/// deadline to deadline, so its memory does not depend on the time between two entries.
package struct RecordingReplay {
    /// The longest time for which the replay continues after the last event.
    package static let limit = Interval.milliseconds(3_600_000)

    /// The time of the latest entry.
    private var last = Timestamp(microseconds: 0)
    private var isInFrame = false
    /// The scene to which an idle time has switched.
    private var scene: String?
    /// The slot table that is being read after lost events; `nil` if no events were lost.
    private var table: [KernelEvent]?

    private init() {}

    /// - Parameters:
    ///   - pipeline: a new pipeline with the recording's `identifiers`.
    ///   - scenes: returns the panel's setup in the scene to which `[[idle]]` switches; its argument is `nil` for the
    ///     initial scene. It is not called for a pipeline without an `idle`.
    ///   - isWanted: called repeatedly; the replay ends when it returns `false`.
    /// - Returns: `false` if a deadline is left after `limit`, or if `isWanted` ended the replay.
    @discardableResult
    package static func run(
        _ recording: Recording, through pipeline: inout PanelPipeline, scenes: (String?) -> PanelSetup? = { _ in nil },
        while isWanted: () -> Bool = { true }, _ sink: PanelPipeline.Sink
    ) -> Bool {
        if !recording.slots.isEmpty { pipeline.setInitial(SlotTable(slots: recording.slots)) }
        var replay = RecordingReplay()
        for entry in recording.entries {
            guard isWanted(), replay.advance(&pipeline, to: entry.time, scenes, while: isWanted, sink) else {
                return false
            }
            replay.play(entry, through: &pipeline, scenes, sink)
        }
        if replay.isInFrame { replay.completeFrame(of: &pipeline, sink) }
        guard replay.advance(&pipeline, to: replay.last + limit, scenes, while: isWanted, sink) else { return false }
        return pipeline.nextDeadline == nil
    }

    /// Splits a recording wherever no gesture was in progress for at least `pause`. A replay of one part prints the same
    /// lines for it as a replay of the whole recording, except after a storm of ghost touches, whose effect outlasts the
    /// contacts.
    package static func parts(of recording: Recording, _ setup: PanelSetup, pause: Interval) -> [Recording] {
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        if !recording.slots.isEmpty { pipeline.setInitial(SlotTable(slots: recording.slots)) }
        var replay = RecordingReplay()
        var parts: [Recording] = []
        var part = recording
        part.entries = []
        for entry in recording.entries {
            let time = entry.time ?? replay.last
            if !replay.isInFrame, replay.table == nil, time - replay.last >= pause, !part.entries.isEmpty {
                pipeline.advance(to: time) { _ in }
                if pipeline.isIdle {
                    parts.append(part)
                    part = recording.beginning(with: pipeline)
                }
            }
            part.entries.append(entry)
            _ = replay.advance(&pipeline, to: entry.time, { _ in nil }, while: { true }) { _ in }
            replay.play(entry, through: &pipeline, { _ in nil }) { _ in }
        }
        return parts + [part]
    }

    private mutating func play(
        _ entry: Recording.Entry, through pipeline: inout PanelPipeline, _ scenes: (String?) -> PanelSetup?,
        _ sink: PanelPipeline.Sink
    ) {
        last = max(last, entry.time ?? last)
        switch entry {
        case .resynchronized: table = []
        case .suspended(let time): pipeline.suspend(at: time, sink)
        case .removed(let time): pipeline.remove(at: time, sink)
        case .event(let event):
            if table != nil {
                table?.append(event)
                guard event.endsFrame, let events = table else { return }
                table = nil
                pipeline.resynchronize(SlotTable(events), at: event.time, sink)
            } else {
                pipeline.feed(event, sink)
                isInFrame = !event.endsFrame
            }
        }
        followScene(of: &pipeline, at: last, scenes, sink)
    }

    /// Completes the last frame if the recorder was stopped in the middle of it, because the kernel had sent the rest
    /// as well.
    ///
    /// This is not done for a device without slots, because contacts that are not listed yet would be treated as lifted.
    private func completeFrame(of pipeline: inout PanelPipeline, _ sink: PanelPipeline.Sink) {
        guard pipeline.setup.touchProtocol != .unslotted else { return }
        pipeline.feed(.report(at: last), sink)
    }

    /// Switches to the scene of an idle time and back, as the daemon does at the end of each turn of its loop.
    private mutating func followScene(
        of pipeline: inout PanelPipeline, at time: Timestamp, _ scenes: (String?) -> PanelSetup?,
        _ sink: PanelPipeline.Sink
    ) {
        guard pipeline.idle?.scene != scene else { return }
        scene = pipeline.idle?.scene
        if let setup = scenes(scene) { pipeline.replaceRegions(setup, removalReason: .client, at: time, sink) }
    }

    /// Fires the deadlines up to `time` one at a time, as the daemon does.
    /// - Returns: `false` if `isWanted` ended the replay.
    private mutating func advance(
        _ pipeline: inout PanelPipeline, to time: Timestamp?, _ scenes: (String?) -> PanelSetup?,
        while isWanted: () -> Bool, _ sink: PanelPipeline.Sink
    ) -> Bool {
        guard let time else { return true }
        while let deadline = pipeline.nextDeadline, deadline <= time {
            guard isWanted() else { return false }
            pipeline.advance(to: deadline, sink)
            followScene(of: &pipeline, at: deadline, scenes, sink)
            // A deadline that remains would be a bug. Stop here, so that it does not cause an endless loop.
            if let next = pipeline.nextDeadline, next <= deadline { return true }
        }
        return true
    }
}

extension Recording {
    /// Returns a recording without entries that starts in the current state of an idle pipeline: with its slots and its
    /// next ids.
    fileprivate func beginning(with pipeline: borrowing PanelPipeline) -> Recording {
        var part = self
        part.entries = []
        let (contacts, sequences) = (pipeline.identifiers.contacts, pipeline.identifiers.sequences)
        (part.nextContact, part.nextPrivateContact) = (contacts.open, contacts.hidden)
        (part.nextSequence, part.nextPrivateSequence) = (sequences.open, sequences.hidden)
        let table = pipeline.tracker.table
        part.slots = table.slots.map { SlotState(x: $0.x, y: $0.y) }
        part.description.axes[Int(EventCode.absMTSlot)]?.value = Int32(
            clamping: table.current ?? Admission.maximumSlots)
        return part
    }
}

extension Recording.Entry {
    /// The time of the entry; `nil` for a resynchronisation, which happens at the time of the events that follow.
    package var time: Timestamp? {
        switch self {
        case .event(let event): event.time
        case .suspended(let time), .removed(let time): time
        case .resynchronized: nil
        }
    }
}
