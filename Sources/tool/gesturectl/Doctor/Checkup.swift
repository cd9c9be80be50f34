// SPDX-License-Identifier: MIT
import BridgeProgram
import GestureClient
import GestureConfiguration
import GestureProtocol
import Glibc
import LinuxSystem

/// The results of `doctor`, in the order of its checks.
struct Checkup {
    enum Verdict: String {
        case ok
        /// Not a problem, but worth knowing.
        case note
        case problem
        /// The check was not possible: this user lacks a permission, or a required program is missing.
        case unknown
    }

    struct Item: Hashable {
        var subject: String
        var verdict: Verdict
        var text: String
    }

    private(set) var items: [Item] = []
    /// The daemon's replies by request.
    private(set) var replies: [(request: String, reply: JSONValue)] = []

    var hasProblem: Bool { items.contains { $0.verdict == .problem } }
    var devices: [GestureClient.Device] { reply("devices").map { GestureClient.Device.all(in: $0) } ?? [] }
    /// Whether any of the regions that this user may see is private.
    var hasPrivateRegion: Bool { reply("regions")?.list("regions").contains { $0["private"]?.bool == true } ?? false }

    func reply(_ request: String) -> JSONValue? { replies.first { $0.request == request }?.reply }

    mutating func add(_ subject: String, _ verdict: Verdict, _ text: String) {
        items.append(Item(subject: subject, verdict: verdict, text: text))
    }

