// SPDX-License-Identifier: MIT

/// Recognizes n contacts that land together, are all down at the same time, stay within `slop`, and lift in time. Also
/// counts such taps in a row.
///
/// Each tap gesture of a region has its own recognizer. An attempt lasts at most one sequence. A streak outlasts its
/// attempts until `gap` has passed:
///
///     idle ──landing──▶ tracking ──last of n lifts──▶ idle, streak + 1
///       │                  └──strays, too late, too many, lifts before all have landed──▶ failed, streak ends
///       └──bounce──▶ bounced ──landing──▶ failed, streak ends
///
/// If there are too many contacts, or one has landed too late, some of them may still turn out to be palms. So the
/// attempt fails only when one of them lifts, when too few of them stay in place, or at its deadline.
final class TapRecognizer: Recognizer {
    enum State {
        /// `isWoken`: whether all gestures listed in `after` have been recognized and no contact has landed since.
        case idle(isWoken: Bool)
        case tracking(TapAttempt)
        /// The sequence began with a bounce. It contains no tap and leaves the streak unchanged.
        case bounced
        /// Waits for the end of the sequence.
        case failed
    }

    let settings: TapSettings
    private(set) var state = State.idle(isWoken: false)
    private(set) var streak: TapStreak
    /// Contacts that do not form a tap, because their landing was a bounce of the panel (too close to a lift in time
    /// and position). They count toward the number of fingers and may exceed it.
    private(set) var excluded: [ContactID] = []
    /// Contacts of the attempt for which a region nearer to them has the same tap. It counts in the streak like any other,
    /// but this gesture is not recognized with it.
    private var shadowed: [ContactID] = []
    /// Whether a streak that a landing has ended goes on if that contact turns out to be a palm. `false` if a tap of
    /// the region waits for the end of the streak, because that tap was already reported at the landing.
    private let resumesStreak: Bool
    /// The streak that a landing of this attempt has ended.
    private var endedStreak: TapStreak?

    init(_ settings: TapSettings, in region: Region, longestCount: Int, _ contacts: RegionContacts) {
        self.settings = settings
        streak = TapStreak(settings, longestCount: longestCount)
        resumesStreak = !region.hasWaitingTap
        super.init(contacts)
    }

    // MARK: Queries

    override func wants(_ moment: RecognizerMoment) -> Bool {
        guard case .lift(let id) = moment, case .tracking(let attempt) = state, isPart(id, of: attempt),
            attempt.lifted + 1 == settings.fingers, !attempt.isDecided
        else { return false }
        return shadowed.isEmpty && streak.nextIsRecognized && failure(of: attempt, atLiftOf: id) == nil
    }

    /// A tap is hopeless if the lift makes it fail, or if contacts are missing and no more can land.
    override func isHopeless(after lift: ContactLift) -> Bool {
        guard lift.isFree, case .tracking(let attempt) = state else { return false }
        if isPart(lift.id, of: attempt) { return failure(of: attempt, atLiftOf: lift.id) != nil }
        if attempt.excess > 0 { return excluded.contains(lift.id) }
        return lift.isLastFree && attempt.landed < settings.fingers
    }

    /// The time at which the attempt has taken too long or, between attempts, the time at which the streak ends.
    override var deadline: Timestamp? {
        if case .tracking(let attempt) = state { return attempt.since + settings.maxTime }
        return streak.deadline
    }

    override var stillLimit: Double {
        if case .tracking = state { settings.slop * settings.slop } else { .infinity }
    }

    override var isIdle: Bool {
        guard case .idle = state else { return false }
        return !streak.isUnderWay && excluded.isEmpty
    }

    override var continuesStreak: Bool {
        switch state {
        case .tracking(let attempt): !isShadowed(attempt)
        case .idle, .bounced: streak.isPartial
        case .failed: false
        }
    }

    override var streakStart: SequenceID? { streak.firstSequence }

    override func fate(of sequence: SequenceID) -> StreakFate {
        switch state {
        case .failed: streak.fate(ofWaiting: sequence)
        case .tracking(let attempt) where isShadowed(attempt): streak.fate(ofWaiting: sequence)
        case .idle, .tracking, .bounced: streak.fate(of: sequence)
        }
    }

