// SPDX-License-Identifier: MIT

/// Again and again while the first contact of a sequence is held inside.
///
///     ready ──landing──▶ running ──lift, cancel, max_duration──▶ over
///                        │    ▲
///                      leaves returns (one interval later)
///                        ▼    │
///                        paused
struct RepeatRecognizer: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case ready
        case running(next: Timestamp)
        case paused
        case over
    }

    let gesture: Int
    private let settings: RepeatSettings
    private var state = State.ready
    private var contact = ContactID(0)
    private var landing = Timestamp(microseconds: 0)
    /// Repetitions so far.
    private var n = 0
    /// From the last repetition to the next.
    private var interval = Interval.zero

    init(_ settings: RepeatSettings, gesture: Int) {
        self.settings = settings
        self.gesture = gesture
    }

    var deadline: Timestamp? {
        if case .running(let next) = state { next } else { nil }
    }

    mutating func landed(_ id: ContactID, at time: Timestamp) {
        guard case .ready = state else { return }
        contact = id
        landing = time
        n = 0
        interval = max(settings.interval, .milliseconds(1))
        schedule(time + settings.delay)
    }

    /// - Parameter isOutside: where the contact is now, with hysteresis.
    mutating func moved(_ id: ContactID, isOutside: Bool, at time: Timestamp) {
        guard id == contact else { return }
        switch state {
        case .running where isOutside:
            state = .paused
        case .paused where !isOutside:
            let first = landing + settings.delay
            // Not yet paused in earnest if it is back before the first repetition was due.
            schedule(n == 0 && first > time ? first : time + interval)
        case .ready, .running, .paused, .over:
            break
        }
    }

    /// - Parameter isKept: arbitration keeps it back: this repetition is left out, uncounted.
    mutating func fire(at time: Timestamp, isKept: Bool) -> RecognizerAction {
        guard case .running(let next) = state, next <= time else { return .none }
        if isKept {
            schedule(next + interval)
            return .none
        }
        n += 1
        if n > 1 { interval = shortened(interval) }
        schedule(next + interval)
        return .recognize(.repeat(n: n, held: next - landing))
    }

    mutating func lifted(_ id: ContactID, at time: Timestamp) -> RecognizerAction {
        guard id == contact else { return .none }
        return stop(
            GestureFailure(
                .liftedEarly, value: (time - landing).inMilliseconds, limit: settings.delay.inMilliseconds))
    }

    /// - Parameter failure: why, if it has not repeated even once.
    mutating func stop(_ failure: GestureFailure) -> RecognizerAction {
        switch state {
        case .over: return .none
        case .ready: n = 0
        case .running, .paused: break
        }
        state = .over
        return n == 0 ? .fail(failure) : .none
    }

    mutating func sequenceEnded() {
        state = .ready
    }

    private mutating func schedule(_ next: Timestamp) {
        state = next <= landing + settings.maxDuration ? .running(next: next) : .over
    }

    private func shortened(_ interval: Interval) -> Interval {
        let factor = min(1, max(0, settings.accelerate))
        let next = Interval(microseconds: Int64((Double(interval.microseconds) * factor).rounded()))
        // A minimum above the interval itself does not slow it down; none at all would never end.
        return max(next, min(settings.minInterval, settings.interval), .milliseconds(1))
    }
}
