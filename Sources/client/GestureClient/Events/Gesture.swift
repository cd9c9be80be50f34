// SPDX-License-Identifier: MIT
package import GestureProtocol

extension GestureClient {
    /// A gesture, or one phase of it. Values that do not apply to its kind are `nil`.
    public struct Gesture: Hashable, Sendable {
        public var kind: Kind
        /// The name of the gesture in the configuration. By default, it is the name of the kind.
        public var name: String
        /// The identifier in the configuration that says what the gesture does; `nil` if it has none.
        public var action: String?
        public var region: String
        /// The number of the sequence, which lasts from the first contact in the region to the lift of the last one.
        public var sequence: Int
        /// The phase of a continuous gesture; `nil` for a discrete one.
        public var phase: Phase?
        /// The reason for a cancel; `nil` in other phases.
        public var reason: CancelReason?
        /// The panel. This property and all that follow are missing in a cancel that the client has added for a gesture
        /// that is known only from a `state`.
        public var device: String?
        public var fingers: Int?
        /// The position in output pixels.
        public var position: Point?
        /// The position relative to the region's bounding box. The coordinates are between 0 and 1 inside the box, and
        /// smaller or larger outside it.
        public var fraction: Point?
        /// The time on `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int?
        /// The time in milliseconds since 1970. Present only with `wallClock` in the subscription.
        public var wallMilliseconds: Int?
        /// The number of lines that were merged into this one.
        public var coalesced = 0

        // vocabulary: properties
        /// Press: whether the contact is inside the region.
        public var isInside: Bool?
        /// Press, long press, repeat: the time since the landing.
        public var heldMilliseconds: Int?
        /// Tap: the number of taps.
        public var count: Int?
        /// Tap, swipe, chain, stroke, pattern: the duration.
        public var durationMilliseconds: Int?
        /// Repeat: the number of the repetition.
        public var repetition: Int?
        /// Drag: the distance from the start, in output pixels.
        public var translation: Point?
        /// Drag: the velocity in output pixels per second.
        public var velocity: Point?
        /// Drag, swipe, chain, stroke: the starting point in output pixels.
        public var start: Point?
        /// Drag: the point at which the movement would come to rest, in output pixels.
        public var predicted: Point?
        /// Drag, pinch: the scale.
        public var scale: Double?
        /// Swipe: the direction, such as `left` or `up_right`.
        public var direction: String?
        /// Swipe: the angle in degrees.
        public var angle: Double?
        /// Swipe: the distance in millimetres.
        public var distance: Double?
        /// Swipe: the speed in millimetres per second.
        public var speed: Double?
        /// Rotate, dial: the angle in degrees.
        public var rotation: Double?
        /// Dial, pattern: the number of steps of a pattern, or of whole steps in the rotation of a dial that has a
        /// `step`.
        public var steps: Int?
        /// Dial: the speed in degrees per second, clockwise positive.
        public var turnRate: Double?
        /// Stroke: the similarity with the best template, from 0 to 1.
        public var score: Double?
        // vocabulary: end
        /// Whether a client has defined the region, which can have any name. Only regions of the files stand for what they
        /// are named.
        public var isLeased: Bool

        package init(_ line: JSONValue) {
            kind = Kind(rawValue: line.text("gesture"))
            name = line.text("name")
            action = line["action"]?.string
            region = line.text("region")
            sequence = line.whole("sequence")
            phase = line["phase"]?.string.flatMap { Phase(rawValue: $0) }
            reason = line["reason"]?.string.map { CancelReason(rawValue: $0) }
            device = line["device"]?.string
            fingers = line.wholeIfThere("fingers")
            position = line.point("x", "y")
            fraction = line.point("u", "v")
            time = line.time("time_us")
            wallMilliseconds = line.wholeIfThere("wall_ms")
            coalesced = line.whole("coalesced")
            // vocabulary: members
            isInside = line["inside"]?.bool
            heldMilliseconds = line.wholeIfThere("held_ms")
            count = line.wholeIfThere("count")
            durationMilliseconds = line.wholeIfThere("duration_ms")
            repetition = line.wholeIfThere("n")
            translation = line.point("dx", "dy")
            velocity = line.point("vx", "vy")
            start = line["start"]?.point("x", "y")
            predicted = line["predicted"]?.point("x", "y")
            scale = line["scale"]?.number
            direction = line["direction"]?.string
            angle = line["angle"]?.number
            distance = line["distance_mm"]?.number
            speed = line["velocity_mm_s"]?.number
            rotation = line["rotation"]?.number
            steps = line.wholeIfThere("steps")
            turnRate = line["velocity_deg_s"]?.number
            score = line["score"]?.number
            // vocabulary: end
            isLeased = line.flag("leased")
        }

        /// Creates a gesture that is known only from a `state`.
        init(_ active: GestureClient.Active) {
            kind = active.kind
            name = active.name
            region = active.region
            device = active.device
            sequence = active.sequence
            isLeased = active.isLeased
        }

        /// Whether the client has added this cancel.
        public var isAdded: Bool { reason == .disconnected || reason == .lost }
    }
}

extension GestureClient.Gesture {
    /// The phase of a continuous gesture.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        case begin, update, end, cancel
    }

    /// The kind of a gesture, as in the configuration. A later daemon may have more kinds.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name in the protocol.
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        // vocabulary: kinds
        public static let press = Self(rawValue: "press")
        public static let tap = Self(rawValue: "tap")
        public static let doubleTap = Self(rawValue: "double_tap")
        public static let twoFingerTap = Self(rawValue: "two_finger_tap")
        public static let longPress = Self(rawValue: "long_press")
        public static let `repeat` = Self(rawValue: "repeat")
        public static let drag = Self(rawValue: "drag")
        public static let swipe = Self(rawValue: "swipe")
        public static let pinch = Self(rawValue: "pinch")
        public static let rotate = Self(rawValue: "rotate")
        public static let dial = Self(rawValue: "dial")
        public static let chain = Self(rawValue: "chain")
        public static let stroke = Self(rawValue: "stroke")
        public static let pattern = Self(rawValue: "pattern")

        private static let continuous: Set<Self> = [.press, .longPress, .drag, .pinch, .rotate, .dial]
        // vocabulary: end

        /// Whether gestures of this kind have phases; `false` for a kind that only a later daemon has.
        public var isContinuous: Bool { Self.continuous.contains(self) }
    }

    /// The reason for a cancel. A later daemon may have more reasons.
    public struct CancelReason: RawRepresentable, Hashable, Sendable {
        /// The name in the protocol.
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        // vocabulary: reasons
        public static let claimed = Self(rawValue: "claimed")
        public static let multiTouch = Self(rawValue: "multi_touch")
        public static let palm = Self(rawValue: "palm")
        public static let deviceRemoved = Self(rawValue: "device_removed")
        public static let syncLost = Self(rawValue: "sync_lost")
        public static let reload = Self(rawValue: "reload")
        public static let disabled = Self(rawValue: "disabled")
        public static let client = Self(rawValue: "client")
        public static let handover = Self(rawValue: "handover")
        public static let suspend = Self(rawValue: "suspend")
        public static let rest = Self(rawValue: "rest")
        public static let movement = Self(rawValue: "movement")
        // vocabulary: end
        /// The client added the cancel because the connection was lost.
        public static let disconnected = Self(rawValue: "disconnected")
        /// The client added the cancel because the end of the gesture was among the lines that were dropped.
        public static let lost = Self(rawValue: "lost")
    }
}
