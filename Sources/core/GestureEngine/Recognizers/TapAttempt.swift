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
    /// The time between the first landing and one that was later than `group`; `nil` if there is none. One of these
    /// contacts may still turn out to be a palm.
    var apart: Interval?
    /// The number of contacts that have lifted. After the first lift, no other contact may land.
    private(set) var lifted = 0
    /// The times of the first and the last lift. Lifts that were held back may arrive in a different order.
    private var firstLift = Timestamp.never
    private(set) var lastLift = Timestamp(microseconds: .min)
    /// Whether the gesture was recognized at the landing.
    var isDecided = false
    /// The sum of the positions of the lifts.
    private(set) var liftedAt = Vector.zero

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

    mutating func remove(of fingers: Int) {
        if excess > 0 { excess -= 1 }
        if excess <= fingers { excess = 0 }
    }

    mutating func addLift(at position: Point, _ time: Timestamp) {
        firstLift = min(firstLift, time)
        lastLift = max(lastLift, time)
        liftedAt = liftedAt + (position - .zero)
        lifted += 1
    }

    /// The time from the landing to the last lift, if a contact lifts at `time`.
    func duration(liftAt time: Timestamp) -> Interval { max(lastLift, time) - since }

    /// The failure if a lift comes too long after the first one; `nil` if it is in time.
    func lateLift(at time: Timestamp, _ limit: Interval?) -> GestureFailure? {
        guard let limit, lifted > 0 else { return nil }
        let spread = max(lastLift, time) - min(firstLift, time)
        guard spread > limit else { return nil }
        return GestureFailure(.liftedApart, value: spread.inMilliseconds, limit: limit.inMilliseconds)
    }
}
