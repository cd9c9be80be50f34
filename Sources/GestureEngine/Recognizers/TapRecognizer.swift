// SPDX-License-Identifier: MIT

/// Recognizes n contacts that land together, are all down at the same time, stay within `slop`, and lift in time. Also
/// counts such taps in a row.
///
/// Each tap gesture of a region has its own recognizer. An attempt lasts at most one sequence. The streak outlasts it
/// until `gap` has passed:
///
///     idle ──landing──▶ tracking ──last of n lifts──▶ idle, streak + 1
///       │                  └──strays, too late, too many, lifts before all have landed──▶ failed, streak ends
///       └──bounce──▶ bounced ──landing──▶ failed, streak ends
final class TapRecognizer: Recognizer {
    private enum State {
        /// `isWoken`: all gestures of `after` have been recognized, and no contact has landed since.
        case idle(isWoken: Bool)
        case tracking(Attempt)
        /// The sequence began with a bounce. It contains no tap and leaves the streak unchanged.
        case bounced
        /// Waits for the end of the sequence.
        case failed
    }

    private struct Attempt {
        let since: Timestamp
        /// The first contact of the attempt. Earlier ones do not belong to it.
        let first: ContactID
        var landed = 1
        /// The number of contacts that have lifted. After the first lift, no other contact may land.
        var lifted = 0
        /// The time of the first lift.
        var firstLift = Timestamp(microseconds: 0)
        /// The sum of the positions of the lifts.
        var liftedAt = Vector.zero
    }

    private let settings: TapSettings
    private var state = State.idle(isWoken: false)
    private var streak: TapStreak
    /// Contacts whose landing was a bounce of the panel: too close to a lift in time and position. They do not form a
    /// tap, but they count toward the number of fingers and may exceed it.
    private var bounced: [ContactID] = []

    init(_ settings: TapSettings, longestCount: Int, _ contacts: RegionContacts) {
        self.settings = settings
        streak = TapStreak(settings, longestCount: longestCount)
        super.init(contacts)
    }

    // MARK: Queries

    override func wants(_ moment: RecognizerMoment) -> Bool {
        guard case .lift(let id) = moment, case .tracking(let attempt) = state, isPart(id, of: attempt),
            attempt.landed == settings.fingers, attempt.lifted + 1 == settings.fingers
        else { return false }
        return streak.nextIsRecognized && lateLift(attempt) == nil
    }

    /// No more contacts can land, and some are missing.
    override func isHopeless(after lift: ContactLift) -> Bool {
        guard lift.isLastFree, case .tracking(let attempt) = state else { return false }
        return attempt.landed < settings.fingers
    }

    /// The time at which the attempt takes too long or, between attempts, at which the streak is over.
    override var deadline: Timestamp? {
        if case .tracking(let attempt) = state { return attempt.since + settings.maxTime }
        return streak.deadline
    }

    override var stillLimit: Double {
        if case .tracking = state { settings.slop * settings.slop } else { .infinity }
    }

    override var isIdle: Bool {
        guard case .idle = state else { return false }
        return !streak.isUnderWay && bounced.isEmpty
    }

    override var continuesStreak: Bool {
        switch state {
        case .tracking: true
        case .idle, .bounced: streak.isPartial
        case .failed: false
        }
    }

    override var streakStart: SequenceID? { streak.firstSequence }

    override func fate(of sequence: SequenceID) -> StreakFate {
        if case .failed = state { return streak.fate(ofWaiting: sequence) }
        return streak.fate(of: sequence)
    }

    /// The number of taps before the contact that is down; 0 for a bounce.
    var tapsBefore: Int {
        if case .tracking = state { streak.count } else { 0 }
    }

    /// Whether the streak may end with exactly this number of taps, followed by a landing.
    func mayReach(_ taps: Int) -> Bool {
        switch state {
        case .tracking: streak.count < taps
        case .idle, .bounced: streak.isUnderWay && streak.count <= taps
        case .failed: false
        }
    }

