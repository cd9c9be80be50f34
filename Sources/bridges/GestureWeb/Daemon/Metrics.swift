// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import GestureProtocol

/// Metrics of the daemon and the bridge in the text format of Prometheus or OpenMetrics. They contain no positions.
struct Metrics {
    enum Form: Hashable {
        case prometheus
        case openMetrics

        /// - Parameter accept: the `Accept` header of the request.
        init(accept: String) {
            // `contains` with a string would link the regular expression engine, which has a megabyte of code.
            let types = accept.split(separator: ",").map { $0.drop { $0 == " " } }
            self = types.contains { $0.hasPrefix("application/openmetrics-text") } ? .openMetrics : .prometheus
        }

        var type: String {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    private enum Kind: String {
        case counter, gauge
    }

    /// The requests whose replies `daemon(_:)` handles.
    static let commands = ["status", "devices", "counts"]

    private let form: Form
    private var output = ""

    init(_ form: Form) {
        self.form = form
    }

    var text: String { output + (form == .openMetrics ? "# EOF\n" : "") }

    mutating func bridge(pages: Int, connections: Int) {
        family("gestured_web_pages", .gauge, "Connected pages.", [([], Double(pages))])
        family("gestured_web_connections", .gauge, "Connections of browsers and proxies.", [([], Double(connections))])
    }

    /// - Parameter sums: what `gestured-report` has counted today; `nil` if it does not run.
    mutating func report(_ sums: DailySums?) {
        guard let sums else { return }
        let day = [("day", sums.day)]
        family("gestured_report_sessions", .gauge, "Sessions of the day.", [(day, Double(sums.sessions))])
        family("gestured_report_touches", .gauge, "Touches of the day.", [(day, Double(sums.touches))])
        family("gestured_report_failed", .gauge, "Touches of the day that did nothing.", [(day, Double(sums.failed))])
        family("gestured_report_seconds", .gauge, "The length of the day's sessions.", [(day, Double(sums.seconds))])
        family("gestured_report_health", .gauge, "The health of the glass, from 0 to 100.", [([], Double(sums.health))])
    }

    /// - Parameter replies: the replies to `commands`; `nil` if the daemon is not running. Metrics from a refused
    ///   request are omitted.
    mutating func daemon(_ replies: [JSONValue?]?) {
        family("gestured_up", .gauge, "Whether the daemon answers.", [([], replies == nil ? 0 : 1)])
        guard let replies, replies.count == Self.commands.count else { return }
        if let status = replies[0] { process(status) }
        if let devices = replies[1] { panels(devices) }
        if let counts = replies[2] { self.counts(counts) }
    }

    private mutating func process(_ status: JSONValue) {
        single("gestured_uptime_seconds", .gauge, "Time since the start of the daemon.", status["uptime_ms"], 1e-3)
        single("gestured_clients", .gauge, "Connections to the daemon's socket.", status["clients"])
        single("gestured_regions", .gauge, "Regions of the configuration and of clients.", status["regions"])
        single("gestured_active_gestures", .gauge, "Gestures in progress.", status["active"])
        single("gestured_frames", .counter, "Frames of all panels.", status["frames"])
        single("gestured_events", .counter, "Events that were recognized.", status["events"])
        single("gestured_dropped_events", .counter, "Events lost by slow clients.", status["dropped"])
        single("gestured_resyncs", .counter, "Overflows of the kernel's event buffer.", status["resyncs"])
        single(
            "gestured_longest_turn_seconds", .gauge, "The longest iteration of the daemon's event loop.",
            status["longest_turn_us"], 1e-6)
        single("gestured_idle_seconds", .gauge, "Time since the last touch or activity.", status["idle_ms"], 1e-3)
        if let idle = status["idle"]?.array {
            family("gestured_idle", .gauge, "Whether an idle time has begun.", [([], idle.isEmpty ? 0 : 1)])
        }
        single(
            "gestured_sessions", .counter, "Times that a touch or activity has ended idle times.", status["sessions"])
        single("gestured_wakes", .counter, "Touches that have woken the display.", status["wakes"])
        if let state = status["config"]?["state"]?.string {
            family(
                "gestured_configuration_rejected", .gauge, "Whether the last configuration was rejected.",
                [([], state == "rejected" ? 1 : 0)])
        }
        let states = ["ready", "refused", "ignored", "failed"]
        family(
            "gestured_panels", .gauge, "Devices, by their state.",
            states.compactMap { state in status["devices"]?[state]?.number.map { ([("state", state)], $0) } })
    }

    private mutating func panels(_ reply: JSONValue) {
        let devices = reply.list("devices")
        byDevice("gestured_contacts_down", .gauge, "Contacts that are down.", devices, "contacts")
        byDevice(
            "gestured_dark_seconds", .gauge, "How long a display has been said to be off although it was touched.",
            devices, "dark_ms", 1e-3)
    }

    private mutating func counts(_ reply: JSONValue) {
        let (devices, regions) = (reply.list("devices"), reply.list("regions"))
        byDevice("gestured_contacts", .counter, "Contacts that have landed.", devices, "contacts")
        byDevice("gestured_storms", .counter, "Storms of ghost touches.", devices, "storms")
        byDevice("gestured_flickers", .counter, "Contacts that the panel lost for a moment.", devices, "flickers")
        byDevice("gestured_bridged", .counter, "Contacts that bridge continued.", devices, "bridged")
        byDevice("gestured_exchanges", .counter, "Contacts that the panel exchanged.", devices, "exchanges")
        table("gestured_ignored_contacts", "Contacts that were ignored.", devices, "device", "ignored", "reason")
        table("gestured_kept_contacts", "Contacts kept from the application.", devices, "device", "kept", "reason")
        table("gestured_gestures", "Gestures that were recognized.", regions, "region", "gestures", "gesture")
        table("gestured_failures", "Gestures that were not recognized.", regions, "region", "failed", "reason")
    }

    /// Adds a family with one sample for each device whose reply contains this number.
    private mutating func byDevice(
        _ name: String, _ kind: Kind, _ help: String, _ devices: [JSONValue], _ key: String, _ factor: Double = 1
    ) {
        family(
            name, kind, help,
            devices.compactMap { device in
                device[key]?.number.map { ([("device", device.text("device"))], $0 * factor) }
            })
    }

    /// Adds a family with two labels: the owner's id, and the key in the owner's table of numbers.
    private mutating func table(
        _ name: String, _ help: String, _ owners: [JSONValue], _ owner: String, _ table: String, _ label: String
    ) {
        family(
            name, .counter, help,
            owners.flatMap { item in
                (item[table]?.keys ?? []).compactMap { key in
                    item[table]?[key]?.number.map { ([(owner, item[owner]?.string ?? ""), (label, key)], $0) }
                }
            })
    }

    private mutating func single(
        _ name: String, _ kind: Kind, _ help: String, _ value: JSONValue?, _ factor: Double = 1
    ) {
        if let number = value?.number { family(name, kind, help, [([], number * factor)]) }
    }

    /// - Parameter name: the name of the family, without the `_total` of counters.
    private mutating func family(
        _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [(String, String)], value: Double)]
    ) {
        guard !samples.isEmpty else { return }
        let sample = kind == .counter ? name + "_total" : name
        let family = form == .openMetrics ? name : sample
        output += "# HELP \(family) \(help)\n# TYPE \(family) \(kind.rawValue)\n"
        for (labels, value) in samples {
            let words = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            output += sample + (words.isEmpty ? "" : "{\(words)}") + " \(Self.number(value))\n"
        }
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
    }
}
#endif
