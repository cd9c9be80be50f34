// SPDX-License-Identifier: MIT
import GesturePipeline
import GestureProtocol

/// The answer to `status`.
struct StatusReply: Hashable, Sendable {
    enum ConfigurationState: Hashable, Sendable {
        case ok
        /// There is no file, and so no region.
        case none
        /// The last one read had errors; the one before is in force.
        case rejected(errors: Int)

        /// The name on the wire.
        var word: String {
            switch self {
            case .ok: "ok"
            case .none: "none"
            case .rejected: "rejected"
            }
        }

        var errors: Int {
            if case .rejected(let errors) = self { errors } else { 0 }
        }
    }

    var instance: String
    var process: Int32
    var uptime: Int64
    var files: [String]
    var generation: Int64
    var state: ConfigurationState
    var warnings: Int
    var ready = 0
    var refused = 0
    var ignored = 0
    var failed = 0
    /// How many of those that are ready another process has grabbed.
    var grabbedByOthers = 0
    /// The current scene, and all scenes.
    var scene = ""
    var scenes: [String] = []
    var regions = 0
    var active = 0
    var clients = 0
    var frames = 0
    var events = 0
    var dropped: Int64 = 0
    var resynchronizations = 0

    func write(into json: inout JSONWriter) {
        json.member("version", Version.number)
        json.member("instance", instance)
        json.member("pid", Int64(process))
        json.member("uptime_ms", uptime / 1000)
        json.object("config") { json in
            json.member("files", files)
            json.member("generation", generation)
            json.member("state", state.word)
            json.member("errors", state.errors)
            json.member("warnings", warnings)
        }
        json.object("devices") { json in
            json.member("ready", ready)
            json.member("refused", refused)
            json.member("ignored", ignored)
            json.member("failed", failed)
            json.member("grabbed_by_others", grabbedByOthers)
        }
        json.member("scene", scene)
        json.member("scenes", scenes)
        json.member("regions", regions)
        json.member("active", active)
        json.member("clients", clients)
        json.member("frames", frames)
        json.member("events", events)
        json.member("dropped", dropped)
        json.member("resyncs", resynchronizations)
    }
}

/// The counters of panels since the daemon started.
struct PanelCounts: Hashable, Sendable {
    /// Frames with a change.
    private(set) var frames = 0
    /// Gesture lines.
    private(set) var events = 0
    private(set) var resynchronizations = 0

    mutating func add(_ panel: Panel) {
        frames += panel.pipeline.frameCount
        events += panel.pipeline.eventCount
        resynchronizations += panel.pipeline.resynchronizationCount
    }
}
