// SPDX-License-Identifier: MIT
import GestureEngine

/// Checks the events of one frame against the table "Order of lines" in docs/gestures.md.
///
/// Deadlines are fired before the frame, so that its changes have caused all of these events.
struct OrderLaws {
    /// A change of a contact, with the regions that received the contact before the frame, and after it.
    private struct Cause {
        let change: ContactChange
        var before: [RegionIndex]
        var after: [RegionIndex] = []

        /// The order in which regions handle the change.
        var route: [RegionIndex] {
            switch change.kind {
            case .landed: after
            case .moved, .resynchronized, .lifted, .cancelled: before
            }
        }

        var isHandedOver: Bool { !before.isEmpty && !after.isEmpty && before != after }
    }

    private var causes: [Cause] = []
    /// The regions of each contact. Regions that share one may claim it from each other.
    private var routes: [[RegionIndex]] = []

    /// Records the regions of contacts before a frame.
    mutating func prepare(_ changes: [ContactChange], down: some Sequence<ContactID>, _ engine: borrowing GestureEngine)
    {
        routes = down.map { Self.receivers(of: $0, engine) }
        causes = changes.map { Cause(change: $0, before: Self.receivers(of: $0.id, engine)) }
    }

    /// - Parameter events: the events of the frame.
    /// - Returns: the problem with their order; `nil` if there is none.
    mutating func problem(
        _ events: ArraySlice<GestureEvent>, _ world: LawWorld, _ engine: borrowing GestureEngine
    ) -> String? {
        guard events.count > 1 else { return nil }
        for i in causes.indices {
            causes[i].after = Self.receivers(of: causes[i].change.id, engine)
            routes.append(causes[i].before + causes[i].after)
        }
        let frame = OrderedFrame(world, routes)
        if let problem = patternProblem(events, world) { return problem }
        let lines = events.filter {
            !$0.isFailure && world.regions[$0.region].gestures[$0.gesture].settings.kind != .pattern
        }
        if let problem = contactProblem(lines, frame) { return problem }
        if !causes.contains(where: { $0.change.isTakenAway }), let problem = frame.claimProblem(lines) {
            return problem
        }
        for cause in causes {
            guard let group = cause.route.first.map({ frame.group(of: $0) }),
                causes.count(where: { ($0.before + $0.after).contains { frame.group(of: $0) == group } }) == 1
            else { continue }
            let own = lines.filter { frame.group(of: $0.region) == group }
            if let problem = problem(own, of: cause, frame) { return problem }
        }
        return nil
    }

    /// Checks that the events of patterns come last.
    private func patternProblem(_ events: ArraySlice<GestureEvent>, _ world: LawWorld) -> String? {
        var pattern: GestureEvent?
        for event in events where !event.isFailure {
            if world.regions[event.region].gestures[event.gesture].settings.kind == .pattern {
                pattern = event
            } else if let pattern {
                return "\(event.detail) comes after \(pattern.detail)"
            }
        }
        return nil
    }

    /// Checks that the events of contacts come in the order of their ids, unless the contacts share a region. Contacts that
    /// leave a region because they have rested are cancelled before all of them.
    private func contactProblem(_ events: [GestureEvent], _ frame: OrderedFrame) -> String? {
        var latest = -1
        for event in events where !frame.hasRest([event.region]) {
            let group = frame.group(of: event.region)
            let indices = causes.indices.filter { i in
                (causes[i].before + causes[i].after).contains { frame.group(of: $0) == group }
            }
            guard let first = indices.first, let last = indices.last else {
                return "no contact of the frame concerns \(frame.name(event))"
            }
            if last < latest { return "\(frame.name(event)) comes after an event of a later contact" }
            latest = max(latest, first)
        }
        return nil
    }

    /// Checks the events of regions in which one contact has changed.
    private func problem(_ events: [GestureEvent], of cause: Cause, _ frame: OrderedFrame) -> String? {
        if cause.isHandedOver {
            return frame.handoverProblem(events, to: cause.after.filter { !cause.before.contains($0) })
        }
        // A resting contact that moves lands again, although its change is a movement; and resting contacts leave before
        // another one lands.
        if cause.change.kind == .moved || cause.change.kind == .landed, frame.hasRest(cause.route) { return nil }
        if let problem = frame.routeProblem(events, cause.change.kind, cause.route) { return problem }
        for region in cause.route where frame.isSimple(region) {
            let own = events.filter { $0.region == region }
            if let problem = frame.kindProblem(own, cause.change.kind) { return problem }
        }
        return nil
    }

    private static func receivers(of id: ContactID, _ engine: borrowing GestureEngine) -> [RegionIndex] {
        var regions: [RegionIndex] = []
        engine.forEachReceiver(of: id) { region, _ in regions.append(region) }
        return regions
    }
}

extension ContactChange {
    /// Whether a contact is cancelled for a reason for which gestures are also cancelled.
    fileprivate var isTakenAway: Bool { kind == .cancelled(.claimed) || kind == .cancelled(.multiTouch) }
}

/// The regions of one frame, and the rules for the order of their events.
struct OrderedFrame {
    private let world: LawWorld
    /// Regions that share contacts have the same number.
    private var groups: [Int]

    init(_ world: LawWorld, _ routes: [[RegionIndex]]) {
        self.world = world
        groups = Array(world.regions.indices)
        for route in routes {
            guard let first = route.first else { continue }
            for region in route {
                let (old, new) = (groups[region.raw], groups[first.raw])
                if old != new { for i in groups.indices where groups[i] == old { groups[i] = new } }
            }
        }
    }

