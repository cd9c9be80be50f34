// SPDX-License-Identifier: MIT

/// n contacts that land together, are all down at one time, stay and lift in time; and how many such taps came
/// in a row.
///
/// One machine for each tap gesture of a region. The attempt lives within a sequence, the streak
/// outlives it until `gap` has passed:
///
///     idle ──landing──▶ tracking ──last of n lifts──▶ idle, streak + 1
///       │                  └──strays, too late, too many, lifts before all have landed──▶ failed, streak ends
///       └──bounce──▶ bounced ──landing──▶ failed, streak ends
final class TapRecognizer: Recognizer {
    private enum State {
        /// `isWoken`: all that it comes after has been recognized, and nothing has landed since.
        case idle(isWoken: Bool)
        case tracking(Attempt)
        /// The sequence began with a bounce: it has no tap, and leaves the streak as it is.
        case bounced
        /// Waits for the sequence to end.
        case failed
    }

    private struct Attempt {
        let since: Timestamp
        /// Contacts that landed before it are none of this attempt.
        let first: ContactID
        var landed = 1
        /// Once one has lifted, all have landed.
        var lifted = 0
        /// When the first contact lifted.
        var firstLift = Timestamp(microseconds: 0)
        /// The sum of where contacts lifted.
        var liftedAt = Vector.zero
    }

    private let settings: TapSettings
    private var state = State.idle(isWoken: false)
    private var streak: TapStreak
    /// Contacts that are down and landed so soon after a lift, and so near it, that the panel must have bounced. They
    /// make no tap, but they are fingers: with them, there may be too many.
    private var bounced: [ContactID] = []

    init(_ settings: TapSettings, longestCount: Int, _ contacts: RegionContacts) {
        self.settings = settings
        streak = TapStreak(settings, longestCount: longestCount)
        super.init(contacts)
    }

    // MARK: Questions

    override func wants(_ moment: RecognizerMoment) -> Bool {
        guard case .lift(let id) = moment, case .tracking(let attempt) = state, isPart(id, of: attempt),
            attempt.landed == settings.fingers, attempt.lifted + 1 == settings.fingers
        else { return false }
        return streak.nextIsRecognized && lateLift(attempt) == nil
    }

    /// No further contact comes, and it lacks some.
    override func isHopeless(after lift: ContactLift) -> Bool {
        guard lift.isLastFree, case .tracking(let attempt) = state else { return false }
        return attempt.landed < settings.fingers
    }

    /// When the attempt is too long, or the streak over.
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

    /// Of the contact that is down: the taps before it. (A bounce has none.)
    var tapsBefore: Int {
        if case .tracking = state { streak.count } else { 0 }
    }

    /// There may be exactly so many taps in the end, and a landing after them.
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
            // An attempt that is cut off ends its streak.
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
            // Where one of n has lifted, this is one more than n, be there n at one time or not.
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

    /// How long before this landing a contact lifted so near that the panel must have lost it; `nil`: none did.
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

    /// With all its contacts down, an attempt that is too far from the streak's first tap ends
    /// that streak and begins one of its own.
    private func continueStreak(_ attempt: Attempt) -> RecognizerAnswer? {
        guard attempt.landed == settings.fingers else { return nil }
        let position = contacts.group.originCentroid(since: attempt.first, without: bounced)
        return streak.land(at: position)
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
        // No contact of the attempt is left.
        switch state {
        case .idle(isWoken: true): return fail(tooFew(0))
        case .tracking(let attempt): return fail(tooFew(attempt.landed))
        case .idle, .bounced, .failed: return nil
        }
    }

    /// The lift of the last of n contacts completes a tap.
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

    /// Why a lift comes too long after the first one; `nil`: it does not.
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

    /// Gives up for this sequence, and ends the streak: a tap that waited for this one comes now.
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
    /// The machine that counts the taps before gestures with `taps`, by the rules of the region's taps; `nil`: there are
    /// none. Whether such a gesture may come is decided when its first contact lands.
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