    // MARK: Inputs

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed(let id, let isShadowed):
            let answer = landed(id, isShadowed: isShadowed)
            guard answer == nil, case .tracking(let attempt) = state, self.isShadowed(attempt) else { return answer }
            return .fail(GestureFailure(.shadowed))
        case .moved, .regrouped: return strayed()
        case .lifts(let lift): return lifts(lift)
        case .gone(let id, let loss):
            guard contacts.group.isFree(id) else { return nil }
            return loss.reason.isNoFinger ? withdraw(id) : fail(GestureFailure(.cancelled(loss.reason)))
        case .deadline: return expire()
        case .wake: if case .idle = state { state = .idle(isWoken: true) }
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return fail(GestureFailure(.cancelled(reason)))
        case .forget: _ = streak.end()
        case .reset:
            // An attempt that is interrupted ends its streak.
            if case .tracking = state { _ = streak.end() }
            state = .idle(isWoken: false)
            if !excluded.isEmpty { excluded = [] }
            shadowed.removeAll(keepingCapacity: true)
        case .begin: break
        }
        return nil
    }

    private func landed(_ id: ContactID, isShadowed: Bool) -> RecognizerAnswer? {
        if let sinceLift = sinceBounce(id) { return bounces(id, sinceLift) }
        if isShadowed { shadowed.append(id) }
        switch state {
        case .idle:
            let attempt = TapAttempt(since: contacts.now, first: contacts.group.landing(of: id) ?? 0)
            state = .tracking(attempt)
            endedStreak = nil
            // A lift that was held back arrives in the frame of the next landing, which may be too late for `gap`.
            let expired = expireStreak(at: contacts.now)
            let far = continueStreak(attempt)
            return expired ?? far
        case .tracking(var attempt):
            // A contact that lands after a lift is one too many as well, even if no more than n contacts were ever down
            // at the same time.
            attempt.add(attempt.landed + excluded.count + 1, of: settings.fingers)
            let late = contacts.now - attempt.since
            if attempt.excess == 0, late > settings.group { attempt.apart = attempt.apart ?? late }
            attempt.landed += 1
            state = .tracking(attempt)
            return attempt.excess == 0 ? continueStreak(attempt) : nil
        case .bounced:
            return fail(tooMany(excluded.count + 1))
        case .failed:
            return nil
        }
    }

    /// The time since the lift that makes this landing a bounce; `nil` if it is not a bounce.
    private func sinceBounce(_ id: ContactID) -> Interval? {
        guard let member = contacts.group.index(of: id) else { return nil }
        return contacts.sinceLift(
            within: settings.bounceDistance, of: contacts.group.members[member].origin, sooner: settings.minGap)
    }

    private func bounces(_ id: ContactID, _ sinceLift: Interval) -> RecognizerAnswer? {
        excluded = excluded + [id]
        switch state {
        case .idle:
            state = .bounced
            return .fail(
                GestureFailure(
                    .bounce, value: sinceLift.inMilliseconds, limit: settings.minGap.inMilliseconds))
        case .tracking(var attempt):
            attempt.add(attempt.landed - attempt.lifted + excluded.count, of: settings.fingers)
            state = .tracking(attempt)
            return nil
        case .bounced, .failed:
            return nil
        }
    }

    /// Whether this gesture cannot be recognized with the taps so far, because a nearer region has the same one. If there
    /// are too many contacts, the shadowed one may still turn out to be a palm.
    private func isShadowed(_ attempt: TapAttempt) -> Bool {
        attempt.excess == 0 && (!shadowed.isEmpty || streak.isShadowed)
    }

    /// Checks the position once all contacts of an attempt are down. If it is too far from the streak's first tap,
    /// the streak ends and the attempt starts another one. A gesture that is decided at the landing is recognized.
    /// - Parameter palm: a contact that is about to be removed.
    private func continueStreak(_ attempt: TapAttempt, without palm: ContactID? = nil) -> RecognizerAnswer? {
        guard attempt.landed == settings.fingers, attempt.apart == nil, !contacts.isThinning,
            let sequence = contacts.sequence
        else { return nil }
        let others = palm.map { excluded + [$0] } ?? excluded
        let position = contacts.group.originCentroid(since: attempt.first, without: others)
        let former = streak
        let answer = streak.land(at: position, in: sequence)
        if resumesStreak, former.isUnderWay, !streak.isUnderWay { endedStreak = former }
        if let answer { return answer }
        guard streak.isDecidedAtLanding, shadowed.isEmpty, !attempt.isDecided else { return nil }
        var decided = attempt
        decided.isDecided = true
        state = .tracking(decided)
        return .recognizeEarlier(
            .tap(count: settings.count, duration: contacts.now - attempt.since), fingers: settings.fingers,
            position: position, waits: false)
    }

    /// Removes a contact that has turned out not to be a finger. The attempt continues as if that contact had never
    /// landed.
    private func withdraw(_ id: ContactID) -> RecognizerAnswer? {
        let isBounce = excluded.contains(id)
        if isBounce { excluded = excluded.filter { $0 != id } }
        shadowed.removeAll { $0 == id }
        guard case .tracking(var attempt) = state, isBounce || isPart(id, of: attempt) else { return nil }
        attempt.remove(of: settings.fingers)
        if !isBounce { attempt.landed -= 1 }
        // The streak does not change any more once a contact has lifted.
        let hasLifted = attempt.lifted > 0
        let others = excluded + [id]
        if !hasLifted, let oldest = contacts.group.oldest(since: attempt.first, without: others) {
            (attempt.first, attempt.since) = (oldest.landing, oldest.landed)
            let late = contacts.group.landing(
                after: oldest.landed + settings.group, since: attempt.first, without: others)
            attempt.apart = late.map { $0 - oldest.landed }
        }
        state = attempt.landed > 0 ? .tracking(attempt) : .idle(isWoken: true)
        if hasLifted { return nil }
        if let former = endedStreak { (streak, endedStreak) = (former, nil) }
        // The streak could not expire while this contact seemed to be its next tap, so its deadline is checked now.
        let landing = attempt.landed > 0 ? attempt.since : contacts.now
        let expired = expireStreak(at: landing)
        let far = attempt.landed > 0 && attempt.excess == 0 ? continueStreak(attempt, without: id) : nil
        return expired ?? far
    }

    /// Ends the streak if it is too late for another tap at `landing`.
    private func expireStreak(at landing: Timestamp) -> RecognizerAnswer? {
        guard let deadline = streak.deadline, deadline <= landing else { return nil }
        return streak.expire()
    }

    /// Fails if a contact has moved too far or has left the region.
    private func strayed() -> RecognizerAnswer? {
        guard case .tracking(let attempt) = state, let failure = straying(attempt, withJumps: false) else { return nil }
        return fail(failure)
    }

    private func lifts(_ lift: ContactLift) -> RecognizerAnswer? {
        if lift.isFree, let answer = lifted(lift) { return answer }
        guard lift.isLast else { return nil }
        // The last contact of the sequence lifts. A tap that is still incomplete cannot be completed any more.
        switch state {
        case .idle(isWoken: true): return fail(tooFew(0))
        case .tracking(let attempt): return fail(tooFew(attempt.landed))
        case .idle, .bounced, .failed: return nil
        }
    }

    /// Handles a lift. The last of n contacts completes a tap.
    private func lifted(_ lift: ContactLift) -> RecognizerAnswer? {
        if excluded.contains(lift.id) {
            excluded = excluded.filter { $0 != lift.id }
            if case .tracking(let attempt) = state, attempt.excess > 0 { return fail(tooMany(attempt.excess)) }
            return nil
        }
        guard case .tracking(var attempt) = state, isPart(lift.id, of: attempt), let sequence = contacts.sequence else {
            return nil
        }
        if let failure = failure(of: attempt, atLiftOf: lift.id) { return fail(failure) }
        attempt.addLift(at: lift.position, contacts.liftTime)
        guard attempt.lifted == settings.fingers else {
            state = .tracking(attempt)
            return nil
        }
        state = .idle(isWoken: false)
        let isShadowed = isShadowed(attempt)
        let waits = streak.add(sequence, at: attempt.lastLift, isShadowed: isShadowed)
        shadowed.removeAll(keepingCapacity: true)
        guard let waits, !attempt.isDecided else { return isShadowed ? .fail(GestureFailure(.shadowed)) : nil }
        return .recognizeEarlier(
            .tap(count: settings.count, duration: attempt.lastLift - attempt.since), fingers: settings.fingers,
            position: .zero + attempt.liftedAt * (1 / Double(settings.fingers)), waits: waits)
    }

    private func expire() -> RecognizerAnswer? {
        guard let deadline, deadline <= contacts.now else { return nil }
        guard case .tracking(let attempt) = state else { return streak.expire() }
        let duration = (contacts.now - attempt.since).inMilliseconds
        return fail(GestureFailure(.tooLong, value: duration, limit: settings.maxTime.inMilliseconds))
    }

    /// Fails in this sequence and ends the streak, so that a tap that waited for its end can be emitted. If there are
    /// too many contacts, or one has landed too late, that is reported instead.
    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        if case .failed = state { return nil }
        let reason = if case .tracking(let attempt) = state { crowd(attempt) ?? failure } else { failure }
        state = .failed
        _ = streak.end()
        return .fail(reason)
    }
}
