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

    /// What all limits together say.
    enum Verdict: Hashable, Sendable {
        case accept(SwipeDetail)
        case reject(GestureFailure)
    }

    let gesture: Int
    private let settings: SwipeSettings
    private let sectors: SwipeSectors
    private var state = State.ready
    /// The mean of where its contacts landed.
    private var start = Point.zero
    /// How the contacts lay when the last of them had landed.
    private var base = GroupMotion()

    init(_ settings: SwipeSettings, gesture: Int) {
        self.settings = settings
        self.gesture = gesture
        sectors = SwipeSectors(settings.directions)
    }

    /// Has given up, or been recognized.
    var isOver: Bool { state == .over }

    /// Recognized while its contacts move, not at the lift.
    var isRecognizedEarly: Bool { settings.when == .threshold }

    /// The first moment at which it can no longer be recognized; `nil` when it cannot be anyhow.
    var expiry: Timestamp? {
        guard case .tracking(let since) = state else { return nil }
        return since + settings.maxTime + Interval(microseconds: 1)
    }

    /// - Parameters:
    ///   - start: the mean of where the contacts landed.
    ///   - motion: how they lie now.
    ///   - count: contacts that are down and not another region's.
    mutating func landed(
        from start: Point, _ motion: GroupMotion, count: Int, at time: Timestamp
    ) -> RecognizerAction {
        self.start = start
        base = motion
        switch state {
        case .ready:
            state = .tracking(since: time)
            return .none
        case .tracking(let since):
            if count > settings.fingers {
                return fail(
                    GestureFailure(.tooManyContacts, value: Double(count), limit: Double(settings.fingers)))
            }
            guard time - since > settings.group else { return .none }
            return fail(
                GestureFailure(
                    .landedApart, value: (time - since).inMilliseconds, limit: settings.group.inMilliseconds))
        case .over:
            return .none
        }
    }

    /// Whether all limits hold now: at the lift, or for `when = "threshold"` at any movement; `nil`
    /// when there is nothing to judge any more.
    func judge(
        _ motion: GroupMotion, count: Int, _ tracker: borrowing VelocityTracker, at time: Timestamp
    ) -> Verdict? {
        guard case .tracking(let since) = state else { return nil }
        if count != settings.fingers {
            let code: GestureFailure.Code = count < settings.fingers ? .tooFewContacts : .tooManyContacts
            return .reject(GestureFailure(code, value: Double(count), limit: Double(settings.fingers)))
        }
        let moved = motion.centroid - start
        let distance = moved.length
        guard distance > 0, distance >= settings.minDistance else {
            return .reject(GestureFailure(.tooShort, value: distance, limit: settings.minDistance))
        }
        let duration = time - since
        guard duration <= settings.maxTime else {
            return .reject(
                GestureFailure(
                    .tooSlow, value: duration.inMilliseconds, limit: settings.maxTime.inMilliseconds))
        }
        if let failure = dominance(motion) { return .reject(failure) }
        guard let direction = sectors.direction(moved, maxDeviation: settings.maxDeviation) else {
            return .reject(sectors.failure(moved, maxDeviation: settings.maxDeviation))
        }
        let speed = tracker.velocity(at: time, rest: settings.rest).length
        guard speed >= settings.minVelocity else {
            return .reject(GestureFailure(.lowVelocity, value: speed, limit: settings.minVelocity))
        }
        return .accept(
            SwipeDetail(
                direction: direction, angle: SwipeSectors.angle(moved), distance: distance, speed: speed,
                duration: duration, start: start))
    }

    mutating func recognize(_ detail: SwipeDetail) -> RecognizerAction {
        state = .over
        return .recognize(.swipe(detail))
    }

    /// Gives up before the lift when it can no longer come in time.
    mutating func expire(at time: Timestamp) -> RecognizerAction {
        guard case .tracking(let since) = state, let expiry, expiry <= time else { return .none }
        return fail(
            GestureFailure(
                .tooSlow, value: (time - since).inMilliseconds.rounded(.up), limit: settings.maxTime.inMilliseconds))
    }

    mutating func fail(_ failure: GestureFailure) -> RecognizerAction {
        guard state != .over else { return .none }
        state = .over
        return .fail(failure)
    }

    mutating func sequenceEnded() {
        state = .ready
    }

    /// Several contacts that pinch or turn more than they travel are no swipe.
    private func dominance(_ motion: GroupMotion) -> GestureFailure? {
        guard settings.fingers > 1 else { return nil }
        let travel = motion.since(base)
        let other = max(travel.spread, travel.arc)
        return travel.distance > other ? nil : GestureFailure(.dominated, value: travel.distance, limit: other)
    }
}
