// SPDX-License-Identifier: MIT

/// Pinch and rotate: two contacts or more that move apart or together, or turn around each other.
/// One machine; what it measures makes it the one or the other.
///
///     waiting ──changed by start, and most of all──▶ under way ──fewer than two──▶ over (end)
struct TransformRecognizer: Hashable, Sendable {
    enum Measure: Hashable, Sendable {
        /// The span, as a factor.
        case pinch(PinchSettings)
        /// The turn, in degrees.
        case rotate(RotateSettings)
    }

    private enum State: Hashable, Sendable {
        case waiting
        case underWay
        /// Gave up or ended; waits for the sequence to end.
        case over
    }

    let gesture: Int
    private let measure: Measure
    private var state = State.waiting
    /// How the contacts lay when their number last changed.
    private var base = GroupMotion()
    /// What was reached before their number last changed: a factor, or radians.
    private var carried: Double
    /// Why two contacts that have come and gone were not recognized.
    private var miss: GestureFailure?

    init(_ measure: Measure, gesture: Int) {
        self.measure = measure
        self.gesture = gesture
        carried = measure.neutral
    }

    var isActive: Bool { state == .underWay }
    /// Has given up, or ended.
    var isOver: Bool { state == .over }

    /// Tells that a contact is about to join or to leave.
    mutating func contactsWillChange(_ motion: GroupMotion, count: Int) {
        switch state {
        case .underWay: carried = reached(motion)
        // All limits hold, and it has not begun: it was kept back.
        case .waiting where count > 1:
            miss = measure.failure(motion, since: base) ?? GestureFailure(.keptBack)
        case .waiting, .over: break
        }
    }

    /// Tells that a contact has joined or left: from here on all is measured anew, so that it goes
    /// on without a jump.
    mutating func contactsDidChange(_ motion: GroupMotion) {
        base = motion
    }

    func outcome(_ motion: GroupMotion, count: Int) -> Outcome {
        guard state == .waiting, count > 1, measure.failure(motion, since: base) == nil else { return .pending }
        return .accept
    }

    /// Begins, after `outcome` said `accept` and arbitration agreed.
    mutating func begin(_ motion: GroupMotion) -> RecognizerAction {
        state = .underWay
        return .begin(detail(motion))
    }

    func update(_ motion: GroupMotion) -> RecognizerAction {
        .update(detail(motion))
    }

    /// A contact lifts, and fewer than two will be left.
    mutating func end(_ motion: GroupMotion) -> RecognizerAction {
        guard state == .underWay else { return .none }
        state = .over
        return .end(detail(motion))
    }

    mutating func cancel(_ reason: CancelReason, _ motion: GroupMotion) -> RecognizerAction {
        guard state == .underWay else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(detail(motion), reason)
    }

    mutating func fail(_ failure: GestureFailure) -> RecognizerAction {
        guard state == .waiting else { return .none }
        state = .over
        return .fail(failure)
    }

    /// Says why it was not recognized, if it was not.
    mutating func giveUp() -> RecognizerAction {
        fail(miss ?? GestureFailure(.tooFewContacts, value: 1, limit: 2))
    }

    /// - Returns: why it was not recognized, if it was not.
    mutating func sequenceEnded() -> RecognizerAction {
        let action = giveUp()
        state = .waiting
        carried = measure.neutral
        miss = nil
        return action
    }

    private func reached(_ motion: GroupMotion) -> Double {
        switch measure {
        // Contacts that join so close to the others say nothing about a scale.
        case .pinch: carried * motion.span / max(base.span, 1)
        case .rotate: carried + motion.turn - base.turn
        }
    }

    private func detail(_ motion: GroupMotion) -> GestureEvent.Detail {
        switch measure {
        case .pinch: .pinch(scale: reached(motion))
        case .rotate: .rotate(rotation: reached(motion) * 180 / .pi)
        }
    }
}

extension TransformRecognizer.Measure {
    /// What nothing has changed.
    fileprivate var neutral: Double {
        switch self {
        case .pinch: 1
        case .rotate: 0
        }
    }

    /// What keeps the contacts from being recognized, where they are now.
    fileprivate func failure(_ motion: GroupMotion, since base: GroupMotion) -> GestureFailure? {
        let travel = motion.since(base)
        switch self {
        case .pinch(let settings):
            let smaller = min(motion.span, base.span)
            if smaller < PinchSettings.smallestSpan {
                return GestureFailure(.smallSpan, value: smaller, limit: PinchSettings.smallestSpan)
            }
            if travel.spread < settings.start {
                return GestureFailure(.tooShort, value: travel.spread, limit: settings.start)
            }
            return dominated(travel.spread, by: travel.distance)
        case .rotate(let settings):
            let degrees = (motion.turn - base.turn).magnitude * 180 / .pi
            if degrees < settings.start {
                return GestureFailure(.smallTurn, value: degrees, limit: settings.start)
            }
            return dominated(travel.arc, by: travel.distance)
        }
    }

    /// Real two-finger drags wobble: the dominant motion wins.
    private func dominated(_ own: Double, by distance: Double) -> GestureFailure? {
        own < distance ? GestureFailure(.dominated, value: own, limit: distance) : nil
    }
}
