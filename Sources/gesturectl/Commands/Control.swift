// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureProtocol

struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch regions on.", discussion: "Until the daemon ends, or its configuration says otherwise.")

    @OptionGroup var regions: RegionSwitch

    func run() throws { try regions.set(enabled: true) }
}

struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch regions off: what is under way in them is cancelled.",
        discussion: "Until they are switched on again, the daemon ends, or its configuration says otherwise.")

    @OptionGroup var regions: RegionSwitch

    func run() throws { try regions.set(enabled: false) }
}

struct RegionSwitch: ParsableArguments {
    @OptionGroup var requests: RequestOptions

    @Argument(
        help: "The regions' ids, or globs. If one matches no region, nothing is switched.",
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

    /// Why regions that are switched on cannot be touched all the same: a line for each.
    static func notice(_ globs: [String], _ regions: [GestureClient.Region], scene: String) -> String {
        var lines: [String] = []
        for region in regions where !region.isEnabled && globs.contains(where: { Glob($0).matches(region.id) }) {
            let ancestor = ancestors(of: region, among: regions).first { !$0.isEnabled }
            let reason =
                ancestor.map { "\"\($0.id)\", in which it lies, is off" } ?? "scene \"\(scene.safe)\" does not have it"
            let line = "gesturectl: \"\(region.id)\" is on, but cannot be touched: \(reason)\n"
            if !lines.contains(line) { lines.append(line) }
        }
        return lines.joined()
    }

    /// From the parent up.
    private static func ancestors(
        of region: GestureClient.Region, among regions: [GestureClient.Region]
    ) -> [GestureClient.Region] {
        var result: [GestureClient.Region] = []
        var next = region.parent
        while let id = next, result.count < regions.count,
            let parent = regions.first(where: { $0.id == id && $0.device == region.device })
        {
            result.append(parent)
            next = parent.parent
        }
        return result
    }
}

struct Scene: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch to a named set of regions; without a name, say which one is on.",
        discussion: "\"default\" is the scene in which all regions are on.")

    @OptionGroup var requests: RequestOptions

    @Argument(help: "The scene's id.", completion: DaemonNames.scenes)
    var scene: String?

    func run() throws {
        guard let scene else {
            guard let reply = try requests.send(RequestLine("state")) else { return }
            return StandardOutput.write((reply.json["scene"]?.string ?? "default").safe + "\n")
        }
        try requests.send(RequestLine("set_scene", [("scene", .text(scene))]))
    }
}

struct Cancel: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Cancel what is under way in a region.",
        discussion:
            "Clients get a cancel with the reason client. Fingers that stay down count again once they have lifted.")

    @OptionGroup var requests: RequestOptions

    @Argument(help: "The region's id.", completion: DaemonNames.regions)
    var region: String

    func run() throws {
        try requests.send(RequestLine("cancel", [("region", .text(region))]))
    }
}

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have the daemon read its configuration again.",
        discussion: """
            Its errors and warnings are printed. A configuration with errors changes nothing, and the exit status is 78.
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
