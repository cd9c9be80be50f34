// SPDX-License-Identifier: MIT

extension GestureClient {
    /// One line of the stream. What each value means is in `docs/protocol.md`; keys that this version does
    /// not know are left.
    public enum Event: Hashable, Sendable {
        /// Connected.
        case hello(Hello)
        /// What is true now; replaces what was known before. After `hello` and `overflow`.
        case state(State)
        case gesture(Gesture)
        /// Why a gesture did not come about; only for who subscribes to `.failed`.
        case failed(Failure)
        /// Every finger that is down; only for who subscribes to `.touches`.
        case touches(Touches)
        /// A panel came or went.
        case device(DeviceChange)
        /// The configuration, the scene or defined regions changed, or a new configuration was rejected.
        case configuration(ConfigurationChange)
        /// This client read too slowly, and lost lines; a `state` follows.
        case overflow(dropped: Int, sinceMilliseconds: Int)
        /// The daemon says that it goes.
        case bye(reason: String)
        /// The connection is gone; what had begun was cancelled before this. The client tries again.
        case disconnected(cause: String)
        /// Any other event, with its line: `frame`, and what a later daemon says.
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
        /// Another word after each start of the daemon.
        public var instance: String
        public var capabilities: [String]
        public var configurationGeneration: Int
    }

    public struct State: Hashable, Sendable {
        public var devices: [PanelState]
        public var scene: String
        /// What has begun and not ended, of what the subscription lets pass.
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
        /// `applied`, `rejected`, `scene`, `regions`, or a later daemon's word.
        public var change: String
        public var generation: Int
        public var scene: String?
        public var diagnostics: [Diagnostic]
    }

    /// What is wrong or doubtful in a configuration.
    public struct Diagnostic: Hashable, Sendable {
        public var severity: String
        public var file: String
        /// From 1; 0: as a whole.
        public var line: Int
        public var column: Int
        public var code: String
        public var message: String
        public var suggestion: String?
    }
}
