// SPDX-License-Identifier: MIT

/// Down, left, returned, released: what a button needs.
///
///     ready ──landing──▶ down ──last lift──▶ over (end) ──end of sequence──▶ ready
///                          └──cancel──▶ over
struct PressRecognizer: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case ready
        case down(since: Timestamp, inside: Bool, progressAt: Timestamp?)
        /// Ended or cancelled; waits for the sequence to end.
        case over
    }

    let gesture: Int
    /// Nobody waits for the progress of a press longer; and a clock that jumps ahead by a year
    /// must not make a line for each of its intervals.
    private static let longestProgress = Interval.milliseconds(3_600_000)

    private let settings: PressSettings
    private var state = State.ready

    init(_ settings: PressSettings, gesture: Int) {
        self.settings = settings
        self.gesture = gesture
    }

    var isActive: Bool {
        if case .down = state { true } else { false }
    }

    /// When the next timed progress is due.
    var deadline: Timestamp? {
        if case .down(_, _, let progressAt) = state { progressAt } else { nil }
    }

    /// - Parameter inside: where its contacts are; one that has just landed is inside.
    mutating func landed(at time: Timestamp, inside: Bool = true) -> RecognizerAction {
        guard case .ready = state else { return .none }
        state = .down(since: time, inside: inside, progressAt: settings.progress.map { time + $0 })
        return begin()
    }

    /// The line with which it begins, also when it was kept back until now.
    func begin() -> RecognizerAction {
        guard case .down(_, let inside, _) = state else { return .none }
        return .begin(.press(inside: inside, held: nil))
    }

    /// - Parameter inside: at least one contact is inside the region, with hysteresis.
    mutating func moved(inside: Bool) -> RecognizerAction {
        guard case .down(let since, let wasInside, let progressAt) = state, inside != wasInside else { return .none }
        state = .down(since: since, inside: inside, progressAt: progressAt)
        return .update(.press(inside: inside, held: nil))
    }

    mutating func fire(at time: Timestamp) -> RecognizerAction {
        guard case .down(let since, let inside, let due?) = state, due <= time, let progress = settings.progress
        else { return .none }
        let next = due + max(progress, .milliseconds(1))
        let isOver = next - since > Self.longestProgress
        state = .down(since: since, inside: inside, progressAt: isOver ? nil : next)
        return .update(.press(inside: inside, held: due - since))
    }

    mutating func lastLifted(at time: Timestamp) -> RecognizerAction {
        guard case .down(let since, let inside, _) = state else { return .none }
        state = .over
        return .end(.press(inside: inside, held: time - since))
    }

    mutating func cancel(_ reason: CancelReason, at time: Timestamp) -> RecognizerAction {
        guard case .down(let since, let inside, _) = state else {
            return fail(GestureFailure(.cancelled(reason)))
        }
        state = .over
        return .cancel(.press(inside: inside, held: time - since), reason)
    }

    mutating func fail(_ failure: GestureFailure) -> RecognizerAction {
        guard case .ready = state else { return .none }
        state = .over
        return .fail(failure)
    }

    mutating func sequenceEnded() {
        state = .ready
    }
}
