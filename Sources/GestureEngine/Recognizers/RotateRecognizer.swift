// SPDX-License-Identifier: MIT

/// Two contacts or more that turn around each other.
///
///     waiting ──turned by start, and most of all──▶ rotating ──fewer than two──▶ over (end)
struct RotateRecognizer: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case waiting
        case rotating
        /// Gave up or ended; waits for the sequence to end.
        case over
    }

    let gesture: Int
    private let settings: RotateSettings
    private var state = State.waiting
    /// How the contacts lay when the first two of them were down.
    private var base = GroupMotion()
    /// Radians from before their number last changed.
    private var carried = 0.0
    /// Why two contacts that have come and gone were no rotation.
    private var miss: GestureFailure?

    init(_ settings: RotateSettings, gesture: Int) {
        self.settings = settings
        self.gesture = gesture
    }

    var isActive: Bool { state == .rotating }
    /// Has given up, or ended.
    var isOver: Bool { state == .over }

    /// Tells that a contact is about to join or to leave.
    mutating func contactsWillChange(_ motion: GroupMotion, count: Int) {
        switch state {
        case .rotating: carried += motion.turn - base.turn
        case .waiting where count > 1: miss = failure(motion)
        case .waiting, .over: break
        }
    }

    /// Tells that a contact has joined or left: the angle of other contacts is another one.
    mutating func contactsDidChange(_ motion: GroupMotion) {
        base = motion
    }

    func outcome(_ motion: GroupMotion, count: Int) -> Outcome {
        guard state == .waiting, count > 1, failure(motion) == nil else { return .pending }
        return .accept
    }

    /// Begins, after `outcome` said `accept` and arbitration agreed.
    mutating func begin(_ motion: GroupMotion) -> RecognizerAction {
        state = .rotating
        return .begin(detail(motion))
    }

    func update(_ motion: GroupMotion) -> RecognizerAction {
        .update(detail(motion))
    }

    /// A contact lifts, and fewer than two will be left.
    mutating func end(_ motion: GroupMotion) -> RecognizerAction {
        guard state == .rotating else { return .none }
        state = .over
        return .end(detail(motion))
    }

    mutating func cancel(_ reason: CancelReason, _ motion: GroupMotion) -> RecognizerAction {
        guard state == .rotating else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(detail(motion), reason)
    }

    mutating func fail(_ failure: GestureFailure) -> RecognizerAction {
        guard state == .waiting else { return .none }
        state = .over
        return .fail(failure)
    }

    /// - Returns: why it was not recognized, if it was not.
    mutating func sequenceEnded() -> RecognizerAction {
        let action = fail(miss ?? GestureFailure(.tooFewContacts, value: 1, limit: 2))
        state = .waiting
        carried = 0
        miss = nil
        return action
    }

    private func detail(_ motion: GroupMotion) -> GestureEvent.Detail {
        .rotate(rotation: (carried + motion.turn - base.turn) * 180 / .pi)
    }

    /// What keeps the contacts from being a rotation, where they are now.
    private func failure(_ motion: GroupMotion) -> GestureFailure? {
        let degrees = (motion.turn - base.turn).magnitude * 180 / .pi
        if degrees < settings.start {
            return GestureFailure(.smallTurn, value: degrees, limit: settings.start)
        }
        let travel = motion.since(base)
        if travel.arc < travel.distance {
            return GestureFailure(.dominated, value: travel.arc, limit: travel.distance)
        }
        return nil
    }
}
