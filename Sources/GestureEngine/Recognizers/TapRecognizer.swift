// SPDX-License-Identifier: MIT

/// n contacts that land together, stay and lift in time; and how many such taps came in a row.
///
/// One machine for each tap gesture of a region. The attempt lives within a sequence, the streak
/// outlives it until `gap` has passed:
///
///     idle ──landing──▶ tracking ──last of n lifts──▶ idle, streak + 1
///                          └──strays, too late, too many──▶ failed, streak ends
struct TapRecognizer: Hashable, Sendable {
    /// A tap that has happened.
    struct Tap: Hashable, Sendable {
        var sequence: SequenceID
        var position: Point
        var duration: Interval
    }

    /// What a tap gesture answers.
    struct Answer {
        /// Recognized now: by what just happened, or since nothing longer can come any more.
        var tap: Tap?
        /// Why the attempt came to nothing.
        var failure: GestureFailure?
        /// Why the streak that was under way came to nothing.
        var streakFailure: GestureFailure?

        static let none = Answer()
    }

    private enum Attempt: Hashable, Sendable {
        case idle
        case tracking(since: Timestamp, landed: Int, lifted: Int)
        /// Waits for the sequence to end.
        case failed
    }

    let gesture: Int
    private let settings: TapSettings
    /// The highest count configured in the region for this number of fingers.
    private let longestCount: Int

    private var attempt = Attempt.idle
    /// The first contact of this attempt: what landed before is none of it.
    private var firstContact = ContactID(0)
    /// Contacts that landed so soon after a lift that the panel must have bounced.
    private var bounced: [ContactID] = []
    /// The sum of where the contacts of this attempt lifted.
    private var liftedAt = Vector.zero

    /// Taps so far; 0 when there is no streak.
    private var streak = 0
    private var streakOrigin = Point.zero
    private var lastLift = Timestamp(microseconds: 0)
    /// The sequence of the streak's first tap, also after it has come to its end.
    private(set) var firstSequence = SequenceID(0)
    /// The sequence of the streak's last tap.
    private(set) var lastSequence = SequenceID(0)
    /// The sequence of which a failure was told: it is not told twice.
    var failedSequence: SequenceID?
    /// This gesture has been recognized, and waits for the streak to end (`wait = true`).
    private var waiting: Tap?

    init(_ settings: TapSettings, longestCount: Int, gesture: Int) {
        self.settings = settings
        self.longestCount = longestCount
        self.gesture = gesture
    }

    var fingers: Int { settings.fingers }
    var count: Int { settings.count }
    var isIdle: Bool { attempt == .idle && streak == 0 && bounced.isEmpty }

    /// The sequence of the tap that waits.
    var waitingSequence: SequenceID? { waiting?.sequence }

    /// Whether this may still be recognized without another landing after a pause.
    var isPossible: Bool {
        if case .tracking = attempt { return true }
        return attempt == .idle && streak > 0 && streak < settings.count
    }

    /// Whether a tap of an earlier sequence may still become part of this.
    func mayContain(_ sequence: SequenceID) -> Bool {
        streak > 0 && streak < settings.count && sequence >= firstSequence && attempt != .failed
    }

    /// Fewer contacts have landed than it takes.
    var lacksContacts: Bool {
        if case .tracking(_, let landed, _) = attempt { landed < settings.fingers } else { false }
    }

    /// When the attempt is too long, or the streak over.
    var deadline: Timestamp? {
        if case .tracking(let since, _, _) = attempt { return since + settings.maxTime }
        return streak > 0 ? lastLift + settings.gap : nil
    }

    /// How far a contact may stray before this attempt fails, squared; `nil` while there is none.
    var squaredSlop: Double? {
        if case .tracking = attempt { settings.slop * settings.slop } else { nil }
    }

    /// - Parameter sinceLift: since a contact last lifted from this region; `nil`: never.
    mutating func landed(
        _ id: ContactID, _ group: borrowing ContactGroup, at time: Timestamp, sinceLift: Interval?
    ) -> Answer {
        if let sinceLift, sinceLift < settings.minGap {
            bounced.append(id)
            // Within an attempt it only looks on; alone in its sequence it is one that came to nothing.
            guard case .idle = attempt else { return .none }
            return Answer(
                failure: GestureFailure(
                    .bounce, value: sinceLift.inMilliseconds, limit: settings.minGap.inMilliseconds))
        }
        switch attempt {
        case .idle:
            attempt = .tracking(since: time, landed: 1, lifted: 0)
            firstContact = id
            liftedAt = .zero
        case .tracking(let since, let landed, let lifted):
            if landed == settings.fingers {
                return fail(
                    GestureFailure(.tooManyContacts, value: Double(landed + 1), limit: Double(settings.fingers)))
            }
            if time - since > settings.group {
                return fail(
                    GestureFailure(
                        .landedApart, value: (time - since).inMilliseconds, limit: settings.group.inMilliseconds))
            }
            attempt = .tracking(since: since, landed: landed + 1, lifted: lifted)
        case .failed:
            return .none
        }
        return continueStreak(group)
    }