    /// Checks the versions of the kernel and, where it is installed, of libinput, the service's units, and whether this user may connect.
    mutating func examineSystem() {
        var system = utsname()
        uname(&system)
        let release = withUnsafeBytes(of: &system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        add("kernel", .ok, release.safe)
        if let version = ProgramOutput.lines("libinput --version").first {
            add("libinput", .ok, version)
        }
        guard !Environment.isContainer else {
            return add("container", .note, "the units, groups and udev rules of the host cannot be checked here")
        }
        for unit in ["gestured.socket", "gestured.service"] { examine(unit: unit) }
        let user = Users.name(of: geteuid()) ?? "\(geteuid())"
        let group = Users.number(of: "gestured", isGroup: true)
        if geteuid() == 0 || group.map(Self.isMember) == true {
            add("user", .ok, "\(user.safe) may connect to the service's socket")
        } else {
            let cure =
                group == nil
                ? "the group gestured does not exist; run systemd-sysusers" : "run usermod -aG gestured \(user.safe)"
            add("user", .note, "\(user.safe) is not in the group gestured; \(cure)")
        }
    }

    /// Adds the health of the glass, if `gestured-report` runs.
    mutating func examineGlass() {
        guard let sums = DailySums.read(DailySums.standardFile) else { return }
        add(
            "glass", sums.health >= 80 ? .ok : .problem,
            "\(sums.health) of 100: \(sums.reason.safe)" + (sums.health >= 80 ? "" : "; see docs/report.md"))
    }

    private static func isMember(of group: UInt32) -> Bool {
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = getgroups(Int32(groups.count), &groups)
        return getegid() == group || groups.prefix(max(0, Int(count))).contains(group)
    }

    private mutating func examine(unit: String) {
        let lines = ProgramOutput.lines(
            "systemctl show -p LoadState -p UnitFileState -p ActiveState -p NRestarts \(unit)")
        var states: [Substring: String] = [:]
        for line in lines {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { states[parts[0]] = parts[1].trimmed }
        }
        guard let load = states["LoadState"] else { return add(unit, .unknown, "systemd does not answer") }
        guard load == "loaded" else { return add(unit, .note, "not installed (\(load))") }
        let restarts = states["NRestarts"].flatMap { Int($0) } ?? 0
        let active = states["ActiveState"] ?? "?"
        let text =
            "\(active), \(states["UnitFileState"] ?? "?")"
            + (restarts > 0 ? ", restarted \(counted(restarts, "time"))" : "")
        let isWell = active == "active" && states["UnitFileState"] == "enabled"
        add(
            unit, !isWell ? .problem : restarts > 0 ? .note : .ok,
            text + (isWell ? "" : "; run systemctl enable --now \(unit)"))
    }

    /// Checks the files that the service reads.
    mutating func examineConfiguration() {
        do throws(ToolError) {
            let files = try ConfigurationLoading.read(ConfigurationFiles())
            guard !files.paths.isEmpty else { return add("files", .note, ConfigurationLoading.missing) }
            let layout = files.configuration.map { ConfigurationLoading.layout(of: $0).diagnostics } ?? []
            let diagnostics = files.diagnostics + layout
            let errors = diagnostics.filter { $0.severity == .error }
            let names = files.paths.map(\.safe).joined(separator: " ")
            let first = (errors.first ?? diagnostics.first).map {
                "; first: " + $0.text { $0.columns }.split(separator: "\n")[0]
            }
            add(
                "files", errors.isEmpty ? diagnostics.isEmpty ? .ok : .note : .problem,
                "\(names): \(counted(errors.count, "error")), \(counted(diagnostics.count - errors.count, "warning"))"
                    + (first ?? ""))
        } catch {
            add("files", .problem, error.message)
        }
    }

    /// Checks the state that the daemon reports about itself and its panels.
    mutating func examine(_ connection: DaemonConnection) {
        for request in ["status", "devices", "regions", "clients", "counts"] {
            do {
                replies.append((request, try connection.reply(to: RequestLine(request)).json))
            } catch {
                add(request, .unknown, (error as? ToolError)?.message ?? "\(error)")
            }
        }
        if let status = reply("status") { examine(status: status) }
        for device in devices { examine(device) }
        if devices.isEmpty {
            let isHidden = Environment.isContainer && access("/dev/input", F_OK) != 0
            let cure = isHidden ? "; mount the host's /dev/input into the container" : ""
            add("panel", .problem, "the daemon finds no touch device" + cure)
        }
    }

    private mutating func examine(status: JSONValue) {
        let version = status.text("version")
        let restart = Environment.isContainer ? "restart the daemon's container" : "systemctl restart gestured"
        add(
            "daemon", version == Version.number ? .ok : .problem,
            "\(version.safe), this tool \(Version.number)"
                + (version == Version.number ? "" : "; after an upgrade: " + restart))
        let configuration = status["config"]
        let state = configuration?.text("state") ?? "?"
        let consequences = [
            "ok": "", "none": ": there are no configuration files, so there are no regions",
            "rejected": ": the files have errors, and the previous configuration is still in use; see gesturectl check",
            "last_good":
                ": the files had errors at the start, and an earlier configuration is in use; see gesturectl check",
        ]
        add(
            "configuration", state == "ok" ? .ok : state == "none" ? .note : .problem,
            state.safe + (consequences[state] ?? ""))
        let losses = [("lines lost by clients", "dropped"), ("losses of events in the kernel", "resyncs")]
            .map { ($0.0, status.whole($0.1)) }.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        add("losses", losses.isEmpty ? .ok : .note, losses.isEmpty ? "none" : losses.joined(separator: ", "))
        let longest = status.whole("longest_turn_us")
        add("longest turn", longest > 100_000 ? .note : .ok, "\(longest / 1000) ms: the longest delay of a touch")
    }

    /// The subject of items about a panel.
    static func subject(of device: GestureClient.Device) -> String {
        // A panel without a `[[device]]` is called "panel".
        device.id == "panel" ? device.id : "panel \(device.id.safe)"
    }

    private mutating func examine(_ device: GestureClient.Device) {
        let subject = Self.subject(of: device)
        let place = "\(device.node.safe), \(device.name.safe)"
        guard device.state == "ready" else {
            let verdict: Verdict = device.state == "ignored" ? .note : .problem
            return add(subject, verdict, "\(place): \(device.state.safe): \((device.reason ?? "").safe)")
        }
        let remarks = [device.grab.map { "grab \($0.safe)" }, device.reason?.safe].compactMap { $0 }
        add(
            subject, device.grab == "other" || device.reason != nil ? .problem : .ok,
            ([place] + remarks).joined(separator: ": "))
        let others = OpenFiles.holders(of: device.node)
        let names = others.names.isEmpty ? "none" : others.names.joined(separator: ", ")
        add(
            "\(subject): readers", others.isComplete ? .ok : .unknown,
            others.isComplete ? names : names + " of this user; run as root to see all")
        examineCalibration(of: device, subject)
        examineFlickers(of: device, subject)
    }

    /// Checks whether the panel repeatedly loses fingers for a moment.
    private mutating func examineFlickers(of device: GestureClient.Device, _ subject: String) {
        let counts = reply("counts")?.list("devices").first { $0.text("device") == device.id }
        // Older daemons do not count flickers.
        guard let counts, counts["flickers"] != nil else { return }
        let advice = FlickerAdvice(flickers: counts.whole("flickers"), contacts: counts.whole("contacts"))
        add(
            "\(subject): contacts", advice == nil ? .ok : .problem,
            advice?.text ?? "fingers are not lost repeatedly")
    }

    /// Adds the corners to which the daemon maps the panel, and the calibration in udev that the compositor uses.
    private mutating func examineCalibration(of device: GestureClient.Device, _ subject: String) {
        // The node is passed to a shell, and may come from any program that listens on the socket.
        let prefix = "/dev/input/event"
        guard device.node.hasPrefix(prefix),
            device.node.utf8.dropFirst(prefix.utf8.count).allSatisfy({ (0x30...0x39).contains($0) })
        else {
            return
        }
        let properties = ProgramOutput.lines("udevadm info -q property -n \(device.node)")
        let matrix = properties.first { $0.hasPrefix("LIBINPUT_CALIBRATION_MATRIX=") }?.split(
            separator: "=", maxSplits: 1
        ).last
        let corners = device.output?.corners.map { "\(shortest($0.x)),\(shortest($0.y))" }.joined(separator: " ") ?? "?"
        let calibration = matrix.map { "; calibration for libinput in udev: " + String($0).safe } ?? ""
        add("\(subject): mapping", .ok, "corners at \(corners)\(calibration)")
    }
}

extension StringProtocol {
    /// The text without leading and trailing whitespace.
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
