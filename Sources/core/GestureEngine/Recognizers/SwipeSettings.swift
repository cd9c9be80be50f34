// SPDX-License-Identifier: MIT

/// The settings of a swipe. Lengths are in millimetres.
package struct SwipeSettings: Hashable, Sendable {
    /// The moment at which a swipe is judged.
    package enum Moment: String, SettingWord {
        /// When the first of its contacts lifts.
        case lift
        /// As soon as all limits hold.
        case threshold
    }

    /// The number of contacts, which must not change.
    package var fingers = 1
    /// The number of one-finger taps that must directly precede the swipe. Default 0: no requirement.
    package var taps = 0
    /// The accepted directions. Default: the four without diagonals.
    package var directions: [SwipeDirection] = [.left, .right, .up, .down]
    /// The shortest distance from the landing to the lift in millimetres. Default 10.
    package var minDistance = 10.0
    /// The longest time from the landing to the lift. Default 500 ms.
    package var maxTime = Interval.milliseconds(500)
    /// The lowest speed in millimetres per second, at the lift or as the mean of the last 100 ms. Default 80.
    package var minVelocity = 80.0
    /// The largest deviation from a direction in degrees; `nil`: the sectors cover the circle without gaps.
    package var maxDeviation: Double?
    /// If the time between the last movement and the lift is longer than this, the speed at the lift is 0. Default 150
    /// ms, because a real panel (Atmel maXTouch) reports nothing for 70-140 ms before each lift.
    package var rest = Interval.milliseconds(150)
    /// The time within which all contacts must land after the first. Default 100 ms.
    package var group = Interval.milliseconds(100)
    /// The moment at which the swipe is judged. Default lift.
    package var when = Moment.lift
    /// The highest speed of a finger in millimetres per second. Faster movements are errors of the panel.
    package static let fastest = 1300.0

    package init() {}
}

extension SwipeSettings {
    package static let keys: [Setting] = [
        .fingers("fingers", \Self.fingers).limits(.tooManyContacts, .tooFewContacts),
        .taps("taps", \Self.taps),
        .words("directions", \Self.directions).limits(.wrongDirection),
        .length("min_distance", \Self.minDistance).limits(.tooShort, lenient: .below),
        .time("max_time", \Self.maxTime, atLeast: .shortest).limits(.tooSlow, lenient: .above),
        .speed("min_velocity", \Self.minVelocity).limits(.lowVelocity, lenient: .downToZero),
        .degrees("max_deviation", \Self.maxDeviation, atMost: 90).limits(.deviated, lenient: .above),
        .time("rest", \Self.rest).limits(.stopped, lenient: .above),
        .time("group", \Self.group).limits(.landedApart, lenient: .above),
        .word("when", \Self.when),
    ]
}
