// SPDX-License-Identifier: MIT

/// The numbers of a tap, in millimetres, degrees and times.
package struct TapSettings: Hashable, Sendable {
    /// Contacts that a tap takes.
    package var fingers = 1
    /// Taps in a streak that this gesture is.
    package var count = 1
    /// Wait until a longer streak is out of the question instead of being emitted at once.
    package var wait = false
    /// Millimetres that a contact may stray from where it landed. Default 3: Flutter 2.9, Chromium 4.
    package var slop = 3.0
    /// Lifted before this time since the first landing. Default 500 ms: the long press's delay.
    package var maxTime = Interval.milliseconds(500)
    /// All contacts land within this time of the first. Default 100 ms: real ones take up to 76 ms.
    package var group = Interval.milliseconds(100)
    /// The next tap of a streak lands within this time of the last lift. Default 300 ms: Android.
    package var gap = Interval.milliseconds(300)
    /// A landing sooner after a lift, and near it, is a bounce of the panel. Default 40 ms: panels let go for 10-30 ms.
    package var minGap = Interval.milliseconds(40)
    /// Millimetres from where that contact lifted, at most. Default 15: a landing farther away is another finger.
    package var bounceDistance = 15.0
    /// Millimetres between the taps of a streak. Default 10.
    package var distance = 10.0

    package init() {}
}

extension TapSettings: RecognizerSettings {
    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer {
        TapRecognizer(self, longestCount: longestCount(in: region), contacts)
    }

    /// The highest tap count configured for as many fingers.
    func longestCount(in region: Region) -> Int {
        var longest = 1
        for gesture in region.gestures {
            if case .tap(let settings) = gesture.settings, settings.fingers == fingers {
                longest = max(longest, settings.count)
            }
        }
        return longest
    }
}

/// What an input makes of a tap.
struct TapAnswer {
    /// A tap that has happened.
    struct Tap {
        /// In which it happened; an earlier one if it waited for a longer streak.
        var sequence: SequenceID
        var fingers: Int
        var position: Point
        var count: Int
        var duration: Interval
    }

    /// Recognized now: by what just happened, or because nothing longer can come any more.
    var tap: Tap?
    /// Why the attempt, or the streak that was under way, came to nothing.
    var failure: GestureFailure?
    /// The sequence of the last tap of a streak that came to nothing; `nil`: the attempt did.
    var brokenStreak: SequenceID?

