// SPDX-License-Identifier: MIT

/// Questions of recognizers about the members of a group.
extension ContactGroup {
    /// The largest distance in millimetres that an unclaimed member has reached from its landing. Only members whose
    /// landing number is at least `first` and that are not listed in `left` are considered. Contacts that have lifted
    /// are not members.
    func excursion(
        since first: Int = 0, without left: [ContactID] = [], withJumps: Bool = true
    ) -> Double {
        var largest = 0.0
        for member in members where isFree(member, since: first, without: left) {
            largest = max(largest, withJumps ? member.squaredExcursion : member.squaredSteadyExcursion)
        }
        return largest.squareRoot()
    }

    /// The number of unclaimed members that have stayed within `slop` millimetres of their landing, and in the region
    /// if `inside` is true. Only members whose landing number is at least `first` and that are not listed in `left` are
    /// considered.
    func staying(
        within slop: Double, inside: Bool, since first: Int = 0, without left: [ContactID] = [],
        withJumps: Bool = true
    ) -> Int {
        var number = 0
        for member in members where isFree(member, since: first, without: left) {
            let hasLeft = inside && (member.hasLeft || withJumps && member.isOutside)
            let squared = withJumps ? member.squaredExcursion : member.squaredSteadyExcursion
            if !hasLeft, !squared.squareRoot().exceeds(slop) { number += 1 }
        }
        return number
    }

    /// The unclaimed member that landed first. Only members whose landing number is at least `first` and that are not
    /// listed in `left` are considered.
    func oldest(since first: Int = 0, without left: [ContactID]) -> Member? {
        members.first { isFree($0, since: first, without: left) }
    }

    /// The only unclaimed member that has moved by more than `slop` millimetres from its landing, ignoring jumps; `nil` if there
    /// are several or none.
    func mover(beyond slop: Double) -> Member? {
        var mover: Member?
        for member in members where !member.isClaimed && member.squaredSteadyExcursion.squareRoot().exceeds(slop) {
            guard mover == nil else { return nil }
            mover = member
        }
        return mover
    }

    /// The finger that may draw or turn: the only unclaimed contact or, of several, the only one that has moved. The others
    /// may be a hand that holds the panel.
    var drawer: Member? { count == 1 ? oldest(without: []) : mover(beyond: Self.moverSlop) }

    /// Whether other unclaimed contacts may draw after this one has lifted, because it has not moved.
    func isBesideDrawer(_ id: ContactID) -> Bool {
        guard count > 1, let member = index(of: id) else { return false }
        return !members[member].squaredSteadyExcursion.squareRoot().exceeds(Self.moverSlop)
    }

    /// The time at which this many of the unclaimed members had landed; `nil` if there are fewer.
    func landing(ofNumber number: Int) -> Timestamp? {
        var missing = number
        for member in members where !member.isClaimed {
            missing -= 1
            if missing == 0 { return member.landed }
        }
        return nil
    }

    /// The first landing of an unclaimed member after a time. Only members whose landing number is at least `first` and that
    /// are not listed in `left` are considered.
    func landing(after time: Timestamp, since first: Int, without left: [ContactID]) -> Timestamp? {
        members.first { $0.landed > time && isFree($0, since: first, without: left) }?.landed
    }

    /// Whether an unclaimed contact is outside the region.
    var isAnyOutside: Bool {
        for member in members where member.isOutside && !member.isClaimed { return true }
        return false
    }

    /// Whether an unclaimed contact has left the region, even if it has returned. Only members whose landing number is
    /// at least `first` and that are not listed in `left` are considered.
    func hasLeft(
        since first: Int = 0, without left: [ContactID] = [], withJumps: Bool = true
    ) -> Bool {
        for member in members where member.hasLeft || withJumps && member.isOutside {
            if isFree(member, since: first, without: left) { return true }
        }
        return false
    }

    /// Whether a member is unclaimed, has a landing number of at least `first`, and is not listed in `left`.
    private func isFree(_ member: Member, since first: Int, without left: [ContactID]) -> Bool {
        !member.isClaimed && member.landing >= first && !left.contains(member.id)
    }

    /// The contact that is nearest to a point, and its distance in millimetres; of two equally near, the older one.
    /// `nil` if there is none.
    func nearest(to point: Point) -> (id: ContactID, distance: Double)? {
        var nearest: (id: ContactID, distance: Double)?
        for member in members {
            let distance = (member.position - point).length
            if nearest?.distance.exceeds(distance) != false { nearest = (member.id, distance) }
        }
        return nearest
    }
}
