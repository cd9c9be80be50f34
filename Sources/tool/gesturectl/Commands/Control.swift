// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureConfiguration
import GestureProtocol

struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch regions on.", discussion: "This lasts until the daemon ends or a reload changes it.")

    @OptionGroup var regions: RegionSwitch

    func run() throws { try regions.set(enabled: true) }
}

struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch regions off and cancel their gestures in progress.",
        discussion: "This lasts until they are switched on again, the daemon ends, or a reload changes it.")

    @OptionGroup var regions: RegionSwitch

    func run() throws { try regions.set(enabled: false) }
}

struct RegionSwitch: ParsableArguments {
    @OptionGroup var requests: RequestOptions

    @Argument(
        help: "Ids of regions, or globs. If one matches no region, nothing changes.",
        completion: DaemonNames.regions)
    var region: [String]

    func set(enabled: Bool) throws {
        let connection = try requests.connect()
        let names: GestureClient.JSON = region.count == 1 ? .text(region[0]) : .list(region.map { .text($0) })
        let request = RequestLine("set_region", [("region", names), ("enabled", .flag(enabled))])
        guard let reply = try requests.send(request, on: connection) else { return }
        guard enabled, reply.json["enabled"]?.bool == false else { return }
        let all = GestureClient.Region.all(in: try connection.reply(to: RequestLine("regions", id: 2)).json)
        let scene = try connection.reply(to: RequestLine("state", id: 3)).json["scene"]?.string
        StandardError.write(Self.notice(region, all, scene: scene ?? "default"))
    }

    /// Returns a line for each region that is switched on but still cannot be touched, with the reason.
    static func notice(_ globs: [String], _ regions: [GestureClient.Region], scene: String) -> String {
        var lines: [String] = []
        for region in regions where !region.isEnabled && globs.contains(where: { Glob($0).matches(region.id) }) {
            let ancestor = regions.ancestors(of: region).first { !$0.isEnabled }
            let reason =
                ancestor.map { "\"\($0.id)\", which contains it, is off" }
                ?? "scene \"\(scene.safe)\" does not include it"
            let line = "gesturectl: \"\(region.id)\" is on, but cannot be touched: \(reason)\n"
            if !lines.contains(line) { lines.append(line) }
        }
        return lines.joined()
    }
}

struct Activity: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say that somebody is there, as a touch does.",
        discussion: "Ends idle times, or begins their time again: for motion sensors and timers.")

    @OptionGroup var requests: RequestOptions

    func run() throws { try requests.send(RequestLine("activity")) }
}

struct Scene: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch to a named set of regions, or print the active one.",
        discussion: "\"default\" is the scene in which all regions are on.")

    @OptionGroup var requests: RequestOptions

    @Argument(help: "The scene's id.", completion: DaemonNames.scenes)
    var scene: String?

    // Without `unconditional`, a negative time would be taken for an option.
    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp(
            "The time until the previous scene is restored, such as 60s or 5min: 100ms to 168h.", valueName: "time"))
    var time: String?

    func validate() throws {
        guard let time else { return }
        guard scene != nil else {
            throw ValidationError("--for is for a new scene; name the scene, or leave --for out")
        }
        _ = try Self.milliseconds(time)
    }

    /// Returns the number of milliseconds of a time given with `--for`.
    private static func milliseconds(_ text: String) throws(ValidationError) -> Int {
        let (limits, range) = ("from 100ms to 168h (a week)", ProtocolLimits.sceneTime)
        func error(_ problem: String, _ cure: String) -> ValidationError {
            ValidationError("--for \(text.isEmpty ? "\"\"" : text) \(problem); \(cure)")
        }
        guard let (value, unit) = Seconds.parts(of: text) else {
            throw error("is not a time", "use a number with ms, s, min or h, such as 60s or 5min, \(limits)")
        }
        guard value > 0 else {
            throw error(value < 0 ? "is negative" : "would end at once", "use a time \(limits)")
        }
        guard let unit else { throw error("has no unit", "use a time such as 60s or 5min, \(limits)") }
        let milliseconds = value * unit.microseconds / 1000
        guard milliseconds >= Double(range.lowerBound) else { throw error("is too short", "use a time \(limits)") }
        guard milliseconds <= Double(range.upperBound) else {
            throw error("is longer than a week", "use a time \(limits), or leave --for out, so that the scene stays")
        }
        return Int(milliseconds)
    }

    func run() throws {
        guard let scene else {
            guard let reply = try requests.send(RequestLine("state")) else { return }
            return StandardOutput.write((reply.json["scene"]?.string ?? "default").safe + "\n")
        }
        let limit = try time.map { [("for_ms", GestureClient.JSON.whole(try Self.milliseconds($0)))] } ?? []
        try requests.choose("scene", scene, limit)
    }
}

struct Profile: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch to a profile for people who touch differently, or list the profiles.",
        discussion: """
            Without an id, prints all profiles, and * before the one in force. Gestures that are in progress keep the \
            values of the earlier profile. \"default\" changes nothing.
            """)

    @OptionGroup var requests: RequestOptions

    @Argument(help: "The profile's id.", completion: DaemonNames.profiles)
    var profile: String?

    func run() throws {
        guard let profile else {
            guard let reply = try requests.send(RequestLine("status")) else { return }
            let current = reply.json.profile
            let lines = reply.json.texts("profiles").map { "\($0 == current ? "*" : " ") \($0.safe)\n" }
            return StandardOutput.write(lines.joined())
        }
        try requests.choose("profile", profile)
    }
}

extension RequestOptions {
    /// Switches to a scene or a profile.
    /// - Parameters:
    ///   - kind: `scene` or `profile`.
    ///   - more: further members of the request.
    /// - Throws: `ToolError` 1 for a name that does not exist, with the nearest one or else all.
    fileprivate func choose(_ kind: String, _ name: String, _ more: [(String, GestureClient.JSON)] = []) throws {
        let connection = try connect()
        do {
            try send(RequestLine("set_\(kind)", [(kind, .text(name))] + more), on: connection)
        } catch let error as ToolError where error.status == .notFound {
            let status = try connection.reply(to: RequestLine("status", id: 2)).json
            throw ToolError.unknown(kind, name, among: status.texts("\(kind)s"))
        }
    }
}

struct Cancel: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Cancel gestures in progress in a region.",
        discussion:
            "Clients receive cancel events with the reason client. Fingers that are down are ignored until they lift.")

    @OptionGroup var requests: RequestOptions

    @Argument(help: "The region's id.", completion: DaemonNames.regions)
    var region: String

    func run() throws {
        try requests.send(RequestLine("cancel", [("region", .text(region))]))
    }
}

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make the daemon reload its configuration.",
        discussion: """
            Prints errors and warnings. If the configuration has errors, nothing changes, and the exit status is 78.
            """)

    @OptionGroup var requests: RequestOptions

    func run() throws {
        guard let reply = try requests.send(RequestLine("reload")) else { return }
        var text = "configuration \(reply.json["config_generation"]?.displayText ?? "reloaded") in use"
        if let warnings = reply.json["warnings"]?.integer, warnings > 0 {
            text += ", " + counted(warnings, "warning")
        }
        for diagnostic in reply.json.list("diagnostics") {
            StandardError.write(GestureClient.Diagnostic(diagnostic).text + "\n")
        }
        StandardOutput.write(text + "\n")
    }
}
