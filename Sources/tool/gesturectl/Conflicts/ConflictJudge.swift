// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline

/// The rule by which a gesture lost a touch, and the winner.
struct ConflictVerdict: Hashable {
    var rule: ConflictRule
    /// The region that got the touch; `nil` if nobody did.
    var region: String?
    /// The gesture of that region; `nil` if it has none for the touch.
    var gesture: String?
    /// The reason, if the rule alone does not say it.
    var reason: String?
    /// Whether the gesture had begun.
    var isCancelled = false

    init(_ rule: ConflictRule, _ winner: GesturePlace? = nil, reason: String? = nil) {
        (self.rule, region, gesture, self.reason) = (rule, winner?.region, winner?.gesture, reason)
    }

    var winner: GesturePlace? {
        guard let region, let gesture else { return nil }
        return GesturePlace(region: region, gesture: gesture)
    }

    /// Whether both name the same rule and the same winner.
    func isSame(as other: Self) -> Bool { (rule, region, gesture) == (other.rule, other.region, other.gesture) }
}

extension ConflictStage {
    /// Returns why a gesture lost a touch that was meant for it.
    func verdict(on touch: SketchedTouch, for place: GesturePlace) -> ConflictVerdict? {
        let outcome = outcome(of: touch, watchesFilters: true)
        guard !outcome.completed.contains(place), var verdict = verdict(on: touch, for: place, outcome) else {
            return nil
        }
        verdict.isCancelled = outcome.cancels[place] != nil
        return verdict
    }

    private func verdict(
        on touch: SketchedTouch, for place: GesturePlace, _ outcome: TouchOutcome
    ) -> ConflictVerdict? {
        guard let (index, gesture) = setup.find(place) else { return nil }
        let others = outcome.begun.filter { $0.place != place }
        switch outcome.loss(of: place) {
        case .cancelled(.syncLost) where outcome.filter != nil: return hidden(by: outcome.filter)
        case nil: return unseen(touch, index, outcome, others)
        case .cancelled(.claimed): return claimed(place, others)
        case .cancelled(.multiTouch):
            let winner = others.first { $0.place.region == place.region && $0.fingers > 1 }
            return ConflictVerdict(.multiTouch, winner?.place)
        case .cancelled(.handover):
            return ConflictVerdict(.handover, others.first { $0.place.region != place.region }?.place)
        case .unless, .keptBack:
            let winner = others.first { $0.place.region == place.region && gesture.unless.contains($0.place.gesture) }
            return ConflictVerdict(.unless, winner?.place)
        case .shadowed:
            let winner = others.first { $0.place.region != place.region && $0.kind == gesture.settings.kind }
            return ConflictVerdict(.shadowed, winner?.place)
        case .longPress:
            let winner = others.first { $0.place.region == place.region && $0.kind == .longPress }
            return ConflictVerdict(.longPress, winner?.place)
        case .tooFewContacts: return beside(touch, index, others) ?? lost(place, gesture, outcome, others)
        case .some: return lost(place, gesture, outcome, others)
        }
    }

    /// The region that gets one of several fingers; `nil` if all of them land in the region of the gesture.
    private func beside(
        _ touch: SketchedTouch, _ index: RegionIndex, _ others: [TouchOutcome.Begin]
    ) -> ConflictVerdict? {
        let landings = touch.frames.flatMap(\.changes).filter { $0.action == .down }
        for route in landings.map({ map.route(at: $0.place(on: setup.size)) }) where !route.regions.contains(index) {
            return route.owner.map { covered(by: $0, others) }
        }
        return nil
    }

    private func covered(by owner: RegionIndex, _ others: [TouchOutcome.Begin]) -> ConflictVerdict {
        let name = regions[owner].id
        var verdict = ConflictVerdict(.covered, others.first { $0.place.region == name }?.place)
        verdict.region = name
        return verdict
    }

    private func hidden(by filter: String?) -> ConflictVerdict {
        ConflictVerdict(.filter, reason: "[filter] \(filter ?? "") hides the touch from gestures")
    }

    /// A touch about which the gesture says nothing.
    /// - Returns: `nil` if nobody gets touches there; the check without touches says why the region does not.
    private func unseen(
        _ touch: SketchedTouch, _ index: RegionIndex, _ outcome: TouchOutcome, _ others: [TouchOutcome.Begin]
    ) -> ConflictVerdict? {
        if outcome.filter != nil { return hidden(by: outcome.filter) }
        let route = map.route(at: landing(of: touch))
        if route.regions.contains(index) {
            return ConflictVerdict(.lost, others.first?.place, reason: "it is not recognized")
        }
        return regions[index].pass ? nil : route.owner.map { covered(by: $0, others) }
    }

    private func claimed(_ place: GesturePlace, _ others: [TouchOutcome.Begin]) -> ConflictVerdict {
        let movements = others.filter { [.path, .span, .turn, .circle].contains($0.kind.row.motion) }
        if let winner = movements.first(where: { $0.place.region != place.region }) {
            return ConflictVerdict(.claimed, winner.place)
        }
        let exclusive = others.first { setup.find($0.place)?.gesture.exclusive == true }
        return ConflictVerdict(.exclusive, (exclusive ?? movements.first)?.place)
    }

    private func lost(
        _ place: GesturePlace, _ gesture: Gesture, _ outcome: TouchOutcome, _ others: [TouchOutcome.Begin]
    ) -> ConflictVerdict {
        if outcome.filter != nil { return hidden(by: outcome.filter) }
        let winner = others.first { $0.kind != .press && outcome.completed.contains($0.place) }
        let reason = outcome.failures[place].map { Self.sentence($0, of: gesture) }
        return ConflictVerdict(.lost, winner?.place, reason: reason ?? "it is cancelled")
    }

    static func sentence(_ failure: GestureFailure, of gesture: Gesture) -> String {
        FailureReport(failure, of: gesture.settings.kind, directions: gesture.settings.swipeDirections).message
    }
}
