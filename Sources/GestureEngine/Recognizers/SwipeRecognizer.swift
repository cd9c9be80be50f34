// SPDX-License-Identifier: MIT
import CMath

/// The numbers of a swipe, in millimetres, degrees and times.
package struct SwipeSettings: Hashable, Sendable {
    /// When it is judged.
    package enum Moment: Hashable, Sendable {
        /// When the first of its contacts lifts.
        case lift
        /// As soon as all limits hold.
        case threshold
    }

    /// Contacts from first to last.
    package var fingers = 1
    /// Taps of one finger that must come right before. Default 0: any.
    package var taps = 0
    /// Those that count; default the four without a diagonal.
    package var directions: [SwipeDirection] = [.left, .right, .up, .down]
    /// Millimetres from landing to lift, at least. Default 10.
    package var minDistance = 10.0
    /// From landing to lift, at most. Default 500 ms.
    package var maxTime = Interval.milliseconds(500)
    /// Millimetres a second at the lift, or in the mean of the last 100 ms, at least. Default 80.
    package var minVelocity = 80.0
    /// Degrees from the named direction, at most; `nil`: the circle is tiled without gaps.
    package var maxDeviation: Double?
    /// Longer than this between the last movement and the lift is a stop: speed 0. Default 150 ms:
    /// a real panel (Atmel maXTouch) is silent for 70-140 ms before each lift.
    package var rest = Interval.milliseconds(150)
    /// All contacts land within this time of the first. Default 100 ms.
    package var group = Interval.milliseconds(100)
    /// Default lift.
    package var when = Moment.lift
    /// No finger is faster: what is, is a panel's jump. Millimetres a second.
    package static let fastest = 1300.0

    package init() {}
}

extension SwipeSettings: RecognizerSettings {
    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        SwipeRecognizer(self, isAwaited: isAwaited, contacts)
    }
}

/// A quick stroke, judged when the first of its contacts lifts (or as soon as all limits hold).
///
///     ready ──landing──▶ tracking ──lift──▶ over (recognized or not)
///                           └──one contact more, landed late──▶ over
final class SwipeRecognizer: Recognizer {
    private enum State {
        case ready
        case tracking(since: Timestamp)
        case over
    }

    /// What all limits together say.
    private enum Verdict {
        case accept(SwipeDetail)
        case reject(GestureFailure)
    }

    private let settings: SwipeSettings
    private let sectors: SwipeSectors
    /// Another gesture waits for its failure: it fails as soon as it can no longer come in time.
    private let isAwaited: Bool
    private var state = State.ready
    /// The mean of where its contacts landed.
    private var start = Point.zero
    /// How the contacts lay when the last of them had landed.
    private var base = GroupMotion()

    init(_ settings: SwipeSettings, isAwaited: Bool, _ contacts: RegionContacts) {
        self.settings = settings
        self.isAwaited = isAwaited
        sectors = SwipeSectors(settings.directions)
        super.init(contacts)
    }

    override var progress: RecognizerProgress {
        if case .over = state { .over } else { .waiting }
    }

    override func wants(_ moment: RecognizerMoment) -> Bool {
        switch moment {
        case .now: settings.when == .threshold && isAccepted
        case .lift: isAccepted
        }
    }

    /// The first moment at which it can no longer be recognized.
    override var deadline: Timestamp? {
        guard isAwaited, case .tracking(let since) = state else { return nil }
        return since + settings.maxTime + Interval(microseconds: 1)
    }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed: return landed()
        case .regrouped: measure(from: contacts.group.originCentroid())
        case .wake:
            measure(from: contacts.motion.centroid)
            return landed()
        // The last lift may have woken it: then it has come nowhere.
        case .lifts(let lift): return lift.isFree || lift.isLast ? judge() : nil
        case .begin: return judge()
        case .deadline: return expire()
        case .gone(let id, let loss):
            return contacts.group.isFree(id) ? fail(GestureFailure(.cancelled(loss.reason))) : nil
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return fail(GestureFailure(.cancelled(reason)))
        case .reset: state = .ready
        case .moved, .forget: break
        }
        return nil
    }

    /// Another contact has landed, and all are measured from there.
    /// - Parameter start: the mean of where the contacts landed.
    private func measure(from start: Point) {
        self.start = start
        base = contacts.motion
    }

    private func landed() -> RecognizerAnswer? {
        switch state {
        case .ready:
            state = .tracking(since: contacts.now)
            return nil
        case .tracking(let since):
            let count = contacts.group.count
            if count > settings.fingers {
                return fail(
                    GestureFailure(.tooManyContacts, value: Double(count), limit: Double(settings.fingers)))
            }
            let late = contacts.now - since
            guard late > settings.group else { return nil }
            return fail(
                GestureFailure(.landedApart, value: late.inMilliseconds, limit: settings.group.inMilliseconds))
        case .over:
            return nil
        }
    }

    private var isAccepted: Bool {
        if case .accept? = verdict { true } else { false }
    }

    private func judge() -> RecognizerAnswer? {
        switch verdict {
        case nil: return nil
        case .accept(let detail):
            state = .over
            return .recognize(.swipe(detail))
        case .reject(let failure): return fail(failure)
        }
    }

    /// Whether all limits hold now; `nil` when there is nothing to judge any more.
    private var verdict: Verdict? {
        guard case .tracking(let since) = state else { return nil }
        let count = contacts.group.count
        if count != settings.fingers {
            let code: GestureFailure.Code = count < settings.fingers ? .tooFewContacts : .tooManyContacts
            return .reject(GestureFailure(code, value: Double(count), limit: Double(settings.fingers)))
        }
        let moved = contacts.motion.centroid - start
        let distance = moved.length
        guard distance > 0, !settings.minDistance.exceeds(distance) else {
            return .reject(GestureFailure(.tooShort, value: distance, limit: settings.minDistance))
        }
        let duration = contacts.now - since
        guard duration <= settings.maxTime else {
            return .reject(
                GestureFailure(.tooSlow, value: duration.inMilliseconds, limit: settings.maxTime.inMilliseconds))
        }
        if let failure = dominance { return .reject(failure) }
        guard let direction = sectors.direction(moved, maxDeviation: settings.maxDeviation) else {
            return .reject(sectors.failure(moved, maxDeviation: settings.maxDeviation))
        }
        let speed = contacts.speed(rest: settings.rest)
        guard !settings.minVelocity.exceeds(speed) else {
            return .reject(GestureFailure(.lowVelocity, value: speed, limit: settings.minVelocity))
        }
        return .accept(
            SwipeDetail(
                direction: direction, angle: SwipeSectors.angle(moved), distance: distance, speed: speed,
                duration: duration, start: start))
    }

    private func expire() -> RecognizerAnswer? {
        guard case .tracking(let since) = state, let deadline, deadline <= contacts.now else { return nil }
        let duration = (contacts.now - since).inMilliseconds.rounded(.up)
        return fail(GestureFailure(.tooSlow, value: duration, limit: settings.maxTime.inMilliseconds))
    }

    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        guard progress != .over else { return nil }
        state = .over
        return .fail(failure)
    }

    /// Several contacts that pinch or turn more than they travel are no swipe.
    private var dominance: GestureFailure? {
        guard settings.fingers > 1 else { return nil }
        let travel = contacts.motion.since(base)
        let other = max(travel.spread, travel.arc)
        return travel.distance.exceeds(other) ? nil : GestureFailure(.dominated, value: travel.distance, limit: other)
    }
}

