// SPDX-License-Identifier: MIT

/// A centroid that moves away from where it was when the last contact joined.
///
///     waiting ──moved more than start──▶ dragging ──last lift──▶ over (end)
///        └──wrong axis──▶ over
final class DragRecognizer: Recognizer {
    private enum State {
        case waiting
        case dragging
        /// Gave up or ended; waits for the sequence to end.
        case over
    }

    /// What the movement so far is.
    private enum Verdict {
        case pending, accept
        case reject(GestureFailure)
    }

    /// What the contacts did when one of several lifted.
    private struct Parting {
        let time: Timestamp
        /// Their centroid.
        let position: Point
        let velocity: Vector
    }

    private let settings: DragSettings
    private var state = State.waiting
    /// How the contacts lay when their number last changed.
    private var base = GroupMotion()
    private var recent = MotionBase()
    /// Where the contacts were when it was last told of them, or when their number changed since.
    private var stepped = Point.zero
    /// Translation from before the number of contacts last changed.
    private var carried = Vector.zero
    /// The start distance along the direction of travel, which the translation leaves out.
    private var compensation = Vector.zero
    private var start = Point.zero
    /// It would have begun earlier, but for `unless`: no part of the way until it begins counts.
    private var wasBlocked = false
    /// `nil` once the contacts that were left have moved on, or another one has landed.
    private var parting: Parting?
    /// Why contacts of the right number, which are no longer all there, were no drag.
    private var miss: GestureFailure?
    /// How many contacts, not the right number, moved as far as a drag has to.
    private var wrongCount: Int?

    init(_ settings: DragSettings, _ contacts: RegionContacts) {
        self.settings = settings
        super.init(contacts)
    }

    override var isActive: Bool { state == .dragging }
    override var isOver: Bool { state == .over }
    override var competes: Bool { true }
    override var weighsMotions: Bool { settings.fingers > 1 }
    override var ignoresClaimedContacts: Bool { true }
    override var retry: Retry { .whenOver }
    /// The lifts that end it do not move it.
    override var focus: Point? { parting?.position }

    override var accepts: Bool {
        if case .accept = verdict { true } else { false }
    }

