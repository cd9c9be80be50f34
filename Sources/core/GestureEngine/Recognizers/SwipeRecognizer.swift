// SPDX-License-Identifier: MIT
import CMath

extension SwipeSettings {
    /// Judges as if no other swipe of the region has a diagonal direction.
    func accepts(_ moved: Vector) -> Bool {
        SwipeSectors(directions, hasDiagonals: directions.contains { $0.isDiagonal })
            .direction(moved, maxDeviation: maxDeviation) != nil
    }
}

extension SwipeSettings: RecognizerSettings {
    var swipeDirections: [SwipeDirection] { directions }
    var decision: Decision { when == .threshold ? .movement : .lift }
    var latestFailure: LatestFailure { .after(maxTime) }
    var demand: Demand { .path }
    var leastMovement: Double { minDistance }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        SwipeRecognizer(self, SwipeSectors(directions, of: .swipe, in: region), isAwaited: isAwaited, contacts)
    }
}

/// Recognizes a quick stroke.
final class SwipeRecognizer: JudgedRecognizer {
    private let settings: SwipeSettings
    private let sectors: SwipeSectors
    /// The first landing of the contacts, or the time at which the swipe woke; `nil` before that.
    private var tracked: Timestamp?
    /// The mean position of the landings.
    private var start = Point.zero
    /// The arrangement when the last contact landed.
    private var base = GroupMotion()

    init(_ settings: SwipeSettings, _ sectors: SwipeSectors, isAwaited: Bool, _ contacts: RegionContacts) {
        self.settings = settings
        self.sectors = sectors
        super.init(contacts, maxTime: settings.maxTime, isAwaited: isAwaited)
    }

    override var since: Timestamp? { tracked }

    override var crowd: GestureFailure? { isExceeded ? wrongNumber(contacts.group.count, of: settings.fingers) : nil }

    override var followsMovement: Bool { settings.when == .threshold }

    override func restart() { tracked = nil }

    override func follow(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed: return landed()
        case .regrouped: regrouped()
        case .wake:
            (start, base) = (contacts.motion.centroid, contacts.motion)
            return landed()
        case .moved:
            if !isMet, case .accept(let detail)? = verdict(.now) { meet(detail, fingers: settings.fingers) }
        default: break
        }
        return nil
    }

    /// Restarts the measurement after a contact has landed, or turned out not to be a finger.
    private func regrouped() {
        (start, base) = (contacts.group.originCentroid(), contacts.base(for: progress).motion)
        if let tracked, let oldest = contacts.group.oldest(without: []) { self.tracked = max(tracked, oldest.landed) }
    }

    private func landed() -> RecognizerAnswer? {
        let late = contacts.now - (tracked ?? contacts.now)
        tracked = tracked ?? contacts.now
        guard late > settings.group, !isMet, !isExceeded else { return nil }
        return fail(GestureFailure(.landedApart, value: late.inMilliseconds, limit: settings.group.inMilliseconds))
    }

    /// Whether there are too many contacts.
    private var isExceeded: Bool { tracked != nil && !isMet && contacts.group.count > settings.fingers }

    override func verdict(_ moment: RecognizerMoment) -> Verdict? {
        if case .now = moment, settings.when != .threshold { return nil }
        guard let tracked else { return nil }
        guard contacts.group.count == settings.fingers else {
            return .reject(wrongNumber(contacts.group.count, of: settings.fingers))
        }
        let moved = contacts.motion.centroid - start
        let distance = moved.length
        guard distance > 0, !settings.minDistance.exceeds(distance) else {
            return .reject(GestureFailure(.tooShort, value: distance, limit: settings.minDistance))
        }
        let duration = contacts.liftTime - tracked
        guard duration <= settings.maxTime else { return .reject(slowness(duration.inMilliseconds)) }
        if let failure = dominance { return .reject(failure) }
        guard let direction = sectors.direction(moved, maxDeviation: settings.maxDeviation) else {
            return .reject(sectors.failure(moved, maxDeviation: settings.maxDeviation))
        }
        let speed = contacts.speed(standstill: settings.rest)
        guard !settings.minVelocity.exceeds(speed) else { return .reject(lowSpeed(speed)) }
        let detail = SwipeDetail(
            direction: direction, angle: SwipeSectors.angle(moved), distance: distance, speed: speed,
            duration: duration, start: start)
        return .accept(.swipe(detail))
    }

    /// The failure of a swipe that is too slow at the lift: it stood still if its contacts at most trembled for longer than
    /// `rest`, although they may have moved too recently for `rest` to make the speed 0.
    private func lowSpeed(_ speed: Double) -> GestureFailure {
        let stillness = contacts.stillness > settings.rest ? contacts.stillness : contacts.calm
        guard stillness > settings.rest else {
            return GestureFailure(.lowVelocity, value: speed, limit: settings.minVelocity)
        }
        return GestureFailure(.stopped, value: stillness.inMilliseconds, limit: settings.rest.inMilliseconds)
    }

    /// The failure if several contacts pinch or rotate more than they travel; otherwise `nil`.
    private var dominance: GestureFailure? {
        guard settings.fingers > 1 else { return nil }
        let travel = contacts.motion.since(base)
        let other = max(travel.spread, travel.arc)
        return travel.distance.exceeds(other) ? nil : GestureFailure(.dominated, value: travel.distance, limit: other)
    }
}

