// SPDX-License-Identifier: MIT
package import GestureProtocol

extension GestureClient {
    /// A gesture, or one phase of it. Values that its kind does not have are `nil`.
    public struct Gesture: Hashable, Sendable {
        public var kind: Kind
        /// Its name in the configuration; by default that of the kind.
        public var name: String
        public var region: String
        /// The number of the sequence: from the first contact in the region until the last one lifts.
        public var sequence: Int
        /// `nil`: a discrete gesture.
        public var phase: Phase?
        /// Only with `.cancel`.
        public var reason: CancelReason?
        /// This and all that follows is missing in an added cancel of a gesture that only a `state` has named.
        public var device: String?
        public var fingers: Int?
        /// In output pixels.
        public var position: Point?
        /// From 0 to 1 in the region's bounding box, which it may leave.
        public var fraction: Point?
        /// On `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int?
        /// Milliseconds since 1970; only with `wallClock` in the subscription.
        public var wallMilliseconds: Int?
        /// How many lines were merged into this one.
        public var coalesced = 0

        /// Press: the contact is inside the region.
        public var isInside: Bool?
        /// Press, long press, repeat.
        public var heldMilliseconds: Int?
        /// Tap.
        public var count: Int?
        /// Tap, swipe, pattern.
        public var durationMilliseconds: Int?
        /// Repeat: its number.
        public var repetition: Int?
        /// Swipe: `left`, `up_right`, …
        public var direction: String?
        /// Swipe, in degrees.
        public var angle: Double?
        /// Swipe, in millimetres.
        public var distance: Double?
        /// Swipe, in millimetres a second.
        public var speed: Double?
        /// Swipe, drag: where it began, in output pixels.
        public var start: Point?
        /// Drag, at its end: where it would come to rest, in output pixels.
        public var predicted: Point?
        /// Drag: from the start, in output pixels.
        public var translation: Point?
        /// Drag, in output pixels a second.
        public var velocity: Point?
        /// Pinch, and drag that zooms.
        public var scale: Double?
        /// Rotate, in degrees.
        public var rotation: Double?
        /// Pattern: how many steps it has.
        public var steps: Int?

        package init(_ line: JSONValue) {
            kind = Kind(rawValue: line.text("gesture"))
            name = line.text("name")
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
            isInside = line["inside"]?.bool
            heldMilliseconds = line.wholeIfThere("held_ms")
            count = line.wholeIfThere("count")
            durationMilliseconds = line.wholeIfThere("duration_ms")
            repetition = line.wholeIfThere("n")
            direction = line["direction"]?.string
            angle = line["angle"]?.number
            distance = line["distance_mm"]?.number
            speed = line["velocity_mm_s"]?.number
            start = line["start"]?.point("x", "y")
            predicted = line["predicted"]?.point("x", "y")
            translation = line.point("dx", "dy")
            velocity = line.point("vx", "vy")
            scale = line["scale"]?.number
            rotation = line["rotation"]?.number
            steps = line.wholeIfThere("steps")
        }

        /// A gesture that only a `state` has named.
        init(_ active: GestureClient.Active) {
            kind = active.kind
            name = active.name
            region = active.region
            device = active.device
            sequence = active.sequence
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

    /// The kind of a gesture, as in the configuration. A later daemon may have more.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// Its name in the protocol.
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

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
        public static let pattern = Self(rawValue: "pattern")

        private static let continuous: Set<Self> = [.press, .longPress, .drag, .pinch, .rotate]

        /// Whether its lines have a phase. False for a kind that only a later daemon has.
        public var isContinuous: Bool { Self.continuous.contains(self) }
    }

    /// Why a gesture was cancelled. A later daemon may have more reasons.
    public struct CancelReason: RawRepresentable, Hashable, Sendable {
        /// Its name in the protocol.
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

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
        /// Added by the client: the connection was lost.
        public static let disconnected = Self(rawValue: "disconnected")
        /// Added by the client: the end was among lines that were dropped.
        public static let lost = Self(rawValue: "lost")
    }
}