/// Tells which named direction a movement has.
///
/// The circle is tiled by four sectors of 90°, or by eight of 45° when a diagonal is among the
/// directions. A tie falls to the horizontal one, then to the vertical one: no dead angles.
struct SwipeSectors: Hashable, Sendable {
    /// tan 22.5°: where a sector of 45° around an axis ends.
    private static let tangent = 0.414_213_562_373_095_03

    private let directions: [SwipeDirection]
    private let hasDiagonals: Bool

    init(_ directions: [SwipeDirection]) {
        self.directions = directions
        hasDiagonals = directions.contains { $0.isDiagonal }
    }

    /// The direction of a movement (y down), or `nil` when it is not among those wanted or
    /// deviates by more than `maxDeviation` degrees.
    func direction(_ moved: Vector, maxDeviation: Double?) -> SwipeDirection? {
        let direction = hasDiagonals ? Self.eighth(moved) : Self.quarter(moved)
        guard directions.contains(direction) else { return nil }
        guard let maxDeviation else { return direction }
        return Self.deviation(moved, from: direction).exceeds(maxDeviation) ? nil : direction
    }

    /// Why a movement has none of the directions: how many degrees it is off the nearest of them.
    func failure(_ moved: Vector, maxDeviation: Double?) -> GestureFailure {
        var nearest = 180.0
        for direction in directions { nearest = min(nearest, Self.deviation(moved, from: direction)) }
        let half = hasDiagonals ? 22.5 : 45
        return GestureFailure(.wrongDirection, value: nearest, limit: min(maxDeviation ?? half, half))
    }

    private static func deviation(_ moved: Vector, from direction: SwipeDirection) -> Double {
        let deviation = (angle(moved) - direction.angle).magnitude
        return deviation > 180 ? 360 - deviation : deviation
    }

    /// Degrees, 0 is right, counter-clockwise, y up; above -180, at most 180.
    static func angle(_ moved: Vector) -> Double {
        let degrees = math_atan2(-moved.dy, moved.dx) * (180 / Double.pi)
        return degrees <= -180 ? 180 : degrees
    }

    private static func quarter(_ moved: Vector) -> SwipeDirection {
        moved.dy.magnitude.exceeds(moved.dx.magnitude) ? vertical(moved) : horizontal(moved)
    }

    private static func eighth(_ moved: Vector) -> SwipeDirection {
        let dx = moved.dx.magnitude
        let dy = moved.dy.magnitude
        if !dy.exceeds(dx * tangent) { return horizontal(moved) }
        if !dx.exceeds(dy * tangent) { return vertical(moved) }
        if moved.dy < 0 { return moved.dx < 0 ? .upLeft : .upRight }
        return moved.dx < 0 ? .downLeft : .downRight
    }

    private static func horizontal(_ moved: Vector) -> SwipeDirection { moved.dx < 0 ? .left : .right }
    private static func vertical(_ moved: Vector) -> SwipeDirection { moved.dy < 0 ? .up : .down }
}

extension SwipeDirection {
    var isDiagonal: Bool {
        switch self {
        case .left, .right, .up, .down: false
        case .upLeft, .upRight, .downLeft, .downRight: true
        }
    }

    /// Degrees, counter-clockwise from the right, y up.
    var angle: Double {
        switch self {
        case .right: 0
        case .upRight: 45
        case .up: 90
        case .upLeft: 135
        case .left: 180
        case .downLeft: -135
        case .down: -90
        case .downRight: -45
        }
    }
}
