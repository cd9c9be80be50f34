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
    static let moverSlop = 3.0

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

    // MARK: Contacts that have moved

    /// Measures all contacts from their current positions.
    /// - Parameter isFinger: `false` if a contact has left that was not a finger: then from where they were before it landed.
    mutating func anchorMovers(isFinger: Bool) {
        movers = 0
        guard count > 2 else { return }
        for i in members.indices {
            members[i].anchor = isFinger ? members[i].position : start(of: members[i])
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

    /// Whether a member is included in measurements of movement.
    private func isCounted(_ index: Int) -> Bool {
        count == 0 || !members[index].isClaimed
    }

    private var divisor: Int { max(count == 0 ? members.count : count, 1) }
}
