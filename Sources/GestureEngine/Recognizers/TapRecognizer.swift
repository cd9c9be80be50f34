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
    private enum Attempt: Equatable {
        case idle
        /// Once one has lifted, all have landed.
        case tracking(since: Timestamp, landed: Int, lifted: Int)
        /// The sequence began with a bounce: it has no tap, and leaves the streak as it is.
        case bounced
        /// Waits for the sequence to end.
        case failed
    }

    private let settings: TapSettings
    private var attempt = Attempt.idle
    /// The first contact of this attempt: what landed before is none of it.
    private var firstContact = ContactID(0)
    /// Contacts that are down and landed so soon after a lift, and so near it, that the panel must have bounced. They
    /// make no tap, but they are fingers: with them, there may be too many.
    private var bounced: [ContactID] = []
    /// All that it comes after has been recognized, and nothing has landed since.
    private var isWoken = false
    /// The sum of where the contacts of this attempt lifted.
    private var liftedAt = Vector.zero

    /// When the first contact of this attempt lifted.
    private var firstLift = Timestamp(microseconds: 0)
    private var streak: TapStreak

    init(_ settings: TapSettings, longestCount: Int, _ contacts: RegionContacts) {
        self.settings = settings
        streak = TapStreak(settings, longestCount: longestCount)
        super.init(contacts)
    }

    override var isIdle: Bool { attempt == .idle && !streak.isUnderWay && bounced.isEmpty }

    override var continuesStreak: Bool {
        if case .tracking = attempt { return true }
        return attempt != .failed && streak.isPartial
    }

    override func mayContain(_ sequence: SequenceID) -> Bool {
        attempt != .failed && streak.mayContain(sequence)
    }

    override var isHeldBack: Bool { streak.waiting != nil }
    override var streakStart: SequenceID? { streak.firstSequence }

    /// Of the contact that is down: the taps before it. (A bounce has none.)
    var tapsBefore: Int {
        if case .tracking = attempt { streak.count } else { 0 }
    }

    /// There may be exactly so many taps in the end, and a landing after them.
    func mayReach(_ taps: Int) -> Bool {
        switch attempt {
        case .tracking: streak.count < taps
        case .idle, .bounced: streak.isUnderWay && streak.count <= taps
        case .failed: false
        }
    }

    /// When the attempt is too long, or the streak over.
    override var deadline: Timestamp? {
        if case .tracking(let since, _, _) = attempt { return since + settings.maxTime }
        return streak.deadline
    }

    override var squaredSlop: Double? {
        if case .tracking = attempt { settings.slop * settings.slop } else { nil }
    }

    override var retry: Retry { .always }

    override var watchesInside: Bool { settings.staysInside }

    override func needs(_ id: ContactID) -> Bool { true }

    /// Whether this lift makes the tap that this gesture is, and nothing is to be waited for.
    override func accepts(liftOf id: ContactID) -> Bool {
        guard isPart(id), case .tracking(_, settings.fingers, let lifted) = attempt, lifted + 1 == settings.fingers
        else { return false }
        return streak.nextIsRecognized && lateLift(after: lifted) == nil
    }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .contactLanded(let id, let isShadowed):
            return answer(isShadowed ? fail(GestureFailure(.shadowed)) : landed(id))
        case .contactsMoved: return moved()
        case .insideChanged: return left()
        case .contactWillLift(let id, let position): return answer(lifted(id, at: position))
        case .woken: isWoken = true
        case .tapLacksContacts: return lacksContacts ? answer(tapEnds()) : nil
        case .tapEnds: return answer(tapEnds())
        case .deadline: return answer(expire())
        case .longPressBegan: return answer(cancel(GestureFailure(.longPress), true))
        case .contactClaimed: return answer(fail(GestureFailure(.cancelled(.claimed))))
        case .cancel(let reason, let byGesture): return answer(cancel(GestureFailure(.cancelled(reason)), byGesture))
        case .forgetStreak: _ = streak.end()
        case .streakTaken: if settings.fingers == 1 { streak.waiting = nil }
        case .sequenceEnded: _ = tapEnds()
        default: break
        }
        return nil
    }

    /// Nothing, for most inputs.
    private func answer(_ answer: TapAnswer) -> RecognizerAnswer? {
        answer.tap == nil && answer.failure == nil ? nil : .tap(answer)
    }

    private func landed(_ id: ContactID) -> TapAnswer {
        isWoken = false
        if let sinceLift = sinceBounce(id) { return bounces(id, sinceLift) }
        let now = contacts.now
        switch attempt {
        case .idle:
            attempt = .tracking(since: now, landed: 1, lifted: 0)
            firstContact = id
            liftedAt = .zero
        case .tracking(let since, let landed, let lifted):
            // Where one of n has lifted, this is one more than n, be there n at one time or not.
            let count = landed + bounced.count + 1
            if count > settings.fingers { return fail(tooMany(count)) }
            if now - since > settings.group {
                let late = (now - since).inMilliseconds
                return fail(GestureFailure(.landedApart, value: late, limit: settings.group.inMilliseconds))
            }
            attempt = .tracking(since: since, landed: landed + 1, lifted: lifted)
        case .bounced:
            return fail(tooMany(bounced.count + 1))
        case .failed:
            return .none
        }
        return continueStreak()
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

    private func bounces(_ id: ContactID, _ sinceLift: Interval) -> TapAnswer {
        bounced = bounced + [id]
        switch attempt {
        case .idle:
            attempt = .bounced
            return TapAnswer(
                failure: GestureFailure(
                    .bounce, value: sinceLift.inMilliseconds, limit: settings.minGap.inMilliseconds))
        case .tracking(_, let landed, let lifted):
            let count = landed - lifted + bounced.count
            return count > settings.fingers ? fail(tooMany(count)) : .none
        case .bounced, .failed:
            return .none
        }
    }

    private func tooMany(_ count: Int) -> GestureFailure {
        GestureFailure(.tooManyContacts, value: Double(count), limit: Double(settings.fingers))
    }

    private func tooFew(_ count: Int) -> GestureFailure {
        GestureFailure(.tooFewContacts, value: Double(count), limit: Double(settings.fingers))
    }

    private func moved() -> RecognizerAnswer? {
        guard case .tracking = attempt, contacts.squaredExcursion > settings.slop * settings.slop else {
            return nil
        }
        let distance = contacts.group.excursion(since: firstContact, without: bounced)
        guard distance.exceeds(settings.slop) else { return nil }
        return .tap(fail(GestureFailure(.moved, value: distance, limit: settings.slop)))
    }

    private func left() -> RecognizerAnswer? {
        guard settings.staysInside, case .tracking = attempt,
            contacts.group.hasLeft(since: firstContact, without: bounced)
        else { return nil }
        return .tap(fail(GestureFailure(.leftRegion)))
    }

    /// Why a lift that follows `lifted` others comes too late; `nil`: it does not.
    private func lateLift(after lifted: Int) -> GestureFailure? {
        guard let limit = settings.maxLiftSpread, lifted > 0, contacts.now - firstLift > limit else { return nil }
        return GestureFailure(
            .liftedApart, value: (contacts.now - firstLift).inMilliseconds, limit: limit.inMilliseconds)
    }

    /// A tap comes at once when this lift completes it and nothing is to be waited for.
    private func lifted(_ id: ContactID, at position: Point) -> TapAnswer {
        if bounced.contains(id) {
            bounced = bounced.filter { $0 != id }
            return .none
        }
        guard isPart(id), let sequence = contacts.sequence, case .tracking(let since, let landed, let lifted) = attempt
        else { return .none }
        guard landed == settings.fingers else { return fail(tooFew(landed)) }
        if let failure = lateLift(after: lifted) { return fail(failure) }
        if lifted == 0 { firstLift = contacts.now }
        liftedAt = liftedAt + (position - .zero)
        guard lifted + 1 == settings.fingers else {
            attempt = .tracking(since: since, landed: landed, lifted: lifted + 1)
            return .none
        }
        attempt = .idle
        return streak.add(
            TapAnswer.Tap(
                sequence: sequence, fingers: settings.fingers,
                position: .zero + liftedAt * (1 / Double(settings.fingers)),
                count: settings.count, duration: contacts.now - since),
            at: contacts.now)
    }

    private func expire() -> TapAnswer {
        guard let deadline, deadline <= contacts.now else { return .none }
        if case .tracking(let since, _, _) = attempt {
            let duration = (contacts.now - since).inMilliseconds
            return fail(GestureFailure(.tooLong, value: duration, limit: settings.maxTime.inMilliseconds))
        }
        let gap = settings.gap.inMilliseconds
        return streak.end(GestureFailure(.noFurtherTap, value: gap, limit: gap))
    }

    /// Gives up for this sequence, and ends the streak: a tap that waited for this one comes now.
    private func fail(_ failure: GestureFailure) -> TapAnswer {
        let isUnderWay = attempt != .failed
        attempt = .failed
        var answer = streak.end()
        if isUnderWay { answer.failure = failure }
        return answer
    }

    /// Gives up. A cancel never makes a tap come, unless a gesture of a later sequence took what a tap
    /// of an earlier one waited for: then that has merely failed.
    private func cancel(_ failure: GestureFailure, _ byGesture: Bool) -> TapAnswer {
        let isEarlier = byGesture && streak.waiting?.sequence != contacts.sequence
        var answer = fail(failure)
        if !isEarlier { answer.tap = nil }
        return answer
    }

    /// The attempt ends with the contacts that it has.
    private func tapEnds() -> TapAnswer {
        if !bounced.isEmpty { bounced = [] }
        defer {
            attempt = .idle
            isWoken = false
        }
        if isWoken { return TapAnswer(failure: tooFew(0)) }
        guard case .tracking(_, let landed, _) = attempt else { return .none }
        return fail(tooFew(landed))
    }

    /// Fewer contacts have landed than it takes.
    private var lacksContacts: Bool {
        if case .tracking(_, let landed, _) = attempt { landed < settings.fingers } else { false }
    }

    /// Whether a contact belongs to this attempt.
    private func isPart(_ id: ContactID) -> Bool {
        id >= firstContact && !bounced.contains(id)
    }

    /// With all its contacts down, an attempt that is too far from the streak's first tap ends
    /// that streak and begins one of its own.
    private func continueStreak() -> TapAnswer {
        guard case .tracking(_, settings.fingers, _) = attempt else { return .none }
        let position = contacts.group.originCentroid(since: firstContact, without: bounced)
        return streak.land(at: position, apart: (position - streak.origin).length)
    }
}
