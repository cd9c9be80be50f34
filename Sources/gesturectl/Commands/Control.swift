// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureProtocol

/// `gesturectl enable`
struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch regions on.", discussion: "Until the daemon ends, or its configuration says otherwise.")

    @OptionGroup var regions: RegionSwitch

    func run() throws { try regions.set(enabled: true) }
}

/// `gesturectl disable`
struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch regions off: what is under way in them is cancelled.",
        discussion: "Until they are switched on again, the daemon ends, or its configuration says otherwise.")

    @OptionGroup var regions: RegionSwitch

    func run() throws { try regions.set(enabled: false) }
}

/// Regions to switch on or off.
struct RegionSwitch: ParsableArguments {
    @OptionGroup var requests: RequestOptions

    @Argument(help: "The regions' ids.", completion: DaemonNames.regions)
    var region: [String]

    func set(enabled: Bool) throws {
        let connection = try requests.connect()
        for (index, region) in region.enumerated() {
            let keys: [(String, GestureClient.JSON)] = [("region", .text(region)), ("enabled", .flag(enabled))]
            try requests.send(RequestLine("set_region", id: index + 1, keys), on: connection)
        }
    }
}

/// `gesturectl scene`
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

/// `gesturectl cancel`
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

/// `gesturectl reload`
struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have the daemon read its configuration again.",
        discussion: "A wrong configuration changes nothing: its errors are printed and the exit status is 78.")

    @OptionGroup var requests: RequestOptions

    func run() throws {
        guard let reply = try requests.send(RequestLine("reload")) else { return }
        var text = "configuration \(reply.json["config_generation"]?.displayText ?? "reloaded") in use"
        if let warnings = reply.json["warnings"]?.integer, warnings > 0 {
            text += ", \(warnings) warning\(warnings == 1 ? "" : "s") (gesturectl check shows them)"
        }
        StandardOutput.write(text + "\n")
    }
}
