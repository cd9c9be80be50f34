// SPDX-License-Identifier: MIT

/// Recognizes the gestures of one panel's regions: frames and times in, events out.
///
/// It has no clock, no I/O and no callback. Before a frame is applied, every deadline up to its
/// time fires at its own time, so that late wake-ups never change a result.
package struct GestureEngine: ~Copyable {
    package internal(set) var regions: [Region]
    /// Updates of what is continuous are made only while somebody wants them.
    package var reportsUpdates = true
    /// Events with a `GestureFailure` are made only while somebody wants them.
    package var reportsFailures = false {
        didSet {
            guard reportsFailures != oldValue else { return }
            for i in regions.indices { engines[i].reportsFailures = reportsFailures }
        }
    }
    /// The id of the next sequence. May be raised, so that several panels share one count.
    package var nextSequence: Int64

    let bounds: Rectangle
    var arbitration: ArbitrationSettings
    var map: RegionMap
    var shadows: Shadows
    var engines: RegionEngines
    var patterns: PatternWatch
    var contacts = ContactTable()
    /// Regions that are not idle, in the order of the configuration.
    var active: [Int] = []
    /// A region may have become idle.
    var hasEnded = false
    private(set) var time = Timestamp(microseconds: .min)

    /// - Parameters:
    ///   - regions: parents before their children.
    ///   - arbitration: what holds between gestures of the whole panel.
    ///   - bounds: the panel in millimetres.
    package init(
        _ regions: [Region], arbitration: ArbitrationSettings = ArbitrationSettings(), bounds: Rectangle,
        nextSequence: Int64 = 1
    ) {
        self.regions = regions
        self.arbitration = arbitration
        self.bounds = bounds
        self.nextSequence = nextSequence
        map = RegionMap(regions, bounds: bounds)
        shadows = Shadows(regions)
        engines = RegionEngines(regions, arbitration)
        patterns = PatternWatch(regions)
        active.reserveCapacity(16)
    }

    /// When `advance(to:)` must next be called, or `nil` while nothing is pending.
    ///
    /// (`mutating`, so that the engine is not copied for a look at it, once for each frame.)
    package var nextDeadline: Timestamp? {
        mutating get { earliestDeadline() }
    }

    private mutating func earliestDeadline() -> Timestamp? {
        var next = patterns.nextDeadline ?? .never
        for i in active.indices { next = min(next, engines[active[i]].nextDeadline ?? .never) }
        return next == .never ? nil : next
    }

    /// No contact is down and no deadline pending: the engine is as it was made.
    package var isIdle: Bool { contacts.isEmpty && active.isEmpty && patterns.isIdle }

    /// The region that owns a contact which is down.
    package func owner(of id: ContactID) -> Int? {
        contacts.index(of: id).flatMap { contacts.owner($0) }
    }

    /// The regions that a contact which landed at `point` would be told to: its owner and the
    /// owner's ancestors from the inside out, then those that pass.
    package func route(at point: Point) -> (owner: Int?, route: [Int]) {
        var route: [Int] = []
        let owner = map.route(point, regions, into: &route)
        return (owner, route)
    }

    /// Tells `body` each continuous gesture that has begun and not ended.
    package func forEachActive(_ body: (_ region: Int, _ gesture: Int, _ sequence: SequenceID) -> Void) {
        for region in active {
            engines[region].forEachActive { body(region, $0, $1) }
        }
    }

    /// Applies a frame: first all deadlines up to its time, then its contacts by id.
    ///
    /// A frame older than the engine's time is taken at the engine's time.
    package mutating func process(_ frame: borrowing TouchFrame, into events: inout [GestureEvent]) {
        advance(to: frame.time, into: &events)
        let now = time
        let first = events.count
        for i in frame.changes.indices { applyPosition(frame.changes[i], at: now) }
        for i in frame.changes.indices { apply(frame.changes[i], at: now, into: &events) }
        patterns.watch(from: first, regions, at: now, reportsFailures, &events)
        retire()
    }

    /// Fires every deadline up to `time`, each at its own time, in order.
    package mutating func advance(to time: Timestamp, into events: inout [GestureEvent]) {
        while let deadline = nextDeadline, deadline <= time {
            self.time = max(self.time, deadline)
            fire(at: deadline, into: &events)
            hasEnded = true
            retire()
        }
        self.time = max(self.time, time)
    }

    private mutating func fire(at deadline: Timestamp, into events: inout [GestureEvent]) {
        let first = events.count
        for i in active.indices where engines[active[i]].nextDeadline == deadline {
            let region = active[i]
            engines[region].fire(at: deadline, into: &events)
            // What has failed may have been all that a drag gave way to.
            if engines[region].rules.hasUnless { beginAccepted(region, at: deadline, into: &events) }
        }
        patterns.fire(at: deadline, reportsFailures, &events)
        patterns.watch(from: first, regions, at: deadline, reportsFailures, &events)
    }

    /// Takes regions with nothing under way out of those that are looked at.
    mutating func retire() {
        guard hasEnded else { return }
        hasEnded = false
        var kept = 0
        for i in active.indices where !engines[active[i]].isIdle {
            active[kept] = active[i]
            kept += 1
        }
        active.removeLast(active.count - kept)
    }
}
