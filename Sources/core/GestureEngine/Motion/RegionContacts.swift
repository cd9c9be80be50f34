// SPDX-License-Identifier: MIT

/// The contacts of one region: their sequence, positions and motion.
///
/// The region's arbiter changes this object; its recognizers only read it.
final class RegionContacts {
    /// Changes of contacts in this frame that the recognizers have not handled yet.
    struct FrameChanges: OptionSet {
        let rawValue: UInt8
        static let moved = FrameChanges(rawValue: 1)
        /// A contact that no other region has claimed has moved.
        static let travelled = FrameChanges(rawValue: 2)
        /// A contact has left the region or returned.
        static let crossed = FrameChanges(rawValue: 4)
        /// A contact that no other region has claimed has moved farther in a report than a finger can.
        static let leapt = FrameChanges(rawValue: 8)
    }

    /// The state of the sequence, which lasts from the first contact that lands to the last one that leaves.
    ///
    ///     none ──first contact lands──▶ open ──────────last contact leaves──────────▶ none
    ///                                    └──cancelled──▶ closed ──last contact leaves──▲
    enum Sequence {
        case none
        case open(SequenceID)
        /// The sequence was cancelled from outside. No gesture is retried before all contacts have left.
        case closed(SequenceID)
    }

    let context: EngineContext
    private let shape: Shape
    /// A contact has left when it is this far outside the shape, in millimetres. Includes the margin.
    private let leaveDistance: Double
    /// Whether a gesture depends on contacts being inside the shape.
    var watchesInside = false
    var state = Sequence.none
    var changes: FrameChanges = []
    private(set) var group = ContactGroup()
    var motion = GroupMotion()
    /// The square of the largest distance of any contact, including lifted ones, from its landing in this sequence. In
    /// mm².
    var squaredExcursion = 0.0
    /// The last lifts, including those of contacts that other regions had claimed, and those of earlier sequences.
    private(set) var lifts = RecentLifts()
    /// The last lifts in all units of the region; `nil` if it has one unit.
    let shared: SharedLifts?
    /// Recent arrangements, while there are several contacts; empty unless `keepsHistory`.
    private(set) var history = MotionHistory()
    /// Whether a gesture of several contacts needs the history.
    var keepsHistory = false
    /// Whether further contacts that are no fingers leave right after this one. Nothing is judged by them meanwhile.
    var isThinning = false
    /// The arrangement from which the contacts are measured: when their number last changed, or after a leap.
    private var base = MotionMark()
    /// The arrangement whose span and angle are those of the contacts that have moved; `nil` while all contacts are
    /// measured. `moverHistory` is its history.
    private var moverMotion: GroupMotion?
    private var moverHistory = MotionHistory()
    /// The recent positions of the contacts; `nil` if no gesture needs velocities.
    let trails: ContactTrails?
    /// The path and the scores of the region's strokes, which change it themselves; `nil` if there are none.
    let strokes: StrokeBoard?
    /// The time of the last position that was read after lost events.
    private var resynchronized = Timestamp(microseconds: .min)

    /// Whether a position has been read after lost events at this time.
    var isResynchronized: Bool { now == resynchronized }

    /// The time of a sample for velocities; `nil` after lost events, because it is not known when a contact reached its position.
    private var sampled: Timestamp? { isResynchronized ? nil : now }

    init(_ region: Region, _ context: EngineContext, _ shared: SharedLifts?) {
        self.context = context
        self.shared = shared
        trails = region.gestures.contains { $0.settings.kind.traits.competes } ? ContactTrails() : nil
        strokes = region.gestures.contains { $0.settings.kind == .stroke } ? StrokeBoard() : nil
        shape = region.shape
        leaveDistance = region.margin + region.leaveDistance
    }

    var now: Timestamp { context.now }

    /// The time at which the contact that is being handled lifted. Equals `now`, unless the lift was held back.
    var liftTime: Timestamp { context.now - context.liftDelay }

    var sequence: SequenceID? {
        switch state {
        case .none: nil
        case .open(let id), .closed(let id): id
        }
    }

    func add(_ id: ContactID, at position: Point) {
        group.add(id, at: position, now)
        trails?.add(group, at: sampled)
    }

    /// Removes the contact at this place of the group.
    /// - Parameter isFinger: `false` if it turned out not to be a finger: then it has never landed.
    func remove(_ place: Int, isFinger: Bool) {
        let isChange = isFinger && !group.members[place].isClaimed
        group.remove(place, isFinger: isFinger, now)
        trails?.remove(place)
        if isChange { trails?.restart(group, at: sampled) }
    }

    /// Records that another region has claimed the contact at this place of the group.
    func claim(_ place: Int) {
        group.claim(place, now)
        trails?.restart(group, at: sampled)
    }

    /// Updates the position of a contact. Recognizers handle it after all positions of the frame are updated.
    func move(_ id: ContactID, to position: Point, _ kind: ContactChange.Kind) {
        guard let (place, hasMoved) = group.move(id, to: position, kind, now) else { return }
        let isResynchronized = kind == .resynchronized
        if isResynchronized, !group.members[place].isClaimed { resynchronized = now }
        // A report at an unchanged position does not indicate a pause; only an absence of reports does.
        if hasMoved || kind == .moved || isResynchronized { follow(place, position) }
        guard hasMoved || isResynchronized else {
            guard kind == .moved else { return }
            // A second report at the position to which the contact has jumped confirms that the contact is there.
            if watchesInside { _ = group.noteLeaving(place) }
            return
        }
        squaredExcursion = max(squaredExcursion, group.members[place].squaredExcursion)
        if watchesInside { updateInside(place, position) }
        changes.insert(.moved)
        // Contacts claimed by another region do not move gestures here.
        guard !group.members[place].isClaimed else { return }
        changes.insert(.travelled)
        if group.members[place].hasLeapt { changes.insert(.leapt) }
    }

