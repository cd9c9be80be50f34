// SPDX-License-Identifier: MIT

/// How contacts lay at one time.
struct MotionMark: Hashable, Sendable {
    var time = Timestamp(microseconds: .min)
    var motion = GroupMotion()
}

/// How the contacts of a region lay during the last 300 ms. Its size is bounded, and after the first use it allocates
/// nothing.
struct MotionHistory: Hashable, Sendable {
    /// Movements that are older than this say nothing about what the contacts do now.
    private static let window = Interval.milliseconds(300)
    /// Of three marks, the first and the last are at least this far apart.
    private static let spacing = Interval.milliseconds(40)
    /// Enough for the window, whatever the panel's rate.
    private static let capacity = 18

    private var marks: [MotionMark] = []

    mutating func reset() {
        marks.removeAll(keepingCapacity: true)
    }

    /// Notes how the contacts lie now. The newest mark is always the last one that was noted.
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

    /// How the contacts lay 300 ms before `time`; `nil` if nothing is known of that time.
    func mark(before time: Timestamp) -> MotionMark? {
        for mark in marks.reversed() where time - mark.time >= Self.window { return mark }
        return nil
    }

    /// The greatest travel since `base`, each motion for itself. (The path counts: a hand that moves to and fro drags.)
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

/// From where a gesture of several contacts weighs its own motion against the others.
///
/// At first that is where the contacts were when their number last changed. While another motion of theirs is
/// larger, it is where they were 300 ms ago: so what they do now counts, and not what they have done before.
struct MotionBase: Hashable, Sendable {
    /// A smaller motion is not taken for one: fingers that rest also stir. Millimetres, as the start of a drag.
    private static let leastMotion = 3.0

    private(set) var mark = MotionMark()
    /// The largest motion that was larger than the gesture's own; 0: none was.
    private(set) var yielded = 0.0

    /// By how much more a gesture must exceed its `start`: contacts that have moved in another way wobble while they
    /// come to rest. In recordings of drags the wobble is up to 15°, less than twice the start of a rotation.
    var factor: Double { yielded > 0 ? 2 : 1 }

    /// The number of contacts has changed.
    mutating func restart(_ contacts: RegionContacts) {
        mark = MotionMark(time: contacts.now, motion: contacts.motion)
        yielded = 0
    }

    /// Where the contacts are now is where a motion in the other direction would begin.
    mutating func follow(_ contacts: RegionContacts) {
        mark = MotionMark(time: contacts.now, motion: contacts.motion)
    }

    /// Another motion is larger.
    mutating func yield(to motion: Double, _ contacts: RegionContacts) {
        guard motion >= Self.leastMotion else { return }
        yielded = max(yielded, motion)
        if let earlier = contacts.history.mark(before: contacts.now), earlier.time > mark.time { mark = earlier }
    }
}