/// Maps a movement to a direction.
///
/// The circle is divided into four sectors of 90°, or into eight of 45° if a gesture of the same kind and region has a
/// diagonal. There are no gaps: on a tie, the horizontal direction is preferred, then the vertical one.
struct SwipeSectors: Hashable, Sendable {
    /// tan 22.5°, the boundary of a 45° sector around an axis.
    private static let tangent = 0.414_213_562_373_095_03

    private let directions: [SwipeDirection]
    let hasDiagonals: Bool

    init(_ directions: [SwipeDirection], hasDiagonals: Bool) {
        self.directions = directions
        self.hasDiagonals = hasDiagonals
    }

    /// The sectors of a gesture, which are the same for all gestures of its kind in a region: a movement has one
    /// direction there.
    init(_ directions: [SwipeDirection], of kind: GestureKind, in region: Region) {
        let gestures = region.gestures.lazy.map(\.settings).filter { $0.kind == kind }
        self.init(directions, hasDiagonals: gestures.contains { $0.common.swipeDirections.contains { $0.isDiagonal } })
    }

    var all: DirectionList { hasDiagonals ? .eight : .four }

    /// The direction in whose sector a movement (y down) is.
    func nearest(_ moved: Vector) -> SwipeDirection { hasDiagonals ? Self.eighth(moved) : Self.quarter(moved) }

    /// The direction of a movement (y down); `nil` if it is not accepted or deviates by more than `maxDeviation`
    /// degrees.
    func direction(_ moved: Vector, maxDeviation: Double?) -> SwipeDirection? {
        let direction = nearest(moved)
        guard directions.contains(direction) else { return nil }
        guard let maxDeviation else { return direction }
        return Self.deviation(moved, from: direction).exceeds(maxDeviation) ? nil : direction
    }

    /// The failure for a movement in another direction, with the deviation from the nearest accepted one in degrees, or
    /// for one that deviates by more than `maxDeviation`.
    func failure(_ moved: Vector, maxDeviation: Double?) -> GestureFailure {
        let direction = nearest(moved)
        if let maxDeviation, directions.contains(direction) {
            return GestureFailure(.deviated, value: Self.deviation(moved, from: direction), limit: maxDeviation)
        }
        var nearest = 180.0
        for direction in directions { nearest = min(nearest, Self.deviation(moved, from: direction)) }
        return GestureFailure(
            .wrongDirection, value: nearest, limit: hasDiagonals ? 22.5 : 45, direction: direction)
    }

    private static func deviation(_ moved: Vector, from direction: SwipeDirection) -> Double {
        let deviation = (angle(moved) - direction.angle).magnitude
        return deviation > 180 ? 360 - deviation : deviation
    }

    /// The angle in degrees, counter-clockwise from the right with y up, in (-180, 180].
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

    /// The angle in degrees, counter-clockwise from the right with y up.
    package var angle: Double {
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

    /// A movement of 1 mm in this direction (y down).
    package var unit: Vector {
        let diagonal = 0.5.squareRoot()
        return switch self {
        case .left: Vector(dx: -1, dy: 0)
        case .right: Vector(dx: 1, dy: 0)
        case .up: Vector(dx: 0, dy: -1)
        case .down: Vector(dx: 0, dy: 1)
        case .upLeft: Vector(dx: -diagonal, dy: -diagonal)
        case .upRight: Vector(dx: diagonal, dy: -diagonal)
        case .downLeft: Vector(dx: -diagonal, dy: diagonal)
        case .downRight: Vector(dx: diagonal, dy: diagonal)
        }
    }
}
