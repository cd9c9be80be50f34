// SPDX-License-Identifier: MIT

/// The recent positions of the contacts of a group, from which velocities are estimated.
///
/// Each contact has a trail of its own, so one that turns out not to be a finger leaves nothing in those of the others.
/// Adding a contact allocates only if more are down than ever before.
final class ContactTrails {
    /// The trails of the group's members, in their order, then unused ones.
    private var trails: [VelocityTracker] = []
    private var count = 0
    /// The samples of the centroid of several contacts, while it is asked for.
    private let mean = VelocityTracker()
    /// For each member, the number of samples of its trail that are later than those of `mean`.
    private var later: [Int] = []

    /// Starts the trail of the member that has just landed.
    func add(_ group: ContactGroup, at time: Timestamp?) {
        count = group.members.count
        if trails.count < count {
            trails.append(VelocityTracker())
            later.append(0)
        }
        restart(count - 1, group, at: time)
    }

    /// Ends the trail of a member.
    func remove(_ place: Int) {
        trails.append(trails.remove(at: place))
        count -= 1
    }

    /// Starts all trails again at the current positions.
    /// - Parameter time: the time at which they were reached; `nil` if it is unknown.
    func restart(_ group: ContactGroup, at time: Timestamp?) {
        for place in group.members.indices { restart(place, group, at: time) }
    }

    private func restart(_ place: Int, _ group: ContactGroup, at time: Timestamp?) {
        let position = group.members[place].position
        trails[place].reset(at: position)
        if let time { trails[place].add(position, at: time) }
    }

    /// Adds a report of a member.
    func add(_ position: Point, of place: Int, at time: Timestamp) { trails[place].add(position, at: time) }

    /// The trail of the only member; `nil` if there are several.
    var only: VelocityTracker? { count == 1 ? trails[0] : nil }

    /// The samples of the centroid of the unclaimed contacts since the last of them landed. A report of one of them is a
    /// sample.
    func centroid(of group: ContactGroup) -> VelocityTracker {
        guard group.count != 1 else { return trails[group.members.firstIndex { !$0.isClaimed } ?? 0] }
        mean.reset()
        var start = Timestamp(microseconds: .min)
        for member in group.members where !member.isClaimed { start = max(start, member.landed) }
        for place in group.members.indices { later[place] = trails[place].number(since: start) }
        while let time = next(group) {
            var sum = Vector.zero
            for place in group.members.indices where !group.members[place].isClaimed {
                if later[place] > 0, trails[place].time(later[place] - 1) == time { later[place] -= 1 }
                sum = sum + (trails[place].position(later[place]) - .zero)
            }
            mean.add(.zero + sum * (1 / Double(group.count)), at: time)
        }
        return mean
    }

    /// The time of the first sample that is later than those of `mean`; `nil` if there is none.
    private func next(_ group: ContactGroup) -> Timestamp? {
        var next: Timestamp?
        for place in group.members.indices where later[place] > 0 && !group.members[place].isClaimed {
            let time = trails[place].time(later[place] - 1)
            next = min(next ?? time, time)
        }
        return next
    }
}
