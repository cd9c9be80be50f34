// SPDX-License-Identifier: MIT

/// Recognizes the gestures of one panel's regions: frames and times in, events out.
///
/// It has no clock, no I/O and no callback. Before a frame is applied, every deadline up to its
/// time fires at its own time, so that late wake-ups never change a result.
package struct GestureEngine: ~Copyable {
    package private(set) var regions: [Region]
    /// Updates of a drag are made only while somebody wants them.
    package var reportsUpdates = true
    /// Events with a `GestureFailure` are made only while somebody wants them.
    package var reportsFailures = false
    /// The id of the next sequence. May be raised, so that several panels share one count.
    package var nextSequence: Int64

    private let bounds: Rectangle
    private var arbitration: ArbitrationSettings
    private var map: RegionMap
    private var shadows: Shadows
    private var engines: RegionEngines
    private var contacts = ContactTable()
    /// Regions that are not idle, in the order of the configuration.
    private var active: [Int] = []
    /// A region may have become idle.
    private var hasEnded = false
    private var time = Timestamp(microseconds: .min)

    /// - Parameters:
    ///   - regions: parents before their children.
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
        engines = RegionEngines(regions)
        active.reserveCapacity(16)
    }

    /// When `advance(to:)` must next be called, or `nil` while nothing is pending.
    ///
    /// (`mutating`, so that the engine is not copied for a look at it, once for each frame.)
    package var nextDeadline: Timestamp? {
        mutating get { earliestDeadline() }
    }

    private mutating func earliestDeadline() -> Timestamp? {
        var next = Timestamp.never
        for i in active.indices { next = min(next, engines[active[i]].nextDeadline ?? .never) }
        return next == .never ? nil : next
    }

    /// No contact is down and no deadline pending: the engine is as it was made.
    package var isIdle: Bool { contacts.isEmpty && active.isEmpty }

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
        for i in frame.changes.indices { applyPosition(frame.changes[i]) }
        for i in frame.changes.indices { apply(frame.changes[i], at: now, into: &events) }
        retire()
    }

    /// Fires every deadline up to `time`, each at its own time, in order.
    package mutating func advance(to time: Timestamp, into events: inout [GestureEvent]) {
        while let deadline = nextDeadline, deadline <= time {
            self.time = max(self.time, deadline)
            for i in active.indices where engines[active[i]].nextDeadline == deadline {
                engines[active[i]].fire(at: deadline, into: &events)
            }
            hasEnded = true
            retire()
        }
        self.time = max(self.time, time)
    }

    /// Takes new regions between two frames. What is under way in regions that stay the same goes
    /// on; in those that changed or went it is cancelled. Contacts keep what owned them.
    ///
    /// - Note: events are in terms of the regions as they were.
    package mutating func replaceRegions(
        _ new: [Region], arbitration: ArbitrationSettings? = nil, at time: Timestamp,
        into events: inout [GestureEvent]
    ) {
        if let arbitration { self.arbitration = arbitration }
        advance(to: time, into: &events)
        let kept = Self.correspondence(regions, new)
        for region in active where kept[region] == nil {
            engines[region].cancelAll(.reload, at: self.time, into: &events)
        }
        let replaced = RegionEngines(new)
        for region in active {
            if let successor = kept[region] { replaced.resume(successor, from: engines, region) }
        }
        engines = replaced
        active = active.compactMap { kept[$0] }.sorted()
        contacts.renumber(kept)
        regions = new
        map = RegionMap(new, bounds: bounds)
        shadows = Shadows(new)
    }
}

extension GestureEngine {
    private mutating func apply(
        _ change: ContactChange, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        switch change.kind {
        case .landed: landed(change, at: time, into: &events)
        case .moved, .resynchronized: moved(change.id, at: time, into: &events)
        case .lifted: lifted(change, at: time, into: &events)
        case .cancelled(let reason): cancelled(change.id, reason, at: time, into: &events)
        }
    }

    private mutating func applyPosition(_ change: ContactChange) {
        guard change.kind != .landed, let contact = contacts.index(of: change.id) else { return }
        let isResynchronized = change.kind == .resynchronized
        for i in contacts.route(contact) {
            engines[contacts.region(i)].move(change.id, to: change.position, isResynchronized: isResynchronized)
        }
    }

