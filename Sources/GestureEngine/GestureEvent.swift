// SPDX-License-Identifier: MIT

/// In one region: from the first contact that lands in it until none is left.
///
/// Sequences of private regions have negative numbers, which count down. Only sequences of one region are compared.
package struct SequenceID: Hashable, Comparable, Sendable, BitwiseCopyable {
    package let rawValue: Int64

    package init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    package var isPrivate: Bool { rawValue < 0 }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue.magnitude < b.rawValue.magnitude }
}

/// Something that the engine recognized. Lengths are millimetres; the wire's pixels are made elsewhere.
package struct GestureEvent: Hashable, Sendable, BitwiseCopyable {
    /// Where a continuous gesture is. A discrete one has `nil`.
    package enum Phase: Hashable, Sendable, BitwiseCopyable {
        case begin, update, end
        case cancel(CancelReason)
    }

    /// What only this kind of gesture has to say.
    package enum Detail: Hashable, Sendable, BitwiseCopyable {
        /// `held` is set at the end, at a cancel and for timed progress.
        case press(inside: Bool, held: Interval?)
        case tap(count: Int, duration: Interval)
        case longPress(held: Interval?)
        case `repeat`(n: Int, held: Interval)
        /// `scale`: of a drag that zooms.
        case drag(translation: Vector, velocity: Vector, start: Point, predicted: Point?, scale: Double?)
        case swipe(SwipeDetail)
        case pinch(scale: Double)
        /// Degrees, clockwise positive, not wrapped at 180.
        case rotate(rotation: Double)
        /// All `steps` were done, `duration` after the first.
        case pattern(steps: Int, duration: Interval)
        /// Not recognized, and why. Comes only while the engine's `reportsFailures` is set, and has
        /// no phase.
        case failed(GestureFailure)
    }

    /// The frame's time, or the time of the deadline that caused this event.
    package var time: Timestamp
    /// Index into the regions that the engine was given.
    package var region: Int
    /// Index into that region's gestures.
    package var gesture: GestureIndex
    /// `nil` for what is discrete.
    package var phase: Phase?
    /// In which it was recognized; of a tap that waited, its own.
    package var sequence: SequenceID
    /// Contacts that take part.
    package var fingers: Int
    /// The contact, or the centroid of several.
    package var position: Point
    /// What only its kind has to say.
    package var detail: Detail

    package init(
        time: Timestamp, region: Int, gesture: GestureIndex, phase: Phase?, sequence: SequenceID, fingers: Int,
        position: Point, detail: Detail
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

/// What a swipe has to say.
package struct SwipeDetail: Hashable, Sendable, BitwiseCopyable {
    package var direction: SwipeDirection
    /// Degrees, 0 is right, counter-clockwise, y up; above -180, at most 180.
    package var angle: Double
    /// Millimetres from landing to lift.
    package var distance: Double
    /// Millimetres a second at the lift.
    package var speed: Double
    package var duration: Interval
    /// Where it landed (centroid).
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

/// Where a swipe went, on the glass as the user sees it.
package enum SwipeDirection: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case left, right, up, down, upLeft, upRight, downLeft, downRight
}
