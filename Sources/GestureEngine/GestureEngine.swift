// SPDX-License-Identifier: MIT

/// Recognizes the gestures of one panel's regions: frames and times in, events out.
///
/// It has no clock, no I/O and no callback. Before a frame is applied, every deadline up to its
/// time fires at its own time, so that late wake-ups never change a result.
package struct GestureEngine: Sendable {
    private struct Contact: Sendable {
        var id: ContactID
        /// The regions that are told of it: owner, ancestors, those that pass.
        var route: [Int]
        var owner: Int?
    }

    package private(set) var regions: [Region]
    /// Updates of a drag are made only while somebody wants them.
    package var reportsUpdates = true
    /// The id of the next sequence. May be raised, so that several panels share one count.
    package var nextSequence: Int64

    private let bounds: Rectangle
    private var map: RegionMap
    private var shadows: Shadows
    private var engines: [RegionEngine]
    /// Contacts that are down come first; the rest is kept for its storage.
    private var contacts: [Contact] = []
    private var contactCount = 0
    /// Regions that are not idle.
    private var active: [Int] = []
    private var time = Timestamp(microseconds: .min)

    /// - Parameters:
    ///   - regions: parents before their children.
    ///   - bounds: the panel in millimetres.
    package init(_ regions: [Region], bounds: Rectangle, nextSequence: Int64 = 1) {
        self.regions = regions
        self.bounds = bounds
        self.nextSequence = nextSequence
        map = RegionMap(regions, bounds: bounds)
        shadows = Shadows(regions)
        engines = regions.enumerated().map { RegionEngine($1, index: $0) }
        active.reserveCapacity(16)
    }

    /// When `advance(to:)` must next be called, or `nil` while nothing is pending.
    package var nextDeadline: Timestamp? {
        var next: Timestamp?
        for region in active {
            if let deadline = engines[region].nextDeadline, next.map({ deadline < $0 }) ?? true { next = deadline }
        }
        return next
    }

    /// No contact is down and no deadline pending: the engine is as it was made.
    package var isIdle: Bool { contactCount == 0 && active.isEmpty }

    /// The region that owns a contact which is down.
    package func owner(of id: ContactID) -> Int? {
        index(of: id).flatMap { contacts[$0].owner }
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
        for change in frame.changes { applyPosition(change) }
        for change in frame.changes {
            switch change.kind {
            case .landed: landed(change, at: now, into: &events)
            case .moved, .resynchronized: moved(change.id, at: now, into: &events)
            case .lifted: lifted(change, at: now, into: &events)
            case .cancelled(let reason): cancelled(change.id, reason, at: now, into: &events)
            }
        }
        retire()
    }

    /// Fires every deadline up to `time`, each at its own time, in order.
    package mutating func advance(to time: Timestamp, into events: inout [GestureEvent]) {
        while let deadline = nextDeadline, deadline <= time {
            self.time = max(self.time, deadline)
            for i in active.indices where engines[active[i]].nextDeadline == deadline {
                engines[active[i]].fire(at: deadline, into: &events)
            }
            retire()
        }
        self.time = max(self.time, time)
    }

    /// Takes new regions between two frames. What is under way in regions that stay the same goes
    /// on; in those that changed or went it is cancelled. Contacts keep what owned them.
    ///
    /// - Note: events are in terms of the regions as they were.
    package mutating func replaceRegions(
        _ new: [Region], at time: Timestamp, into events: inout [GestureEvent]
    ) {
        advance(to: time, into: &events)
        let kept = Self.correspondence(regions, new)
        for region in active.sorted() where kept[region] == nil {
            engines[region].cancelAll(.reload, at: self.time, into: &events)
        }
        var replaced = new.enumerated().map { RegionEngine($1, index: $0) }
        for (old, successor) in kept.enumerated() {
            if let successor { replaced[successor].resume(engines[old]) }
        }
        engines = replaced
        active = active.compactMap { kept[$0] }.sorted()
        for i in 0..<contactCount {
            contacts[i].route = contacts[i].route.compactMap { kept[$0] }
            contacts[i].owner = contacts[i].owner.flatMap { kept[$0] }
        }
        regions = new
        map = RegionMap(new, bounds: bounds)
        shadows = Shadows(new)
    }
}

