// SPDX-License-Identifier: MIT

/// The numbers of a pinch, in millimetres, degrees and times.
package struct PinchSettings: Hashable, Sendable {
    /// How the span changes.
    package enum Direction: Hashable, Sendable { case `in`, out }

    /// Millimetres by which the span must have changed. Default 4.
    package var start = 4.0
    /// Millimetres: with a smaller span it does not begin, and ends. Default 0: it never ends for that.
    package var minSpan = 0.0
    /// Those in which it begins. Default both.
    package var directions = [Direction.in, .out]
    /// Millimetres by which the span must have changed since the last update. Default 0.
    package var step = 0.0
    /// Millimetres below which a span is too small to be measured by: fingers that touch each other.
    package static let smallestSpan = 8.0

    package init() {}
}

/// The numbers of a rotation, in millimetres, degrees and times.
package struct RotateSettings: Hashable, Sendable {
    package enum Direction: Hashable, Sendable { case clockwise, counterclockwise }

    /// Degrees by which the line between the two oldest contacts must have turned. Default 8: grail 7.2.
    package var start = 8.0
    /// Those in which it begins. Default both.
    package var directions = [Direction.clockwise, .counterclockwise]
    /// Degrees that it must have turned since the last update. Default 0.
    package var step = 0.0

    package init() {}
}

extension PinchSettings: RecognizerSettings {
    var fingers: Int { 2 }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer {
        TransformRecognizer(.pinch(self), contacts)
    }
}

extension RotateSettings: RecognizerSettings {
    var fingers: Int { 2 }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer {
        TransformRecognizer(.rotate(self), contacts)
    }
}

/// Pinch and rotate: two contacts or more that move apart or together, or turn around each other.
/// They differ only in what is measured (`TransformMeasure`).
///
///     waiting ──changed by start, and most of all──▶ changing ──fewer than two, or too close──▶ ended
///                                                      ▲──────────────the same again──────────────┘
final class TransformRecognizer: Recognizer {
    private enum State {
        case waiting
        case changing
        /// A contact has lifted, or they came too close: may begin again.
        case ended
        /// Gave up or was cancelled; waits for the sequence to end.
        case over
    }

    private let measure: TransformMeasure
    private var state = State.waiting
    /// How the contacts lay when their number last changed.
    private var base = GroupMotion()
    private var recent = MotionBase()
    /// What was reached before their number last changed: a factor, or radians.
    private var carried: Double
    /// Where the contacts were when it was last told of them.
    private var told = Point.zero
    /// How they lay then, or when their number changed since.
    private var stepped = GroupMotion()
    /// Why two contacts that have come and gone were not recognized.
    private var miss: GestureFailure?

    init(_ measure: TransformMeasure, _ contacts: RegionContacts) {
        self.measure = measure
        carried = measure.neutral
        super.init(contacts)
    }

    override var isActive: Bool { state == .changing }
    override var isOver: Bool { state == .over }
    override var mayBeginAgain: Bool { state == .ended }
    override var competes: Bool { true }
    override var weighsMotions: Bool { true }
    override var ignoresClaimedContacts: Bool { true }
    override var retry: Retry { .whenOver }
    /// The lifts that end it do not move it.
    override var focus: Point? { state == .waiting ? nil : told }

    override var accepts: Bool {
        (state == .waiting || state == .ended) && contacts.group.count > 1 && failure == nil
    }

    override func needs(_ id: ContactID) -> Bool { contacts.group.count <= 2 }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .contactsWillChange: contactsWillChange()
        case .contactsDidChange, .woken: contactsDidChange()
        case .contactsTravelled: return contactsTravelled()
        case .begin:
            state = .changing
            tell()
            return .begin(detail)
        case .contactWillLift: return contacts.group.count <= 2 ? end() : nil
        case .spanEnds: return fail(miss ?? GestureFailure(.tooFewContacts, value: 1, limit: 2))
        case .cancel(let reason, _): return cancel(reason)
        case .sequenceEnded: reset()
        default: break
        }
        return nil
    }

    /// From here on all is measured anew, so that it goes on without a jump.
    private func contactsWillChange() {
        switch state {
        case .changing: carried = reached
        // If all limits hold and it has not begun, a gesture of `unless` was possible.
        case .waiting where contacts.group.count > 1: miss = failure ?? GestureFailure(.keptBack)
        case .waiting, .ended, .over: break
        }
    }

    private func contactsDidChange() {
        base = contacts.motion
        stepped = base
        recent.restart(contacts)
        if state == .ended { carried = measure.neutral }
    }

    private func contactsTravelled() -> RecognizerAnswer? {
        guard contacts.group.count > 1 else { return nil }
        switch state {
        case .changing:
            let isDue = measure.change(contacts.motion, since: stepped) >= measure.step
            if isDue { tell() }
            if measure.isTooClose(contacts.motion) {
                recent.restart(contacts)
                return end()
            }
            if isDue, reportsUpdates { return .update(detail) }
        case .waiting, .ended:
            let origin = recent.mark.motion
            let distance = contacts.motion.since(origin).distance
            if measure.forbids(contacts.motion, since: origin) { recent.follow(contacts) }
            if measure.own(contacts.motion, since: origin) < distance { recent.yield(to: distance, contacts) }
        case .over: break
        }
        return nil
    }

    private func tell() {
        told = contacts.motion.centroid
        stepped = contacts.motion
    }

    private func end() -> RecognizerAnswer? {
        guard state == .changing else { return nil }
        state = .ended
        return .end(detail)
    }

    private func cancel(_ reason: CancelReason) -> RecognizerAnswer? {
        if state == .ended { state = .over }
        guard state == .changing else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(detail, reason)
    }

    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        guard state == .waiting else { return nil }
        state = .over
        return .fail(failure)
    }

    private func reset() {
        state = .waiting
        carried = measure.neutral
        miss = nil
    }

    private var failure: GestureFailure? { measure.failure(contacts, since: base, recent) }

    private var reached: Double { measure.reached(contacts.motion, since: base, from: carried) }

    private var detail: GestureEvent.Detail {
        switch measure {
        case .pinch: .pinch(scale: reached)
        case .rotate: .rotate(rotation: reached * 180 / .pi)
        }
    }
}
