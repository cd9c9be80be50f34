// SPDX-License-Identifier: MIT

/// The velocity of the contacts, and the time for which they have not moved.
extension RegionContacts {
    /// A contact that has not moved for longer than this stands still. Equals the default `rest` of a swipe.
    static let standstill = Interval.milliseconds(150)
    /// The distance in millimetres within which a finger that rests trembles.
    private static let tremble = 1.0

    /// The trail of the unclaimed contact, or of the centroid of several.
    private var trail: VelocityTracker {
        guard let trails else { return VelocityTracker() }
        return trails.only ?? centroid(trails)
    }

    @inline(never)  // because passing the group copies it, and most groups have one contact
    private func centroid(_ trails: ContactTrails) -> VelocityTracker { trails.centroid(of: group) }

    /// The velocity in millimetres per second; zero if the last movement was more than `standstill` ago.
    func velocity(standstill: Interval = RegionContacts.standstill) -> Vector {
        trail.velocity(at: liftTime, standstill: standstill)
    }

    /// The velocity of contacts that lift, in millimetres per second; zero if the last movement was more than
    /// `standstill` ago.
    /// - Parameter keep: returns the part of a vector that is reported.
    func releaseVelocity(keep: (Vector) -> Vector) -> Vector {
        trail.releaseVelocity(at: liftTime, standstill: Self.standstill, keep: keep)
    }

    /// The speed in millimetres per second: the current one or the mean of the last 100 ms, whichever is larger, so
    /// that a finger that is about to stop still counts as fast. Zero if the last movement was more than `standstill`
    /// ago.
    func speed(standstill: Interval) -> Double {
        let trail = trail
        return max(
            trail.velocity(at: liftTime, standstill: standstill).length,
            trail.meanSpeed(at: liftTime, standstill: standstill))
    }

    /// The time from the last movement to now.
    var stillness: Interval { trail.stillness(at: liftTime) }

    /// The time during which the contacts have moved by no more than a finger trembles.
    var calm: Interval { trail.stillness(at: liftTime, within: Self.tremble) }
}
