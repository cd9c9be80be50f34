// SPDX-License-Identifier: MIT
package import GestureProtocol

extension GestureClient {
    /// One line of the stream. `docs/protocol.md` describes the values. Unknown keys are ignored.
    public enum Event: Hashable, Sendable {
        /// The daemon has accepted the connection.
        case hello(Hello)
        /// The current state, which replaces all earlier information. It follows `hello` and `overflow`.
        case state(State)
        case gesture(Gesture)
        /// A gesture was not recognized. The value contains the reason. Sent only with `.failed` in the subscription.
        case failed(Failure)
        /// All contacts of a panel. Sent only with `.touches` in the subscription.
        case touches(Touches)
        /// No panel has been touched for some time, or a panel has been touched again.
        case idle(Idle)
        /// A touch has woken the display, and does nothing else. Sent with `.idle` in the subscription.
        case wake(Wake)
        /// A panel was added or removed.
        case device(DeviceChange)
        /// The configuration, the scene or the defined regions changed, or a new configuration was rejected.
        case configuration(ConfigurationChange)
        /// This client has read too slowly and has lost lines. A `state` follows.
        case overflow(dropped: Int, sinceMilliseconds: Int)
        /// The daemon is stopping.
        case bye(reason: String)
        /// The connection was lost. Before this event, the client reports a cancel for each gesture that has begun.
        /// After it, the client connects again.
        case disconnected(cause: String)
        /// Any other event, with its line. It is `frame`, or an event that only a later daemon sends.
        case other(name: String, json: String)

        /// - Parameter line: the line, which must be an object with a string in `event`.
        package init(_ line: JSONValue) {
            let name = line.text("event")
            switch name {
            case "hello": self = .hello(GestureClient.Hello(line))
            case "state": self = .state(GestureClient.State(line))
            case "gesture": self = .gesture(GestureClient.Gesture(line))
            case "failed": self = .failed(GestureClient.Failure(line))
            case "touches": self = .touches(GestureClient.Touches(line))
            case "idle": self = .idle(GestureClient.Idle(line))
            case "wake": self = .wake(GestureClient.Wake(line))
            case "device": self = .device(GestureClient.DeviceChange(line))
            case "config": self = .configuration(GestureClient.ConfigurationChange(line))
            case "overflow": self = .overflow(dropped: line.whole("dropped"), sinceMilliseconds: line.whole("since_ms"))
            case "bye": self = .bye(reason: line.text("reason"))
            default: self = .other(name: name, json: line.json)
            }
        }
    }

    /// A point in output pixels, or in fractions of a region.
    public struct Point: Hashable, Sendable {
        public var x: Double
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The daemon that has accepted the connection, and the rights of this client.
    public struct Hello: Hashable, Sendable {
        /// The name and version, such as `gestured 0.1.0`.
        public var server: String
        /// A value that changes with each start of the daemon.
        public var instance: String
        public var capabilities: [String]
        /// The rights of this client: `control`, `define`, `raw`, `private`, or a right that only a later daemon has.
        public var rights: [String]
        public var configurationGeneration: Int

        package init(_ line: JSONValue) {
            server = line.text("server")
            instance = line.text("instance")
            capabilities = line.texts("capabilities")
            rights = line.texts("rights")
            configurationGeneration = line.whole("config_generation")
        }
    }

    /// The current state: panels, scene, idle times and gestures in progress.
    public struct State: Hashable, Sendable {
        public var devices: [PanelState]
        public var scene: String
        /// The time that is left of the scene; `nil` if it is not limited.
        public var sceneTime: Duration?
        /// The profile in force.
        public var profile: String
        /// The names of the idle times that have begun and not ended yet.
        public var idle: [String]
        /// The gestures that match the subscription and that have begun but not ended.
        public var active: [Active]

        package init(_ line: JSONValue) {
            devices = line.list("devices").map { .init(device: $0.text("device"), state: $0.text("state")) }
            scene = line.text("scene")
            sceneTime = line.wholeIfThere("scene_for_ms").map { .milliseconds($0) }
            profile = line.profile
            idle = line.texts("idle")
            active = line.list("active").map {
                .init(
                    region: $0.text("region"), kind: .init(rawValue: $0.text("gesture")), name: $0.text("name"),
                    device: $0.text("device"), sequence: $0.whole("sequence"), isLeased: $0.flag("leased"))
            }
        }
    }

    public struct PanelState: Hashable, Sendable {
        public var device: String
        /// `ready`, or the reason why the panel is not ready.
        public var state: String
    }

    /// A continuous gesture that has begun and not ended.
    public struct Active: Hashable, Sendable {
        public var region: String
        public var kind: Gesture.Kind
        public var name: String
        public var device: String
        public var sequence: Int
        /// Whether a client has defined the region.
        public var isLeased: Bool
    }

