// SPDX-License-Identifier: MIT

/// The settings of a pinch. Lengths are in millimetres.
package struct PinchSettings: Hashable, Sendable {
    /// The direction in which the span changes.
    package enum Direction: String, SettingWord { case `in`, out }

    /// The change of the span in millimetres at which the pinch begins. Default 4.
    package var start = 4.0
    /// The minimum span in millimetres. Below it, a pinch does not begin, and an active one ends. Default 0: no limit.
    package var minSpan = 0.0
    /// The directions in which the pinch can begin. Default both.
    package var directions = [Direction.in, .out]
    /// The change of the span in millimetres that is required for the next update. Default 0.
    package var step = 0.0

    package init() {}
}

/// The settings of a rotation. Angles are in degrees.
package struct RotateSettings: Hashable, Sendable {
    /// The direction in which the contacts turn.
    package enum Direction: String, SettingWord {
        case clockwise = "cw"
        case counterclockwise = "ccw"
    }

    /// The turn in degrees of the line between the two oldest contacts at which the rotation begins. Default 8; grail
    /// uses 7.2.
    package var start = 8.0
    /// The directions in which the rotation can begin. Default both.
    package var directions = [Direction.clockwise, .counterclockwise]
    /// The turn in degrees that is required for the next update. Default 0.
    package var step = 0.0

    package init() {}
}

extension PinchSettings {
    package static let keys: [Setting] = [
        .length("start", \Self.start).limits(.tooShort, lenient: .below),
        .length("min_span", \Self.minSpan).limits(.smallSpan, lenient: .below),
        .words("directions", \Self.directions).limits(.wrongDirection),
        .length("step", \Self.step),
    ]
}

extension RotateSettings {
    package static let keys: [Setting] = [
        .degrees("start", \Self.start).limits(.smallTurn, lenient: .below),
        .words("directions", \Self.directions).limits(.wrongDirection),
        .degrees("step", \Self.step),
    ]
}

extension PinchSettings: RecognizerSettings {
    var fingers: Int { 2 }
    var decision: Decision { .movement }
    var latestFailure: LatestFailure { .lift }
    var demand: Demand { .severalFingers }
    var leastMovement: Double { start }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        TransformRecognizer(.pinch(self), contacts)
    }
}

extension RotateSettings: RecognizerSettings {
    var fingers: Int { 2 }
    var decision: Decision { .movement }
    var latestFailure: LatestFailure { .lift }
    var demand: Demand { .severalFingers }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        TransformRecognizer(.rotate(self), contacts)
    }
}

/// Recognizes pinches and rotations: two or more contacts that move apart or together, or turn around each other. The
/// kinds differ only in the measured quantity (`TransformMeasure`).
///
///     waiting ──changed by start, largest motion───▶ changing ──fewer than two, or too close──▶ ended
///                                                      ▲──────────changed by start again──────────┘
final class TransformRecognizer: Recognizer {
    private enum State {
        /// `miss` is the failure to report if two contacts lifted before the gesture began.
        case waiting(miss: GestureFailure?)
        /// `carried` is the value reached before the number of contacts last changed: a factor, or radians.
        case changing(carried: Double)
        /// The contacts came too close, or a contact has lifted. The gesture may begin again. It continues from
        /// `carried` while the number of contacts is unchanged; after that, `carried` is `nil`, and it is measured like
        /// one that has not begun.
        case ended(carried: Double?)
        /// Failed or cancelled; waits for the end of the sequence.
        case over
    }

    private let measure: TransformMeasure
    private var state = State.waiting(miss: nil)
    /// The arrangement when the number of contacts last changed.
    private var base = GroupMotion()
    private var recent = MotionBase(isOfMovers: true)
    /// The centroid of the last event.
    private var told = Point.zero
    /// The arrangement at the last event or change of the number of contacts.
    private var stepped = GroupMotion()

    init(_ measure: TransformMeasure, _ contacts: RegionContacts) {
        self.measure = measure
        super.init(contacts)
    }

    override func wants(_ moment: RecognizerMoment) -> Bool {
        guard case .now = moment else { return false }
        return switch state {
        case .waiting, .ended: contacts.group.count > 1 && failure == nil
        case .changing, .over: false
        }
    }

    /// After the last lift, there is nothing left to measure.
    override func isHopeless(after lift: ContactLift) -> Bool {
        progress == .waiting && lift.leavesNone
    }

    override var progress: RecognizerProgress {
        switch state {
        case .waiting: .waiting
        case .changing: .active
        case .ended: .ended
        case .over: .over
        }
    }

