// SPDX-License-Identifier: MIT

extension GestureClient {
    /// One line of the stream. `docs/protocol.md` describes the values; unknown keys are ignored.
    public enum Event: Hashable, Sendable {
        /// Connected.
        case hello(Hello)
        /// The current state; replaces what was known before. Follows `hello` and `overflow`.
        case state(State)
        case gesture(Gesture)
        /// A gesture was not recognized, and why; only with `.failed` in the subscription.
        case failed(Failure)
        /// All contacts of a panel; only with `.touches` in the subscription.
        case touches(Touches)
        /// A panel was added or removed.
        case device(DeviceChange)
        /// The configuration, the scene or the defined regions changed, or a new configuration was rejected.
        case configuration(ConfigurationChange)
        /// This client read too slowly, and lost lines; a `state` follows.
        case overflow(dropped: Int, sinceMilliseconds: Int)
        /// The daemon stops.
        case bye(reason: String)
        /// The connection was lost; gestures that had begun were cancelled before. The client connects again.
        case disconnected(cause: String)
        /// Any other event with its line: `frame`, or one of a later daemon.
        case other(name: String, json: String)
    }

    /// Output pixels, or fractions of a region.
    public struct Point: Hashable, Sendable {
        public var x: Double
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    public struct Hello: Hashable, Sendable {
        /// Name and version: `gestured 0.1.0`.
        public var server: String
        /// Changes with each start of the daemon.
        public var instance: String
        public var capabilities: [String]
        public var configurationGeneration: Int
    }

    public struct State: Hashable, Sendable {
        public var devices: [PanelState]
        public var scene: String
        /// The gestures that have begun and not ended, of those that pass the subscription.
        public var active: [Active]
    }

    public struct PanelState: Hashable, Sendable {
        public var device: String
        /// `ready`, or why not.
        public var state: String
    }

    /// A continuous gesture that has begun and not ended.
    public struct Active: Hashable, Sendable {
        public var region: String
        public var kind: Gesture.Kind
        public var name: String
        public var sequence: Int
    }

    public struct DeviceChange: Hashable, Sendable {
        /// Otherwise it was removed.
        public var isAdded: Bool
        public var device: String
        public var node: String
        public var name: String
    }

    public struct ConfigurationChange: Hashable, Sendable {
        /// `applied`, `rejected`, `scene`, `regions`, or a new one of a later daemon.
        public var change: String
        public var generation: Int
        public var scene: String?
        public var diagnostics: [Diagnostic]
    }

    /// An error or a warning about a configuration.
    public struct Diagnostic: Hashable, Sendable {
        public var severity: String
        public var file: String
        /// From 1; 0: the file as a whole.
        public var line: Int
        public var column: Int
        public var code: String
        public var message: String
        public var suggestion: String?
    }
}

extension GestureClient {
    /// Why a gesture was not recognized.
    public struct Failure: Hashable, Sendable {
        public var kind: Gesture.Kind
        public var name: String
        public var region: String
        public var device: String
        public var sequence: Int
        /// Such as `too_slow`.
        public var code: String
        /// What was measured and its limit, in `unit`; all three or none.
        public var value: Double?
        public var limit: Double?
        public var unit: String?
        /// The same as a sentence.
        public var message: String
        /// On `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int
    }

    /// All contacts of a panel.
    public struct Touches: Hashable, Sendable {
        public var device: String
        public var contacts: [Contact]
        public var coalesced: Int
        /// On `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int
    }

    public struct Contact: Hashable, Sendable {
        public var id: Int
        public var slot: Int
        /// In output pixels.
        public var position: Point
        public var region: String?
        /// Its longer axis, in millimetres.
        public var major: Double?
    }
}
