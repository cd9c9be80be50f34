// SPDX-License-Identifier: MIT

/// Recognizes a finger that turns around a centre.
///
///     waiting ──turned by start, more than it moved to or from the centre──▶ turning ──its lift──▶ over (end)
///        └──last lift──▶ over
final class DialRecognizer: Recognizer {
    private enum State {
        case waiting
        case turning(ContactID)
        /// Failed or ended; waits for the end of the sequence.
        case over(focus: Point?)
    }

    /// The smallest arc in millimetres; the fingertip of a tap rolls along shorter ones. Of several contacts, those that have
    /// moved no farther rest. Equals the default `start` of a drag.
    private static let leastArc = 3.0
    /// Changes smaller than this, in millimetres, are rounding errors.
    private static let rounding = 0.001
    /// The radius in millimetres of the circle on which `speed` measures lengths.
    private static let speedRadius = 20.0

    private let settings: DialSettings
    private var center: Point
    /// The middle of the region.
    private let middle: Point
    /// The path, unless the centre is the middle of the region.
    private let drawn: DrawnCircle?
    private var state = State.waiting
    private var motion: DialMotion
    /// The finger whose movement `motion` is; `nil` if it is measured anew once it is clear which finger turns.
    private var measured: ContactID?
    /// The turn of `motion` at which the rotation is 0.
    private var zero = 0.0
    /// The arc on a circle of `speedRadius` as the movement of a point, because the estimate of a speed is the same.
    private let speed = VelocityTracker()
    private var steps = StepCount(of: 0)
    /// The largest number of contacts that had moved when one of them left.
    private var most = 0

    init(_ settings: DialSettings, _ bounds: Rectangle, _ contacts: RegionContacts) {
        self.settings = settings
        middle = Point(x: (bounds.minX + bounds.maxX) / 2, y: (bounds.minY + bounds.maxY) / 2)
        center = middle
        motion = DialMotion(at: middle, around: middle, minRadius: settings.minRadius)
        let least = max(settings.start, DialSettings.leastDrawn)
        drawn = settings.center == .drawn ? DrawnCircle(least: least, minRadius: settings.minRadius) : nil
        super.init(contacts)
    }

    override func wants(_ moment: RecognizerMoment) -> Bool {
        guard case .now = moment, case .waiting = state, let finger else { return false }
        guard let drawn else { return isReady(following(finger)) }
        guard finger.id == measured, !finger.hasLeapt, case .circle(_, let turn) = drawn.verdict(at: finger.position)
        else { return false }
        return accepts(turn)
    }

    /// After the last lift, there is nothing left to measure. A dial that has waited may still begin with it.
    override func isHopeless(after lift: ContactLift) -> Bool {
        progress == .waiting && lift.leavesNone && !wants(.now)
    }

    override var progress: RecognizerProgress {
        switch state {
        case .waiting: .waiting
        case .turning: .active
        case .over: .over
        }
    }

