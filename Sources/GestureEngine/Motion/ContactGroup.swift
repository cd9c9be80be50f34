// SPDX-License-Identifier: MIT

/// The contacts of one sequence.
///
/// A contact that another region has claimed stays a member, because a press lasts until it lifts. `centroid`, `span`
/// and `count` refer to the unclaimed members.
struct ContactGroup: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        var id: ContactID
        /// The number of contacts that had landed before it in this sequence. A contact that comes back from rest lands
        /// again, so its id does not show the order.
        let landing: Int
        var origin: Point
        var position: Point
        /// Where it was when a contact last left, or another region claimed one; its landing if that was later.
        fileprivate var settled: Point
        let landed: Timestamp
        /// The time of its last report.
        var reported: Timestamp
        /// Whether it has been reported since it landed.
        var isReported = false
        /// Whether its last report was a jump: faster than any finger, and not right after another jump.
        var hasJumped = false
        /// Whether the jump was the contact's first report. If the contact lifts right after it, the movement was a
        /// fast stroke.
        var isStroke = false
        /// The largest distance from the origin so far, ignoring jumps, in squared millimetres.
        var squaredSteadyExcursion = 0.0
        /// The largest distance from the origin so far, in squared millimetres.
        var squaredExcursion = 0.0
        /// Whether the contact has left the region (with hysteresis) and not returned.
        var isOutside = false
        /// Whether it has been outside in a report that was not a jump, even if it has returned.
        fileprivate(set) var hasLeft = false
        /// Whether another region has claimed the contact.
        var isClaimed = false
        /// Whether it moved farther in its last report than a finger can: the panel has mixed it up with another
        /// contact, or with a ghost.
        var hasLeapt = false
        /// The position when the number of contacts last changed, and whether the contact has moved by more than
        /// `moverSlop` from there. Only kept while three or more contacts are measured.
        fileprivate(set) var anchor = Point.zero
        fileprivate(set) var hasMoved = false

        /// Records a report of the panel. Mutates the member in place, because copying it would cost more than the
        /// update.
        @inline(__always)  // because it runs for each report
        fileprivate mutating func report(_ newPosition: Point, _ now: Timestamp, isResynchronized: Bool) {
            let step = (newPosition - position).squaredLength
            let isJump = Self.isJump(step, in: now - reported)
            hasLeapt = isJump && step > Self.shortestLeap * Self.shortestLeap
            hasJumped = isJump && !isResynchronized && !hasJumped
            isStroke = hasJumped && !isReported
            isReported = true
            reported = now
            position = newPosition
            let excursion = (newPosition - origin).squaredLength
            squaredExcursion = max(squaredExcursion, excursion)
            if !hasJumped { squaredSteadyExcursion = max(squaredSteadyExcursion, excursion) }
        }

        /// Jumps shorter than this, in millimetres, are not leaps. A fast finger moves this far in 23 ms, and reports are
        /// delayed by up to 20 ms.
        private static let shortestLeap = 30.0

        /// Whether a movement is too fast for a finger. `false` if no time has passed, because the speed is then unknown.
        private static func isJump(_ squaredDistance: Double, in interval: Interval) -> Bool {
            let reach = SwipeSettings.fastest * interval.seconds
            return reach > 0 && squaredDistance > reach * reach
        }
    }

    /// Where a member was when a later one landed.
    private struct Mark: Hashable, Sendable {
        let landing: Int
        let later: Int
        let position: Point
    }

    /// Contacts that have moved no farther than this in millimetres may be at rest: the slop of a tap.
    private static let moverSlop = 3.0

    /// Kept until a contact leaves or is claimed, because each later member may turn out not to be a finger.
    private var marks: [Mark] = []
    /// The time of `Member.settled`.
    private var settled = Timestamp(microseconds: .min)
    /// The members in the order of their landing.
    private(set) var members: [Member] = []
    /// The number of unclaimed members.
    private(set) var count = 0
    /// The largest number of unclaimed members in the sequence.
    private(set) var peak = 0
    /// The number of unclaimed members from which span and angle are measured while the others rest; 0 if all of them
    /// are measured.
    private(set) var movers = 0
    /// The number of landings in the sequence.
    private(set) var landings = 0

    /// The mean position of the unclaimed contacts; if there are none, of the claimed ones.
    var centroid: Point { members.count == 1 ? members[0].position : mean }

    private var mean: Point {
        var sum = Vector.zero
        for i in members.indices where isCounted(i) { sum = sum + (members[i].position - .zero) }
        return .zero + sum * (1 / Double(divisor))
    }

    /// The mean landing position of the members whose landing number is at least `first`, except those listed in
    /// `left`.
    func originCentroid(since first: Int = 0, without left: [ContactID] = []) -> Point {
        var sum = Vector.zero
        var number = 0
        for i in members.indices where isCounted(i) && members[i].landing >= first && !left.contains(members[i].id) {
            sum = sum + (members[i].origin - .zero)
            number += 1
        }
        return .zero + sum * (1 / Double(max(number, 1)))
    }

    /// The contacts and positions from which an arrangement is measured.
    enum Measured {
        /// The unclaimed contacts; if there are none, the claimed ones.
        case all
        /// The contacts of `all`, where they were when the number of contacts last changed (`start(of:)`).
        case allAtStart
        /// The contacts that have moved.
        case movers
        /// The contacts that have moved, at their positions when the number of contacts last changed.
        case moversAtAnchor
    }

    /// The centroid, the span (twice the mean distance of the contacts from it), and the vector from the oldest to the second
    /// oldest contact, which is zero unless there are two.
    func arrangement(_ measured: Measured = .all) -> (centroid: Point, span: Double, axis: Vector) {
        let hasAll = measured == .all || measured == .allAtStart
        func isMeasured(_ i: Int) -> Bool { hasAll ? isCounted(i) : members[i].hasMoved && !members[i].isClaimed }
        func position(_ i: Int) -> Point {
            switch measured {
            case .all, .movers: members[i].position
            case .allAtStart: start(of: members[i])
            case .moversAtAnchor: members[i].anchor
            }
        }
        var oldest: Point?
        var axis: Vector?
        var sum = Vector.zero
        for i in members.indices where isMeasured(i) {
            sum = sum + (position(i) - .zero)
            if let oldest, axis == nil { axis = position(i) - oldest }
            oldest = oldest ?? position(i)
        }
        let number = Double(hasAll ? divisor : max(movers, 1))
        let centroid = Point.zero + sum * (1 / number)
        var distances = 0.0
        for i in members.indices where isMeasured(i) { distances += (position(i) - centroid).length }
        return (centroid, 2 * distances / number, axis ?? .zero)
    }

    /// Where a member was when the number of contacts last changed. One that has turned out not to be a finger has not
    /// changed it.
    func start(of member: Member) -> Point {
        for mark in marks where mark.landing == member.landing && mark.later == members.last?.landing {
            return mark.position
        }
        return member.settled
    }

    /// The time at which the number of contacts last changed, for `start(of:)`.
    var started: Timestamp { max(settled, members.last?.landed ?? settled) }

    /// Whether at least one contact is inside the region.
    var isInside: Bool {
        for member in members where !member.isOutside { return true }
        return false
    }

    mutating func add(_ id: ContactID, at position: Point, _ now: Timestamp) {
        if members.isEmpty { members.reserveCapacity(4) }
        for member in members {
            marks.append(Mark(landing: member.landing, later: landings, position: member.position))
        }
        members.append(
            Member(
                id: id, landing: landings, origin: position, position: position, settled: position, landed: now,
                reported: now))
        landings += 1
        count += 1
        peak = max(peak, count)
    }

    @inline(__always)  // because it runs for each report
    func index(of id: ContactID) -> Int? {
        for i in members.indices where members[i].id == id { return i }
        return nil
    }

    /// The number of contacts that had landed before this member; `nil` if the contact is not a member.
    func landing(of id: ContactID) -> Int? { index(of: id).map { members[$0].landing } }

    /// Whether this contact is an unclaimed member.
    func isFree(_ id: ContactID) -> Bool {
        index(of: id).map { !members[$0].isClaimed } ?? false
    }

    /// Sets the position of a contact at the time `now`.
    /// - Returns: its index, and whether the position has changed; `nil` if it is not a member.
    mutating func move(
        _ id: ContactID, to position: Point, _ kind: ContactChange.Kind, _ now: Timestamp
    ) -> (place: Int, hasMoved: Bool)? {
        guard let place = index(of: id) else { return nil }
        let hasMoved = members[place].position != position
        // A lift at an unchanged position is not a report.
        if hasMoved || kind == .moved {
            members[place].report(position, now, isResynchronized: kind == .resynchronized)
        }
        return (place, hasMoved)
    }

    mutating func setOutside(_ index: Int, _ isOutside: Bool) {
        members[index].isOutside = isOutside
    }

    /// Records that a contact is outside the region, unless its last report was a jump.
    /// - Returns: whether this is the first such report of the contact.
    mutating func noteLeaving(_ index: Int) -> Bool {
        guard members[index].isOutside, !members[index].hasJumped, !members[index].hasLeft else { return false }
        members[index].hasLeft = true
        return true
    }

    mutating func claim(_ index: Int, _ now: Timestamp) {
        guard !members[index].isClaimed else { return }
        members[index].isClaimed = true
        count -= 1
        settle(now)
    }

    /// - Parameter isFinger: `false` if it turned out not to be a finger: for `start(of:)`, it has never landed.
    mutating func remove(_ index: Int, isFinger: Bool, _ now: Timestamp) {
        let member = members.remove(at: index)
        if !member.isClaimed { count -= 1 }
        guard !isFinger || member.isClaimed else { return settle(now) }
        marks.removeAll { $0.landing == member.landing || $0.later == member.landing }
    }

    /// Measures all contacts from their current positions.
    mutating func settle(_ now: Timestamp) {
        marks.removeAll(keepingCapacity: true)
        settled = now
        for i in members.indices { members[i].settled = members[i].position }
    }

    mutating func removeAll() {
        members.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
        count = 0
        peak = 0
        movers = 0
        landings = 0
    }

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

    // MARK: Contacts that have moved

    /// Measures all contacts from their current positions.
    mutating func anchorMovers() {
        movers = 0
        guard count > 2 else { return }
        for i in members.indices {
            members[i].anchor = members[i].position
            members[i].hasMoved = false
        }
    }

    /// Updates which contacts have moved. If at least two have moved and others have not, only those that have moved
    /// are measured.
    /// - Returns: whether the set of measured contacts has changed.
    mutating func noteMovers() -> Bool {
        guard count > 2 else { return false }
        var moved = 0
        for i in members.indices where !members[i].isClaimed {
            if !members[i].hasMoved {
                members[i].hasMoved = (members[i].position - members[i].anchor).length.exceeds(Self.moverSlop)
            }
            if members[i].hasMoved { moved += 1 }
        }
        let before = movers
        movers = moved > 1 && moved < count ? moved : 0
        return movers != before
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

    /// Whether a member is included in measurements of movement.
    private func isCounted(_ index: Int) -> Bool {
        count == 0 || !members[index].isClaimed
    }

    private var divisor: Int { max(count == 0 ? members.count : count, 1) }
}
