// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import GestureClient
import GestureProtocol

/// The state of the panel from which the messages are made.
struct PanelState {
    /// The daemon's greeting; `nil` if the daemon is not connected.
    var hello: GestureClient.Hello?
    /// The reason why the daemon is not connected, or why its state is not sent.
    var trouble: String?
    /// The daemon's last replies.
    var status: JSONValue?
    var devices: [GestureClient.Device] = []
    var counts = Counts()
    /// Used regions in which there are no longer any gestures.
    var deadRegions: [String] = []
    /// The number of areas that are touched continuously; `nil` if this client may not see it.
    var noisyAreas: Int?
    /// The counts of this program itself.
    var gesturesDropped = 0
    var waiting = 0
    var spoolDropped: Int64 = 0
    var spoolFailure: String?

    /// Whether the daemon has given this client a right.
    func hasRight(_ right: String) -> Bool { hello?.rights.contains(right) == true }

    /// The faults, as words for the messages; empty if there are none.
    var faults: [String] {
        var faults: [String] = []
        if hello == nil { faults.append("no_daemon") }
        if hello != nil, trouble != nil { faults.append("private_regions") }
        if hello != nil, !devices.contains(where: { $0.state == "ready" }) { faults.append("no_panel") }
        if devices.contains(where: { $0.state == "failed" }) { faults.append("device_failed") }
        if devices.contains(where: { ($0.dark ?? .zero) > .zero }) { faults.append("dark_display") }
        if status?["config"]?.text("state") == "rejected" { faults.append("config_rejected") }
        if counts.panels.contains(where: { ($0.storms ?? 0) > 0 }) { faults.append("storms") }
        if !deadRegions.isEmpty { faults.append("dead_regions") }
        if (noisyAreas ?? 0) > 0 { faults.append("noisy_areas") }
        if (status?.whole("resyncs") ?? 0) > 0 { faults.append("lost_events") }
        if spoolFailure != nil { faults.append("spool") }
        if spoolDropped > 0 { faults.append("spool_dropped") }
        return faults
    }
}

/// The messages about the panel as a whole.
enum Reports {
    /// The message `…/status`, which is retained.
    static func status(_ panel: PanelState, time: Int64) -> [UInt8] {
        object { json in
            json.member("state", "online")
            json.member("version", Version.number)
            json.object("daemon") { writeDaemon(panel, into: &$0) }
            json.objects("devices", panel.devices) { device, json in
                json.member("device", device.id)
                json.member("name", device.name)
                json.member("state", device.state)
                if let reason = device.reason { json.member("reason", reason) }
            }
            json.member("health", panel.faults.isEmpty ? "ok" : "fault")
            json.member("faults", panel.faults)
            json.member("time_ms", time)
        }
    }

    private static func writeDaemon(_ panel: PanelState, into json: inout JSONWriter) {
        guard let hello = panel.hello else {
            json.member("state", "gone")
            if let trouble = panel.trouble { json.member("message", trouble) }
            return
        }
        json.member("state", panel.trouble == nil ? "connected" : "withheld")
        if let trouble = panel.trouble { json.member("message", trouble) }
        json.member("server", hello.server)
        json.member("instance", hello.instance)
        guard let status = panel.status else { return }
        json.member("regions", status.whole("regions"))
        json.member("scene", status.text("scene"))
        json.member("scenes", status.texts("scenes"))
        json.member("profile", status.profile)
        json.member("profiles", status.texts("profiles"))
        json.object("config") { json in
            let config = status["config"]
            json.member("generation", config?.whole("generation") ?? 0)
            json.member("state", config?.text("state") ?? "")
            json.member("errors", config?.whole("errors") ?? 0)
            json.member("warnings", config?.whole("warnings") ?? 0)
        }
    }

    /// The message `…/status` after this program has ended. It is published by the broker, or by this program when it
    /// stops.
    static func offline(_ reason: String) -> [UInt8] {
        object { json in
            json.member("state", "offline")
            json.member("reason", reason)
        }
    }

    static func health(_ panel: PanelState, id: String, time: Int64) -> [UInt8] {
        object { json in
            json.member("id", id)
            json.member("health", panel.faults.isEmpty ? "ok" : "fault")
            json.member("faults", panel.faults)
            json.objects("devices", panel.counts.panels) { device, json in
                json.member("device", device.device)
                json.member("contacts", device.contacts)
                if let storms = device.storms { json.member("storms", storms) }
                if let flickers = device.flickers { json.member("flickers", flickers) }
                json.object("ignored") { Counts.write(device.ignored, into: &$0) }
                if !device.kept.isEmpty { json.object("kept") { Counts.write(device.kept, into: &$0) } }
            }
            json.member("dead_regions", panel.deadRegions)
            if let noisy = panel.noisyAreas { json.member("noisy_areas", noisy) }
            json.member("lost_events", panel.status?.whole("resyncs") ?? 0)
            json.member("lost_lines", panel.status?.whole("dropped") ?? 0)
            json.member("longest_turn_us", panel.status?.whole("longest_turn_us") ?? 0)
            json.member("gestures_dropped", panel.gesturesDropped)
            json.object("spool") { json in
                json.member("waiting", panel.waiting)
                json.member("dropped", panel.spoolDropped)
                if let failure = panel.spoolFailure { json.member("failure", failure) }
            }
            json.member("time_ms", time)
        }
    }

    /// The message `…/statistics`: the counts of the last period.
    static func statistics(
        _ regions: [String: Counts.Table], seconds: Int, instance: String, id: String, time: Int64
    ) -> [UInt8] {
        object { json in
            json.member("id", id)
            json.member("instance", instance)
            json.member("seconds", seconds)
            Counts.write(regions, into: &json)
            json.member("time_ms", time)
        }
    }

    /// The message `…/problem`. It reports that a configuration was rejected, or that the configuration no longer has
    /// errors.
    static func problem(
        _ diagnostics: [GestureClient.Diagnostic], isRefused: Bool, generation: Int, id: String, time: Int64
    ) -> [UInt8] {
        object { json in
            json.member("id", id)
            json.member("problem", isRefused ? "config_rejected" : "none")
            json.member("generation", generation)
            json.objects("diagnostics", diagnostics) { $0.write(into: &$1) }
            json.member("time_ms", time)
        }
    }

    /// The message `…/report`.
    static func sums(_ sums: DailySums, time: Int64) -> [UInt8] {
        object { json in
            sums.write(into: &json)
            json.member("time_ms", time)
        }
    }

    static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.bytes { $0.object(write) }
    }
}

extension GestureClient.Diagnostic {
    /// Writes the members of a diagnostic as in the daemon's protocol.
    func write(into json: inout JSONWriter) {
        json.member("severity", severity)
        json.member("file", file)
        json.member("line", line)
        json.member("column", column)
        json.member("code", code)
        json.member("message", message)
        if let suggestion { json.member("suggestion", suggestion) }
    }
}
#endif
