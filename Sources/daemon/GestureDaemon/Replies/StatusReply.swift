// SPDX-License-Identifier: MIT
import CLinux
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchSharing

struct StatusReply {
    let loop: EventLoop
    let server: GestureServer
    let store: ConfigurationStore
    let devices: Devices
    let statistics: PanelStatistics
    let started = MonotonicClock.now()

    /// Writes the members of the reply.
    /// - Parameters:
    ///   - seesPrivate: `false` excludes private regions and their gestures.
    ///   - watch: measures the idle time of all panels.
    func write(seesPrivate: Bool, _ watch: IdleWatch, into json: inout JSONWriter) {
        let (counts, panels) = (statistics.total, devices.panels)
        let lines = counts.lines.sum(seesPrivate: seesPrivate)
        let shared = counts.shared.sum(seesPrivate: seesPrivate)
        json.member("version", Version.number)
        json.member("instance", server.identity.instance)
        json.member("pid", Int64(getpid()))
        json.member("uptime_ms", (MonotonicClock.now() - started) / 1000)
        json.object("config") { writeConfigurationStatus(seesPrivate: seesPrivate, into: &$0) }
        let states = devices.attached.map { $0.state.word }
        json.object("devices") { json in
            json.member("ready", panels.count)
            json.member("refused", states.count { $0 == "refused" })
            json.member("ignored", states.count { $0 == "ignored" })
            json.member("failed", states.count { $0 == "failed" })
            json.member("grabbed_by_others", panels.count { $0.grab.isElsewhere })
            json.member("shared", panels.count { $0.sharing.twin != nil })
        }
        store.changes.writeScene(into: &json)
        watch.writeStatus(at: Timestamp(microseconds: MonotonicClock.now()), into: &json)
        json.member("scenes", store.current.sceneIDs)
        json.member("profiles", store.current.profileIDs)
        json.member("regions", store.current.view(seesPrivate: seesPrivate).regions.count)
        json.member("active", panels.reduce(0) { $0 + activeGestures(of: $1, seesPrivate: seesPrivate) })
        json.member("clients", server.clientCount)
        json.member("frames", lines.frames)
        json.member("events", lines.events)
        json.member("dropped", server.droppedLines(seesPrivate: seesPrivate))
        json.member("resyncs", counts.resynchronizations)
        // This member is omitted until a contact has been passed to an application or withheld from it.
        if shared != ShareCounts() { json.object("touches") { shared.write(into: &$0) } }
        json.member("longest_turn_us", loop.schedule.longestTurn)
    }

    private func writeConfigurationStatus(seesPrivate: Bool, into json: inout JSONWriter) {
        json.member("files", store.files)
        json.member("generation", store.generation)
        switch store.last(seesPrivate: seesPrivate) {
        case .accepted(let warnings):
            // Without files there are no regions.
            json.member("state", store.files.isEmpty ? "none" : "ok")
            json.member("errors", 0)
            json.member("warnings", warnings.count)
        case .rejected(let diagnostics):
            // The previous configuration stays active. After a start, this is the kept configuration.
            json.member("state", store.isFallback && store.generation > 0 ? "last_good" : "rejected")
            json.member("errors", diagnostics.count { $0.severity == .error })
            json.member("warnings", 0)
        }
    }

    private func activeGestures(of panel: Panel, seesPrivate: Bool) -> Int {
        var count = 0
        panel.pipeline.forEachActive(seesPrivate: seesPrivate) { _, _, _ in count += 1 }
        return count
    }
}
