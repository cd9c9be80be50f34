// SPDX-License-Identifier: MIT

/// One attempt at a tap: the contacts that have landed for it, and those that have lifted.
struct TapAttempt {
    var since: Timestamp
    /// The first contact's number in the order of landings (`ContactGroup.Member.landing`). Contacts that landed
    /// earlier do not belong to the attempt.
    var first: Int
    var landed = 1
    /// The number of contacts while there are too many; otherwise 0.
    var excess = 0
    /// The number of contacts that have lifted. After the first lift, no other contact may land.
    var lifted = 0
    /// The time of the first lift.
    var firstLift = Timestamp(microseconds: 0)
    /// Whether the gesture was recognized at the landing.
    var isDecided = false
    /// The sum of the positions of the lifts.
    var liftedAt = Vector.zero

    init(since: Timestamp, first: Int) {
        (self.since, self.first) = (since, first)
    }

    /// Records a landing.
    /// - Parameters:
    ///   - count: the number of contacts including this one. Ignored if there were already too many.
    ///   - fingers: the number of contacts that the tap requires.
    mutating func add(_ count: Int, of fingers: Int) {
        if excess > 0 { excess += 1 } else if count > fingers { excess = count }
    }

    /// Removes a landing.
    mutating func remove(of fingers: Int) {
        if excess > 0 { excess -= 1 }
        if excess <= fingers { excess = 0 }
    }

    /// The failure if a lift comes too long after the first one; `nil` if it is in time.
    func lateLift(at now: Timestamp, _ limit: Interval?) -> GestureFailure? {
        guard let limit, lifted > 0 else { return nil }
        let spread = now - firstLift
        guard spread > limit else { return nil }
        return GestureFailure(.liftedApart, value: spread.inMilliseconds, limit: limit.inMilliseconds)
    }
}