    private func follow(_ place: Int, _ position: Point) {
        if let sampled { trails?.add(position, of: place, at: sampled) } else { trails?.restart(group, at: nil) }
    }

    /// Updates whether a contact is outside: it leaves at `leaveDistance` and returns inside the drawn shape.
    private func updateInside(_ member: Int, _ position: Point) {
        let wasOutside = group.members[member].isOutside
        let isInside = shape.contains(position)
        let isOutside = !isInside && (wasOutside || !leaveDistance.exceeds(shape.distance(to: position)))
        if isOutside != wasOutside {
            group.setOutside(member, isOutside)
            changes.insert(.crossed)
        }
        if isOutside, group.noteLeaving(member) { changes.insert(.crossed) }
    }

    /// Describes the lift of a contact for recognizers; `nil` if the contact is not in this region.
    func lift(of id: ContactID, at position: Point) -> ContactLift? {
        guard let member = group.index(of: id) else { return nil }
        let isFree = !group.members[member].isClaimed
        return ContactLift(
            id: id, position: position, isFree: isFree, isLast: group.members.count == 1,
            isLastFree: isFree && group.count == 1)
    }

    func noteLift(at position: Point) {
        lifts.add(position, at: liftTime)
        shared?.lifts.add(position, at: liftTime)
    }

    /// Takes over the lifts of an earlier unit of the region.
    func inherit(_ lifts: RecentLifts) {
        self.lifts = lifts
        shared?.lifts.add(lifts)
    }

    /// Forgets the lifts of this unit, because the next contact is of another hand.
    func forgetLifts() { lifts.removeAll() }

    /// The time since the last lift in the region within `distance` millimetres of `point`, if it is less than `limit`.
    func sinceLift(within distance: Double, of point: Point, sooner limit: Interval) -> Interval? {
        let lifts = shared?.lifts ?? lifts
        guard let newest = lifts.newest, now - newest < limit, let last = lifts.last(within: distance, of: point)
        else { return nil }
        return now - last.time < limit ? now - last.time : nil
    }

    /// Restarts measurements after a contact has joined or left, which is not movement: at the current positions or, if it
    /// was no finger, at those before it landed.
    func rebase(isFinger: Bool = true) {
        motion = motion.rebased(group)
        base = MotionMark(time: now, motion: motion)
        if !isFinger {
            base = MotionMark(time: group.started, motion: motion.rebased(group, .allAtStart))
            motion = base.motion.following(group)
        }
        if keepsHistory {
            history.reset()
            restartMovers(isFinger: isFinger)
            if !isFinger, group.count > 1 { history.add(base.motion, at: base.time) }
        }
        noteMotion()
    }

    /// Restarts measurements at the current positions, because a gesture treats its contacts as if they had just landed.
    func settle() {
        group.settle(now)
        base = MotionMark(time: now, motion: motion)
    }

    /// The arrangement from which a gesture is measured after the number of contacts has changed. For one that has not
    /// begun, a contact that was no finger has not changed it.
    func base(for progress: RecognizerProgress) -> MotionMark {
        progress == .waiting ? base : MotionMark(time: now, motion: motion)
    }

    func trackMotion() {
        motion = motion.following(group)
        noteMotion()
        guard let movers = moverMotion?.followingMovers(group) else { return }
        moverMotion = movers
        moverHistory.add(movers, at: now)
    }

    private func noteMotion() {
        guard keepsHistory, group.count > 1 else { return }
        history.add(motion, at: now)
    }

    // MARK: Contacts that have moved

    /// The arrangement that pinches and rotations measure: its span and angle are those of the contacts that have moved,
    /// if at least two have moved and others have not.
    var measured: GroupMotion { moverMotion ?? motion }

    /// The arrangement 300 ms before `time`; `nil` if the history does not reach back that far.
    func mark(before time: Timestamp, ofMovers: Bool) -> MotionMark? {
        ofMovers && moverMotion != nil ? moverHistory.mark(before: time) : history.mark(before: time)
    }

    /// The largest value of each motion of the measured contacts since `base`.
    func farthest(since base: MotionMark) -> GroupTravel {
        moverMotion == nil ? history.farthest(since: base) : moverHistory.farthest(since: base)
    }

    /// Measures all contacts again, instead of those that have moved.
    private func restartMovers(isFinger: Bool = true) {
        group.anchorMovers(isFinger: isFinger)
        moverMotion = nil
    }

    /// Measures all contacts from their current positions, because one has leapt.
    func restart() {
        restartMovers()
        base = MotionMark(time: now, motion: motion)
    }

    /// Updates which contacts are measured.
    /// - Returns: the arrangement of the newly measured contacts when the number of contacts last changed; `nil` if the
    ///   measured contacts are still the same.
    func chooseMovers() -> MotionMark? {
        guard group.noteMovers() else { return nil }
        guard group.movers > 0 else {
            moverMotion = nil
            return base
        }
        let mark = MotionMark(time: base.time, motion: base.motion.rebasedToMovers(group))
        let movers = mark.motion.followingMovers(group)
        moverMotion = movers
        moverHistory.reset()
        moverHistory.add(mark.motion, at: mark.time)
        moverHistory.add(movers, at: now)
        return mark
    }

    /// Removes the sequence and its contacts.
    func reset() {
        group.removeAll()
        motion = GroupMotion()
        if keepsHistory {
            history.reset()
            moverMotion = nil
        }
        squaredExcursion = 0
        state = .none
        changes = []
    }
}
