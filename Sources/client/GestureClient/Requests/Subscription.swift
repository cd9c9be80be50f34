// SPDX-License-Identifier: MIT

extension GestureClient {
    /// The selection of events that a client receives. If a list is `nil`, it matches everything.
    public struct Subscription: Hashable, Sendable {
        /// The events that can be selected. All other events are always sent.
        public enum EventName: String, Hashable, Sendable, CaseIterable {
            case gesture, failed, touches, idle, device, config, frame
        }

        public var events: [EventName]
        /// Globs (`*`, `?`) for region ids.
        public var regions: [String]?
        /// Globs for names of panels.
        public var devices: [String]?
        /// Globs for kinds of gestures.
        public var gestures: [String]?
        /// Globs for names of gestures.
        public var names: [String]?
        /// The phases of continuous gestures to send. Discrete gestures are always sent.
        public var phases: Set<Gesture.Phase>
        /// The maximum number of `update`s per second for each gesture, from 0.1 to 1000; `nil` for no limit.
        public var maxRate: Double?
        /// The age at which the daemon drops lines that are waiting to be sent. With zero, it never drops them because
        /// of their age; `nil` stands for two seconds.
        public var maxAge: Duration?
        /// Whether gestures contain `wallMilliseconds`.
        public var wallClock: Bool

        /// Creates a subscription. By default, it selects the events that a client receives without a subscription:
        /// gestures without their `update`s, and events about idle times, devices and the configuration.
        public init(
            events: [EventName] = [.gesture, .idle, .device, .config], regions: [String]? = nil,
            gestures: [String]? = nil,
            names: [String]? = nil, phases: Set<Gesture.Phase> = [.begin, .end, .cancel], maxRate: Double? = nil,
            maxAge: Duration? = nil, wallClock: Bool = false, devices: [String]? = nil
        ) {
            self.events = events
            self.regions = regions
            self.devices = devices
            self.gestures = gestures
            self.names = names
            self.phases = phases
            self.maxRate = maxRate
            self.maxAge = maxAge
            self.wallClock = wallClock
        }

        /// The subscription of a client that only makes requests.
        static let nothing = Subscription(events: [], phases: [])

        package var keys: [(String, JSON)] {
            func list(_ key: String, _ texts: [String]?) -> [(String, JSON)] {
                texts.map { [(key, .list($0.map { .text($0) }))] } ?? []
            }
            var keys = list("events", events.map { $0.rawValue })
            keys +=
                list("regions", regions) + list("devices", devices) + list("gestures", gestures) + list("names", names)
            keys += list("phases", Gesture.Phase.allCases.filter(phases.contains).map { $0.rawValue })
            if let maxRate { keys.append(("max_rate_hz", .number(maxRate))) }
            if let maxAge { keys.append(("max_age_ms", .whole(Int(clamping: maxAge.wholeMilliseconds)))) }
            if wallClock { keys.append(("wall_clock", true)) }
            return keys
        }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded towards zero.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
        return isTooLarge ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000_000_000
    }
}

extension GestureClient {
    /// A region that a client defines while the daemon runs.
    public struct RegionDefinition: Hashable, Sendable {
        /// The id, which must not be that of a region in the configuration files.
        public var id: String
        /// The shape in the form used by the configuration, such as `["rect": [10, 20, 200, 80]]` or `"full"`. Numbers
        /// without a unit are output pixels.
        public var shape: JSON
        /// The gestures in the form used by the configuration, such as `"tap"` or `["type": "long_press", "delay":
        /// "1s"]`.
        public var gestures: [JSON]
        /// Other keys of `[[region]]` (see `docs/configuration.md`), such as `["parent": "page", "margin": "2mm"]`.
        public var keys: [String: JSON]

        public init(id: String, shape: JSON, gestures: [JSON], keys: [String: JSON] = [:]) {
            self.id = id
            self.shape = shape
            self.gestures = gestures
            self.keys = keys
        }

        package var json: JSON {
            var members = keys
            members["id"] = .text(id)
            members["shape"] = shape
            members["gestures"] = .list(gestures)
            return .object(members)
        }
    }
}
