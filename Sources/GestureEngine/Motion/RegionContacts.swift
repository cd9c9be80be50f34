// SPDX-License-Identifier: MIT

/// The contacts of one region: the sequence that they are in, where they are and how they move.
///
/// The arbiter of the region changes it, its recognizers read it.
final class RegionContacts {
    /// What contacts have done in this frame, and the recognizers have not been told.
    struct FrameChanges: OptionSet {
        let rawValue: UInt8
        /// A contact was reported where it was: no movement, but no pause either.
        static let rested = FrameChanges(rawValue: 1)
        /// A contact is elsewhere.
        static let moved = FrameChanges(rawValue: 2)
        /// So is one that no other region has claimed.
        static let travelled = FrameChanges(rawValue: 4)
        /// A contact has left the region or returned.
        static let crossed = FrameChanges(rawValue: 8)
    }

    /// From the first contact that lands to the last that leaves.
    ///
    ///     none ──first contact lands──▶ open ──────────last contact leaves──────────▶ none
    ///                                    └──cancelled──▶ closed ──last contact leaves──▲
    enum Sequence {
        case none
        case open(SequenceID)
        /// Cancelled from outside: no gesture is tried again before all contacts have left.
        case closed(SequenceID)
    }

    /// What has not moved for longer than this stands still: as for a swipe.
    static let rest = Interval.milliseconds(150)

    let context: EngineContext
    private let shape: Shape
    /// Millimetres outside the shape at which a contact has left it.
    private let leaveDistance: Double
    /// A gesture cares whether contacts are inside the shape.
    var watchesInside = false
    var state = Sequence.none
    var changes: FrameChanges = []
    var group = ContactGroup()
    var motion = GroupMotion()
    /// The largest distance that any contact of the sequence has moved from its landing, lifted ones included; squared.
    var squaredExcursion = 0.0
    /// Of contacts that no other region had claimed; also in earlier sequences.
    private(set) var lifts = RecentLifts()
    /// How the contacts lay lately, while there are several; only if `keepsHistory`.
    private(set) var history = MotionHistory()
    /// A gesture of several contacts needs the history.
    var keepsHistory = false
    private let velocity = VelocityTracker()
    /// When positions last changed without reported movement.
    private var resynchronized = Timestamp(microseconds: .min)

    init(_ region: Region, _ context: EngineContext) {
        self.context = context
        shape = region.shape
        leaveDistance = region.leaveDistance
    }

    var now: Timestamp { context.now }

    var sequence: SequenceID? {
        switch state {
        case .none: nil
        case .open(let id), .closed(let id): id
        }
    }

    /// Takes over where a contact is now. Recognizers are told once the frame's other positions are taken over.
    func move(_ id: ContactID, to position: Point, _ kind: ContactChange.Kind) {
        guard let (place, member, hasMoved) = group.move(id, to: position) else { return }
        let isResynchronized = kind == .resynchronized
        guard hasMoved || isResynchronized else {
            if kind == .moved { changes.insert(.rested) }
            return
        }
        squaredExcursion = max(squaredExcursion, member.squaredExcursion)
        if watchesInside { updateInside(place, position) }
        changes.insert(.moved)
        // A contact that another region has claimed moves nothing here.
        guard !member.isClaimed else { return }
        changes.insert(.travelled)
        if isResynchronized { resynchronize() }
    }

    /// A contact has left at `leaveDistance` outside, and has returned when it is back inside the drawn shape.
    private func updateInside(_ member: Int, _ position: Point) {
        let wasOutside = group.members[member].isOutside
        let isInside = shape.contains(position)
        let isOutside = !isInside && (wasOutside || !leaveDistance.exceeds(shape.distance(to: position)))
        guard isOutside != wasOutside else { return }
        group.setOutside(member, isOutside)
        changes.insert(.crossed)
    }

    /// Millimetres a second; zero when the last movement is longer than `rest` ago.
    func velocity(rest: Interval = RegionContacts.rest) -> Vector {
        velocity.velocity(at: now, rest: rest)
    }

    /// The same as a speed, and the mean of the last 100 ms if that is more: a finger that is about to stop is as fast
    /// as it was, not as it has become.
    func speed(rest: Interval) -> Double {
        max(velocity(rest: rest).length, velocity.meanSpeed(at: now, rest: rest))
    }

    /// The lift of a contact as recognizers are told of it; `nil`: it is none of the region's.
    func lift(of id: ContactID, at position: Point) -> ContactLift? {
        guard let member = group.index(of: id) else { return nil }
        let isFree = !group.members[member].isClaimed
        return ContactLift(
            id: id, position: position, isFree: isFree, isLast: group.members.count == 1,
            isLastFree: isFree && group.count == 1)
    }

    /// Notes a lift of a contact that no other region has claimed.
    func noteLift(at position: Point) { lifts.add(position, at: now) }

    /// Measures anew from where the contacts are now: one has joined or left, which is no movement.
    func rebase() {
        motion = motion.rebased(group)
        if keepsHistory { history.reset() }
        noteMotion()
        // The centroid of other contacts has another velocity.
        velocity.reset()
    }

    /// Measures where the contacts have moved to.
    func trackMotion() {
        motion = motion.following(group)
        noteMotion()
    }

    private func noteMotion() {
        guard keepsHistory, group.count > 1 else { return }
        history.add(motion, at: now)
    }

    /// Adds a sample to the velocity. A position that was taken over after a loss tells where a
    /// contact is, not when it came there: it is no sample.
    func sampleVelocity() {
        if now != resynchronized { velocity.add(motion.centroid, at: now) }
    }

    /// Contacts have moved without reports: earlier samples say nothing about their speed.
    private func resynchronize() {
        velocity.reset()
        resynchronized = now
    }

    /// Forgets the sequence and its contacts.
    func reset() {
        group.removeAll()
        motion = GroupMotion()
        if keepsHistory { history.reset() }
        squaredExcursion = 0
        velocity.reset()
        state = .none
        changes = []
    }
}
