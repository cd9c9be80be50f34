// SPDX-License-Identifier: MIT

/// Two contacts or more that move apart or together.
///
///     waiting ──span changed by start, and most of all──▶ pinching ──fewer than two──▶ over (end)
struct PinchRecognizer: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case waiting
        case pinching
        /// Gave up or ended; waits for the sequence to end.
        case over
    }

    let gesture: Int
    private let settings: PinchSettings
    private var state = State.waiting
    /// How the contacts lay when their number last changed.
    private var base = GroupMotion()
    /// The scale that was reached before their number last changed.
    private var carried = 1.0
    /// Why two contacts that have come and gone were no pinch.
    private var miss: GestureFailure?

    init(_ settings: PinchSettings, gesture: Int) {
        self.settings = settings
        self.gesture = gesture
    }

    var isActive: Bool { state == .pinching }
    /// Has given up, or ended.
    var isOver: Bool { state == .over }

    /// Tells that a contact is about to join or to leave.
    mutating func contactsWillChange(_ motion: GroupMotion, count: Int) {
        switch state {
        case .pinching: carried = scale(motion)
        case .waiting where count > 1: miss = failure(motion)
        case .waiting, .over: break
        }
    }

    /// Tells that a contact has joined or left: from here on the span is measured anew, so that the
    /// scale goes on without a jump.
    mutating func contactsDidChange(_ motion: GroupMotion) {
        base = motion
    }

    func outcome(_ motion: GroupMotion, count: Int) -> Outcome {
        guard state == .waiting, count > 1, failure(motion) == nil else { return .pending }
        return .accept
    }

    /// Begins, after `outcome` said `accept` and arbitration agreed.
    mutating func begin(_ motion: GroupMotion) -> RecognizerAction {
        state = .pinching
        return .begin(.pinch(scale: scale(motion)))
    }

    func update(_ motion: GroupMotion) -> RecognizerAction {
        .update(.pinch(scale: scale(motion)))
    }

    /// A contact lifts, and fewer than two will be left.
    mutating func end(_ motion: GroupMotion) -> RecognizerAction {
        guard state == .pinching else { return .none }
        state = .over
        return .end(.pinch(scale: scale(motion)))
    }

    mutating func cancel(_ reason: CancelReason, _ motion: GroupMotion) -> RecognizerAction {
        guard state == .pinching else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(.pinch(scale: scale(motion)), reason)
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
        carried = 1
        miss = nil
        return action
    }

    private func scale(_ motion: GroupMotion) -> Double {
        // Contacts that join so close to the others say nothing about a scale.
        carried * motion.span / max(base.span, 1)
    }

    /// What keeps the contacts from being a pinch, where they are now.
    private func failure(_ motion: GroupMotion) -> GestureFailure? {
        let smaller = min(motion.span, base.span)
        if smaller < PinchSettings.smallestSpan {
            return GestureFailure(.smallSpan, value: smaller, limit: PinchSettings.smallestSpan)
        }
        let travel = motion.since(base)
        if travel.spread < settings.start {
            return GestureFailure(.tooShort, value: travel.spread, limit: settings.start)
        }
        if travel.spread < travel.distance {
            return GestureFailure(.dominated, value: travel.spread, limit: travel.distance)
        }
        return nil
    }
}