    mutating func moved(_ group: borrowing ContactGroup) -> Answer {
        guard case .tracking = attempt, group.hasStrayed(beyond: settings.slop, of: isPart) else { return .none }
        return fail(GestureFailure(.moved, value: group.excursion(of: isPart), limit: settings.slop))
    }

    /// Whether this lift makes the tap that this gesture is.
    func isCompleted(byLiftOf id: ContactID) -> Bool {
        guard isPart(id), case .tracking(_, settings.fingers, settings.fingers - 1) = attempt else { return false }
        return streak + 1 == settings.count && !(settings.wait && settings.count < longestCount)
    }

    /// A tap comes at once when this lift completes it and nothing is to be waited for.
    mutating func lifted(_ id: ContactID, at position: Point, time: Timestamp, sequence: SequenceID) -> Answer {
        guard isPart(id), case .tracking(let since, let landed, let lifted) = attempt else { return .none }
        liftedAt = liftedAt + (position - .zero)
        guard landed == settings.fingers, lifted + 1 == settings.fingers else {
            attempt = .tracking(since: since, landed: landed, lifted: lifted + 1)
            return .none
        }
        attempt = .idle
        let tap = Tap(
            sequence: sequence, position: .zero + liftedAt * (1 / Double(settings.fingers)), duration: time - since)
        return complete(tap, at: time)
    }

    mutating func fire(at time: Timestamp) -> Answer {
        guard let deadline, deadline <= time else { return .none }
        if case .tracking(let since, _, _) = attempt {
            return fail(
                GestureFailure(
                    .tooLong, value: (time - since).inMilliseconds, limit: settings.maxTime.inMilliseconds))
        }
        let gap = settings.gap.inMilliseconds
        return endStreak(GestureFailure(.noFurtherTap, value: gap, limit: gap))
    }

    /// Gives up for this sequence, and ends the streak: a tap that waited for this one comes now.
    mutating func fail(_ failure: GestureFailure) -> Answer {
        let isUnderWay = attempt != .failed
        attempt = .failed
        var answer = endStreak(nil)
        if isUnderWay { answer.failure = failure }
        return answer
    }

    /// Gives up and forgets: a cancel never fires a tap.
    mutating func cancel(_ failure: GestureFailure) -> Answer {
        var answer = fail(failure)
        answer.tap = nil
        return answer
    }

    /// Taps so far count for nothing longer; what waited will not come.
    mutating func forgetStreak() {
        _ = endStreak(nil)
    }

    mutating func sequenceEnded() -> Answer {
        bounced.removeAll(keepingCapacity: true)
        defer { attempt = .idle }
        // Lifted before enough contacts had landed.
        guard case .tracking(_, let landed, _) = attempt else { return .none }
        return fail(
            GestureFailure(.tooFewContacts, value: Double(landed), limit: Double(settings.fingers)))
    }

    /// Whether a contact belongs to this attempt.
    private func isPart(_ id: ContactID) -> Bool {
        id >= firstContact && !bounced.contains(id)
    }

    /// With all its contacts down, an attempt that is too far from the streak's first tap ends
    /// that streak and begins one of its own.
    private mutating func continueStreak(_ group: borrowing ContactGroup) -> Answer {
        guard case .tracking(_, settings.fingers, _) = attempt else { return .none }
        let origin = group.originCentroid(of: isPart)
        defer { if streak == 0 { streakOrigin = origin } }
        let apart = (origin - streakOrigin).length
        guard streak > 0, apart > settings.distance else { return .none }
        return endStreak(GestureFailure(.tooFarApart, value: apart, limit: settings.distance))
    }

    private mutating func complete(_ tap: Tap, at time: Timestamp) -> Answer {
        streak += 1
        if streak == 1 { firstSequence = tap.sequence }
        lastLift = time
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
        return isThis ? Answer(tap: tap) : .none
    }

    /// - Parameter failure: why a longer streak has come to nothing, if that is for this to say.
    private mutating func endStreak(_ failure: GestureFailure?) -> Answer {
        var answer = Answer(tap: waiting)
        if let failure, streak > 0, streak < settings.count { answer.streakFailure = failure }
        waiting = nil
        streak = 0
        return answer
    }
}