    // MARK: Inputs

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed(let id): return landed(id)
        case .moved: return moved() ?? left()
        case .regrouped: return left()
        case .lifts(let lift): return lifts(lift)
        case .gone(let id, let loss):
            return contacts.group.isFree(id) ? fail(GestureFailure(.cancelled(loss.reason))) : nil
        case .deadline: return expire()
        case .wake: if case .idle = state { state = .idle(isWoken: true) }
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return fail(GestureFailure(.cancelled(reason)))
        case .forget: _ = streak.end()
        case .reset:
            // An attempt that is interrupted ends its streak.
            if case .tracking = state { _ = streak.end() }
            state = .idle(isWoken: false)
            if !bounced.isEmpty { bounced = [] }
        case .begin: break
        }
        return nil
    }

    private func landed(_ id: ContactID) -> RecognizerAnswer? {
        if let sinceLift = sinceBounce(id) { return bounces(id, sinceLift) }
        switch state {
        case .idle:
            let attempt = Attempt(since: contacts.now, first: id)
            state = .tracking(attempt)
            return continueStreak(attempt)
        case .tracking(var attempt):
            // A contact that lands after a lift also exceeds n, even if more than n contacts were never down at the
            // same time.
            let count = attempt.landed + bounced.count + 1
            if count > settings.fingers { return fail(tooMany(count)) }
            let late = contacts.now - attempt.since
            if late > settings.group {
                return fail(
                    GestureFailure(.landedApart, value: late.inMilliseconds, limit: settings.group.inMilliseconds))
            }
            attempt.landed += 1
            state = .tracking(attempt)
            return continueStreak(attempt)
        case .bounced:
            return fail(tooMany(bounced.count + 1))
        case .failed:
            return nil
        }
    }

    /// The time since the lift that makes this landing a bounce; `nil` if it is not a bounce.
    private func sinceBounce(_ id: ContactID) -> Interval? {
        guard let newest = contacts.lifts.newest, contacts.now - newest < settings.minGap,
            let member = contacts.group.index(of: id),
            let lift = contacts.lifts.last(within: settings.bounceDistance, of: contacts.group.members[member].origin)
        else { return nil }
        let sinceLift = contacts.now - lift
        return sinceLift < settings.minGap ? sinceLift : nil
    }

    private func bounces(_ id: ContactID, _ sinceLift: Interval) -> RecognizerAnswer? {
        bounced = bounced + [id]
        switch state {
        case .idle:
            state = .bounced
            return .fail(
                GestureFailure(
                    .bounce, value: sinceLift.inMilliseconds, limit: settings.minGap.inMilliseconds))
        case .tracking(let attempt):
            let count = attempt.landed - attempt.lifted + bounced.count
            return count > settings.fingers ? fail(tooMany(count)) : nil
        case .bounced, .failed:
            return nil
        }
    }

    /// Checks the position once all contacts of an attempt are down. If it is too far from the streak's first tap,
    /// the streak ends and the attempt starts another one.
    private func continueStreak(_ attempt: Attempt) -> RecognizerAnswer? {
        guard attempt.landed == settings.fingers, let sequence = contacts.sequence else { return nil }
        let position = contacts.group.originCentroid(since: attempt.first, without: bounced)
        return streak.land(at: position, in: sequence)
    }

    private func moved() -> RecognizerAnswer? {
        guard case .tracking(let attempt) = state, contacts.squaredExcursion > settings.slop * settings.slop else {
            return nil
        }
        let distance = contacts.group.excursion(since: attempt.first, without: bounced)
        guard distance.exceeds(settings.slop) else { return nil }
        return fail(GestureFailure(.moved, value: distance, limit: settings.slop))
    }

    private func left() -> RecognizerAnswer? {
        guard settings.staysInside, case .tracking(let attempt) = state,
            contacts.group.hasLeft(since: attempt.first, without: bounced)
        else { return nil }
        return fail(GestureFailure(.leftRegion))
    }

    private func lifts(_ lift: ContactLift) -> RecognizerAnswer? {
        if lift.isFree, let answer = lifted(lift) { return answer }
        guard lift.isLast else { return nil }
        // All contacts of the attempt have lifted.
        switch state {
        case .idle(isWoken: true): return fail(tooFew(0))
        case .tracking(let attempt): return fail(tooFew(attempt.landed))
        case .idle, .bounced, .failed: return nil
        }
    }

    /// Handles a lift. The last of n contacts completes a tap.
    private func lifted(_ lift: ContactLift) -> RecognizerAnswer? {
        if bounced.contains(lift.id) {
            bounced = bounced.filter { $0 != lift.id }
            return nil
        }
        guard case .tracking(var attempt) = state, isPart(lift.id, of: attempt), let sequence = contacts.sequence else {
            return nil
        }
        guard attempt.landed == settings.fingers else { return fail(tooFew(attempt.landed)) }
        if let failure = lateLift(attempt) { return fail(failure) }
        if attempt.lifted == 0 { attempt.firstLift = contacts.now }
        attempt.liftedAt = attempt.liftedAt + (lift.position - .zero)
        attempt.lifted += 1
        guard attempt.lifted == settings.fingers else {
            state = .tracking(attempt)
            return nil
        }
        state = .idle(isWoken: false)
        guard let waits = streak.add(sequence, at: contacts.now) else { return nil }
        return .recognizeTap(
            .tap(count: settings.count, duration: contacts.now - attempt.since), fingers: settings.fingers,
            position: .zero + attempt.liftedAt * (1 / Double(settings.fingers)), waits: waits)
    }

    /// The failure of a lift that comes too long after the first one; `nil` if it is in time.
    private func lateLift(_ attempt: Attempt) -> GestureFailure? {
        guard let limit = settings.maxLiftSpread, attempt.lifted > 0 else { return nil }
        let spread = contacts.now - attempt.firstLift
        guard spread > limit else { return nil }
        return GestureFailure(.liftedApart, value: spread.inMilliseconds, limit: limit.inMilliseconds)
    }

    private func expire() -> RecognizerAnswer? {
        guard let deadline, deadline <= contacts.now else { return nil }
        guard case .tracking(let attempt) = state else { return streak.expire() }
        let duration = (contacts.now - attempt.since).inMilliseconds
        return fail(GestureFailure(.tooLong, value: duration, limit: settings.maxTime.inMilliseconds))
    }

    /// Fails in this sequence and ends the streak, so that a tap that waited for its end can be emitted.
    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        if case .failed = state { return nil }
        state = .failed
        _ = streak.end()
        return .fail(failure)
    }

    private func tooMany(_ count: Int) -> GestureFailure {
        GestureFailure(.tooManyContacts, value: Double(count), limit: Double(settings.fingers))
    }

    private func tooFew(_ count: Int) -> GestureFailure {
        GestureFailure(.tooFewContacts, value: Double(count), limit: Double(settings.fingers))
    }

    private func isPart(_ id: ContactID, of attempt: Attempt) -> Bool { id >= attempt.first && !bounced.contains(id) }
}

extension TapRecognizer {
    /// Makes the tap counter of a region; `nil` if no gesture has `taps`. It counts the taps before such gestures
    /// according to the region's tap settings. Whether one of them may begin is decided when its first contact lands.
    static func counter(of region: Region, _ contacts: RegionContacts) -> TapRecognizer? {
        let taps = region.gestures.map { $0.settings.common.taps }.max() ?? 0
        guard taps > 0 else { return nil }
        var settings = region.taps
        settings.fingers = 1
        settings.wait = false
        settings.count = max(taps + 1, settings.longestCount(in: region))
        return TapRecognizer(settings, longestCount: settings.count, contacts)
    }

    var watchesInside: Bool { settings.staysInside }
}