extension GestureEngine {
    private func index(of id: ContactID) -> Int? {
        for i in 0..<contactCount where contacts[i].id == id { return i }
        return nil
    }

    private mutating func applyPosition(_ change: ContactChange) {
        guard change.kind != .landed, let contact = index(of: change.id) else { return }
        for i in contacts[contact].route.indices {
            engines[contacts[contact].route[i]].move(
                change.id, to: change.position, isResynchronized: change.kind == .resynchronized)
        }
    }

    private mutating func landed(
        _ change: ContactChange, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard index(of: change.id) == nil else { return }
        let contact = contactCount
        if contact == contacts.count { contacts.append(Contact(id: change.id, route: [], owner: nil)) }
        contactCount += 1
        contacts[contact].id = change.id
        contacts[contact].owner = map.route(change.position, regions, into: &contacts[contact].route)
        let route = contacts[contact].route
        for (i, region) in route.enumerated() {
            evaluateIfNeeded(region, at: time, into: &events)
            let shadowed = regions[region].pass ? [] : shadows.shadowed(region, by: route[..<i])
            if engines[region].sequence == nil { activate(region) }
            engines[region].landed(
                change.id, at: change.position, time: time, newSequence: SequenceID(nextSequence),
                shadowed: shadowed, into: &events)
            if engines[region].sequence == SequenceID(nextSequence) { nextSequence += 1 }
            // A drag without a start distance begins here.
            if engines[region].acceptsMove(at: time) { compete(region, at: time, into: &events) }
        }
    }

    private mutating func moved(_ id: ContactID, at time: Timestamp, into events: inout [GestureEvent]) {
        guard let contact = index(of: id) else { return }
        for i in contacts[contact].route.indices {
            evaluateIfNeeded(contacts[contact].route[i], at: time, into: &events)
        }
    }

    private mutating func lifted(
        _ change: ContactChange, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let contact = index(of: change.id) else { return }
        for i in contacts[contact].route.indices {
            let region = contacts[contact].route[i]
            evaluateIfNeeded(region, at: time, into: &events)
            if engines[region].acceptsLift(at: time) { claim(region, at: time, into: &events) }
            engines[region].lifted(change.id, at: change.position, time: time, into: &events)
        }
        forget(contact)
    }

    private mutating func cancelled(
        _ id: ContactID, _ reason: CancelReason, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard let contact = index(of: id) else { return }
        for i in contacts[contact].route.indices {
            engines[contacts[contact].route[i]].cancelled(id, reason, at: time, into: &events)
        }
        forget(contact)
    }

    /// Tells a region once a frame that its contacts have moved.
    private mutating func evaluateIfNeeded(
        _ region: Int, at time: Timestamp, into events: inout [GestureEvent]
    ) {
        guard engines[region].needsEvaluation else { return }
        engines[region].trackMotion(at: time)
        compete(region, at: time, into: &events)
        engines[region].evaluate(at: time, into: &events)
    }

    private mutating func compete(_ region: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        if engines[region].acceptsMove(at: time) { claim(region, at: time, into: &events) }
        engines[region].competeForMove(at: time, reportsUpdates: reportsUpdates, into: &events)
    }

    /// Takes the contacts of a region for it alone: other regions on their way let go.
    private mutating func claim(_ region: Int, at time: Timestamp, into events: inout [GestureEvent]) {
        guard !regions[region].pass else { return }
        for i in 0..<contactCount where contacts[i].route.contains(region) {
            for k in contacts[i].route.indices {
                let other = contacts[i].route[k]
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
        active.removeAll { engines[$0].isIdle }
    }

    private mutating func forget(_ contact: Int) {
        contactCount -= 1
        contacts.swapAt(contact, contactCount)
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
