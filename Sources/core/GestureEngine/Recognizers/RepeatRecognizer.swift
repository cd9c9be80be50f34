// SPDX-License-Identifier: MIT

/// The settings of a repeat.
package struct RepeatSettings: Hashable, Sendable {
    /// The time from the landing to the first repetition. Default 500 ms, as in GestureButton.
    package var delay = Interval.milliseconds(500)
    /// The time from the first repetition to the second. Default 100 ms, as in GestureButton.
    package var interval = Interval.milliseconds(100)
    /// Each interval is the previous one multiplied by this factor, which is in (0, 1]. Default 1: a steady rate.
    package var accelerate = 1.0
    /// The shortest interval that acceleration can reach. Default 30 ms.
    package var minInterval = Interval.milliseconds(30)
    /// The time after the landing at which repetitions stop. Default 60 s, in case a hand is left on the glass.
    package var maxDuration = Interval.milliseconds(60_000)

    package init() {}
}

extension RepeatSettings {
    package static let keys: [Setting] = [
        .time("delay", \Self.delay, atLeast: .shortest).limits(.liftedEarly, lenient: .below),
        .time("interval", \Self.interval, atLeast: .shortest),
        .ratio("accelerate", \Self.accelerate, isOpen: true),
        .time("min_interval", \Self.minInterval, atLeast: .shortest),
        .time("max_duration", \Self.maxDuration, atLeast: .shortest).limits(.tooLong, lenient: .above),
    ]
}

extension RepeatSettings: RecognizerSettings {
    var fingers: Int { 1 }
    var watchesInside: Bool { true }
    var decision: Decision { .landing(after: delay) }
    var latestFailure: LatestFailure { .after(delay) }
    var demand: Demand { .hold(delay) }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        RepeatRecognizer(self, contacts)
    }
}

/// Recognizes repetitions while the first contact of a sequence is held inside the region.
///
///     ready ──landing──▶ running ──lift, cancel, max_duration──▶ over
///                        │    ▲
///                      leaves returns (one interval later)
///                        ▼    │
///                        paused
///
/// If no repetition is due within `max_duration`, the state becomes `exhausted`, and the gesture fails at the end of
/// that time.
final class RepeatRecognizer: Recognizer {
    private enum State {
        case ready
        case running(Run, next: Timestamp)
        case paused(Run)
        /// There was no repetition, and the first one would be due after `max_duration`.
        case exhausted(Run, due: Timestamp)
        case over
    }

    private struct Run {
        let contact: ContactID
        let landing: Timestamp
        /// The number of repetitions so far.
        var n = 0
        /// The time from the last repetition to the next.
        var interval: Interval
    }

    private let settings: RepeatSettings
    private var state = State.ready

    init(_ settings: RepeatSettings, _ contacts: RegionContacts) {
        self.settings = settings
        super.init(contacts)
    }

    override var progress: RecognizerProgress {
        if case .over = state { .over } else { .waiting }
    }

