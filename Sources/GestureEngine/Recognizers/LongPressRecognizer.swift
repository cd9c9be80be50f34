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
    /// The contacts that rest: whoever landed before (and is another region's) or later is none of them.
    private var contacts = ContactID(0)...ContactID(0)
    /// Where its contacts were when what it comes after was recognized: from there they may not stray.
    private var anchor: Point?

    init(_ settings: LongPressSettings, gesture: Int) {
        self.settings = settings
        self.gesture = gesture
    }

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
        guard isWaiting else { return nil }
        return anchor == nil ? settings.slop * settings.slop : 0
    }

    /// For this gesture its contacts land now, wherever they have come from.
    mutating func wake(_ group: borrowing ContactGroup, at time: Timestamp) -> RecognizerAction {
        anchor = group.centroid
        return landed(group, at: time)
    }

    mutating func landed(_ group: borrowing ContactGroup, at time: Timestamp) -> RecognizerAction {
        switch state {
        case .ready:
            if hasStrayed(group) { return strayed(group) }
            if group.count == settings.fingers {
                state = .resting(since: time)
                contacts = group.firstFree...max(group.firstFree, group.members.last?.id ?? group.firstFree)
            }
            return group.count > settings.fingers ? fail(GestureFailure(.cancelled(.multiTouch))) : .none
        case .resting:
            return fail(GestureFailure(.cancelled(.multiTouch)))
        case .held, .over:
            return .none
        }
    }

    mutating func moved(_ group: borrowing ContactGroup) -> RecognizerAction {
        isWaiting && hasStrayed(group) ? strayed(group) : .none
    }

    mutating func fire(at time: Timestamp) -> RecognizerAction {
        guard case .resting(let since) = state, since + settings.delay <= time else { return .none }
        state = .held(since: since)
        return .begin(.longPress(held: nil))
    }

    /// Whether a contact's end is this gesture's: one that has landed since it began changes nothing.
    func needs(_ id: ContactID) -> Bool {
        if case .held = state { contacts.contains(id) } else { true }
    }

    mutating func lifted(_ id: ContactID, at time: Timestamp) -> RecognizerAction {
        guard needs(id) else { return .none }
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
        anchor = nil
        return action
    }

    private func hasStrayed(_ group: borrowing ContactGroup) -> Bool {
        guard let anchor else { return group.hasStrayed(beyond: settings.slop) }
        return (group.centroid - anchor).squaredLength > settings.slop * settings.slop
    }

    private mutating func strayed(_ group: borrowing ContactGroup) -> RecognizerAction {
        let distance = anchor.map { (group.centroid - $0).length } ?? group.excursion()
        return fail(GestureFailure(.moved, value: distance, limit: settings.slop))
    }
}
