// SPDX-License-Identifier: MIT

/// The numbers of a pinch, in millimetres, degrees and times.
package struct PinchSettings: Hashable, Sendable {
    /// Millimetres by which the span must have changed. Default 4.
    package var start = 4.0
    /// Millimetres below which a span is too small to be measured by: fingers that touch each other.
    package static let smallestSpan = 8.0

    package init() {}
}

/// The numbers of a rotation, in millimetres, degrees and times.
package struct RotateSettings: Hashable, Sendable {
    /// Degrees by which the line between the two oldest contacts must have turned. Default 8: grail 7.2.
    package var start = 8.0

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
/// They differ only in what is measured.
///
///     waiting ──changed by start, and most of all──▶ changing ──fewer than two──▶ over (end)
final class TransformRecognizer: Recognizer {
    enum Measure {
        /// The span, as a factor.
        case pinch(PinchSettings)
        /// The turn, in degrees.
        case rotate(RotateSettings)
    }

    private enum State {
        case waiting
        case changing
        /// Gave up or ended; waits for the sequence to end.
        case over
    }

    private let measure: Measure
    private var state = State.waiting
    /// How the contacts lay when their number last changed.
    private var base = GroupMotion()
    /// What was reached before their number last changed: a factor, or radians.
    private var carried: Double
    /// Why two contacts that have come and gone were not recognized.
    private var miss: GestureFailure?

    init(_ measure: Measure, _ contacts: RegionContacts) {
        self.measure = measure
        carried = measure.neutral
        super.init(contacts)
    }

    override var isActive: Bool { state == .changing }
    override var isOver: Bool { state == .over }
    override var competes: Bool { true }
    override var ignoresClaimedContacts: Bool { true }
    override var retry: Retry { .whenRejected }

    override var accepts: Bool { state == .waiting && contacts.group.count > 1 && failure == nil }

    override func needs(_ id: ContactID) -> Bool { contacts.group.count <= 2 }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer {
        switch input {
        case .contactsWillChange: contactsWillChange()
        case .contactsDidChange, .woken: base = contacts.motion
        case .begin:
            state = .changing
            return .begin(detail)
        case .update: return .update(detail)
        case .contactWillLift: return contacts.group.count <= 2 ? end() : .none
        case .spanEnds: return fail(miss ?? GestureFailure(.tooFewContacts, value: 1, limit: 2))
        case .cancel(let reason, _): return cancel(reason)
        case .sequenceEnded: reset()
        default: break
        }
        return .none
    }

    /// From here on all is measured anew, so that it goes on without a jump.
    private func contactsWillChange() {
        switch state {
        case .changing: carried = reached
        // If all limits hold and it has not begun, a gesture of `unless` was possible.
        case .waiting where contacts.group.count > 1: miss = failure ?? GestureFailure(.keptBack)
        case .waiting, .over: break
        }
    }

    private func end() -> RecognizerAnswer {
        guard state == .changing else { return .none }
        state = .over
        return .end(detail)
    }

    private func cancel(_ reason: CancelReason) -> RecognizerAnswer {
        guard state == .changing else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(detail, reason)
    }

    private func fail(_ failure: GestureFailure) -> RecognizerAnswer {
        guard state == .waiting else { return .none }
        state = .over
        return .fail(failure)
    }

    private func reset() {
        state = .waiting
        carried = measure.neutral
        miss = nil
    }

    private var failure: GestureFailure? { measure.failure(contacts.motion, since: base) }

    private var reached: Double {
        switch measure {
        // Contacts that join so close to the others say nothing about a scale.
        case .pinch: carried * contacts.motion.span / max(base.span, 1)
        case .rotate: carried + contacts.motion.turn - base.turn
        }
    }

    private var detail: GestureEvent.Detail {
        switch measure {
        case .pinch: .pinch(scale: reached)
        case .rotate: .rotate(rotation: reached * 180 / .pi)
        }
    }
}

extension TransformRecognizer.Measure {
    /// The value of contacts that have not moved.
    fileprivate var neutral: Double {
        switch self {
        case .pinch: 1
        case .rotate: 0
        }
    }

    /// What keeps the contacts from being recognized where they are now.
    fileprivate func failure(_ motion: GroupMotion, since base: GroupMotion) -> GestureFailure? {
        let travel = motion.since(base)
        switch self {
        case .pinch(let settings):
            let smaller = min(motion.span, base.span)
            if smaller < PinchSettings.smallestSpan {
                return GestureFailure(.smallSpan, value: smaller, limit: PinchSettings.smallestSpan)
            }
            if travel.spread < settings.start {
                return GestureFailure(.tooShort, value: travel.spread, limit: settings.start)
            }
            return dominated(travel.spread, by: travel.distance)
        case .rotate(let settings):
            let degrees = (motion.turn - base.turn).magnitude * 180 / .pi
            if degrees < settings.start {
                return GestureFailure(.smallTurn, value: degrees, limit: settings.start)
            }
            return dominated(travel.arc, by: travel.distance)
        }
    }

    /// Real two-finger drags wobble: the dominant motion wins.
    private func dominated(_ own: Double, by distance: Double) -> GestureFailure? {
        own < distance ? GestureFailure(.dominated, value: own, limit: distance) : nil
    }
}
