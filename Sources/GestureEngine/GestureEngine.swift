// SPDX-License-Identifier: MIT

/// Recognizes the gestures of one panel's regions: frames and times in, events out.
///
/// It has no clock, no I/O and no callback. Before a frame is applied, every deadline up to its
/// time fires at its own time, so that late wake-ups never change a result.
package struct GestureEngine: ~Copyable {
    package internal(set) var regions: [Region]
    /// When `advance(to:)` must next be called, or `nil` while nothing is pending.
    package private(set) var nextDeadline: Timestamp?

    let context: EngineContext
    let bounds: Rectangle
    var arbitration: ArbitrationSettings
    var map: RegionMap
    var units: RegionUnits
    /// By unit; `untouched` until a contact lands there.
    var engines: [RegionUnit]
    /// Stands for all that have not been made: idle, and without gestures.
    let untouched: RegionUnit
    var companions: [Int: [RegionRules.Companion]]
    var patterns: PatternWatch
    var contacts = ContactTable()
    /// Some region takes no notice of contacts that rest.
    var knowsRest: Bool
    /// Units that are not idle, in the order of the configuration.
    var active: [UnitIndex] = []
    /// Units that have their turn (`contend`); none between two frames.
    var contenders: [Contender] = []

    /// - Parameters:
    ///   - regions: parents before their children.
    ///   - arbitration: what holds between gestures of the whole panel.
    ///   - bounds: the panel in millimetres.
    ///   - identifiers: number its sequences.
    package init(
        _ regions: [Region], arbitration: ArbitrationSettings = ArbitrationSettings(), bounds: Rectangle,
        identifiers: Identifiers = Identifiers()
    ) {
        context = EngineContext(identifiers)
        self.regions = regions
        self.arbitration = arbitration
        self.bounds = bounds
        map = RegionMap(regions, bounds: bounds)
        units = RegionUnits(regions)
        let nowhere = Rectangle(minX: 0, minY: 0, maxX: 0, maxY: 0)
        untouched = RegionUnit(
            Region(id: "", shape: .rectangle(nowhere), bounds: nowhere, clip: nowhere, gestures: []), index: -1,
            priority: [], context)
        engines = [RegionUnit](repeating: untouched, count: units.count)
        companions = Self.companions(regions, arbitration)
        patterns = PatternWatch(regions)
        knowsRest = units.traits.contains(.rests)
        active.reserveCapacity(16)
    }

    /// Updates of continuous gestures are made only while somebody wants them. On by default.
    package var reportsUpdates: Bool {
        get { context.reportsUpdates }
        set { context.reportsUpdates = newValue }
    }

    /// Events with a `GestureFailure` are made only while somebody wants them. Off by default.
    package var reportsFailures: Bool {
        get { context.reportsFailures }
        set { context.reportsFailures = newValue }
    }

    /// Transitions are recorded only while somebody wants them. Off by default.
    package var recordsTransitions: Bool {
        get { context.recordsTransitions }
        set { context.recordsTransitions = newValue }
    }

    /// How often a recognizer was told something, so far. A law bounds it for each frame.
    package var tells: Int { context.tells }

    /// The transitions that were recorded since they were last taken, in their order. They are in terms of the
    /// regions as they were.
    package func takeTransitions() -> [GestureTransition] {
        defer { context.transitions.removeAll(keepingCapacity: true) }
        return context.transitions
    }

    /// No contact is down and no deadline pending: the engine is as it was made.
    package var isIdle: Bool { contacts.isEmpty && active.isEmpty && patterns.isIdle }

    /// The region that owns a contact which is down.
    package func owner(of id: ContactID) -> Int? {
        contacts.index(of: id).flatMap { contacts.entries[$0].owner }
    }

    /// Calls `body` with each region that a contact which is down is told to, and with its sequence: the owner and its
    /// ancestors from the inside out, then those that pass.
    package func forEachReceiver(of id: ContactID, _ body: (_ region: Int, _ sequence: SequenceID) -> Void) {
        guard let contact = contacts.index(of: id) else { return }
        for unit in contacts.routes[contact] {
            if let sequence = engines[unit].contacts.sequence { body(units.region(of: unit), sequence) }
        }
    }

    /// The regions that a contact which landed at `point` would be told to: its owner and the
    /// owner's ancestors from the inside out, then those that pass.
    /// - Parameter seesPrivate: otherwise as if there were no private regions.
    package func route(at point: Point, seesPrivate: Bool = true) -> Route {
        map.route(point, regions, without: seesPrivate ? [] : .isPrivate)
    }

    /// Whether a contact that lands at a point lands in a private region, as long as the regions stay as they are; `nil`:
    /// there are none.
    package var isPrivate: ((Point) -> Bool)? {
        guard regions.allTraits.contains(.isPrivate) else { return nil }
        return { [map, regions] in map.isPrivate($0, regions) }
    }

    /// Calls `body` with each continuous gesture that has begun and not ended.
    package func forEachActive(_ body: (_ region: Int, _ gesture: GestureIndex, _ sequence: SequenceID) -> Void) {
        for unit in active { engines[unit].forEachActive { body(units.region(of: unit), $0, $1) } }
    }

    /// Applies a frame: first all deadlines up to its time, then its contacts by id.
    ///
    /// A frame older than the engine's time is taken at the engine's time. Events are appended to `events`.
    package mutating func process(_ frame: borrowing TouchFrame, into events: inout [GestureEvent]) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        fireDeadlines(upTo: frame.time)
        context.frame += 1
        let first = context.events.count
        for i in frame.changes.indices { applyPosition(frame.changes[i]) }
        for i in frame.changes.indices { apply(frame.changes[i]) }
        patterns.watch(from: first, regions, context)
        // Without that no region has become idle.
        if context.hasEndedSequence { retire() }
        noteDeadline()
    }

    /// Fires every deadline up to `time`, each at its own time, in order. Events are appended to `events`.
    package mutating func advance(to time: Timestamp, into events: inout [GestureEvent]) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        fireDeadlines(upTo: time)
    }

    mutating func fireDeadlines(upTo time: Timestamp) {
        while let deadline = nextDeadline, deadline <= time {
            context.now = max(context.now, deadline)
            fire(deadline)
            retire()
            noteDeadline()
        }
        context.now = max(context.now, time)
    }

    private mutating func fire(_ deadline: Timestamp) {
        let first = context.events.count
        for i in active.indices where engines[active[i]].nextDeadline == deadline {
            let unit = active[i]
            engines[unit].fire()
            // What has failed may have been all that a drag waited for.
            if engines[unit].rules.hasUnless { beginAccepted(unit) }
        }
        patterns.fire(context)
        patterns.watch(from: first, regions, context)
    }

    /// Takes idle regions out of the active ones.
    mutating func retire() {
        context.hasEndedSequence = false
        let engines = engines
        active.removeAll { engines[$0].isIdle }
    }

    /// Must be called after anything that may have changed what is next due.
    mutating func noteDeadline() {
        var next = patterns.nextDeadline ?? .never
        for unit in active { next = min(next, engines[unit].nextDeadline ?? .never) }
        nextDeadline = next == .never ? nil : next
    }

    /// Makes the engine of a unit that no contact has been told to yet.
    ///
    /// Not before: of many regions few are ever touched, and each engine takes more memory than its region.
    mutating func makeEngineIfNeeded(_ unit: UnitIndex) {
        guard engines[unit] === untouched else { return }
        let region = units.region(of: unit)
        let engine = RegionUnit(units[unit], index: region, priority: arbitration.priority, context)
        if let own = companions[region] { engine.rules.companions = own }
        engines[unit] = engine
    }

    /// By region: which of its gestures and others do not cancel each other.
    static func companions(
        _ regions: [Region], _ arbitration: ArbitrationSettings
    ) -> [Int: [RegionRules.Companion]] {
        guard !arbitration.simultaneous.isEmpty else { return [:] }
        // A private region shares no contact with others, and may have the name of one of them.
        var places = Sides<[String: Int]>([:])
        for i in regions.indices {
            if regions[i].isPrivate { places.hidden[regions[i].name] = i } else { places.open[regions[i].name] = i }
        }
        func find(_ reference: ArbitrationSettings.Reference, isPrivate: Bool) -> GestureReference? {
            guard let region = places[isPrivate: isPrivate][reference.region],
                let gesture = regions[region].gestures.firstIndex(where: { $0.name == reference.gesture })
            else { return nil }
            return GestureReference(region: region, gesture: GestureIndex(raw: gesture))
        }
        var result: [Int: [RegionRules.Companion]] = [:]
        for pair in arbitration.simultaneous {
            for isPrivate in [false, true] {
                // A gesture that is not on this panel need not be kept apart.
                guard let a = find(pair.first, isPrivate: isPrivate), let b = find(pair.second, isPrivate: isPrivate)
                else { continue }
                result[a.region, default: []].append(.init(own: a.gesture, other: b))
                result[b.region, default: []].append(.init(own: b.gesture, other: a))
            }
        }
        return result
    }
}
