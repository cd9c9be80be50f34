// SPDX-License-Identifier: MIT

/// The reason why a gesture was not recognized, with the measured value and its limit.
package struct GestureFailure: Hashable, Sendable, BitwiseCopyable {
    /// Comments give the unit of `value` and `limit` in parentheses. Codes without a unit have no numbers.
    package enum Code: Hashable, Sendable, BitwiseCopyable, CaseIterable {
        /// A contact strayed farther than `slop` (mm).
        case moved
        /// A tap was held longer than `max_time`, or a repetition was due later than `max_duration` (ms).
        case tooLong
        /// A tap was held for less than `min_time` (ms).
        case tooQuick
        /// A swipe took longer than `max_time` (ms).
        case tooSlow
        /// The movement was shorter than `min_distance`, or did not exceed `start` (mm).
        case tooShort
        /// The speed at the lift was below `min_velocity` (mm/s).
        case lowVelocity
        /// A swipe stood still, or only trembled, for longer than `rest` before the lift (ms).
        case stopped
        /// The direction is not one of `directions`. For a swipe, the numbers are degrees and the limit is half the sector.
        /// For a pinch (mm) and a rotation (degrees), the limit is `start`.
        case wrongDirection
        /// The direction of a swipe deviates from one of `directions` by more than `max_deviation` (degrees).
        case deviated
        /// The contact first moved across the `axis` of the drag instead of along it (mm; the limit is `start`).
        case wrongAxis
        /// The contacts turned by less than `start` (degrees).
        case smallTurn
        /// The contacts were too close to measure a span, or closer than `min_span` or `min_radius` (mm).
        case smallSpan
        /// Another motion of the same contacts was larger (mm: the gesture's own motion, and the larger one).
        case dominated
        /// The path of a dial strayed too far from a circle (mm).
        case notRound
        /// The score was below `min_score` (0 to 1).
        case lowScore
        /// Another stroke of the region had a better score (0 to 1: the gesture's own score, and the better one).
        case outscored
        /// A contact lifted before `delay` (ms).
        case liftedEarly
        /// More contacts than `fingers` took part.
        case tooManyContacts
        /// Fewer contacts than `fingers` took part.
        case tooFewContacts
        /// A contact landed more than `group` after the first one (ms).
        case landedApart
        /// A contact lifted more than `max_lift_spread` after the first one (ms).
        case liftedApart
        /// A contact left the region (`inside`).
        case leftRegion
        /// A tap was farther than `distance` from the first one of the streak (mm).
        case tooFarApart
        /// The next tap did not come within `gap` (ms).
        case noFurtherTap
        /// A contact landed sooner than `min_gap` after a lift and within `bounce_distance` of it, so it was taken for
        /// a bounce of the panel (ms).
        case bounce
        /// The number of preceding taps was not `taps`.
        case wrongTaps
        /// A long press began in the same sequence.
        case longPress
        /// A gesture listed in `after` was not recognized.
        case notAfter
        /// A gesture listed in `unless` was recognized.
        case unless
        /// A gesture listed in `unless` stayed possible for too long.
        case keptBack
        /// A region nearer to the contact has the same gesture.
        case shadowed
        /// A step of a pattern or a segment of a chain was wrong or missing (the number of correct ones before it, and
        /// the number of all).
        case wrongStep
        /// The next step of a pattern did not come within `max_gap` (ms).
        case lateStep
        /// A pattern took longer than `timeout` (ms).
        case timeout
        /// There were too many wrong attempts, so the pattern is not recognized until `lockout` is over (ms).
        case lockedOut
        /// The contacts were lost to another gesture (`claimed`, `multi_touch`), or cancelled for another reason.
        case cancelled(CancelReason)

        /// All codes, in the order in which they are documented.
        package static var allCases: [Code] {
            [
                .moved, .tooLong, .tooQuick, .tooSlow, .tooShort, .lowVelocity, .stopped, .wrongDirection,
                .deviated, .wrongAxis, .smallTurn,
                .smallSpan, .dominated, .notRound, .lowScore, .outscored, .liftedEarly, .tooManyContacts,
                .tooFewContacts, .landedApart, .liftedApart,
                .leftRegion,
                .tooFarApart, .noFurtherTap, .bounce, .wrongTaps, .longPress, .notAfter, .unless, .keptBack, .shadowed,
                .wrongStep,
                .lateStep, .timeout, .lockedOut,
            ] + CancelReason.allCases.map { .cancelled($0) }
        }
    }

    /// The reason.
    package var code: Code
    /// The measured value.
    package var value: Double
    /// The limit that the value violated.
    package var limit: Double
    /// Whether the limit is built in, so that no key sets it.
    package var isFixed: Bool
    /// The direction of a swipe whose direction is not one of `directions`.
    package var direction: SwipeDirection?
    /// The segments that were drawn instead of the path of a chain; otherwise empty.
    package var drawn: DirectionList

    package init(
        _ code: Code, value: Double = 0, limit: Double = 0, isFixed: Bool = false, direction: SwipeDirection? = nil,
        drawn: DirectionList = DirectionList()
    ) {
        self.code = code
        self.value = value
        self.limit = limit
        self.isFixed = isFixed
        self.direction = direction
        self.drawn = drawn
    }

    static func wrongNumber(_ count: Int, of range: ClosedRange<Int>) -> GestureFailure {
        count < range.lowerBound
            ? GestureFailure(.tooFewContacts, value: Double(count), limit: Double(range.lowerBound))
            : GestureFailure(.tooManyContacts, value: Double(count), limit: Double(range.upperBound))
    }
}