    /// The position of the last event, so that the lifts that end the gesture do not move it.
    override var focus: Point? { progress == .waiting ? nil : told }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed: carry()
        case .moved: return moved()
        case .regrouped, .wake: regrouped()
        case .lifts(let lift): return lifts(lift)
        case .gone(let id, let loss): return gone(id, loss)
        case .begin:
            state = .changing(carried: carried)
            tell()
            return detail.map { .begin($0) }
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return cancel(reason)
        case .reset: state = .waiting(miss: nil)
        case .deadline, .forget: break
        }
        return nil
    }

    /// Saves the value before the set of contacts changes, so that the value continues from a new base without a jump.
    private func carry() {
        if case .changing(let carried) = state { state = .changing(carried: reached(from: carried)) }
    }

    /// Goes on without a finger. If there were several, it keeps why they have not made the gesture.
    private func part() {
        carry()
        guard case .waiting = state, contacts.group.count > 1 else { return }
        // If all limits hold but the gesture has not begun, a gesture listed in `unless` was still possible.
        state = .waiting(miss: failure ?? GestureFailure(.keptBack))
    }

    /// Continues with different contacts. If the gesture has begun, its value does not jump.
    override func remeasure(after old: GroupMotion, since mark: MotionMark) {
        let now = contacts.measured
        switch state {
        case .waiting, .ended(carried: nil):
            base = mark.motion
            recent.restart(mark)
        case .changing(let carried):
            state = .changing(carried: measure.reached(old, since: base, from: carried))
            base = now
        case .ended(let carried?):
            state = .ended(carried: measure.reached(old, since: base, from: carried))
            base = now
            recent.restart(contacts)
        case .over: return
        }
        stepped = now
    }

    private func regrouped() {
        let mark = contacts.base(for: progress)
        base = mark.motion
        stepped = contacts.measured
        recent.restart(mark)
        if case .ended = state { state = .ended(carried: nil) }
    }

    private var carried: Double {
        switch state {
        case .changing(let carried), .ended(let carried?): carried
        case .waiting, .ended(carried: nil), .over: measure.neutral
        }
    }

    private func moved() -> RecognizerAnswer? {
        guard contacts.group.count > 1 else { return nil }
        switch state {
        case .changing:
            let isDue = measure.change(contacts.measured, since: stepped) >= measure.step
            if isDue { tell() }
            if measure.isTooClose(contacts.measured) {
                recent.restart(contacts)
                return end()
            }
            if isDue, contacts.context.reportsUpdates { return detail.map { .update($0) } }
        case .waiting, .ended:
            let origin = recent.mark.motion
            let distance = contacts.measured.since(origin).distance
            if measure.forbids(contacts.measured, since: origin) { recent.follow(contacts) }
            if measure.own(contacts.measured, since: origin) < distance { recent.yield(to: distance, contacts) }
        case .over: break
        }
        return nil
    }

    private func lifts(_ lift: ContactLift) -> RecognizerAnswer? {
        switch state {
        case .waiting(let miss) where lift.leavesNone:
            return fail(miss ?? GestureFailure(.tooFewContacts, value: 1, limit: 2))
        case .changing where lift.isFree && contacts.group.count <= 2: return end()
        case .waiting, .changing, .ended, .over: break
        }
        if lift.isFree { part() }
        return nil
    }

    /// The gesture needs two contacts, but continues with one if a region below claims the other. A palm or a resting
    /// contact is not a finger, so a gesture that has not begun may still begin with other contacts.
    private func gone(_ id: ContactID, _ loss: ContactLoss) -> RecognizerAnswer? {
        guard contacts.group.isFree(id) else { return nil }
        let mayBegin = loss.reason.isNoFinger && progress != .active
        if !mayBegin, contacts.group.count <= (loss.isClaim ? 1 : 2) { return cancel(loss.reason) }
        if loss.reason.isNoFinger { carry() } else { part() }
        return nil
    }

    private func tell() {
        told = contacts.measured.centroid
        stepped = contacts.measured
    }

    private func end() -> RecognizerAnswer? {
        guard let detail else { return nil }
        state = .ended(carried: carried)
        return .end(detail)
    }

    private func cancel(_ reason: CancelReason) -> RecognizerAnswer? {
        switch state {
        case .waiting: return fail(GestureFailure(.cancelled(reason)))
        case .changing:
            guard let detail else { return nil }
            state = .over
            return .cancel(detail, reason)
        case .ended: state = .over
        case .over: break
        }
        return nil
    }

    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        guard case .waiting = state else { return nil }
        state = .over
        return .fail(failure)
    }

    private var failure: GestureFailure? { measure.failure(contacts, since: base, recent) }

    private func reached(from carried: Double) -> Double {
        measure.reached(contacts.measured, since: base, from: carried)
    }

    /// The values of an event; `nil` unless the gesture has begun.
    private var detail: GestureEvent.Detail? {
        guard case .changing(let carried) = state else { return nil }
        return switch measure {
        case .pinch: .pinch(scale: reached(from: carried))
        case .rotate: .rotate(rotation: reached(from: carried) * 180 / .pi)
        }
    }
}
