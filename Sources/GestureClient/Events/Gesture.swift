// SPDX-License-Identifier: MIT

extension GestureClient {
    /// A gesture, or one moment of it. What its kind does not have is `nil`.
    public struct Gesture: Hashable, Sendable {
        public var kind: Kind
        /// The configuration's name of it, by default the kind's word.
        public var name: String
        public var region: String
        /// From the first finger in the region until the last is gone.
        public var sequence: Int
        /// `nil`: a discrete gesture.
        public var phase: Phase?
        /// With `.cancel`.
        public var reason: CancelReason?
        /// As all that follows, missing in an added cancel of what only a `state` has told of.
        public var device: String?
        public var fingers: Int?
        /// In output pixels.
        public var position: Point?
        /// From 0 to 1 in the region's bounding box, which it may leave.
        public var fraction: Point?
        /// On `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int?
        /// Milliseconds since 1970, for who subscribes with `wallClock`.
        public var wallMilliseconds: Int?
        /// How many lines this one stands for besides itself.
        public var coalesced = 0

        /// Press.
        public var isInside: Bool?
        /// Press, long press, repeat.
        public var heldMilliseconds: Int?
        /// Tap.
        public var count: Int?
        /// Tap, swipe, pattern.
        public var durationMilliseconds: Int?
        /// Repeat: which one.
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
        /// Pinch.
        public var scale: Double?
        /// Rotate, in degrees.
        public var rotation: Double?
        /// Pattern: how many steps it has.
        public var steps: Int?

        /// Whether this client made it, and not the daemon.
        public var isAdded: Bool { reason == .disconnected || reason == .lost }
    }
}

extension GestureClient.Gesture {
    /// Where a continuous gesture is.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        case begin, update, end, cancel
    }

    /// A kind's word as the configuration has it. A later daemon may know further kinds.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The word on the wire.
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
    }

    /// Why a gesture was cancelled. A later daemon may know further reasons.
    public struct CancelReason: RawRepresentable, Hashable, Sendable {
        /// The word on the wire.
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
        /// Never said by the daemon: its connection was lost.
        public static let disconnected = Self(rawValue: "disconnected")
        /// Never said by the daemon: the end was among the lines that were dropped.
        public static let lost = Self(rawValue: "lost")
    }
}
