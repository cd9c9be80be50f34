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

        var word: StaticString {
            switch self {
            case .ok: "ok"
            case .none: "none"
            case .rejected: "rejected"
            }
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

    func write(into line: inout LineBuffer) {
        line.appendKey("version")
        line.appendQuoted(Version.number)
        line.appendKey("instance")
        line.appendQuoted(instance)
        line.appendKey("pid")
        line.appendInteger(Int64(process))
        line.appendKey("uptime_ms")
        line.appendInteger(uptime / 1000)
        line.append(",\"config\":{\"files\":")
        line.appendList(files)
        line.appendKey("generation")
        line.appendInteger(generation)
        line.append(",\"state\":\"")
        line.append(state.word)
        line.append("\"")
        line.appendKey("errors")
        if case .rejected(let errors) = state { line.appendInteger(errors) } else { line.append("0") }
        line.appendKey("warnings")
        line.appendInteger(warnings)
        line.append("},\"devices\":{\"ready\":")
        line.appendInteger(ready)
        line.appendKey("refused")
        line.appendInteger(refused)
        line.appendKey("ignored")
        line.appendInteger(ignored)
        line.appendKey("failed")
        line.appendInteger(failed)
        line.appendKey("grabbed_by_others")
        line.appendInteger(grabbedByOthers)
        line.append("}")
        line.appendKey("scene")
        line.appendQuoted(scene)
        line.appendKey("scenes")
        line.appendList(scenes)
        for (key, value) in counters {
            line.appendKey(key)
            line.appendInteger(value)
        }
    }

    private var counters: [(StaticString, Int64)] {
        [
            ("regions", Int64(regions)), ("active", Int64(active)), ("clients", Int64(clients)),
            ("frames", Int64(frames)), ("events", Int64(events)), ("dropped", dropped),
            ("resyncs", Int64(resynchronizations)),
        ]
    }
}
