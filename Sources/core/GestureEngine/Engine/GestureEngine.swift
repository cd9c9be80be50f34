// SPDX-License-Identifier: MIT

/// Recognizes the gestures of one panel's regions. It receives frames and times, and produces events.
///
/// It reads no clock, performs no I/O and makes no callbacks. Before a frame is applied, every deadline up to its time
/// fires at its own time, so a late wake-up never changes a result.
package struct GestureEngine: ~Copyable {
    /// The current regions. Indices in events refer to them.
    package internal(set) var regions: [Region]
    /// The time at which `advance(to:)` must next be called; `nil` while no deadline is pending.
    package private(set) var nextDeadline: Timestamp?

    let context: EngineContext
    var bounds: Rectangle
    var arbitration: ArbitrationSettings
    var map: RegionMap
    var units: RegionUnits
    /// Engines by unit. An entry is `untouched` until a contact lands in the unit.
    var engines: [RegionUnit]
    /// A placeholder for engines that have not been created yet. It is idle and has no gestures.
    let untouched: RegionUnit
    var companions: [RegionIndex: [RegionRules.Companion]]
    var patterns: PatternWatch
    var contacts = ContactTable()
    /// Whether any region ignores resting contacts.
    var knowsRest: Bool
    /// Units that are not idle, in the order of the configuration.
    var active: [UnitIndex] = []
    /// The stack of turns in `contend`; empty between frames.
    var contenders: [Contender] = []
    /// The units that the contact being handled leaves if no other unit claims it. They begin nothing with this movement.
    var departing: [UnitIndex] = []
    /// The units that contacts of this frame have left because they were no fingers.
    var freed: [UnitIndex] = []

    /// Creates an idle engine.
    /// - Parameters:
    ///   - regions: the regions, parents before their children.
    ///   - arbitration: rules between gestures of the whole panel.
    ///   - bounds: the panel in millimetres.
    ///   - identifiers: the source of sequence numbers.
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
            Region(id: "", shape: .rectangle(nowhere), bounds: nowhere, clip: nowhere, gestures: []),
            index: RegionIndex(raw: -1), priority: [], context)
        engines = [RegionUnit](repeating: untouched, count: units.count)
        companions = Self.companions(regions, arbitration)
        patterns = PatternWatch(regions)
        knowsRest = units.traits.contains(.rests)
        active.reserveCapacity(16)
    }

    /// Whether updates of continuous gestures are emitted. On by default.
    package var reportsUpdates: Bool {
        get { context.reportsUpdates }
        set { context.reportsUpdates = newValue }
    }

    /// Whether events with a `GestureFailure` are emitted. Off by default.
    package var reportsFailures: Bool {
        get { context.reportsFailures }
        set { context.reportsFailures = newValue }
    }

    /// Whether transitions are recorded. Off by default.
    package var recordsTransitions: Bool {
        get { context.recordsTransitions }
        set { context.recordsTransitions = newValue }
    }

    /// The number of inputs that recognizers have handled. A property test checks that each frame adds a bounded
    /// number.
    package var tells: Int { context.tells }

    /// Returns the transitions recorded since the last call, in order. Indices refer to the regions at the time of the
    /// transition.
    package func takeTransitions() -> [GestureTransition] {
        defer { context.transitions.removeAll(keepingCapacity: true) }
        return context.transitions
    }

    /// Whether no contact is down and nothing is pending.
    package var isIdle: Bool { contacts.isEmpty && active.isEmpty && patterns.isIdle }

    /// The wrong steps of patterns that are not forgotten yet. They must be given to the engine that takes the place of
    /// this one.
    package var wrongSteps: [PatternKey: WrongSteps] { patterns.wrongSteps(regions, at: context.now) }

    /// The number of changes of `wrongSteps` so far.
    package var wrongStepsRevision: Int { patterns.revision }

    /// Adds the wrong steps of an engine whose place this one takes.
    package mutating func restore(_ wrongSteps: [PatternKey: WrongSteps]) {
        patterns.restore(wrongSteps, regions)
        noteDeadline()
    }

    /// The index of the region that owns the contact; `nil` if the contact is not down or has no owner.
    package func owner(of id: ContactID) -> RegionIndex? {
        contacts.index(of: id).flatMap { contacts.entries[$0].owner }
    }

    /// Calls `body` with each region that receives the contact, and with the region's sequence, in the order of the
    /// route: the owner and its ancestors from the inside out, then regions with `pass`.
    package func forEachReceiver(of id: ContactID, _ body: (_ region: RegionIndex, _ sequence: SequenceID) -> Void) {
        guard let contact = contacts.index(of: id) else { return }
        for unit in contacts.routes[contact] {
            if let sequence = engines[unit].contacts.sequence { body(units.region(of: unit), sequence) }
        }
    }

    /// The regions that would receive a contact landing at `point`: the owner and its ancestors from the inside out,
    /// then regions with `pass`.
    /// - Parameter seesPrivate: `false` computes the route as if there were no private regions.
    package func route(at point: Point, seesPrivate: Bool = true) -> Route {
        map.route(point, regions, without: seesPrivate ? [] : .isPrivate)
    }

    /// A closure that returns whether a landing at a given point is in a private region; `nil` if there are no private
    /// regions. The closure is valid until the regions change.
    package var isPrivate: ((Point) -> Bool)? {
        guard regions.allTraits.contains(.isPrivate) else { return nil }
        return { [map, regions] in map.isPrivate($0, regions) }
    }

    /// Calls `body` with each continuous gesture that has begun and not ended.
    package func forEachActive(
        _ body: (_ region: RegionIndex, _ gesture: GestureIndex, _ sequence: SequenceID) -> Void
    ) {
        for unit in active { engines[unit].forEachActive { body(units.region(of: unit), $0, $1) } }
    }

    /// Applies a frame: fires all deadlines up to its time, then handles its changes in the order of contact ids.
    ///
    /// A frame older than the engine's time is handled at the engine's time. Events are appended to `events`.
    package mutating func process(_ frame: borrowing TouchFrame, into events: inout [GestureEvent]) {
        swap(&events, &context.events)
        defer { swap(&events, &context.events) }
        fireDeadlines(upTo: frame.time)
        context.frame += 1
        let first = context.events.count
        if knowsRest { layToRest(frame.changes) }
        for i in frame.changes.indices { applyPosition(frame.changes[i]) }
        for i in frame.changes.indices { apply(frame.changes[i], of: frame) }
        if !freed.isEmpty { beginFreed() }
        patterns.follow(contacts, engines)
        patterns.watch(from: first, regions, context)
        patterns.endFrame(regions, context)
        // A region can only become idle when a sequence ends.
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
            // A drag may have waited for the gestures that have just failed.
            if engines[unit].rules.hasUnless { beginAccepted(unit) }
        }
        patterns.fire(context)
        patterns.watch(from: first, regions, context)
    }

    /// Removes idle regions from the active ones.
    mutating func retire() {
        context.hasEndedSequence = false
        let engines = engines
        active.removeAll { engines[$0].isIdle }
    }

    /// Updates `nextDeadline`. Call this after any change of a recognizer's deadline.
    mutating func noteDeadline() {
        var next = patterns.nextDeadline ?? .never
        for unit in active { next = min(next, engines[unit].nextDeadline ?? .never) }
        nextDeadline = next == .never ? nil : next
    }

    /// Creates the engine of a unit when the first contact lands in it.
    ///
    /// An engine needs more memory than its region, and most regions of a long list are never touched.
    mutating func makeEngineIfNeeded(_ unit: UnitIndex) {
        guard engines[unit] === untouched else { return }
        let region = units.region(of: unit)
        let engine = RegionUnit(
            units[unit], index: region, priority: arbitration.priority, context, lifts: sharedLifts(of: region))
        if let own = companions[region] { engine.rules.companions = own }
        engines[unit] = engine
    }

    /// The last lifts that all units of a region share; `nil` if it has one unit.
    private func sharedLifts(of region: RegionIndex) -> SharedLifts? {
        guard regions[region].traits.contains(.hasUnits) else { return nil }
        for unit in units.units(of: region) {
            if let lifts = engines[unit].contacts.shared { return lifts }
        }
        return SharedLifts()
    }

    /// The companions of each region: pairs of gestures that do not cancel each other.
    static func companions(
        _ regions: [Region], _ arbitration: ArbitrationSettings
    ) -> [RegionIndex: [RegionRules.Companion]] {
        guard !arbitration.simultaneous.isEmpty else { return [:] }
        // Private regions are looked up separately: they share no contacts with other regions, and may use the same
        // names.
        var places = Sides<[String: RegionIndex]>([:])
        for i in regions.regionIndices {
            if regions[i].isPrivate { places.hidden[regions[i].name] = i } else { places.open[regions[i].name] = i }
        }
        func find(_ reference: ArbitrationSettings.Reference, isPrivate: Bool) -> GestureReference? {
            guard let region = places[isPrivate: isPrivate][reference.region],
                let gesture = regions[region].gestures.firstIndex(where: { $0.name == reference.gesture })
            else { return nil }
            return GestureReference(region: region, gesture: GestureIndex(raw: gesture))
        }
        var result: [RegionIndex: [RegionRules.Companion]] = [:]
        for pair in arbitration.simultaneous {
            for isPrivate in [false, true] {
                // A pair with a gesture that is not on this panel has no effect.
                guard let a = find(pair.first, isPrivate: isPrivate), let b = find(pair.second, isPrivate: isPrivate)
                else { continue }
                result[a.region, default: []].append(.init(own: a.gesture, other: b))
                result[b.region, default: []].append(.init(own: b.gesture, other: a))
            }
        }
        return result
    }
}
