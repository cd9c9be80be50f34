// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Recordings

/// Converts the entries of a recording, one after the other, to frames as in the daemon.
struct RecordingFrames: ~Copyable {
    private var tracker: SlotTracker
    /// The slot table after lost events, until it is complete.
    private var table: [KernelEvent]?

    /// - Parameter recording: the recording whose description and initial slots are used; its entries are not replayed.
    init(
        of recording: Recording, protocol touchProtocol: TouchProtocol, mapping: AxisMapping, filter: FilterSettings
    ) {
        tracker = SlotTracker(recording.description, protocol: touchProtocol, mapping: mapping, filter: filter)
        if !recording.slots.isEmpty { tracker.setInitial(SlotTable(slots: recording.slots)) }
    }

    /// The numbers of contacts so far.
    var counts: ContactCounts { tracker.counts.open }

    /// - Returns: the frames that this entry completes, after those of deadlines that have passed.
    mutating func take(_ entry: Recording.Entry) -> [TouchFrame] {
        switch entry {
        case .resynchronized:
            table = []
            return []
        case .suspended(let time):
            return frame(if: tracker.cancelAll(.suspend, at: time))
        case .removed(let time):
            return frame(if: tracker.cancelAll(.deviceRemoved, at: time))
        case .event(let event):
            if table != nil {
                table?.append(event)
                guard event.endsFrame, let events = table else { return [] }
                table = nil
                return frame(if: tracker.resynchronize(SlotTable(events), at: event.time))
            }
            let overdue = advance(to: event.time)
            return overdue + frame(if: tracker.feed(event))
        }
    }

    /// Lets time pass without an event.
    mutating func advance(by interval: Interval) -> [TouchFrame] { advance(to: tracker.frame.time + interval) }

    /// Advances the tracker, which drops contacts that have been down for too long, and with `bridge` delays lifts.
    private mutating func advance(to time: Timestamp) -> [TouchFrame] {
        var frames: [TouchFrame] = []
        while let deadline = tracker.nextDeadline, deadline <= time {
            let isChanged = tracker.advance(to: time)
            frames += frame(if: isChanged)
        }
        return frames
    }

    private func frame(if isChanged: Bool) -> [TouchFrame] { isChanged ? [tracker.frame] : [] }
}
