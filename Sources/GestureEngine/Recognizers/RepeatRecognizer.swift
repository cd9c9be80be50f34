// SPDX-License-Identifier: MIT

/// The numbers of a repeat, in millimetres, degrees and times.
package struct RepeatSettings: Hashable, Sendable {
    /// From landing to the first repetition. Default 500 ms: GestureButton.
    package var delay = Interval.milliseconds(500)
    /// From the first repetition to the second. Default 100 ms: GestureButton.
    package var interval = Interval.milliseconds(100)
    /// Every interval is the one before times this; in (0, 1]. Default 1: a steady rate.
    package var accelerate = 1.0
    /// The shortest interval that acceleration leads to. Default 30 ms.
    package var minInterval = Interval.milliseconds(30)
    /// No repetition later than this after landing. Default 60 s: a hand left on the glass.
    package var maxDuration = Interval.milliseconds(60_000)

    package init() {}
}

extension RepeatSettings: RecognizerSettings {
    var fingers: Int { 1 }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer {
        RepeatRecognizer(self, contacts)
    }
}

/// Again and again while the first contact of a sequence is held inside.
///
///     ready ──landing──▶ running ──lift, cancel, max_duration──▶ over
///                        │    ▲
///                      leaves returns (one interval later)
///                        ▼    │
///                        paused
///
/// Without a repetition that is due within `max_duration`, it is exhausted, and fails when that is over.
final class RepeatRecognizer: Recognizer {
    private enum State {
        case ready
        case running(next: Timestamp)
        case paused
        /// Never repeated, and none is due in time.
        case exhausted(due: Timestamp)
        case over
    }

    private let settings: RepeatSettings
    private var state = State.ready
    private var contact = ContactID(0)
    private var landing = Timestamp(microseconds: 0)
    /// Repetitions so far.
    private var n = 0
    /// From the last repetition to the next.
    private var interval = Interval.zero

    init(_ settings: RepeatSettings, _ contacts: RegionContacts) {
        self.settings = settings
        super.init(contacts)
    }

    override var deadline: Timestamp? {
        switch state {
        case .running(let next): next
        case .exhausted: landing + settings.maxDuration
        case .ready, .paused, .over: nil
        }
    }

    override var outlastsClaims: Bool { true }
    override var watchesInside: Bool { true }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .contactLanded(let id, _): start(id)
        case .woken:
            guard let first = contacts.group.members.first(where: { !$0.isClaimed }) else {
                return stop(GestureFailure(.cancelled(.claimed)))
            }
            start(first.id)
            return insideChanged()
        case .insideChanged: return insideChanged()
        case .deadline(let waitsForFailure): return fire(waitsForFailure)
        case .contactLifted(let id) where id == contact:
            let held = (contacts.now - landing).inMilliseconds
            return stop(GestureFailure(.liftedEarly, value: held, limit: settings.delay.inMilliseconds))
        case .contactCancelled(let id, let reason) where id == contact:
            return stop(GestureFailure(.cancelled(reason)))
        case .cancel(let reason, _): return stop(GestureFailure(.cancelled(reason)))
        case .refused(let failure): return stop(failure)
        case .sequenceEnded: state = .ready
        default: break
        }
        return nil
    }

    private func start(_ id: ContactID) {
        guard case .ready = state else { return }
        contact = id
        landing = contacts.now
        n = 0
        interval = max(settings.interval, .milliseconds(1))
        _ = schedule(landing + settings.delay)
    }

    private func insideChanged() -> RecognizerAnswer? {
        guard let member = contacts.group.index(of: contact) else { return nil }
        let isOutside = contacts.group.members[member].isOutside
        switch state {
        case .running where isOutside:
            state = .paused
        case .paused where !isOutside:
            let first = landing + settings.delay
            // A pause that ends before the first repetition was due delays nothing.
            return schedule(n == 0 && first > contacts.now ? first : contacts.now + interval)
        case .ready, .running, .paused, .exhausted, .over:
            break
        }
        return nil
    }

    /// - Parameter waitsForFailure: this repetition is left out, uncounted.
    private func fire(_ waitsForFailure: Bool) -> RecognizerAnswer? {
        if case .exhausted(let due) = state { return exhaust(due, waitsForFailure) }
        guard case .running(let next) = state, next <= contacts.now else { return nil }
        if waitsForFailure { return schedule(next + interval, waitsForFailure) }
        n += 1
        if n > 1 { interval = shortened(interval) }
        _ = schedule(next + interval)
        return .recognize(.repeat(n: n, held: next - landing))
    }

    /// Fails when `max_duration` is over.
    /// - Parameter due: when the first repetition would come.
    private func exhaust(_ due: Timestamp, _ waitsForFailure: Bool) -> RecognizerAnswer? {
        guard landing + settings.maxDuration <= contacts.now else {
            state = .exhausted(due: due)
            return nil
        }
        if waitsForFailure { return stop(GestureFailure(.keptBack)) }
        return stop(
            GestureFailure(
                .tooLong, value: (due - landing).inMilliseconds, limit: settings.maxDuration.inMilliseconds))
    }

    /// - Parameter failure: why, if it has not repeated even once.
    private func stop(_ failure: GestureFailure) -> RecognizerAnswer? {
        switch state {
        case .over: return nil
        case .ready: n = 0
        case .running, .paused, .exhausted: break
        }
        state = .over
        return n == 0 ? .fail(failure) : nil
    }

    private func schedule(_ next: Timestamp, _ waitsForFailure: Bool = false) -> RecognizerAnswer? {
        if next > landing + settings.maxDuration {
            if n == 0 { return exhaust(next, waitsForFailure) }
            state = .over
        } else {
            state = .running(next: next)
        }
        return nil
    }

    private func shortened(_ interval: Interval) -> Interval {
        let factor = min(1, max(0, settings.accelerate))
        let next = Interval(microseconds: Int64((Double(interval.microseconds) * factor).rounded()))
        // A minimum above the interval itself does not slow it down; none at all would never end.
        return max(next, min(settings.minInterval, settings.interval), .milliseconds(1))
    }
}