    override var deadline: Timestamp? {
        switch state {
        case .running(_, let next): next
        case .exhausted(let run, _): run.landing + settings.maxDuration
        case .ready, .paused, .over: nil
        }
    }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed(let id, _): return start(id)
        case .wake:
            guard let first = contacts.group.members.first(where: { !$0.isClaimed }) else {
                return stop(GestureFailure(.cancelled(.claimed)))
            }
            return start(first.id) ?? insideChanged()
        case .moved, .regrouped: return insideChanged()
        case .lifts(let lift):
            guard let run, run.contact == lift.id else { return nil }
            let held = (contacts.liftTime - run.landing).inMilliseconds
            return stop(GestureFailure(.liftedEarly, value: held, limit: settings.delay.inMilliseconds))
        case .gone(let id, .cancelled(let reason)): return gone(id, reason)
        case .deadline(let mayCome): return fire(mayCome)
        case .cancel(let reason): return stop(GestureFailure(.cancelled(reason)))
        case .refuse(let failure): return stop(failure)
        case .reset: state = .ready
        case .gone(_, .claimed), .begin, .forget: break
        }
        return nil
    }

    private var run: Run? {
        switch state {
        case .running(let run, _), .paused(let run), .exhausted(let run, _): run
        case .ready, .over: nil
        }
    }

    private func start(_ id: ContactID) -> RecognizerAnswer? {
        guard case .ready = state else { return nil }
        let run = Run(contact: id, landing: contacts.now, interval: max(settings.interval, .milliseconds(1)))
        return schedule(run, contacts.now + settings.delay, mayCome: true)
    }

    /// Follows the next contact, if the one that it has followed is no finger and nothing was repeated.
    private func gone(_ id: ContactID, _ reason: CancelReason) -> RecognizerAnswer? {
        guard let run, run.contact == id else { return nil }
        guard reason.isNoFinger, run.n == 0, let next = contacts.group.members.first(where: { $0.id != id }) else {
            return stop(GestureFailure(.cancelled(reason)))
        }
        state = .paused(Run(contact: next.id, landing: max(next.landed, run.landing), interval: run.interval))
        return insideChanged()
    }

    private func insideChanged() -> RecognizerAnswer? {
        guard let run, let member = contacts.group.index(of: run.contact) else { return nil }
        let isOutside = contacts.group.members[member].isOutside
        switch state {
        case .running where isOutside:
            state = .paused(run)
        case .paused where !isOutside:
            let first = run.landing + settings.delay
            // A pause that ends before the first repetition is due does not delay it.
            let next = run.n == 0 && first > contacts.now ? first : contacts.now + run.interval
            return schedule(run, next, mayCome: true)
        case .ready, .running, .paused, .exhausted, .over:
            break
        }
        return nil
    }

    /// Handles a deadline.
    /// - Parameter mayCome: `false` skips the repetition without counting it.
    private func fire(_ mayCome: Bool) -> RecognizerAnswer? {
        switch state {
        case .exhausted(let run, let due): return exhaust(run, due, mayCome)
        case .running(var run, let next) where next <= contacts.now:
            if !mayCome { return schedule(run, next + run.interval, mayCome: false) }
            run.n += 1
            if run.n > 1 { run.interval = shortened(run.interval) }
            _ = schedule(run, next + run.interval, mayCome: true)
            return .recognize(.repeat(n: run.n, held: next - run.landing))
        case .ready, .running, .paused, .over: return nil
        }
    }

    /// Fails once `max_duration` is over.
    /// - Parameter due: the time at which the first repetition would be due.
    private func exhaust(_ run: Run, _ due: Timestamp, _ mayCome: Bool) -> RecognizerAnswer? {
        state = .exhausted(run, due: due)
        guard run.landing + settings.maxDuration <= contacts.now else { return nil }
        if !mayCome { return stop(GestureFailure(.keptBack)) }
        return stop(
            GestureFailure(
                .tooLong, value: (due - run.landing).inMilliseconds, limit: settings.maxDuration.inMilliseconds))
    }

    /// Stops repeating.
    /// - Parameter failure: the failure to report if there was no repetition.
    private func stop(_ failure: GestureFailure) -> RecognizerAnswer? {
        if case .over = state { return nil }
        let hasRepeated = (run?.n ?? 0) > 0
        state = .over
        return hasRepeated ? nil : .fail(failure)
    }

    private func schedule(_ run: Run, _ next: Timestamp, mayCome: Bool) -> RecognizerAnswer? {
        if next <= run.landing + settings.maxDuration {
            state = .running(run, next: next)
        } else if run.n == 0 {
            return exhaust(run, next, mayCome)
        } else {
            state = .over
        }
        return nil
    }

    private func shortened(_ interval: Interval) -> Interval {
        let factor = min(1, max(0, settings.accelerate))
        let next = Interval(microseconds: Int64((Double(interval.microseconds) * factor).rounded()))
        // The minimum is at most the first interval, so that repetitions never slow down, and at least 1 ms, so that
        // the loop ends.
        return max(next, min(settings.minInterval, settings.interval), .milliseconds(1))
    }
}
