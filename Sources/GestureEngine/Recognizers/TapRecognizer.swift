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
    /// A contact that landed so soon after a lift that the panel must have bounced.
    private var bounced: ContactID?
    /// The sum of where the contacts of this attempt lifted.
    private var liftedAt = Vector.zero

    /// Taps so far; 0 when there is no streak.
    private var streak = 0
    private var streakOrigin = Point.zero
    private var lastLift = Timestamp(microseconds: 0)
    /// This gesture has been recognized, and waits for the streak to end (`wait = true`).
    private var waiting: Tap?

    init(_ settings: TapSettings, longestCount: Int, gesture: Int) {
        self.settings = settings
        self.longestCount = longestCount
        self.gesture = gesture
    }

    var fingers: Int { settings.fingers }
    var count: Int { settings.count }
    var isIdle: Bool { attempt == .idle && streak == 0 && bounced == nil }

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
    /// - Returns: a tap that waited, and that this landing has decided.
    mutating func landed(
        _ id: ContactID, _ group: borrowing ContactGroup, at time: Timestamp, sinceLift: Interval?
    ) -> Tap? {
        if let sinceLift, sinceLift < settings.minGap {
            bounced = id
            return nil
        }
        switch attempt {
        case .idle:
            attempt = .tracking(since: time, landed: 1, lifted: 0)
            liftedAt = .zero
        case .tracking(let since, let landed, let lifted):
            if landed == settings.fingers || time - since > settings.group { return fail() }
            attempt = .tracking(since: since, landed: landed + 1, lifted: lifted)
        case .failed:
            return nil
        }
        return continueStreak(group)
    }

    mutating func moved(_ group: borrowing ContactGroup) -> Tap? {
        guard case .tracking = attempt, group.hasStrayed(beyond: settings.slop, ignoring: bounced) else { return nil }
        return fail()
    }

    /// Whether this lift makes the tap that this gesture is.
    func isCompleted(byLiftOf id: ContactID) -> Bool {
        guard id != bounced, case .tracking(_, settings.fingers, settings.fingers - 1) = attempt else { return false }
        return streak + 1 == settings.count && !(settings.wait && settings.count < longestCount)
    }

    /// - Returns: the tap, when this lift completes it and nothing is to be waited for.
    mutating func lifted(_ id: ContactID, at position: Point, time: Timestamp, sequence: SequenceID) -> Tap? {
        if id == bounced {
            bounced = nil
            return nil
        }
        guard case .tracking(let since, let landed, let lifted) = attempt else { return nil }
        liftedAt = liftedAt + (position - .zero)
        guard landed == settings.fingers, lifted + 1 == settings.fingers else {
            attempt = .tracking(since: since, landed: landed, lifted: lifted + 1)
            return nil
        }
        attempt = .idle
        let tap = Tap(
            sequence: sequence, position: .zero + liftedAt * (1 / Double(settings.fingers)), duration: time - since)
        return complete(tap, at: time)
    }

    /// - Returns: a tap that waited until its streak was over.
    mutating func fire(at time: Timestamp) -> Tap? {
        guard let deadline, deadline <= time else { return nil }
        if case .tracking = attempt { return fail() }
        return endStreak()
    }

    /// Gives up for this sequence, and ends the streak.
    ///
    /// - Returns: a tap that waited for this one.
    mutating func fail() -> Tap? {
        attempt = .failed
        return endStreak()
    }

    /// Gives up and forgets: a cancel never fires a tap.
    mutating func cancel() {
        attempt = .failed
        _ = endStreak()
    }

    /// - Returns: a tap that waited for one that has come to nothing.
    mutating func sequenceEnded() -> Tap? {
        bounced = nil
        defer { attempt = .idle }
        // Lifted before enough contacts had landed.
        if case .tracking = attempt { return endStreak() }
        return nil
    }

    /// With all its contacts down, an attempt that is too far from the streak's first tap ends
    /// that streak and begins one of its own.
    private mutating func continueStreak(_ group: borrowing ContactGroup) -> Tap? {
        guard case .tracking(_, settings.fingers, _) = attempt else { return nil }
        let origin = group.originCentroid
        defer { if streak == 0 { streakOrigin = origin } }
        guard streak > 0, (origin - streakOrigin).squaredLength > settings.distance * settings.distance
        else { return nil }
        return endStreak()
    }

    private mutating func complete(_ tap: Tap, at time: Timestamp) -> Tap? {
        streak += 1
        lastLift = time
        // What waited was not the end of the streak.
        waiting = nil
        let isThis = streak == settings.count
        if streak >= longestCount {
            streak = 0
        } else if isThis, settings.wait {
            waiting = tap
            return nil
        }
        return isThis ? tap : nil
    }

    private mutating func endStreak() -> Tap? {
        defer { waiting = nil }
        streak = 0
        return waiting
    }
}
