// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol

/// Counts what happens on one panel.
struct PanelCounters {
    /// Counts what is recognized, together with other panels; `nil`: nothing is counted.
    var tallies: RegionTallies?
    /// Counts where contacts land; `nil`: no client has asked for it.
    var touchMap: TouchMap?
    var lines = Sides<LineCounts>()
    var resynchronizations: Int64 = 0
    /// By region and gesture: those of recognized gestures that have been used.
    private var recognized: [[RegionTallies.Counter?]] = []

    /// Counts a frame that holds a change.
    mutating func count(_ frame: TouchFrame) {
        lines[isPrivate: frame.changes.allSatisfy { $0.id.isPrivate }].frames &+= 1
        guard let touchMap else { return }
        for change in frame.changes where change.kind == .landed && !change.id.isPrivate {
            touchMap.count(change.position)
        }
    }

    /// Counts an event, and its line if it is one of a gesture.
    mutating func count(_ event: GestureEvent, _ regions: [Region]) {
        if case .failed(let failure) = event.detail {
            tallies?.entry(regions[event.region]).failed(failure.code).add()
            return
        }
        lines[isPrivate: event.sequence.isPrivate].events &+= 1
        switch event.phase {
        case nil, .begin:
            if let tallies { counter(event.region, event.gesture, regions, tallies).add() }
        case .update, .end, .cancel: break
        }
    }

    /// Forgets the counters of regions that are replaced. `tallies` keeps what they have counted.
    mutating func forgetRegions() { recognized = [] }

    private mutating func counter(
        _ region: Int, _ gesture: GestureIndex, _ regions: [Region], _ tallies: RegionTallies
    ) -> RegionTallies.Counter {
        if recognized.isEmpty { recognized = Array(repeating: [], count: regions.count) }
        if recognized[region].isEmpty {
            recognized[region] = Array(repeating: nil, count: regions[region].gestures.count)
        }
        if let counter = recognized[region][gesture.raw] { return counter }
        let counter = tallies.entry(regions[region]).recognized(regions[region].word(ofGesture: gesture))
        recognized[region][gesture.raw] = counter
        return counter
    }
}

/// What one side of a panel (`Sides`) has sent.
package struct LineCounts: Hashable, Sendable, Summable {
    /// Frames that held a change. One that held a change outside of private regions is none of theirs.
    package var frames: Int64 = 0
    /// Gesture lines.
    package var events: Int64 = 0

    package init() {}

    package mutating func add(_ other: Self) {
        frames &+= other.frames
        events &+= other.events
    }
}
