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

    /// What the position of the contacts says to a drag that waits.
    enum Outcome: Hashable, Sendable { case pending, accept, reject }

    let gesture: Int
    private let settings: DragSettings
    private var state = State.waiting
    /// The centroid when the number of contacts last changed.
    private var base = Point.zero
    /// Translation from before the number of contacts last changed.
    private var carried = Vector.zero
    /// The start distance along the direction of travel, which the translation leaves out.
    private var compensation = Vector.zero
    private var start = Point.zero

    init(_ settings: DragSettings, gesture: Int) {
        self.settings = settings
        self.gesture = gesture
    }

    var fingers: Int { settings.fingers }
    var isActive: Bool { state == .dragging }
    /// Has given up, or ended.
    var isOver: Bool { state == .over }

    /// Tells that a contact is about to join or to leave.
    mutating func contactsWillChange(_ centroid: Point) {
        if state == .dragging { carried = carried + (centroid - base) }
    }

    /// Tells that a contact has joined or left: from here on the translation is measured anew,
    /// so that it goes on without a jump.
    mutating func contactsDidChange(_ centroid: Point) {
        base = centroid
        if state == .waiting { start = centroid }
    }

    func outcome(_ centroid: Point, count: Int) -> Outcome {
        guard state == .waiting, count == settings.fingers else { return .pending }
        let moved = centroid - base
        let dx = moved.dx.magnitude
        let dy = moved.dy.magnitude
        switch settings.axis {
        case .any:
            return settings.start == 0 || moved.squaredLength > settings.start * settings.start ? .accept : .pending
        case .horizontal:
            if dx > settings.start, dx >= dy { return .accept }
            return dy > settings.start && dy > dx ? .reject : .pending
        case .vertical:
            if dy > settings.start, dy >= dx { return .accept }
            return dx > settings.start && dx > dy ? .reject : .pending
        }
    }

    /// Begins, after `outcome` said `accept` and arbitration agreed.
    mutating func begin(_ centroid: Point) -> RecognizerAction {
        let moved = centroid - base
        let length = moved.length
        compensation = settings.from == .start && length > 0 ? moved * (settings.start / length) : .zero
        state = .dragging
        return .begin(.drag(translation: .zero, velocity: .zero, start: start, predicted: nil))
    }

    func update(_ centroid: Point, velocity: Vector) -> RecognizerAction {
        .update(
            .drag(translation: translation(centroid), velocity: velocity, start: start, predicted: nil))
    }

    /// - Parameter velocity: at the lift, in millimetres a second.
    mutating func lastLifted(_ centroid: Point, velocity: Vector) -> RecognizerAction {
        guard state == .dragging else { return fail() }
        state = .over
        // How far a list goes on: UIKit's normal deceleration, 0.998 a millisecond, is 0.499 s of velocity.
        let predicted = centroid + velocity * 0.499
        return .end(
            .drag(translation: translation(centroid), velocity: velocity, start: start, predicted: predicted))
    }

    mutating func cancel(_ reason: CancelReason, _ centroid: Point) -> RecognizerAction {
        guard state == .dragging else { return fail() }
        state = .over
        return .cancel(
            .drag(translation: translation(centroid), velocity: .zero, start: start, predicted: nil), reason)
    }

    mutating func fail() -> RecognizerAction {
        state = .over
        return .fail
    }

    mutating func sequenceEnded() {
        state = .waiting
        carried = .zero
        compensation = .zero
    }

    private func translation(_ centroid: Point) -> Vector {
        carried + (centroid - base) - compensation
    }
}
