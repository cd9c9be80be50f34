// SPDX-License-Identifier: MIT

/// A quick stroke, judged when the first of its contacts lifts (or as soon as all limits hold).
///
///     ready ──landing──▶ tracking ──lift──▶ over (recognized or not)
///                           └──one contact more, landed late──▶ over
struct SwipeRecognizer: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case ready
        case tracking(since: Timestamp)
        case over
    }

    let gesture: Int
    private let settings: SwipeSettings
    private let sectors: SwipeSectors
    private var state = State.ready

    init(_ settings: SwipeSettings, gesture: Int) {
        self.settings = settings
        self.gesture = gesture
        sectors = SwipeSectors(settings.directions)
    }

    var fingers: Int { settings.fingers }

    /// Has given up, or been recognized.
    var isOver: Bool { state == .over }

    /// Recognized while its contacts move, not at the lift.
    var isRecognizedEarly: Bool { settings.when == .threshold }

    mutating func landed(_ group: borrowing ContactGroup, at time: Timestamp) -> RecognizerAction {
        switch state {
        case .ready:
            state = .tracking(since: time)
            return .none
        case .tracking(let since):
            return group.count > settings.fingers || time - since > settings.group ? fail() : .none
        case .over:
            return .none
        }
    }

    /// Whether all limits hold now: at the lift, or for `when = "threshold"` at any movement.
    func judge(
        _ group: borrowing ContactGroup, _ tracker: borrowing VelocityTracker, at time: Timestamp
    ) -> SwipeDetail? {
        guard case .tracking(let since) = state, group.count == settings.fingers else { return nil }
        let start = group.originCentroid
        let moved = group.centroid - start
        let distance = moved.length
        let duration = time - since
        guard distance > 0, distance >= settings.minDistance, duration <= settings.maxTime else { return nil }
        guard let direction = sectors.direction(moved, maxDeviation: settings.maxDeviation) else { return nil }
        let speed = tracker.velocity(at: time, rest: settings.rest).length
        guard speed >= settings.minVelocity else { return nil }
        return SwipeDetail(
            direction: direction, angle: SwipeSectors.angle(moved), distance: distance, speed: speed,
            duration: duration, start: start)
    }

    mutating func recognize(_ detail: SwipeDetail) -> RecognizerAction {
        state = .over
        return .recognize(.swipe(detail))
    }

    mutating func fail() -> RecognizerAction {
        state = .over
        return .fail
    }

    mutating func sequenceEnded() {
        state = .ready
    }
}
