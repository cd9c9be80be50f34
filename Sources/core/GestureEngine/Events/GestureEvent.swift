// SPDX-License-Identifier: MIT

/// Identifies a sequence: the period from the landing of the first contact in a region until no contact is left in it.
///
/// Sequences of private regions have negative numbers, which count down. Only sequences of the same region are
/// compared.
package struct SequenceID: Hashable, Comparable, Sendable, BitwiseCopyable {
    package let rawValue: Int64

    package init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Whether the sequence belongs to a private region.
    package var isPrivate: Bool { rawValue < 0 }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue.magnitude < b.rawValue.magnitude }
}

/// A recognized gesture or a failure. Lengths are in millimetres; `GestureEncoder` converts them to pixels.
package struct GestureEvent: Hashable, Sendable, BitwiseCopyable {
    /// The phase of a continuous gesture. Discrete gestures have none.
    package enum Phase: Hashable, Sendable, BitwiseCopyable {
        case begin, update, end
        case cancel(CancelReason)
    }

    /// The values that depend on the kind of gesture.
    package enum Detail: Hashable, Sendable, BitwiseCopyable {
        /// `held` is set in the phases `end` and `cancel`, and in progress updates of a timed press.
        case press(inside: Bool, held: Interval?)
        case tap(count: Int, duration: Interval)
        case longPress(held: Interval?)
        case `repeat`(n: Int, held: Interval)
        /// `scale` is set if the drag has `zoom`.
        case drag(translation: Vector, velocity: Vector, start: Point, predicted: Point?, scale: Double?)
        case swipe(SwipeDetail)
        case pinch(scale: Double)
        /// The rotation in degrees, clockwise positive, not wrapped at 180.
        case rotate(rotation: Double)
        /// The rotation in degrees, clockwise positive, over any number of turns. `steps` is the number of whole steps
        /// in it; `nil` without a step. `velocity` is in degrees per second.
        case dial(rotation: Double, steps: Int?, velocity: Double)
        /// `duration` is the time from the landing to the recognition; `start` is the landing position.
        case chain(duration: Interval, start: Point)
        /// `score` is the similarity with the best template, from 0 to 1.
        case stroke(score: Double, duration: Interval, start: Point)
        /// `steps` is the number of steps; `duration` is the time from the first to the last.
        case pattern(steps: Int, duration: Interval)
        /// The gesture was not recognized, for this reason. Emitted without a phase, and only while the engine's
        /// `reportsFailures` is set.
        case failed(GestureFailure)
    }

    /// The time of the frame or of the deadline that caused this event.
    package var time: Timestamp
    /// The index into the regions of the engine.
    package var region: RegionIndex
    /// The index into the gestures of that region.
    package var gesture: GestureIndex
    /// The phase; `nil` for discrete gestures.
    package var phase: Phase?
    /// The sequence in which the gesture was recognized. For a tap that waited, the sequence of the tap.
    package var sequence: SequenceID
    /// The number of contacts that take part.
    package var fingers: Int
    /// The position of the contact, or the centroid of several.
    package var position: Point
    /// The values that depend on the kind.
    package var detail: Detail

    package init(
        time: Timestamp, region: RegionIndex, gesture: GestureIndex, phase: Phase?, sequence: SequenceID,
        fingers: Int, position: Point, detail: Detail
    ) {
        self.time = time
        self.region = region
        self.gesture = gesture
        self.phase = phase
        self.sequence = sequence
        self.fingers = fingers
        self.position = position
        self.detail = detail
    }
}

/// The values of a swipe.
package struct SwipeDetail: Hashable, Sendable, BitwiseCopyable {
    package var direction: SwipeDirection
    /// The angle in degrees, counter-clockwise from the right with y up, in (-180, 180].
    package var angle: Double
    /// The distance in millimetres from the landing to the lift.
    package var distance: Double
    /// The speed at the lift in millimetres per second.
    package var speed: Double
    package var duration: Interval
    /// The centroid of the landing positions.
    package var start: Point

    package init(
        direction: SwipeDirection, angle: Double, distance: Double, speed: Double, duration: Interval, start: Point
    ) {
        self.direction = direction
        self.angle = angle
        self.distance = distance
        self.speed = speed
        self.duration = duration
        self.start = start
    }
}

/// The direction of a swipe on the glass as the user sees it.
package enum SwipeDirection: UInt8, BitwiseCopyable, SettingWord {
    case left, right, up, down, upLeft, upRight, downLeft, downRight

    /// The word in configurations and on the wire.
    package var word: String {
        switch self {
        case .left: "left"
        case .right: "right"
        case .up: "up"
        case .down: "down"
        case .upLeft: "up_left"
        case .upRight: "up_right"
        case .downLeft: "down_left"
        case .downRight: "down_right"
        }
    }
}
