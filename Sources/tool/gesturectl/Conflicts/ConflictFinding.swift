// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline

/// An answered question: a gesture that loses, the rule, and touches that show it.
struct ConflictFinding {
    /// The number of lost touches whose winners are compared.
    private static let compared = 8

    let question: ConflictQuestion
    let verdict: ConflictVerdict
    /// A touch that the gesture loses by this rule.
    let touch: SketchedTouch

    var place: GesturePlace { question.place }

    /// - Returns: `nil` if the touches do not show a conflict after all.
    init?(_ question: ConflictQuestion, _ stage: ConflictStage) {
        self.question = question
        if question.isUnreachable, let failure = question.failure {
            touch = failure.touch
            let reason = ConflictStage.sentence(failure.reason, of: question.aim.gesture)
            verdict = ConflictVerdict(.unreachable, reason: reason)
            return
        }
        if case .between(_, let other) = question.subject, let first = question.lost.first {
            touch = first
            let label = stage.label(GesturePlace(region: question.place.region, gesture: other))
            verdict = ConflictVerdict(
                .gap, reason: "it is too long for its max_time, and too short for the delay of \(label)")
            return
        }
        if case .both(let other) = question.subject, let first = question.lost.first {
            touch = first
            verdict = ConflictVerdict(.both, GesturePlace(region: question.place.region, gesture: other))
            return
        }
        let found = question.lost.prefix(Self.compared).compactMap { touch in
            stage.verdict(on: touch, for: question.place).map { (touch, $0) }
        }
        // Most touches tell the rule; some may be lost in another way.
        let best = found.max { a, b in found.count { $0.1.isSame(as: a.1) } < found.count { $0.1.isSame(as: b.1) } }
        guard case (let touch, var verdict)? = best else { return nil }
        switch question.subject {
        case .inside(let index): guard verdict.region == stage.regions[index].id else { return nil }
        case .middle:
            guard verdict.rule == .covered else { return nil }
            verdict.rule = .overlap
        case .ever, .slow, .trembling, .between, .both: break
        }
        (self.touch, self.verdict) = (touch, verdict)
    }

    // MARK: Touch

    /// Whether a touch shows the same.
    private func isShown(by touch: SketchedTouch, _ stage: ConflictStage) -> Bool {
        switch verdict.rule {
        case .both:
            return [place, verdict.winner].allSatisfy {
                $0.map(stage.outcome(of: touch).completed.contains) ?? true
            }
        case .gap: return stage.outcome(of: touch).begun.allSatisfy { $0.kind == .press }
        case .unreachable:
            // A touch that is much shorter fails for a better reason.
            let reason = stage.outcome(of: touch, aloneFor: place)?.failures[place]
            return reason.map { question.failure?.reason.isLike($0) == true } ?? false
        default:
            guard var other = stage.verdict(on: touch, for: place) else { return false }
            if question.subject == .middle, other.rule == .covered { other.rule = .overlap }
            return other.isSame(as: verdict) && stage.isValid(touch, for: place)
        }
    }

    /// Returns a touch that shows the same with as few reports as possible.
    func smallest(_ stage: ConflictStage, _ hasTime: @escaping () -> Bool) -> SketchedTouch {
        var shrinker = TouchShrinker(touch, on: stage.setup.size) { hasTime() && isShown(by: $0, stage) }
        shrinker.shrink()
        return shrinker.touch
    }

    // MARK: Text

    func conflict(_ stage: ConflictStage, at location: SourceLocation) -> Conflict {
        let scene = stage.scene.map { "in scene \"\($0.safe)\", " } ?? ""
        return Conflict(
            rule: verdict.rule, panel: stage.setup.device, scene: stage.scene, loser: place,
            isPart: question.subject != .ever,
            winner: verdict.region.map { ($0, verdict.gesture) }, message: scene + message(stage),
            reason: verdict.rule.text ?? verdict.reason ?? "", touch: touch, location: location)
    }

    private func message(_ stage: ConflictStage) -> String {
        let loser = stage.label(place)
        let winner =
            verdict.winner.map { stage.label($0) } ?? verdict.region.map { "region \"\($0.safe)\"" } ?? "nobody"
        let never = verdict.isCancelled ? "is always cancelled" : "is never recognized"
        let not = verdict.isCancelled ? "is cancelled" : "is not recognized"
        if verdict.rule == .unreachable { return "\(loser) \(never), even if there is nothing else" }
        switch question.subject {
        case .ever: return "\(loser) \(never): \(winner) gets its touches"
        case .slow(let time): return "\(loser) \(not) if it takes \(time) ms: \(winner) gets its touches"
        case .trembling:
            return "\(loser) \(not) while the finger trembles by 1 mm: \(winner) gets its touches"
        case .between(let time, _): return "nobody gets a touch of \(time) ms that is meant for \(loser)"
        case .inside(let index):
            return
                "\(loser) \(never) in region \"\(stage.regions[index].name.safe)\": \(winner) gets its touches"
        case .middle:
            return "\(loser) \(not) in the middle of its region: \(winner) gets its touches"
        case .both: return "each touch for \(loser) is also \(winner)"
        }
    }
}

extension ConflictStage {
    /// Returns `list.swipe`, or `list.next (swipe)` if the gesture has its own name.
    func label(_ place: GesturePlace) -> String {
        let word = setup.find(place)?.gesture.word
        let name = "\(place.region).\(place.gesture)".safe
        return word == place.gesture || word == nil ? name : "\(name) (\(word ?? ""))"
    }
}

extension Conflict {
    /// Whether a finding is this conflict, in another scene or on another panel or as a part of it.
    func isSubject(of finding: ConflictFinding) -> Bool {
        let other = finding.verdict
        if rule == .both, other.rule == .both {
            let own = GesturePlace(region: loser.region, gesture: winner?.gesture ?? "")
            return [loser, own] == [finding.place, other.winner] || [own, loser] == [finding.place, other.winner]
        }
        guard loser == finding.place else { return false }
        return finding.question.subject != .ever || rule == other.rule
    }
}

extension GestureFailure {
    /// Whether both have the same reason, and nearly the same measured value.
    fileprivate func isLike(_ other: Self) -> Bool {
        code == other.code && (value - other.value).magnitude <= 0.1 * value.magnitude
    }
}