    /// An idle time of the configuration has begun or ended.
    public struct Idle: Hashable, Sendable {
        /// The id of the idle time's `[[idle]]`.
        public var name: String
        /// Whether the idle time has begun. If not, it has ended.
        public var isIdle: Bool
        /// The reason why the idle time has ended: `touch`, `scene`, `reload`, or a reason that only a later daemon
        /// sends.
        public var reason: String?
        /// The time for which no panel has been touched.
        public var milliseconds: Int
        /// The time on `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int

        package init(_ line: JSONValue) {
            name = line.text("name")
            isIdle = line.text("change") == "idle"
            reason = line["reason"]?.string
            milliseconds = line.whole("idle_ms")
            time = line.time("time_us") ?? 0
        }
    }

    /// A touch that has woken the display.
    public struct Wake: Hashable, Sendable {
        public var device: String
        /// The source that said that the display was off: `display`, `scene`, or a source that only a later daemon has.
        public var reason: String
        /// The time on `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int

        package init(_ line: JSONValue) {
            device = line.text("device")
            reason = line.text("reason")
            time = line.time("time_us") ?? 0
        }
    }

    /// A panel that was added, removed, given back to the application, or grabbed again.
    public struct DeviceChange: Hashable, Sendable {
        /// `added`, `removed`, `given_back`, `grabbed`, or a word that only a later daemon sends.
        public var change: String
        public var device: String
        public var node: String
        public var name: String

        package init(_ line: JSONValue) {
            change = line.text("change")
            device = line.text("device")
            node = line.text("node")
            name = line.text("name")
        }
    }

    /// A change of the configuration, the scene, the profile or the defined regions.
    public struct ConfigurationChange: Hashable, Sendable {
        /// `applied`, `rejected`, `scene`, `profile`, `regions`, `output`, or a word that only a later daemon sends.
        public var change: String
        public var generation: Int
        public var scene: String?
        /// The time that is left of the scene; `nil` if it is not limited.
        public var sceneTime: Duration?
        /// The profile in force; `nil` for `applied` and `rejected`.
        public var profile: String?
        public var diagnostics: [Diagnostic]

        package init(_ line: JSONValue) {
            change = line.text("change")
            generation = line.whole("generation")
            scene = line["scene"]?.string
            sceneTime = line.wholeIfThere("scene_for_ms").map { .milliseconds($0) }
            profile = scene.map { _ in line.profile }
            diagnostics = line.list("diagnostics").map { .init($0) }
        }
    }

    /// An error or a warning about a configuration.
    public struct Diagnostic: Hashable, Sendable {
        public var severity: String
        public var file: String
        /// The line number, counted from 1. 0 stands for the whole file.
        public var line: Int
        public var column: Int
        public var code: String
        public var message: String
        public var suggestion: String?

        package init(_ value: JSONValue) {
            severity = value.text("severity")
            file = value.text("file")
            line = value.whole("line")
            column = value.whole("column")
            code = value.text("code")
            message = value.text("message")
            suggestion = value["suggestion"]?.string
        }
    }
}

extension GestureClient {
    /// A gesture that was not recognized, and the reason for it.
    public struct Failure: Hashable, Sendable {
        public var kind: Gesture.Kind
        public var name: String
        /// The identifier in the configuration that says what the gesture does; `nil` if it has none.
        public var action: String?
        public var region: String
        public var device: String
        public var sequence: Int
        /// The reason, such as `too_slow`.
        public var code: String
        /// The key of the configuration that caused the failure; `nil` if there is none, or if the daemon lacks the
        /// capability `routes`.
        public var key: String?
        /// The measured value and its limit, in `unit`. Either all three are present or none of them is.
        public var value: Double?
        public var limit: Double?
        public var unit: String?
        /// A sentence that describes the failure.
        public var message: String
        /// Whether a client has defined the region.
        public var isLeased: Bool
        /// The time on `CLOCK_MONOTONIC`, in microseconds.
        public var time: Int

        /// Creates a failure without an action and without numbers, in a region of the files.
        package init(
            kind: Gesture.Kind, name: String, region: String, device: String, sequence: Int, code: String,
            key: String?, message: String, time: Int
        ) {
            (self.kind, self.name, self.region, self.device) = (kind, name, region, device)
            (self.sequence, self.code, self.key, self.message) = (sequence, code, key, message)
            (self.time, isLeased) = (time, false)
        }

        package init(_ line: JSONValue) {
            kind = .init(rawValue: line.text("gesture"))
            name = line.text("name")
            action = line["action"]?.string
            region = line.text("region")
            device = line.text("device")
            sequence = line.whole("sequence")
            code = line.text("code")
            key = line["key"]?.string
            value = line["value"]?.number
            limit = line["limit"]?.number
            unit = line["unit"]?.string
            message = line.text("message")
            isLeased = line.flag("leased")
            time = line.time("time_us") ?? 0
        }
    }
}
