// SPDX-License-Identifier: MIT
import GestureProtocol

extension GestureClient {
    /// The state of the daemon.
    public struct Status: Hashable, Sendable {
        public var version: String
        /// Changes with each start of the daemon.
        public var instance: String
        public var process: Int
        public var uptime: Duration
        public var configuration: ConfigurationStatus
        /// How many there are in each state: `ready`, `refused`, `ignored`, `failed`.
        public var devices: [String: Int]
        /// The current scene, and all scenes.
        public var scene: String
        public var scenes: [String]
        public var regions: Int
        /// Sequences that have not ended.
        public var active: Int
        public var clients: Int
        public var frames: Int
        public var events: Int
        /// Lines that clients lost.
        public var dropped: Int
        /// How often the kernel lost events.
        public var resynchronizations: Int
    }

    public struct ConfigurationStatus: Hashable, Sendable {
        public var files: [String]
        public var generation: Int
        /// `ok`, `none`, or `rejected`: the last one had errors, the one before stays in use.
        public var state: String
        public var errors: Int
        public var warnings: Int
    }
}

extension GestureClient.Status {
    init(_ reply: JSONValue) {
        version = reply.text("version")
        instance = reply.text("instance")
        process = reply.whole("pid")
        uptime = .milliseconds(reply.whole("uptime_ms"))
        configuration = .init(reply["config"])
        let counts = reply["devices"]
        devices = [:]
        for key in counts?.keys ?? [] { devices[key] = counts?.whole(key) }
        scene = reply.text("scene")
        scenes = reply.texts("scenes")
        regions = reply.whole("regions")
        active = reply.whole("active")
        clients = reply.whole("clients")
        frames = reply.whole("frames")
        events = reply.whole("events")
        dropped = reply.whole("dropped")
        resynchronizations = reply.whole("resyncs")
    }
}

extension GestureClient.ConfigurationStatus {
    init(_ value: JSONValue?) {
        files = value?.texts("files") ?? []
        generation = value?.whole("generation") ?? 0
        state = value?.text("state") ?? ""
        errors = value?.whole("errors") ?? 0
        warnings = value?.whole("warnings") ?? 0
    }
}
