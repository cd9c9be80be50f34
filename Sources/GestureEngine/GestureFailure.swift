// SPDX-License-Identifier: MIT

/// Why a gesture was not recognized: what was measured, and its limit.
package struct GestureFailure: Hashable, Sendable, BitwiseCopyable {
    /// The unit of `value` and `limit` is in brackets; codes without one have no numbers.
    package enum Code: Hashable, Sendable, BitwiseCopyable, CaseIterable {
        /// A contact strayed further than `slop` (mm).
        case moved
        /// A tap was held for longer than `max_time`; a repetition was due later than `max_duration` (ms).
        case tooLong
        /// A swipe took longer than `max_time` (ms).
        case tooSlow
        /// The movement was shorter than `min_distance`, or not more than `start` (mm).
        case tooShort
        /// Slower at the lift than `min_velocity` (mm/s).
        case lowVelocity
        /// Into none of the `directions` (degrees; the limit is `max_deviation`, or the sector's half. Of a pinch mm
        /// and of a rotation degrees; the limit is `start`).
        case wrongDirection
        /// Moved across the `axis` of a drag first (mm; the limit is `start`).
        case wrongAxis
        /// Turned by less than `start` (degrees).
        case smallTurn
        /// The contacts were too close for a span, or closer than `min_span` (mm).
        case smallSpan
        /// Another motion of the same contacts was larger (mm: this gesture's own, and the larger).
        case dominated
        /// Lifted before `delay` (ms).
        case liftedEarly
        /// More contacts than `fingers`.
        case tooManyContacts
        /// Fewer contacts than `fingers`.
        case tooFewContacts
        /// A contact landed later than `group` after the first (ms).
        case landedApart
        /// A contact lifted later than `max_lift_spread` after the first (ms).
        case liftedApart
        /// A contact left the region (`inside`).
        case leftRegion
        /// Too far from the first tap of the streak: more than `distance` (mm).
        case tooFarApart
        /// No further tap within `gap` (ms).
        case noFurtherTap
        /// Landed sooner than `min_gap` after a lift, and within `bounce_distance` of it: the panel bounced (ms).
        case bounce
        /// Not exactly `taps` taps came right before.
        case wrongTaps
        /// A long press began in the same sequence.
        case longPress
        /// A gesture that this one comes `after` was not recognized.
        case notAfter
        /// A gesture of `unless` was recognized.
        case unless
        /// A gesture of `unless` was possible for too long.
        case keptBack
        /// A nearer region has the same gesture.
        case shadowed
        /// A wrong step of a pattern (correct steps before it; steps of the pattern).
        case wrongStep
        /// A pattern's next step did not come within `max_gap` (ms).
        case lateStep
        /// A pattern took longer than `timeout` (ms).
        case timeout
        /// Too many wrong patterns: none is recognized until `lockout` is over (ms).
        case lockedOut
        /// Taken away: by another gesture (`claimed`, `multi_touch`) or from outside.
        case cancelled(CancelReason)

        /// In the order in which they are documented.
        package static var allCases: [Code] {
            [
                .moved, .tooLong, .tooSlow, .tooShort, .lowVelocity, .wrongDirection, .wrongAxis, .smallTurn,
                .smallSpan, .dominated, .liftedEarly, .tooManyContacts, .tooFewContacts, .landedApart, .liftedApart,
                .leftRegion,
                .tooFarApart, .noFurtherTap, .bounce, .wrongTaps, .longPress, .notAfter, .unless, .keptBack, .shadowed,
                .wrongStep,
                .lateStep, .timeout, .lockedOut,
            ] + CancelReason.allCases.map { .cancelled($0) }
        }
    }

    /// Why it was not recognized.
    package var code: Code
    /// What was measured.
    package var value: Double
    /// Its limit.
    package var limit: Double

    package init(_ code: Code, value: Double = 0, limit: Double = 0) {
        self.code = code
        self.value = value
        self.limit = limit
    }
}
