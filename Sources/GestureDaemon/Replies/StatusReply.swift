// SPDX-License-Identifier: MIT
import GestureProtocol

/// How the daemon is, in numbers.
struct StatusReply: Hashable, Sendable {
    /// How the configuration is.
    enum ConfigurationState: Hashable, Sendable {
        case ok
        /// There is none: no regions.
        case none
        /// The last one read had errors; the one before runs.
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
    /// Of those that are ready: another process has grabbed them.
    var grabbedByOthers = 0
    /// The one that is shown, and all that could be.
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
