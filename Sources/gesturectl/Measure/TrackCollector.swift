// SPDX-License-Identifier: MIT
import GestureEngine

/// Cuts the frames of a panel into attempts of one contact, and counts what is none.
struct TrackCollector: Hashable {
    /// What was no attempt.
    struct LeftOut: Hashable {
        /// Another contact was down in the meantime.
        var severalContacts = 0
        /// Taken away without a lift: a palm, lost events, an unplugged panel.
        var cancelled = 0
        /// The panel let go for a moment: the landing came too soon after a lift.
        var bounces = 0
        /// A tap without a second one.
        var alone = 0
    }

    /// A landing sooner than this after a lift is the panel's doing (`min_gap` of the configuration).
    let minGap: Interval
    var leftOut = LeftOut()

    private var track: ContactTrack?
    /// The contacts that are down.
    private var down: Set<ContactID> = []
    private var hasSeveral = false
    private var lastLift: Timestamp?

    init(minGap: Interval) {
        self.minGap = minGap
    }

    /// Nothing is down.
    var isIdle: Bool { down.isEmpty }

    /// - Returns: the attempt that this frame ends. (One frame ends at most one: of one contact there is one change.)
    mutating func take(_ frame: TouchFrame) -> ContactTrack? {
        var complete: ContactTrack?
        for change in frame.changes {
            switch change.kind {
            case .landed: land(change, at: frame.time)
            case .moved, .resynchronized:
                if track?.frames.first?.changes.first?.id == change.id { track?.add(change, at: frame.time) }
            case .lifted:
                if track?.frames.first?.changes.first?.id == change.id { track?.add(change, at: frame.time) }
                if let ended = end(change.id, at: frame.time) { complete = ended }
            case .cancelled:
                leftOut.cancelled += 1
                track = nil
                hasSeveral = false
                _ = end(change.id, at: frame.time)
            }
        }
        return complete
    }

    private mutating func land(_ change: ContactChange, at time: Timestamp) {
        if down.isEmpty {
            let sinceLift = lastLift.map { time - $0 }
            let isBounce = sinceLift.map { $0 < minGap } ?? false
            if isBounce { leftOut.bounces += 1 }
            track = isBounce ? nil : ContactTrack(change, at: time)
            hasSeveral = false
        } else {
            track = nil
            hasSeveral = true
        }
        down.insert(change.id)
    }

    private mutating func end(_ id: ContactID, at time: Timestamp) -> ContactTrack? {
        down.remove(id)
        lastLift = time
        guard down.isEmpty else { return nil }
        defer { (track, hasSeveral) = (nil, false) }
        if hasSeveral { leftOut.severalContacts += 1 }
        return track
    }
}
