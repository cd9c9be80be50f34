// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureProtocol
import Glibc
import LinuxSystem

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the state of the daemon and its clients.",
        discussion: "Memory and processor time come from the kernel, if this user may see them.")

    @OptionGroup var requests: RequestOptions
    @OptionGroup var table: TableOptions

    @Flag(help: "Print only the table of clients.")
    var clients = false

    func run() throws {
        let connection = try requests.connect()
        if !clients {
            guard let reply = try requests.send(RequestLine("status"), on: connection) else { return }
            let process = reply.json["pid"]?.integer.flatMap(ProcessUsage.init)
            let rows = Self.rows(reply.json, process)
            StandardOutput.write(table.text(rows, withLegend: false))
        }
        guard let reply = try listeners(connection) else { return }
        if !clients { StandardOutput.write("\n") }
        table.write(Self.table(reply.json))
        if clients { try explainHidden(reply.json, connection) }
    }

    /// Prints which right this user needs to see more if the daemon hides who the other clients are.
    private func explainHidden(_ clients: JSONValue, _ connection: DaemonConnection) throws {
        guard clients.list("clients").contains(where: { $0["uid"] == nil }) else { return }
        let status = try connection.reply(to: RequestLine("status", id: 3)).json
        let user = Users.name(of: geteuid()) ?? "\(geteuid())"
        let remedy = Rights.remedy(in: status["config"]?.texts("files") ?? [])
        StandardError.tell(
            "the users and processes of other clients are hidden; add \"\(user.safe)\" to control_uids \(remedy.safe)")
    }

    /// - Returns: `nil` if the reply has been printed, or if the daemon is too old to list its clients.
    private func listeners(_ connection: DaemonConnection) throws -> Reply? {
        do {
            return try requests.send(RequestLine("clients", id: 2), on: connection)
        } catch let error as ToolError where error.status == .software && !clients {
            return nil
        }
    }

    /// Returns one row for each key, including those of newer daemons.
    static func rows(_ json: JSONValue, _ process: ProcessUsage?) -> Table {
        var table = Table()
        table.colors = [0: { _ in .dim }]
        let hidden = ["reply", "id", "ok", "scenes", "scene_for_ms", "profiles"]
        for member in json.members where !hidden.contains(member.key) {
            switch member.key {
            case "uptime_ms":
                table.rows.append(["uptime", durationText(milliseconds: member.value.integer ?? 0)])
                if let process { table.rows += process.rows }
            case "longest_turn_us":
                table.rows.append(["longest_turn", "\(shortest((member.value.number ?? 0) / 1000)) ms"])
            case "config": table.rows.append(["config", configuration(member.value)])
            case "devices": table.rows.append(["devices", counts(member.value)])
            case "scene":
                let others = json.list("scenes").compactMap { $0.string?.safe }
                    .filter { $0 != member.value.string?.safe }
                let more = others.isEmpty ? "" : "; there are also \(others.joined(separator: ", "))"
                let left = json["scene_for_ms"]?.integer.map { " for another \(durationText(milliseconds: $0))" } ?? ""
                table.rows.append(["scene", member.value.displayText.safe + left + more])
            default: table.rows.append([member.key.safe, text(member.value).safe])
            }
        }
        return table
    }

    /// Returns a table of the connected clients, the oldest first.
    static func table(_ json: JSONValue) -> Table {
        var table = Table("PID", "UID", "EVENTS", "REGIONS", "QUEUED", "DROPPED")
        table.colors = [5: { $0 == "0" ? nil : .red }]
        table.rows = json.list("clients").map { client in
            // Only clients with the right to control the daemon see all values of other clients.
            let isKnown = client["uid"] != nil
            let regions = client["regions"]?.array?.map(\.displayText).joined(separator: ",").safe
            return [
                (client["pid"]?.displayText ?? "-") + (client["self"]?.bool == true ? " (this)" : ""),
                client["uid"]?.displayText ?? "-",
                client.list("events").map(\.displayText).joined(separator: ",").safe,
                regions ?? (isKnown ? "all" : "-"), client["queued_bytes"].map { "\($0.displayText) B" } ?? "-",
                client["dropped"]?.displayText ?? "-",
            ]
        }
        return table
    }

    /// Returns a text such as `ok, generation 3, 1 warning: /etc/gestured/gestured.toml`.
    private static func configuration(_ json: JSONValue) -> String {
        var parts = [json.text("state").safe, "generation \(json["generation"]?.displayText ?? "?")"]
        for key in ["errors", "warnings"] {
            guard let count = json[key]?.integer, count > 0 else { continue }
            parts.append("\(count) \(count == 1 ? String(key.dropLast()) : key)")
        }
        let files = json.list("files").compactMap { $0.string?.safe }
        return parts.joined(separator: ", ") + (files.isEmpty ? "" : ": " + files.joined(separator: " "))
    }

    /// Returns a text such as `1 ready, 1 refused`.
    private static func counts(_ json: JSONValue) -> String {
        let counts = json.members.filter { $0.value.integer != 0 }.map { "\($0.value.displayText) \($0.key)".safe }
        return counts.isEmpty ? "none" : counts.joined(separator: ", ")
    }

    private static func text(_ value: JSONValue) -> String {
        if value.isObject { return value.members.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ") }
        guard let elements = value.array else { return value.displayText }
        return elements.isEmpty ? "none" : elements.map(text).joined(separator: " ")
    }
}

/// Memory and processor time of a process, from proc(5).
struct ProcessUsage {
    /// Resident memory in kB: the current value, and the maximum so far (`peak`).
    var resident: Int64
    var peak: Int64
    /// Processor time so far, in milliseconds.
    var milliseconds: Int64

    /// - Parameter process: the daemon's process id in its own namespace.
    /// - Returns: `nil` if it cannot be read, or if the process is not a gesture daemon: the id may belong to
    ///   another container, or have been reused.
    init?(_ process: Int64) {
        let folder = "/proc/\(process)/"
        guard let status = FileBytes.text(folder + "status"), let stat = FileBytes.text(folder + "stat")
        else { return nil }
        var values: [Substring: Int64] = [:]
        for line in status.split(separator: "\n") {
            let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
            if words.first == "Name", words.last != "gestured" { return nil }
            if words.count > 1 { values[words[0]] = Int64(words[1]) }
        }
        // The name in brackets may contain blanks; the first field after it is number 3.
        let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
        guard let resident = values["VmRSS"], let peak = values["VmHWM"], fields.count > 12,
            let user = Int64(fields[11]), let system = Int64(fields[12])
        else { return nil }
        let (ticks, isTooMuch) = (user &+ system).multipliedReportingOverflow(by: 1000)
        milliseconds = isTooMuch ? 0 : ticks / max(1, Int64(sysconf(Int32(_SC_CLK_TCK))))
        (self.resident, self.peak) = (resident, peak)
    }

    /// The rows for the table of `status`.
    var rows: [[String]] {
        [
            ["memory", "\(resident) kB, peak \(peak) kB"],
            ["cpu", durationText(milliseconds: milliseconds)],
        ]
    }
}
