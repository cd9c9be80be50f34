// SPDX-License-Identifier: MIT

/// Why an attempt fails.
extension TapRecognizer {
    /// The failure of contacts that have moved too far or have left the region; `nil` if they have not. If there are
    /// too many contacts, the tap fails only when fewer than `fingers` have stayed.
    /// - Parameter withJumps: `false` to forgive a single jump of the panel.
    func straying(_ attempt: TapAttempt, withJumps: Bool) -> GestureFailure? {
        let hasMoved = contacts.squaredExcursion > settings.slop * settings.slop
        guard hasMoved || settings.staysInside, !contacts.isThinning else { return nil }
        let group = contacts.group
        if attempt.excess > 0 {
            let staying = group.staying(
                within: settings.slop, inside: settings.staysInside, since: attempt.first, without: excluded,
                withJumps: withJumps)
            return staying + attempt.lifted < settings.fingers ? tooMany(attempt.excess) : nil
        }
        let distance = hasMoved ? group.excursion(since: attempt.first, without: excluded, withJumps: withJumps) : 0
        if distance.exceeds(settings.slop) {
            return GestureFailure(.moved, value: distance, limit: settings.slop)
        }
        let hasLeft =
            settings.staysInside && group.hasLeft(since: attempt.first, without: excluded, withJumps: withJumps)
        return hasLeft ? GestureFailure(.leftRegion) : nil
    }

    /// The failure of an attempt when one of its contacts lifts; `nil` if the attempt goes on or is complete.
    func failure(of attempt: TapAttempt, atLiftOf id: ContactID) -> GestureFailure? {
        if let crowd = crowd(attempt) { return crowd }
        if attempt.landed != settings.fingers { return tooFew(attempt.landed) }
        // The last report may have confirmed a jump, or may have been a fast stroke.
        let isStroke = contacts.group.index(of: id).map { contacts.group.members[$0].isStroke } ?? false
        if let strayed = straying(attempt, withJumps: isStroke) { return strayed }
        if let late = attempt.lateLift(at: contacts.liftTime, settings.maxLiftSpread) { return late }
        let duration = attempt.duration(liftAt: contacts.liftTime)
        guard attempt.lifted + 1 == settings.fingers, duration < settings.minTime else { return nil }
        return GestureFailure(.tooQuick, value: duration.inMilliseconds, limit: settings.minTime.inMilliseconds)
    }

    /// The failure of an attempt with too many contacts, or with one that has landed too late, unless some of them turn
    /// out to be palms.
    func crowd(_ attempt: TapAttempt) -> GestureFailure? {
        if attempt.excess > 0 { return tooMany(attempt.excess) }
        return attempt.apart.map {
            GestureFailure(.landedApart, value: $0.inMilliseconds, limit: settings.group.inMilliseconds)
        }
    }

    func tooMany(_ count: Int) -> GestureFailure {
        GestureFailure(.tooManyContacts, value: Double(count), limit: Double(settings.fingers))
    }

    func tooFew(_ count: Int) -> GestureFailure {
        GestureFailure(.tooFewContacts, value: Double(count), limit: Double(settings.fingers))
    }

    func isPart(_ id: ContactID, of attempt: TapAttempt) -> Bool {
        guard let landing = contacts.group.landing(of: id) else { return false }
        return landing >= attempt.first && !excluded.contains(id)
    }
}
