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

    /// A key of the configuration, as it is written there.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        case slop, delay, start, axis, directions, fingers, group, inside, distance, gap, taps, after, unless, steps
        case timeout, lockout, capture, simultaneous
        case maxTime = "max_time"
        case maxDuration = "max_duration"
        case minDistance = "min_distance"
        case minVelocity = "min_velocity"
        case maxDeviation = "max_deviation"
        case minSpan = "min_span"
        case maxLiftSpread = "max_lift_spread"
        case minGap = "min_gap"
        case maxGap = "max_gap"
        case maxTouch = "max_touch"
        case cancelSlop = "cancel_slop"
        case restAfter = "rest_after"
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

/// The keys and words of a kind's failures where kinds differ.
package struct FailureTerms: Sendable {
    /// A motion of contacts: of their centroid, of their distance from each other, or around each other.
    package enum Motion: Sendable {
        case path, span, turn
    }

    /// The motion that the kind measures.
    package let motion: Motion
    /// The key of the least motion; `nil`: it needs none.
    package let distance: GestureFailure.Key?
    /// The key of the number of contacts; `nil`: no key sets it.
    package let fingers: GestureFailure.Key?
    /// The key of the longest time.
    package let time: GestureFailure.Key

    init(
        _ motion: Motion = .path, distance: GestureFailure.Key? = nil, fingers: GestureFailure.Key?,
        time: GestureFailure.Key = .maxTime
    ) {
        (self.motion, self.distance, self.fingers, self.time) = (motion, distance, fingers, time)
    }
}

extension GestureFailure {
    /// The key that the touch missed, or that let something else come first. `nil`: no key would have changed it.
    /// - Parameters:
    ///   - kind: of the gesture that failed.
    ///   - maxDeviation: that of a swipe, in degrees, if it has one.
    package func key(of kind: GestureKind, maxDeviation: Double?) -> Key? {
        switch code {
        case .moved: .slop
        case .tooLong: kind.failures.time
        case .tooSlow: .maxTime
        case .tooShort: kind.failures.distance
        case .lowVelocity: .minVelocity
        // The limit is the smaller of `max_deviation` and half of a direction's sector.
        case .wrongDirection: limit == maxDeviation ? .maxDeviation : .directions
        case .wrongAxis: .axis
        case .smallTurn: .start
        // Fingers that are closer than that can never be measured.
        case .smallSpan: limit > PinchSettings.smallestSpan ? .minSpan : nil
        case .liftedEarly: .delay
        case .tooManyContacts, .tooFewContacts: kind.failures.fingers
        case .landedApart: .group
        case .liftedApart: .maxLiftSpread
        case .leftRegion: .inside
        case .tooFarApart: .distance
        case .noFurtherTap: .gap
        case .bounce: .minGap
        case .wrongTaps: .taps
        case .notAfter: .after
        case .unless, .keptBack: .unless
        case .wrongStep: .steps
        case .lateStep: .maxGap
        case .timeout: .timeout
        case .lockedOut: .lockout
        case .dominated, .longPress, .shadowed: nil
        case .cancelled(let reason): reason.key
        }
    }
}

extension CancelReason {
    /// The key that made the contacts go to something else.
    fileprivate var key: GestureFailure.Key? {
        switch self {
        case .claimed, .multiTouch: .simultaneous
        case .palm: .maxTouch
        case .handover: .capture
        case .rest: .restAfter
        case .movement: .cancelSlop
        case .deviceRemoved, .syncLost, .reload, .disabled, .client, .suspend: nil
        }
    }
}
