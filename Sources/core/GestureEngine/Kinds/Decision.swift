// SPDX-License-Identifier: MIT

/// The moment at which a gesture is decided, apart from the gestures that it waits for.
package enum Decision: Hashable, Sendable {
    /// At the landing, or after a time.
    case landing(after: Interval = .zero)
    /// When the fingers have moved far enough.
    case movement
    case lift
    /// With the last of the gestures that it observes.
    case lastStep
}

/// The latest moment at which a gesture that is not recognized has failed, apart from the gestures that it waits for.
package enum LatestFailure: Hashable, Sendable {
    /// This time after the landing, even if the fingers stay.
    case after(Interval)
    case lift
    /// It cannot fail.
    case never
}

/// The demand of a gesture on a hand.
package enum Demand: Hashable, Sendable {
    /// Touches that last for at least this time.
    case touch(Interval = .zero)
    /// A finger that stays for this time.
    case hold(Interval)
    /// A movement whose path or direction matters.
    case path
    /// A movement to a place.
    case drag
    case severalFingers
    /// Other gestures.
    case gestures
}

extension GestureSettings {
    package var decision: Decision { common.decision }
    package var latestFailure: LatestFailure { common.latestFailure }
    package var demand: Demand { common.fingers > 1 ? .severalFingers : common.demand }
    package var fingerRange: ClosedRange<Int> { common.fingerRange }
    package var leastMovement: Double { common.leastMovement }
    package var directionWords: [String] { common.directionWords }
    package var swipeDirections: [SwipeDirection] { common.swipeDirections }
    package func accepts(_ moved: Vector) -> Bool { common.accepts(moved) }
}
