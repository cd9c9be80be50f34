// SPDX-License-Identifier: MIT

/// The arrangement of contacts at one time.
struct MotionMark: Hashable, Sendable {
    var time = Timestamp(microseconds: .min)
    var motion = GroupMotion()
}

/// The arrangements of a region's contacts during the last 300 ms. The size is bounded, and only the first use
/// allocates.
struct MotionHistory: Hashable, Sendable {
    /// Older movement does not show which motion is in progress now.
    private static let window = Interval.milliseconds(300)
    /// The minimum time between the first and the last of three consecutive marks.
    private static let spacing = Interval.milliseconds(40)
    /// Enough marks for the window, whatever the panel's report rate.
    private static let capacity = 18

    private var marks: [MotionMark] = []

    mutating func reset() {
        marks.removeAll(keepingCapacity: true)
    }

    /// Records an arrangement. The newest mark is always the last arrangement recorded.
    mutating func add(_ motion: GroupMotion, at time: Timestamp) {
        if marks.isEmpty { marks.reserveCapacity(Self.capacity) }
        let mark = MotionMark(time: time, motion: motion)
        if let last = marks.last, last.time == time || isClose(time) {
            marks[marks.count - 1] = mark
        } else {
            if marks.count == Self.capacity { marks.removeFirst() }
            marks.append(mark)
        }
    }

    private func isClose(_ time: Timestamp) -> Bool {
        marks.count > 1 && time - marks[marks.count - 2].time < Self.spacing
    }

    /// The arrangement 300 ms before `time`; `nil` if the history does not reach back that far.
    func mark(before time: Timestamp) -> MotionMark? {
        for mark in marks.reversed() where time - mark.time >= Self.window { return mark }
        return nil
    }

    /// The largest value of each motion since `base`. The maximum is used because a hand that moves back and forth is
    /// dragging.
    func farthest(since base: MotionMark) -> GroupTravel {
        var farthest = GroupTravel(distance: 0, spread: 0, arc: 0)
        for mark in marks where mark.time >= base.time {
            let travel = mark.motion.since(base.motion)
            farthest.distance = max(farthest.distance, travel.distance)
            farthest.spread = max(farthest.spread, travel.spread)
            farthest.arc = max(farthest.arc, travel.arc)
        }
        return farthest
    }
}

/// The arrangement from which a gesture of several contacts compares its own motion with the others.
///
/// Initially it is the arrangement when the number of contacts last changed. While another motion is larger, it is the
/// arrangement 300 ms ago, so that only the current motions are compared.
struct MotionBase: Hashable, Sendable {
    /// Smaller motions are ignored, because resting fingers move a little. In millimetres; equals the default `start`
    /// of a drag.
    private static let leastMotion = 3.0

    private(set) var mark = MotionMark()
    /// Whether the span and the angle are those of the contacts that have moved (`RegionContacts.measured`).
    private let isOfMovers: Bool
    /// The largest motion that exceeded the gesture's own; 0 if none did.
    private(set) var yielded = 0.0

    init(isOfMovers: Bool = false) { self.isOfMovers = isOfMovers }

    /// The factor by which the gesture's `start` is multiplied. Contacts that have made another motion wobble as they
    /// come to rest. In recorded drags they turn by up to 15°, which is less than twice the `start` of a rotation.
    var factor: Double { yielded > 0 ? 2 : 1 }

    /// Restarts after the number of contacts has changed.
    mutating func restart(_ contacts: RegionContacts) {
        restart(MotionMark(time: contacts.now, motion: current(contacts)))
    }

    mutating func restart(_ mark: MotionMark) {
        self.mark = mark
        yielded = 0
    }

    /// Moves the base to the current arrangement, so that a motion in the opposite direction is measured from here.
    mutating func follow(_ contacts: RegionContacts) {
        mark = MotionMark(time: contacts.now, motion: current(contacts))
    }

    /// Handles another motion that is larger than the gesture's own.
    mutating func yield(to motion: Double, _ contacts: RegionContacts) {
        guard motion >= Self.leastMotion else { return }
        yielded = max(yielded, motion)
        let earlier = contacts.mark(before: contacts.now, ofMovers: isOfMovers)
        if let earlier, earlier.time > mark.time { mark = earlier }
    }

    private func current(_ contacts: RegionContacts) -> GroupMotion { isOfMovers ? contacts.measured : contacts.motion }
}
