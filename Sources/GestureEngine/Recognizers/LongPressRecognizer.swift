// SPDX-License-Identifier: MIT

/// Contacts that rest for a while.
///
///     ready ──n-th landing──▶ resting ──deadline──▶ held ──a lift──▶ over (end)
///                                └──strays, lifts, one contact more──▶ over
struct LongPressRecognizer: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// Fewer contacts than it takes.
        case ready
        case resting(since: Timestamp)
        case held(since: Timestamp)
        /// Gave up or ended; waits for the sequence to end.
        case over
    }

    let gesture: Int
    private let settings: LongPressSettings
    private var state = State.ready

    init(_ settings: LongPressSettings, gesture: Int) {
        self.settings = settings
        self.gesture = gesture
    }

    var fingers: Int { settings.fingers }

    var isActive: Bool {
        if case .held = state { true } else { false }
    }

    /// Neither begun nor given up.
    var isWaiting: Bool {
        switch state {
        case .ready, .resting: true
        case .held, .over: false
        }
    }

    var deadline: Timestamp? {
        if case .resting(let since) = state { since + settings.delay } else { nil }
    }

    /// How far a contact may stray before this fails, squared; `nil` when it no longer matters.
    var squaredSlop: Double? {
        isWaiting ? settings.slop * settings.slop : nil
    }

    mutating func landed(_ group: borrowing ContactGroup, at time: Timestamp) -> RecognizerAction {
        switch state {
        case .ready:
            if group.hasStrayed(beyond: settings.slop) { return strayed(group) }
            if group.count == settings.fingers { state = .resting(since: time) }
            return group.count > settings.fingers ? fail(GestureFailure(.cancelled(.multiTouch))) : .none
        case .resting:
            return fail(GestureFailure(.cancelled(.multiTouch)))
        case .held, .over:
            return .none
        }
    }

    mutating func moved(_ group: borrowing ContactGroup) -> RecognizerAction {
        isWaiting && group.hasStrayed(beyond: settings.slop) ? strayed(group) : .none
    }

    mutating func fire(at time: Timestamp) -> RecognizerAction {
        guard case .resting(let since) = state, since + settings.delay <= time else { return .none }
        state = .held(since: since)
        return .begin(.longPress(held: nil))
    }

    mutating func lifted(at time: Timestamp) -> RecognizerAction {
        switch state {
        case .ready, .over:
            return .none
        case .resting(let since):
            return fail(
                GestureFailure(
                    .liftedEarly, value: (time - since).inMilliseconds, limit: settings.delay.inMilliseconds))
        case .held(let since):
            state = .over
            return .end(.longPress(held: time - since))
        }
    }

    mutating func cancel(_ reason: CancelReason, at time: Timestamp) -> RecognizerAction {
        guard case .held(let since) = state else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(.longPress(held: time - since), reason)
    }

    mutating func fail(_ failure: GestureFailure) -> RecognizerAction {
        guard isWaiting else { return .none }
        state = .over
        return .fail(failure)
    }

    /// - Parameter peak: the largest number of contacts there was.
    /// - Returns: why it was not recognized, if it was not.
    mutating func sequenceEnded(peak: Int) -> RecognizerAction {
        let action = fail(
            GestureFailure(.tooFewContacts, value: Double(peak), limit: Double(settings.fingers)))
        state = .ready
        return action
    }

    private mutating func strayed(_ group: borrowing ContactGroup) -> RecognizerAction {
        fail(GestureFailure(.moved, value: group.excursion(), limit: settings.slop))
    }
}
