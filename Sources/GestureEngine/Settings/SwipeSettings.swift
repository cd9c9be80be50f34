// SPDX-License-Identifier: MIT

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
    /// Those that count; default the four without a diagonal.
    package var directions: [SwipeDirection] = [.left, .right, .up, .down]
    /// Millimetres from landing to lift, at least. Default 10.
    package var minDistance = 10.0
    /// From landing to lift, at most. Default 500 ms.
    package var maxTime = Interval.milliseconds(500)
    /// Millimetres a second at the lift, at least. Default 80.
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

    package init() {}
}
