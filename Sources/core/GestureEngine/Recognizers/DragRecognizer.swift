// SPDX-License-Identifier: MIT

/// Recognizes a drag: the centroid moves away from its position at the time the last contact joined.
///
///     waiting ──moved more than start──▶ dragging ──last lift──▶ over (end)
///        └──wrong axis──▶ over
final class DragRecognizer: Recognizer {
    private enum State {
        case waiting(DragMiss)
        case dragging(Course)
        /// Failed or ended; waits for the end of the sequence.
        case over(focus: Point?)
    }

    private struct Course {
        /// The translation up to the last change of the number of contacts.
        var carried = Vector.zero
        /// The start distance along the direction of travel, which is subtracted from the translation.
        let compensation: Vector
        /// Set when one of several contacts lifts, and cleared once the others move again or another contact lands.
        var parting: Parting?
    }

    /// The motion of the contacts when one of several lifted.
    private struct Parting {
        let time: Timestamp
        /// The centroid.
        let position: Point
        let velocity: Vector
    }

    /// The result of the movement so far.
    private enum Verdict {
        case pending, accept
        case reject(GestureFailure)
    }

    private let settings: DragSettings
    private var state = State.waiting(DragMiss())
    /// The arrangement when the number of contacts last changed.
    private var base = GroupMotion()
    private var recent = MotionBase()
    /// The centroid at the last update or change of the number of contacts.
    private var stepped = Point.zero
    private var start = Point.zero

    init(_ settings: DragSettings, _ contacts: RegionContacts) {
        self.settings = settings
        super.init(contacts)
    }

    override func wants(_ moment: RecognizerMoment) -> Bool {
        if case .now = moment, case .accept = verdict { true } else { false }
    }

    override var progress: RecognizerProgress {
        switch state {
        case .waiting: .waiting
        case .dragging: .active
        case .over: .over
        }
    }