    func group(of region: RegionIndex) -> Int { groups[region.raw] }

    func name(_ event: GestureEvent) -> String {
        "\(world.regions[event.region].id).\(gesture(event).name) \(event.phase.map { "\($0)" } ?? "")"
    }

    func hasRest(_ route: [RegionIndex]) -> Bool { route.contains { world.regions[$0].restAfter != nil } }

    /// Whether none of the region's gestures waits for another one.
    func isSimple(_ region: RegionIndex) -> Bool {
        !world.regions[region].gestures.contains {
            if case .tap(let tap) = $0.settings, tap.wait { return true }
            return !$0.after.isEmpty || !$0.unless.isEmpty
        }
    }

    private func gesture(_ event: GestureEvent) -> Gesture { world.regions[event.region].gestures[event.gesture] }

    private func isTaken(_ event: GestureEvent) -> Bool {
        event.phase == .cancel(.claimed) || event.phase == .cancel(.multiTouch)
    }

    /// Whether a second contact is enough to cancel the gesture.
    private func isSinglePress(_ event: GestureEvent) -> Bool {
        if case .press(let press) = gesture(event).settings { press.isSingle } else { false }
    }

    private func competes(_ event: GestureEvent) -> Bool {
        switch gesture(event).settings.kind {
        case .drag, .pinch, .rotate, .dial, .swipe, .chain, .stroke: true
        case .press, .tap, .longPress, .repeat, .pattern: false
        }
    }

    /// The position of the gesture's kind in the table.
    private func place(_ event: GestureEvent) -> Int {
        switch gesture(event).settings.kind {
        case .drag: 0
        case .pinch: 1
        case .rotate: 2
        case .dial: 3
        case .swipe: 4
        case .chain: 5
        case .stroke: 6
        case .tap: 7
        case .longPress: 8
        case .repeat: 9
        case .press: 10
        case .pattern: 11
        }
    }

    /// Checks that gestures whose contacts were taken are cancelled before the first event of the taking gesture.
    func claimProblem(_ events: [GestureEvent]) -> String? {
        for (i, event) in events.enumerated() where isTaken(event) && !isSinglePress(event) {
            let isFollowed = events[i...].contains {
                group(of: $0.region) == group(of: event.region) && ($0.phase == nil || $0.phase == .begin)
            }
            if !isFollowed { return "\(name(event)) comes after the gesture that has taken the contacts" }
        }
        return nil
    }

    /// Checks that events of regions that a contact leaves come before events of regions that it is handed over to.
    func handoverProblem(_ events: [GestureEvent], to new: [RegionIndex]) -> String? {
        guard let landing = events.firstIndex(where: { new.contains($0.region) }) else { return nil }
        let late = events[landing...].first { $0.phase == .cancel(.handover) }
        return late.map { "\(name($0)) comes after the landing in \(world.regions[events[landing].region].id)" }
    }

    /// Checks that events come in the order of the regions in the route, until a gesture claims contacts.
    func routeProblem(_ events: [GestureEvent], _ kind: ContactChange.Kind, _ route: [RegionIndex]) -> String? {
        var latest = 0
        for event in events {
            if isTaken(event) || gesture(event).exclusive { return nil }
            if competes(event), event.phase == nil || event.phase == .begin { return nil }
            // A deferred gesture begins when the one it waits for fails, which may be because of a region nearer to the
            // contact.
            if event.phase == .cancel(.rest) || !gesture(event).unless.isEmpty { continue }
            // A contact may move in the frame in which it lifts: all regions follow before any of them handles the lift.
            if case .lifted = kind, event.phase == .update { continue }
            guard let place = route.firstIndex(of: event.region) else { continue }
            if place < latest { return "\(name(event)) comes after a region farther from the contact" }
            latest = place
        }
        return nil
    }

    /// Checks that the events of one region come in the order of kinds that applies to the change.
    func kindProblem(_ events: [GestureEvent], _ kind: ContactChange.Kind) -> String? {
        var latest: [Int] = []
        for event in events {
            guard let rank = rank(event, kind) else { continue }
            if rank.lexicographicallyPrecedes(latest) { return "\(name(event)) comes too late on \(kind)" }
            latest = rank
        }
        return nil
    }

    /// The position of an event among those of its region; `nil` if it may come at any position.
    private func rank(_ event: GestureEvent, _ kind: ContactChange.Kind) -> [Int]? {
        let own = [place(event), event.gesture.raw]
        switch kind {
        case .landed:
            if case .cancel = event.phase { return isTaken(event) ? nil : [0] }
            return gesture(event).settings.kind == .press && event.phase == .begin ? [1] : [2]
        case .moved, .resynchronized:
            if isTaken(event) { return nil }
            guard competes(event) else { return [2] + own }
            let kinds = world.arbitration.priority
            let preferred = kinds.firstIndex(of: gesture(event).settings.kind) ?? kinds.count
            return [event.phase == nil || event.phase == .begin ? 0 : 1, preferred] + own
        case .lifted:
            switch event.phase {
            case .cancel: return [0]
            case .begin, .update: return nil
            case nil, .end: return [1] + own
            }
        case .cancelled:
            // A gesture that a palm has kept back begins last.
            let begins = competes(event) && (event.phase == nil || event.phase == .begin)
            return event.phase == .update ? nil : [begins ? 1 : 0] + own
        }
    }
}
