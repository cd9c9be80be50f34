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

    var deadline: Timestamp? {
        if case .resting(let since) = state { since + settings.delay } else { nil }
    }

    /// How far a contact may stray before this fails, squared; `nil` when it no longer matters.
    var squaredSlop: Double? {
        switch state {
        case .ready, .resting: settings.slop * settings.slop
        case .held, .over: nil
        }
    }

    mutating func landed(_ group: borrowing ContactGroup, at time: Timestamp) -> RecognizerAction {
        switch state {
        case .ready:
            if group.hasStrayed(beyond: settings.slop) { return fail() }
            if group.count == settings.fingers { state = .resting(since: time) }
            return group.count > settings.fingers ? fail() : .none
        case .resting:
            return fail()
        case .held, .over:
            return .none
        }
    }

    mutating func moved(_ group: borrowing ContactGroup) -> RecognizerAction {
        switch state {
        case .ready, .resting:
            group.hasStrayed(beyond: settings.slop) ? fail() : .none
        case .held, .over:
            .none
        }
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
        case .resting:
            return fail()
        case .held(let since):
            state = .over
            return .end(.longPress(held: time - since))
        }
    }

    mutating func cancel(_ reason: CancelReason, at time: Timestamp) -> RecognizerAction {
        guard case .held(let since) = state else { return fail() }
        state = .over
        return .cancel(.longPress(held: time - since), reason)
    }

    mutating func fail() -> RecognizerAction {
        state = .over
        return .fail
    }

    mutating func sequenceEnded() {
        state = .ready
    }
}