    /// The position of the finger that turns; other contacts do not move it.
    override var focus: Point? {
        switch state {
        case .waiting: nil
        case .turning: motion.position
        case .over(let focus): focus
        }
    }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .moved: return moved()
        case .regrouped: measureAnew()
        case .wake:
            (measured, most) = (nil, 0)
            measureAnew()
        case .lifts(let lift): return lifts(lift)
        case .gone(let id, let loss): return gone(id, loss)
        case .begin: return begin()
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return cancel(reason)
        case .reset: (state, measured, most) = (.waiting, nil, 0)
        // A contact that comes back from rest lands again, elsewhere.
        case .landed(let id, _): if case .waiting = state, id == measured { measured = nil }
        case .deadline, .forget: break
        }
        return nil
    }

    /// The finger that turns or, before the dial begins, the only one that may.
    private var finger: ContactGroup.Member? {
        switch state {
        case .waiting: contacts.group.drawer
        case .turning(let id): contacts.group.index(of: id).map { contacts.group.members[$0] }
        case .over: nil
        }
    }

    /// Measures the finger that may turn from where it was when the number of contacts last changed, unless it is measured
    /// already.
    private func measureAnew() {
        guard let finger, finger.id != measured else { return }
        measure(finger, from: contacts.group.start(of: finger), at: contacts.group.started)
    }

    /// Measures the finger that may turn.
    /// - Parameter start: where it was at `time`.
    private func measure(_ finger: ContactGroup.Member, from start: Point, at time: Timestamp) {
        guard case .waiting = state else { return }
        measured = finger.id
        center = middle
        motion = DialMotion(at: start, around: center, minRadius: settings.minRadius)
        drawn?.restart(at: start)
        speed.reset()
        sample(at: time)
    }

    private func moved() -> RecognizerAnswer? {
        if case .waiting = state, movers > 1 { measured = nil }
        guard let finger else { return nil }
        if finger.id != measured { measure(finger, from: finger.origin, at: finger.landed) }
        if case .waiting = state, let drawn {
            if finger.hasLeapt { drawn.restart(at: finger.position) } else { drawn.follow(finger.position) }
            return nil
        }
        guard finger.position != motion.position else { return nil }
        follow(finger)
        if case .turning = state { return turned() }
        if forbids(motion) { motion.rebase(around: center) }
        return nil
    }

    /// The number of contacts that have moved. With several, it is not clear which finger turns.
    private var movers: Int {
        contacts.group.count - contacts.group.staying(within: Self.leastArc, inside: false, withJumps: false)
    }

    private func turned() -> RecognizerAnswer? {
        if let center = drawn?.follow(motion.position, turn: motion.turn) { self.center = center }
        guard steps.count(rotation) || settings.step == 0, contacts.context.reportsUpdates else { return nil }
        return .update(detail(velocity))
    }

    private func begin() -> RecognizerAnswer? {
        guard case .waiting = state, let finger else { return nil }
        if finger.id != measured { measure(finger, from: finger.origin, at: finger.landed) }
        if let drawn {
            guard case .circle(let center, _) = drawn.verdict(at: finger.position) else { return nil }
            drawn.begin(at: finger.position, around: center)
            self.center = center
            // The rotation begins here: a volume must not jump by half a turn when the dial begins.
            motion = DialMotion(at: finger.position, around: center, minRadius: settings.minRadius)
            speed.reset()
        }
        follow(finger)
        // A turn in another direction before does not count.
        zero = motion.turn - motion.turned
        state = .turning(finger.id)
        steps = StepCount(of: settings.step, in: rotation)
        return .begin(detail(velocity))
    }

    private func lifts(_ lift: ContactLift) -> RecognizerAnswer? {
        most = max(most, movers)
        switch state {
        case .waiting where lift.leavesNone: return fail(reasonAtLastLift)
        case .turning(lift.id):
            // Reports at an unchanged position show that the finger stands still.
            if let finger { sample(at: finger.reported) }
            return over(
                .end(
                    detail(
                        speed.releaseVelocity(at: contacts.liftTime, standstill: RegionContacts.standstill) { $0 })))
        case .waiting, .turning, .over: return nil
        }
    }

    private func gone(_ id: ContactID, _ loss: ContactLoss) -> RecognizerAnswer? {
        guard contacts.group.isFree(id) else { return nil }
        switch state {
        case .waiting:
            if contacts.group.count <= 1 { return cancel(loss.reason) }
            if !loss.reason.isNoFinger { most = max(most, movers) }
        case .turning(id): return cancel(loss.reason)
        case .turning, .over: break
        }
        return nil
    }

    private func cancel(_ reason: CancelReason) -> RecognizerAnswer? {
        guard case .turning = state else { return fail(GestureFailure(.cancelled(reason))) }
        return over(.cancel(detail(.zero), reason))
    }

    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        if case .waiting = state { over(.fail(failure)) } else { nil }
    }

    private func over(_ answer: RecognizerAnswer) -> RecognizerAnswer {
        state = .over(focus: focus)
        return answer
    }

    private func detail(_ velocity: Vector) -> GestureEvent.Detail {
        .dial(
            rotation: rotation, steps: steps.number,
            velocity: degrees(velocity.dx / Self.speedRadius))
    }

    private var rotation: Double { degrees(motion.turn - zero) }

    private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

    // MARK: The movement

    private func following(_ finger: ContactGroup.Member) -> DialMotion {
        var motion = motion
        if finger.id != measured {
            motion = DialMotion(at: finger.origin, around: center, minRadius: settings.minRadius)
        }
        return motion.following(
            finger.position, around: center, minRadius: settings.minRadius, isLeap: finger.hasLeapt)
    }

    private func follow(_ finger: ContactGroup.Member) {
        motion = following(finger)
        sample(at: contacts.now)
    }

    private func sample(at time: Timestamp) {
        // The time at which a contact reached a position that was read after lost events is unknown.
        guard !contacts.isResynchronized else { return speed.reset() }
        speed.add(Point(x: motion.turn * Self.speedRadius, y: 0), at: time)
    }

    private var velocity: Vector {
        speed.velocity(at: contacts.liftTime, standstill: RegionContacts.standstill)
    }

    // MARK: Whether it begins

    /// Whether all limits hold.
    private func isReady(_ motion: DialMotion) -> Bool {
        guard motion.isJudged, !settings.start.exceeds(degrees(motion.turned).magnitude), isAllowed(motion) else {
            return false
        }
        let arc = motion.arc.magnitude
        return (settings.start == 0 || arc.exceeds(Self.leastArc)) && !motion.radial.exceeds(arc)
    }

    private func accepts(_ turn: Double) -> Bool {
        settings.directions.contains(turn < 0 ? .counterclockwise : .clockwise)
    }

    /// Whether the finger has turned in an accepted direction. Changes within rounding errors have no direction.
    private func isAllowed(_ motion: DialMotion) -> Bool {
        motion.arc.magnitude < Self.rounding ? settings.directions.count > 1 : accepts(motion.turned)
    }

    private func forbids(_ motion: DialMotion) -> Bool {
        motion.arc.magnitude >= Self.rounding && !accepts(motion.turned)
    }

    private var reasonAtLastLift: GestureFailure {
        if most > 1 { return GestureFailure(.tooManyContacts, value: Double(most), limit: 1) }
        if let drawn { return drawnFailure(drawn) }
        if isReady(motion) { return GestureFailure(.keptBack) }
        let turned = degrees(motion.turn).magnitude
        if settings.minRadius.exceeds(motion.reach) {
            return GestureFailure(.smallSpan, value: motion.reach, limit: settings.minRadius)
        }
        if settings.start.exceeds(turned) {
            return GestureFailure(.smallTurn, value: turned, limit: settings.start)
        }
        if !accepts(motion.turn) { return GestureFailure(.wrongDirection, value: turned, limit: settings.start) }
        let arc = motion.arc.magnitude
        if settings.start > 0, !arc.exceeds(Self.leastArc) {
            return GestureFailure(.tooShort, value: arc, limit: Self.leastArc)
        }
        return GestureFailure(.dominated, value: arc, limit: max(arc, motion.radial))
    }

    private func drawnFailure(_ drawn: DrawnCircle) -> GestureFailure {
        let failure = drawn.failure
        guard failure.code == .smallTurn, !failure.limit.exceeds(failure.value) else { return failure }
        guard !accepts(drawn.widest) else { return GestureFailure(.keptBack) }
        return GestureFailure(.wrongDirection, value: failure.value, limit: failure.limit)
    }
}
