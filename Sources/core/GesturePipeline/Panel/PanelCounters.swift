// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol

struct PanelCounters {
    /// Counts recognized gestures of all panels; `nil` disables this.
    var tallies: RegionTallies?
    /// Counts the positions of landings; `nil` if no client has requested it.
    var touchMap: TouchMap?
    var lines = Sides<LineCounts>()
    var resynchronizations: Int64 = 0
    /// The counters for recognized gestures, indexed by region and gesture; `nil` for a counter that has not been used
    /// yet.
    private var recognized: [[RegionTallies.Counter?]] = []

    /// Counts a frame that contains a change.
    mutating func count(_ frame: TouchFrame) {
        lines[isPrivate: frame.changes.allSatisfy { $0.id.isPrivate }].frames &+= 1
        guard let touchMap else { return }
        for change in frame.changes where change.kind == .landed && !change.id.isPrivate {
            touchMap.count(change.position)
        }
    }

    /// Counts an event, and its line if it is the line of a gesture.
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

    /// Removes the counters of replaced regions. `tallies` keeps their counts.
    mutating func forgetRegions() { recognized = [] }

    private mutating func counter(
        _ region: RegionIndex, _ gesture: GestureIndex, _ regions: [Region], _ tallies: RegionTallies
    ) -> RegionTallies.Counter {
        if recognized.isEmpty { recognized = Array(repeating: [], count: regions.count) }
        if recognized[region.raw].isEmpty {
            recognized[region.raw] = Array(repeating: nil, count: regions[region].gestures.count)
        }
        if let counter = recognized[region.raw][gesture.raw] { return counter }
        let counter = tallies.entry(regions[region]).recognized(regions[region].word(ofGesture: gesture))
        recognized[region.raw][gesture.raw] = counter
        return counter
    }
}

/// The number of frames and lines of one side of a panel (`Sides`).
package struct LineCounts: Hashable, Sendable, Summable {
    /// Frames that contain a change. For private regions: frames in which all changes are in private regions.
    package var frames: Int64 = 0
    /// Lines of gestures.
    package var events: Int64 = 0

    package init() {}

    package mutating func add(_ other: Self) {
        frames &+= other.frames
        events &+= other.events
    }
}