    /// The position is that of the first of the lifts that end the drag, so that the later lifts do not move it.
    override var focus: Point? {
        switch state {
        case .waiting: nil
        case .dragging(let course): course.parting?.position
        case .over(let focus): focus
        }
    }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed:
            carry(contactsBefore: contacts.group.count - 1)
            part(nil)
        case .moved: return contactsMoved()
        case .regrouped, .wake: regrouped()
        case .lifts(let lift): return lifts(lift)
        case .gone(let id, let loss): return gone(id, loss)
        case .begin(let late): return begin(late)
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return cancel(reason)
        case .reset: state = .waiting(DragMiss())
        case .deadline, .forget: break
        }
        return nil
    }

    /// Saves the translation before the set of contacts changes, so that the translation continues from a new base
    /// without a jump.
    /// - Parameter contactsBefore: the number of contacts before the change.
    private func carry(contactsBefore: Int) {
        switch state {
        case .dragging(var course):
            course.carried = course.carried + (contacts.motion.centroid - base.centroid)
            state = .dragging(course)
        case .waiting(var miss):
            if settings.fingerRange.contains(contactsBefore) {
                miss.failure = shortfall
            } else if contactsBefore > 0 {
                let travel = contacts.motion.since(base)
                if max(travel.distance, travel.spread, travel.arc) > settings.start { miss.wrongCount = contactsBefore }
            }
            state = .waiting(miss)
        case .over: break
        }
    }

    private func regrouped() {
        let mark = contacts.base(for: progress)
        base = mark.motion
        stepped = contacts.motion.centroid
        recent.restart(mark)
        if progress == .waiting { start = base.centroid }
    }

    @inline(__always)  // constructs the answer in place
    private func contactsMoved() -> RecognizerAnswer? {
        switch state {
        case .waiting:
            if case .reject(let failure) = verdict { return fail(failure) }
            if contacts.group.count > 1, settings.weighsMotions {
                let travel = contacts.motion.since(recent.mark.motion)
                let other = max(travel.spread, travel.arc)
                if travel.distance < other { recent.yield(to: other, contacts) }
            }
        case .dragging(let course):
            if course.parting != nil, (contacts.motion.centroid - base.centroid).length.exceeds(settings.start) {
                part(nil)
            }
            guard (contacts.motion.centroid - stepped).length >= settings.step else { break }
            stepped = contacts.motion.centroid
            if contacts.context.reportsUpdates {
                return .update(detail(velocity: partingVelocity ?? contacts.velocity()))
            }
        case .over: break
        }
        return nil
    }

    private func lifts(_ lift: ContactLift) -> RecognizerAnswer? {
        switch state {
        case .dragging(let course) where lift.isFree:
            if contacts.group.count <= settings.minFingers { return end() }
            // If the other contacts lift before they move again, the drag ends with the position and velocity saved
            // here.
            if course.parting == nil {
                part(
                    Parting(
                        time: contacts.liftTime, position: contacts.motion.centroid,
                        velocity: contacts.releaseVelocity(keep: settings.locked)))
            }
            carry(contactsBefore: contacts.group.count)
        case .waiting(let miss) where lift.isLast:
            return fail(miss.reason(contacts.group.count, of: settings.fingerRange, shortfall: shortfall))
        case .waiting where lift.isFree: carry(contactsBefore: contacts.group.count)
        case .waiting, .dragging, .over: break
        }
        return nil
    }

    private func gone(_ id: ContactID, _ loss: ContactLoss) -> RecognizerAnswer? {
        guard contacts.group.isFree(id) else { return nil }
        let needed = progress == .active ? settings.minFingers : 1
        if contacts.group.count <= needed { return cancel(loss.reason) }
        guard loss.reason.isNoFinger, case .waiting = state else {
            carry(contactsBefore: contacts.group.count)
            return nil
        }
        state = .waiting(DragMiss())
        return nil
    }

    private var parting: Parting? {
        if case .dragging(let course) = state { course.parting } else { nil }
    }

    private func part(_ parting: Parting?) {
        guard case .dragging(var course) = state else { return }
        course.parting = parting
        state = .dragging(course)
    }

    private var verdict: Verdict {
        progress == .waiting && settings.fingerRange.contains(contacts.group.count) ? movement : .pending
    }

    /// The result of the movement, regardless of the number of contacts.
    private var movement: Verdict {
        let moved = moved
        let limit = settings.start * recent.factor
        let along: Double
        let across: Double
        switch settings.axis {
        case .any: (along, across) = (moved.length, 0)
        case .horizontal: (along, across) = (moved.dx.magnitude, moved.dy.magnitude)
        case .vertical: (along, across) = (moved.dy.magnitude, moved.dx.magnitude)
        }
        if !across.exceeds(along), along.exceeds(limit) || (settings.axis == .any && settings.start == 0) {
            return isDominated ? .pending : .accept
        }
        if across.exceeds(limit), across.exceeds(along), !isDominated {
            return .reject(GestureFailure(.wrongAxis, value: across, limit: settings.start))
        }
        return .pending
    }

    /// Begins the drag.
    /// - Parameter late: whether the drag had to wait. If so, the movement so far is not part of the translation.
    private func begin(_ late: Bool) -> RecognizerAnswer {
        let moved = moved
        let length = moved.length
        let skipped = recent.mark.motion.centroid - base.centroid
        let compensation: Vector
        if late {
            compensation = skipped + moved
        } else if settings.from == .start {
            compensation = skipped + (length > 0 ? moved * (settings.start * recent.factor / length) : .zero)
        } else {
            compensation = .zero
        }
        state = .dragging(Course(compensation: compensation))
        stepped = contacts.motion.centroid
        return .begin(
            .drag(
                translation: .zero, velocity: .zero, start: start, predicted: nil, scale: settings.scale(.zero)))
    }

    private func end() -> RecognizerAnswer? {
        let velocity = partingVelocity ?? contacts.releaseVelocity(keep: settings.locked)
        // Predicts how far a list would coast. UIKit's normal deceleration of 0.998 per millisecond equals 0.499 s of
        // velocity.
        let detail = detail(velocity: velocity, predicted: (focus ?? contacts.motion.centroid) + velocity * 0.499)
        return over(.end(detail))
    }

    /// The velocity when one of several contacts lifted; `nil` if none has lifted or the others have moved since.
    private var partingVelocity: Vector? {
        guard let parting else { return nil }
        return contacts.liftTime - parting.time > RegionContacts.standstill ? .zero : parting.velocity
    }

    private func cancel(_ reason: CancelReason) -> RecognizerAnswer? {
        guard progress == .active else { return fail(GestureFailure(.cancelled(reason))) }
        return over(.cancel(detail(velocity: .zero), reason))
    }

    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        progress == .waiting ? over(.fail(failure)) : nil
    }

    private func over(_ answer: RecognizerAnswer) -> RecognizerAnswer {
        state = .over(focus: focus)
        return answer
    }

    private func detail(velocity: Vector, predicted: Point? = nil) -> GestureEvent.Detail {
        guard case .dragging(let course) = state else {
            return .drag(
                translation: .zero, velocity: .zero, start: start, predicted: nil, scale: settings.scale(.zero))
        }
        let translation = course.carried + (contacts.motion.centroid - base.centroid) - course.compensation
        return .drag(
            translation: settings.locked(translation), velocity: settings.locked(velocity), start: start,
            predicted: predicted, scale: settings.scale(settings.locked(translation)))
    }

    /// The movement that is compared with the start distance.
    private var moved: Vector { contacts.motion.centroid - recent.mark.motion.centroid }

    /// Whether several contacts pinch or rotate more than they travel.
    private var isDominated: Bool {
        // Without a start distance and an axis, the drag begins at the landing, before anything has moved.
        guard settings.weighsMotions, settings.start > 0 || settings.axis != .any else { return false }
        return !moved.length.exceeds(otherMotion)
    }

    private var otherMotion: Double {
        let farthest = contacts.history.farthest(since: recent.mark)
        return max(farthest.spread, farthest.arc)
    }

    /// The failure to report when the number of contacts is right.
    private var shortfall: GestureFailure {
        let distance = moved.length
        if distance.exceeds(settings.start), settings.weighsMotions,
            !distance.exceeds(otherMotion) || recent.yielded > 0
        {
            return GestureFailure(
                .dominated, value: distance, limit: max(distance, otherMotion, recent.yielded))
        }
        if progress == .waiting, case .accept = movement { return GestureFailure(.keptBack) }
        return GestureFailure(.tooShort, value: distance, limit: settings.start)
    }
}
