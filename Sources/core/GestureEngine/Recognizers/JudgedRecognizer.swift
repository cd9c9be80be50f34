// SPDX-License-Identifier: MIT

/// Recognizes a gesture that is judged when its first contact lifts, or as soon as all limits hold (`when = "threshold"`): a
/// swipe, a chain or a stroke.
///
///     waiting ──lift──▶ over (recognized or not)
///        │└──too late, a contact is lost──▶ over
///        └──all limits hold, but it has to wait──▶ met ──begin, lift──▶ over (recognized)
///
/// A kind follows its contacts, and says what they would be (`verdict`). There may be too many of them, because the others may
/// rest, or may still turn out to be palms.
class JudgedRecognizer: Recognizer {
    /// The result of checking all limits.
    enum Verdict {
        case accept(GestureEvent.Detail)
        case reject(GestureFailure)
    }

    private let maxTime: Interval
    /// Whether another gesture waits for this one to fail. If so, it fails as soon as it is too late for it.
    private let isAwaited: Bool
    /// The recognition of a gesture that was complete while one listed in `unless` was still possible; `nil` if there is none.
    private var met: RecognizerAnswer?
    private var isOver = false

    init(_ contacts: RegionContacts, maxTime: Interval = .unlimited, isAwaited: Bool = false) {
        self.maxTime = maxTime
        self.isAwaited = isAwaited
        super.init(contacts)
    }

    // MARK: What a kind overrides

    /// The result if the gesture is judged at this moment; `nil` if it is not.
    func verdict(_ moment: RecognizerMoment) -> Verdict? { nil }

    /// The landing of its contacts; `nil` while there are none.
    var since: Timestamp? { nil }

    /// The failure to report instead of any other, if it is not clear which contacts make the gesture; otherwise `nil`.
    var crowd: GestureFailure? { nil }

    /// Whether the lift of this contact leaves others that make the gesture.
    func isBeside(_ id: ContactID) -> Bool { false }

    /// Handles landings and movements, `wake` and `regrouped`.
    func follow(_ input: RecognizerInput) -> RecognizerAnswer? { nil }

    /// Forgets a contact that has lifted beside the others, or is no finger.
    func leave(_ id: ContactID) {}

    /// Follows nothing any more, because the gesture has been judged.
    func close() {}

    func restart() {}

    // MARK: Queries

    override final var progress: RecognizerProgress { isOver ? .over : .waiting }

    override final func wants(_ moment: RecognizerMoment) -> Bool {
        guard !isOver, met == nil else { return !isOver }
        if case .lift(let id) = moment, isBeside(id) { return false }
        return if case .accept? = verdict(moment) { true } else { false }
    }

    override final func isHopeless(after lift: ContactLift) -> Bool {
        guard !isOver, met == nil, lift.isDecisive, !isBeside(lift.id), case .reject? = verdict(.lift(lift.id)) else {
            return false
        }
        return true
    }

    /// The first moment at which the gesture is too slow.
    override final var deadline: Timestamp? {
        guard isAwaited, !isOver, met == nil, let since else { return nil }
        return since + maxTime + Interval(microseconds: 1)
    }

    /// Whether all limits have held, and the gesture waits.
    final var isMet: Bool { met != nil }

    // MARK: Inputs

    override final func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        if case .reset = input {
            (met, isOver) = (nil, false)
            restart()
        }
        guard !isOver else { return nil }
        switch input {
        case .landed, .moved, .regrouped, .wake: return follow(input)
        case .lifts(let lift):
            guard lift.isDecisive else { return nil }
            guard isBeside(lift.id) else { return judge(.lift(lift.id)) }
            leave(lift.id)
            return expire()
        case .begin: return judge(.now)
        case .deadline: return expire()
        case .gone(let id, let loss):
            guard contacts.group.isFree(id) else { return nil }
            guard loss.reason.isNoFinger else { return fail(GestureFailure(.cancelled(loss.reason))) }
            leave(id)
            return expire()
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return fail(GestureFailure(.cancelled(reason)))
        case .reset, .forget: return nil
        }
    }

    private func judge(_ moment: RecognizerMoment) -> RecognizerAnswer? {
        if let met {
            end()
            return met
        }
        switch verdict(moment) {
        case nil: return nil
        case .accept(let detail)?:
            end()
            return .recognize(detail)
        case .reject(let failure)?: return fail(failure)
        }
    }

    /// Keeps a gesture that holds all limits. If it could be recognized now, it would already be.
    final func meet(_ detail: GestureEvent.Detail, fingers: Int) {
        met = .recognizeEarlier(detail, fingers: fingers, position: focus ?? contacts.group.centroid, waits: false)
    }

    /// Fails if it is too late. That may be clear only when another contact moves, lifts or is taken away.
    final func expire() -> RecognizerAnswer? {
        guard let deadline, deadline <= contacts.now, let since else { return nil }
        return fail(slowness((contacts.now - since).inMilliseconds.rounded(.up)))
    }

    final func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        let reason = crowd ?? failure
        end()
        return .fail(reason)
    }

    private func end() {
        isOver = true
        close()
    }

    final func slowness(_ milliseconds: Double) -> GestureFailure {
        GestureFailure(.tooSlow, value: milliseconds, limit: maxTime.inMilliseconds)
    }

    final func wrongNumber(_ count: Int, of fingers: Int = 1) -> GestureFailure {
        .wrongNumber(count, of: fingers...fingers)
    }
}