    override func needs(_ id: ContactID) -> Bool { contacts.group.count <= 1 }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .contactsWillChange: contactsWillChange()
        case .contactsDidChange, .woken: contactsDidChange()
        case .contactsTravelled: return contactsTravelled()
        case .begin: return begin()
        case .refused(let failure): return fail(failure)
        case .blocked: wasBlocked = true
        case .contactLanded: parting = nil
        case .contactWillLift:
            if contacts.group.count == 1 { return end() }
            part()
        case .lastContactWillLift: return fail(reasonAtLastLift)
        case .cancel(let reason, _): return cancel(reason)
        case .sequenceEnded: reset()
        default: break
        }
        return nil
    }

    /// From here on the translation is measured anew, so that it goes on without a jump.
    private func contactsWillChange() {
        switch state {
        case .dragging: carried = carried + (contacts.motion.centroid - base.centroid)
        case .waiting where contacts.group.count == settings.fingers: miss = shortfall
        case .waiting where contacts.group.count > 0:
            let travel = contacts.motion.since(base)
            if max(travel.distance, travel.spread, travel.arc) > settings.start { wrongCount = contacts.group.count }
        case .waiting, .over: break
        }
    }

    private func contactsDidChange() {
        base = contacts.motion
        stepped = contacts.motion.centroid
        recent.restart(contacts)
        if state == .waiting { start = contacts.motion.centroid }
    }

    @inline(__always)  // so that an answer is made where it goes, and not copied there
    private func contactsTravelled() -> RecognizerAnswer? {
        switch state {
        case .waiting:
            if case .reject(let failure) = verdict { return fail(failure) }
            if contacts.group.count > 1, weighsMotions {
                let travel = contacts.motion.since(recent.mark.motion)
                let other = max(travel.spread, travel.arc)
                if travel.distance < other { recent.yield(to: other, contacts) }
            }
        case .dragging:
            if parting != nil, (contacts.motion.centroid - base.centroid).length.exceeds(settings.start) {
                parting = nil
            }
            guard (contacts.motion.centroid - stepped).length >= settings.step else { break }
            stepped = contacts.motion.centroid
            if reportsUpdates { return .update(detail(velocity: velocity)) }
        case .over: break
        }
        return nil
    }

    private var verdict: Verdict {
        state == .waiting && contacts.group.count == settings.fingers ? movement : .pending
    }

    /// The same for the movement alone, whatever the number of contacts.
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

    private func begin() -> RecognizerAnswer {
        let moved = moved
        let length = moved.length
        let skipped = recent.mark.motion.centroid - base.centroid
        if wasBlocked {
            compensation = skipped + moved
        } else if settings.from == .start {
            compensation = skipped + (length > 0 ? moved * (settings.start * recent.factor / length) : .zero)
        } else {
            compensation = .zero
        }
        state = .dragging
        stepped = contacts.motion.centroid
        return .begin(
            .drag(
                translation: .zero, velocity: .zero, start: start, predicted: nil, scale: settings.scale(.zero)))
    }

    private func end() -> RecognizerAnswer? {
        guard state == .dragging else { return nil }
        state = .over
        let velocity = locked(velocity)
        // How far a list goes on: UIKit's normal deceleration, 0.998 a millisecond, is 0.499 s of velocity.
        return .end(detail(velocity: velocity, predicted: (focus ?? contacts.motion.centroid) + velocity * 0.499))
    }

    /// One of several contacts lifts. If the others follow before they move on, it ends as it was now.
    private func part() {
        guard state == .dragging, parting == nil else { return }
        parting = Parting(time: contacts.now, position: contacts.motion.centroid, velocity: contacts.velocity())
    }

    private var velocity: Vector {
        guard let parting else { return contacts.velocity() }
        return contacts.now - parting.time > RegionContacts.rest ? .zero : parting.velocity
    }

    private func cancel(_ reason: CancelReason) -> RecognizerAnswer? {
        guard state == .dragging else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(detail(velocity: .zero), reason)
    }

    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        guard state == .waiting else { return nil }
        state = .over
        return .fail(failure)
    }

    private func reset() {
        state = .waiting
        carried = .zero
        compensation = .zero
        wasBlocked = false
        parting = nil
        miss = nil
        wrongCount = nil
    }

    private func detail(velocity: Vector, predicted: Point? = nil) -> GestureEvent.Detail {
        let translation = carried + (contacts.motion.centroid - base.centroid) - compensation
        return .drag(
            translation: locked(translation), velocity: locked(velocity), start: start, predicted: predicted,
            scale: settings.scale(translation))
    }

    /// Without what is across the axis, if that is not reported.
    private func locked(_ vector: Vector) -> Vector {
        guard settings.isLocked else { return vector }
        return switch settings.axis {
        case .any: vector
        case .horizontal: Vector(dx: vector.dx, dy: 0)
        case .vertical: Vector(dx: 0, dy: vector.dy)
        }
    }

    /// The movement that counts for the begin.
    private var moved: Vector { contacts.motion.centroid - recent.mark.motion.centroid }

    /// Several contacts that pinch or turn more than they travel.
    private var isDominated: Bool {
        guard settings.fingers > 1, settings.start > 0 else { return false }
        return !moved.length.exceeds(otherMotion)
    }

    private var otherMotion: Double {
        let farthest = contacts.history.farthest(since: recent.mark)
        return max(farthest.spread, farthest.arc)
    }

    private var reasonAtLastLift: GestureFailure {
        let count = contacts.group.count
        guard var reason = count == settings.fingers ? shortfall : miss else { return failure(ofCount: count) }
        guard reason.code == .tooShort else { return reason }
        // The right number that hardly moved says less than the wrong one that did.
        if let wrongCount { return failure(ofCount: wrongCount) }
        if let miss, miss.value > reason.value { reason = miss }
        return reason
    }

    private func failure(ofCount count: Int) -> GestureFailure {
        GestureFailure(
            count > settings.fingers ? .tooManyContacts : .tooFewContacts, value: Double(count),
            limit: Double(settings.fingers))
    }

    /// Why contacts of the right number are no drag.
    private var shortfall: GestureFailure {
        let distance = moved.length
        if distance.exceeds(settings.start), settings.fingers > 1, !distance.exceeds(otherMotion) || recent.yielded > 0
        {
            return GestureFailure(
                .dominated, value: distance, limit: max(distance, otherMotion, recent.yielded))
        }
        if state == .waiting, case .accept = movement { return GestureFailure(.keptBack) }
        return GestureFailure(.tooShort, value: distance, limit: settings.start)
    }
}
