// SPDX-License-Identifier: MIT

/// A centroid that moves away from where it was when the last contact joined.
///
///     waiting ──moved more than start──▶ dragging ──last lift──▶ over (end)
///        └──wrong axis──▶ over
struct DragRecognizer: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case waiting
        case dragging
        /// Gave up or ended; waits for the sequence to end.
        case over
    }

    let gesture: Int
    private let settings: DragSettings
    private var state = State.waiting
    /// How the contacts lay when their number last changed.
    private var base = GroupMotion()
    /// Translation from before the number of contacts last changed.
    private var carried = Vector.zero
    /// The start distance along the direction of travel, which the translation leaves out.
    private var compensation = Vector.zero
    private var start = Point.zero
    /// It would have begun, and arbitration has kept it back: nothing of the way until it begins counts.
    private var isKeptBack = false
    /// Why contacts of the right number, which are no longer all there, were no drag.
    private var miss: GestureFailure?

    init(_ settings: DragSettings, gesture: Int) {
        self.settings = settings
        self.gesture = gesture
    }

    var isActive: Bool { state == .dragging }
    /// Has given up, or ended.
    var isOver: Bool { state == .over }

    /// Tells that a contact is about to join or to leave.
    mutating func contactsWillChange(_ motion: GroupMotion, count: Int) {
        switch state {
        case .dragging: carried = carried + (motion.centroid - base.centroid)
        case .waiting where count == settings.fingers: miss = shortfall(motion)
        case .waiting, .over: break
        }
    }

    /// Tells that a contact has joined or left: from here on the translation is measured anew,
    /// so that it goes on without a jump.
    mutating func contactsDidChange(_ motion: GroupMotion) {
        base = motion
        if state == .waiting { start = motion.centroid }
    }

    /// - Parameter count: contacts that are down and not another region's.
    func outcome(_ motion: GroupMotion, count: Int) -> Outcome {
        guard state == .waiting, count == settings.fingers else { return .pending }
        let moved = motion.centroid - base.centroid
        let along: Double
        let across: Double
        switch settings.axis {
        case .any: (along, across) = (moved.length, 0)
        case .horizontal: (along, across) = (moved.dx.magnitude, moved.dy.magnitude)
        case .vertical: (along, across) = (moved.dy.magnitude, moved.dx.magnitude)
        }
        if along >= across, along > settings.start || (settings.axis == .any && settings.start == 0) {
            return isDominated(motion) ? .pending : .accept
        }
        if across > settings.start, across > along {
            return .reject(GestureFailure(.wrongAxis, value: across, limit: settings.start))
        }
        return .pending
    }

    /// Tells that arbitration did not agree.
    mutating func keepBack() { isKeptBack = true }

    /// Begins, after `outcome` said `accept` and arbitration agreed.
    mutating func begin(_ motion: GroupMotion) -> RecognizerAction {
        let moved = motion.centroid - base.centroid
        let length = moved.length
        if isKeptBack {
            compensation = moved
        } else {
            compensation = settings.from == .start && length > 0 ? moved * (settings.start / length) : .zero
        }
        state = .dragging
        return .begin(.drag(translation: .zero, velocity: .zero, start: start, predicted: nil))
    }

    func update(_ motion: GroupMotion, velocity: Vector) -> RecognizerAction {
        .update(
            .drag(translation: translation(motion), velocity: velocity, start: start, predicted: nil))
    }

    /// - Parameter velocity: at the lift, in millimetres a second.
    mutating func lastLifted(_ motion: GroupMotion, count: Int, velocity: Vector) -> RecognizerAction {
        guard state == .dragging else {
            return fail(count == settings.fingers ? shortfall(motion) : miss ?? miscount(count))
        }
        state = .over
        // How far a list goes on: UIKit's normal deceleration, 0.998 a millisecond, is 0.499 s of velocity.
        let predicted = motion.centroid + velocity * 0.499
        return .end(
            .drag(translation: translation(motion), velocity: velocity, start: start, predicted: predicted))
    }

    mutating func cancel(_ reason: CancelReason, _ motion: GroupMotion) -> RecognizerAction {
        guard state == .dragging else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(
            .drag(translation: translation(motion), velocity: .zero, start: start, predicted: nil), reason)
    }

    mutating func fail(_ failure: GestureFailure) -> RecognizerAction {
        guard state == .waiting else { return .none }
        state = .over
        return .fail(failure)
    }

    mutating func sequenceEnded() {
        state = .waiting
        carried = .zero
        compensation = .zero
        isKeptBack = false
        miss = nil
    }

    private func translation(_ motion: GroupMotion) -> Vector {
        carried + (motion.centroid - base.centroid) - compensation
    }

    /// Several contacts that pinch or turn more than they travel.
    private func isDominated(_ motion: GroupMotion) -> Bool {
        guard settings.fingers > 1, settings.start > 0 else { return false }
        let travel = motion.since(base)
        return travel.distance <= max(travel.spread, travel.arc)
    }

    private func shortfall(_ motion: GroupMotion) -> GestureFailure {
        let travel = motion.since(base)
        if travel.distance > settings.start, isDominated(motion) {
            return GestureFailure(.dominated, value: travel.distance, limit: max(travel.spread, travel.arc))
        }
        if outcome(motion, count: settings.fingers) == .accept { return GestureFailure(.keptBack) }
        return GestureFailure(.tooShort, value: travel.distance, limit: settings.start)
    }

    private func miscount(_ count: Int) -> GestureFailure {
        GestureFailure(
            count > settings.fingers ? .tooManyContacts : .tooFewContacts, value: Double(count),
            limit: Double(settings.fingers))
    }
}