    static let none = TapAnswer()
}

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
    /// The highest count configured in the region for this number of fingers.
    private let longestCount: Int

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

    /// Taps so far; 0 when there is no streak.
    private var streak = 0
    private var streakOrigin = Point.zero
    private var lastLift = Timestamp(microseconds: 0)
    /// The sequence of the streak's first tap, also after it has come to its end.
    private var firstSequence = SequenceID(0)
    /// The sequence of the streak's last tap.
    private var lastSequence = SequenceID(0)
    /// This gesture has been recognized, and waits for the streak to end (`wait = true`).
    private var waiting: TapAnswer.Tap?

    init(_ settings: TapSettings, longestCount: Int, _ contacts: RegionContacts) {
        self.settings = settings
        self.longestCount = longestCount
        super.init(contacts)
    }

    override var isIdle: Bool { attempt == .idle && streak == 0 && bounced.isEmpty }

    override var continuesStreak: Bool {
        if case .tracking = attempt { return true }
        return attempt != .failed && streak > 0 && streak < settings.count
    }

    override func mayContain(_ sequence: SequenceID) -> Bool {
        streak > 0 && streak < settings.count && sequence >= firstSequence && attempt != .failed
    }

    override var streakStart: SequenceID? { firstSequence }

    /// Of the contact that is down: the taps before it. (A bounce has none.)
    var tapsBefore: Int {
        if case .tracking = attempt { streak } else { 0 }
    }

    /// There may be exactly so many taps in the end, and a landing after them.
    func mayReach(_ taps: Int) -> Bool {
        switch attempt {
        case .tracking: streak < taps
        case .idle, .bounced: streak > 0 && streak <= taps
        case .failed: false
        }
    }

    /// When the attempt is too long, or the streak over.
    override var deadline: Timestamp? {
        if case .tracking(let since, _, _) = attempt { return since + settings.maxTime }
        return streak > 0 ? lastLift + settings.gap : nil
    }

    override var squaredSlop: Double? {
        if case .tracking = attempt { settings.slop * settings.slop } else { nil }
    }

    override var retry: Retry { .always }

    override func needs(_ id: ContactID) -> Bool { true }

    /// Whether this lift makes the tap that this gesture is, and nothing is to be waited for.
    override func accepts(liftOf id: ContactID) -> Bool {
        guard isPart(id), case .tracking(_, settings.fingers, settings.fingers - 1) = attempt else { return false }
        return streak + 1 == settings.count && !(settings.wait && settings.count < longestCount)
    }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer {
        switch input {
        case .contactLanded(let id, let isShadowed):
            return .tap(isShadowed ? fail(GestureFailure(.shadowed)) : landed(id))
        case .contactsMoved: return moved()
        case .contactWillLift(let id, let position): return .tap(lifted(id, at: position))
        case .woken: isWoken = true
        case .tapLacksContacts: return lacksContacts ? .tap(tapEnds()) : .none
        case .tapEnds: return .tap(tapEnds())
        case .deadline: return .tap(expire())
        case .longPressBegan: return .tap(fail(GestureFailure(.longPress)))
        case .contactClaimed: return .tap(fail(GestureFailure(.cancelled(.claimed))))
        case .cancel(let reason, let byGesture): return .tap(cancel(reason, byGesture))
        case .forgetStreak: _ = endStreak(nil)
        case .streakTaken: if settings.fingers == 1 { waiting = nil }
        case .sequenceEnded: _ = tapEnds()
        default: break
        }
        return .none
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
        guard let member = contacts.group.index(of: id),
            let lift = contacts.lifts.last(within: settings.bounceDistance, of: contacts.group.members[member].origin)
        else { return nil }
        let sinceLift = contacts.now - lift
        return sinceLift < settings.minGap ? sinceLift : nil
    }

    private func bounces(_ id: ContactID, _ sinceLift: Interval) -> TapAnswer {
        bounced.append(id)
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

    private func moved() -> RecognizerAnswer {
        guard case .tracking = attempt, contacts.squaredExcursion > settings.slop * settings.slop else {
            return .none
        }
        let distance = contacts.group.excursion(since: firstContact, without: bounced)
        guard distance.exceeds(settings.slop) else { return .none }
        return .tap(fail(GestureFailure(.moved, value: distance, limit: settings.slop)))
    }

    /// A tap comes at once when this lift completes it and nothing is to be waited for.
    private func lifted(_ id: ContactID, at position: Point) -> TapAnswer {
        if let bounce = bounced.firstIndex(of: id) {
            bounced.remove(at: bounce)
            return .none
        }
        guard isPart(id), let sequence = contacts.sequence, case .tracking(let since, let landed, let lifted) = attempt
        else { return .none }
        guard landed == settings.fingers else { return fail(tooFew(landed)) }
        liftedAt = liftedAt + (position - .zero)
        guard lifted + 1 == settings.fingers else {
            attempt = .tracking(since: since, landed: landed, lifted: lifted + 1)
            return .none
        }
        attempt = .idle
        return complete(
            TapAnswer.Tap(
                sequence: sequence, fingers: settings.fingers,
                position: .zero + liftedAt * (1 / Double(settings.fingers)),
                count: settings.count, duration: contacts.now - since))
    }

    private func expire() -> TapAnswer {
        guard let deadline, deadline <= contacts.now else { return .none }
        if case .tracking(let since, _, _) = attempt {
            let duration = (contacts.now - since).inMilliseconds
            return fail(GestureFailure(.tooLong, value: duration, limit: settings.maxTime.inMilliseconds))
        }
        let gap = settings.gap.inMilliseconds
        return endStreak(GestureFailure(.noFurtherTap, value: gap, limit: gap))
    }

    /// Gives up for this sequence, and ends the streak: a tap that waited for this one comes now.
    private func fail(_ failure: GestureFailure) -> TapAnswer {
        let isUnderWay = attempt != .failed
        attempt = .failed
        var answer = endStreak(nil)
        if isUnderWay { answer.failure = failure }
        return answer
    }

    /// Gives up. A cancel never makes a tap come, unless a gesture of a later sequence took what a tap
    /// of an earlier one waited for: then that has merely failed.
    private func cancel(_ reason: CancelReason, _ byGesture: Bool) -> TapAnswer {
        let isEarlier = byGesture && waiting?.sequence != contacts.sequence
        var answer = fail(GestureFailure(.cancelled(reason)))
        if !isEarlier { answer.tap = nil }
        return answer
    }

    /// The attempt ends with the contacts that it has.
    private func tapEnds() -> TapAnswer {
        bounced.removeAll(keepingCapacity: true)
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
        let origin = contacts.group.originCentroid(since: firstContact, without: bounced)
        defer { if streak == 0 { streakOrigin = origin } }
        let apart = (origin - streakOrigin).length
        guard streak > 0, apart.exceeds(settings.distance) else { return .none }
        return endStreak(GestureFailure(.tooFarApart, value: apart, limit: settings.distance))
    }

    private func complete(_ tap: TapAnswer.Tap) -> TapAnswer {
        streak += 1
        if streak == 1 { firstSequence = tap.sequence }
        lastLift = contacts.now
        lastSequence = tap.sequence
        // What waited was not the end of the streak.
        waiting = nil
        let isThis = streak == settings.count
        if streak >= longestCount {
            streak = 0
        } else if isThis, settings.wait {
            waiting = tap
            return .none
        }
        return isThis ? TapAnswer(tap: tap) : .none
    }

    /// - Parameter failure: why a longer streak has come to nothing, if that is for this to say.
    private func endStreak(_ failure: GestureFailure?) -> TapAnswer {
        var answer = TapAnswer(tap: waiting)
        if let failure, streak > 0, streak < settings.count {
            answer.failure = failure
            answer.brokenStreak = lastSequence
        }
        waiting = nil
        streak = 0
        return answer
    }
}