    private mutating func landed(
        _ change: ContactChange, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard contacts.index(of: change.id) == nil else { return }
        let owner = map.route(change.position, regions, into: &contacts.scratch)
        let contact = contacts.add(change.id, owner: owner)
        for i in contacts.route(contact) {
            let region = contacts.region(i)
            evaluateIfNeeded(region, at: time, into: &events)
            let nearer = contacts.scratch[..<(i - contacts.route(contact).lowerBound)]
            let shadowed = regions[region].pass ? [] : shadows.shadowed(region, by: nearer)
            if engines[region].sequence == nil {
                activate(region)
                nextSequence += 1
            }
            engines[region].landed(
                change.id, at: change.position, time: time, newSequence: SequenceID(nextSequence - 1),
                shadowed: shadowed, into: &events)
            // A drag without a start distance begins here.
            if engines[region].acceptsMove(at: time) { compete(region, at: time, into: &events) }
        }
    }

    private mutating func moved(_ id: ContactID, at time: Timestamp, into events: inout [GestureEvent]) {
        guard let contact = contacts.index(of: id) else { return }
        for i in contacts.route(contact) {
            evaluateIfNeeded(contacts.region(i), at: time, into: &events)
        }
    }

    private mutating func lifted(
        _ change: ContactChange, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let contact = contacts.index(of: change.id) else { return }
        let route = contacts.route(contact)
        for i in route { evaluateIfNeeded(contacts.region(i), at: time, into: &events) }
        // Before anybody is told of the lift: a button under a swiped list lets go, and does not end.
        for i in route where engines[contacts.region(i)].acceptsLift(at: time) {
            claim(contacts.region(i), at: time, into: &events)
        }
        for i in route {
            engines[contacts.region(i)].lifted(change.id, at: change.position, time: time, into: &events)
        }
        contacts.remove(contact)
        hasEnded = true
    }

    private mutating func cancelled(
        _ id: ContactID, _ reason: CancelReason, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let contact = contacts.index(of: id) else { return }
        for i in contacts.route(contact) {
            engines[contacts.region(i)].cancelled(id, reason, at: time, into: &events)
        }
        contacts.remove(contact)
        hasEnded = true
    }

    /// Tells a region once a frame that its contacts have moved.
    private mutating func evaluateIfNeeded(
        _ region: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard engines[region].needsEvaluation else { return }
        if engines[region].competes {
            engines[region].trackMotion(at: time)
            compete(region, at: time, into: &events)
        }
        engines[region].evaluate(at: time, into: &events)
    }

    private mutating func compete(_ region: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        if engines[region].acceptsMove(at: time) { claim(region, at: time, into: &events) }
        engines[region].competeForMove(at: time, reportsUpdates: reportsUpdates, into: &events)
    }

    /// Takes the contacts of a region for it alone: other regions on their way let go.
    private mutating func claim(_ region: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        guard !regions[region].pass else { return }
        for contact in contacts.indices where contacts.isRouted(contact, to: region) {
            for i in contacts.route(contact) {
                let other = contacts.region(i)
                guard other != region, !regions[other].pass else { continue }
                engines[other].lose(byAncestor: isAncestor(region, of: other), at: time, into: &events)
            }
        }
    }

    private func isAncestor(_ region: Int, of other: Int) -> Bool {
        var next = regions[other].parent
        while let above = next {
            if above == region { return true }
            next = regions[above].parent
        }
        return false
    }

    private mutating func activate(_ region: Int) {
        guard !active.contains(region) else { return }
        // In the order of the configuration, in which equal deadlines fire.
        active.insert(region, at: active.firstIndex { $0 > region } ?? active.count)
    }

    /// Takes regions with nothing under way out of those that are looked at.
    private mutating func retire() {
        guard hasEnded else { return }
        hasEnded = false
        var kept = 0
        for i in active.indices where !engines[active[i]].isIdle {
            active[kept] = active[i]
            kept += 1
        }
        active.removeLast(active.count - kept)
    }

    /// For each old region, the new one that is the same in every respect.
    private static func correspondence(_ old: [Region], _ new: [Region]) -> [Int?] {
        var byName: [String: Int] = [:]
        for (i, region) in new.enumerated() { byName[region.id] = i }
        var kept = [Int?](repeating: nil, count: old.count)
        for (i, region) in old.enumerated() {
            guard let j = byName[region.id] else { continue }
            var candidate = new[j]
            let isSameParent =
                switch (region.parent, candidate.parent) {
                case (nil, nil): true
                case (let a?, let b?): kept[a] == b
                case (nil, _?), (_?, nil): false
                }
            candidate.parent = region.parent
            if isSameParent, candidate == region { kept[i] = j }
        }
        return kept
    }
}
