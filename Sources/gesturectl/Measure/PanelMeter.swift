// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import Recordings

/// Makes attempts of a panel's events, which become frames as in the daemon.
struct PanelMeter: ~Copyable {
    private var tracker: SlotTracker
    private(set) var collector: TrackCollector
    /// The slot table after lost events, while it comes.
    private var table: [KernelEvent]?
    /// The longest gap between two taps of a pair.
    private static let longestGap = Interval.milliseconds(1000)
    private let isPaired: Bool
    /// The first tap of a pair.
    private var first: ContactTrack?

    /// - Parameters:
    ///   - recording: how the slots were at its beginning; its entries are not played.
    ///   - isPaired: two taps in quick succession make one attempt.
    init(_ setup: MeasureSetup, from recording: Recording, isPaired: Bool) {
        let panel = setup.panel
        // Not yet for panels without slots: their events are read as if they had some, which finds no attempt.
        let isUnslotted = panel.touchProtocol == .unslotted
        let touchProtocol = isUnslotted ? .slots(count: TouchProtocol.unslotted.slotCount) : panel.touchProtocol
        tracker = SlotTracker(
            panel.description, protocol: touchProtocol, mapping: panel.mapping, filter: panel.filter)
        if !recording.slots.isEmpty {
            tracker.setInitial(SlotTable(slots: recording.slots.map { SlotState(x: $0.x, y: $0.y) }))
        }
        collector = TrackCollector(minGap: setup.inUse.tap.minGap)
        self.isPaired = isPaired
    }

    /// What was no attempt, up to now.
    var leftOut: TrackCollector.LeftOut {
        var leftOut = collector.leftOut
        if first != nil { leftOut.alone += 1 }
        return leftOut
    }

    /// - Returns: the attempt that this ends.
    mutating func take(_ entry: Recording.Entry) -> [ContactTrack]? {
        switch entry {
        case .resynchronized:
            table = []
            return nil
        case .removed(let time):
            return tracker.cancelAll(.deviceRemoved, at: time) ? collect() : nil
        case .event(let event):
            if table != nil {
                table?.append(event)
                guard event.endsFrame, let events = table else { return nil }
                table = nil
                return tracker.resynchronize(SlotTable(events), at: event.time) ? collect() : nil
            }
            // The tracker drops contacts that have been down for too long.
            if let deadline = tracker.nextDeadline, deadline <= event.time, tracker.advance(to: event.time) {
                _ = collect()
            }
            return tracker.feed(event) ? collect() : nil
        }
    }

    private mutating func collect() -> [ContactTrack]? {
        guard let track = collector.take(tracker.frame) else { return nil }
        guard isPaired else { return [track] }
        guard let first, track.landed - first.lifted <= Self.longestGap else {
            if self.first != nil { collector.leftOut.alone += 1 }
            self.first = track
            return nil
        }
        self.first = nil
        return [first, track]
    }
}
