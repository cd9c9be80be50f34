// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureProtocol

/// `gesturectl enable`
struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch regions on.", discussion: "Until the daemon ends, or its configuration says otherwise.")

    @OptionGroup var socket: SocketOptions
    @OptionGroup var show: ReplyOptions

    @Argument(help: "The regions' ids.", completion: DaemonNames.regions)
    var region: [String]

    func run() throws { try RegionSwitch.set(region, enabled: true, socket, show) }
}

/// `gesturectl disable`
struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch regions off: what is under way in them is cancelled.",
        discussion: "Until they are switched on again, the daemon ends, or its configuration says otherwise.")

    @OptionGroup var socket: SocketOptions
    @OptionGroup var show: ReplyOptions

    @Argument(help: "The regions' ids.", completion: DaemonNames.regions)
    var region: [String]

    func run() throws { try RegionSwitch.set(region, enabled: false, socket, show) }
}

private enum RegionSwitch {
    static func set(_ regions: [String], enabled: Bool, _ socket: SocketOptions, _ show: ReplyOptions) throws {
        let connection = try socket.connect()
        for (index, region) in regions.enumerated() {
            let keys: [(String, GestureClient.JSON)] = [("region", .text(region)), ("enabled", .flag(enabled))]
            _ = try show.ask(connection, RequestLine("set_region", id: index + 1, keys))
        }
    }
}

/// `gesturectl scene`
struct Scene: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch to a named set of regions; without a name, say which one is on.",
        discussion: "\"default\" is the scene in which all regions are on.")

    @OptionGroup var socket: SocketOptions
    @OptionGroup var show: ReplyOptions

    @Argument(help: "The scene's id.", completion: DaemonNames.scenes)
    var scene: String?

    func run() throws {
        let connection = try socket.connect()
        guard let scene else {
            guard let reply = try show.ask(connection, RequestLine("state")) else { return }
            return StandardOutput.write((reply.json["scene"]?.string ?? "default").safe + "\n")
        }
        _ = try show.ask(connection, RequestLine("set_scene", [("scene", .text(scene))]))
    }
}

/// `gesturectl cancel`
struct Cancel: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Cancel what is under way in a region.",
        discussion:
            "Clients get a cancel with the reason client. Fingers that stay down count again once they have lifted.")

    @OptionGroup var socket: SocketOptions
    @OptionGroup var show: ReplyOptions

    @Argument(help: "The region's id.", completion: DaemonNames.regions)
    var region: String

    func run() throws {
        _ = try show.ask(socket.connect(), RequestLine("cancel", [("region", .text(region))]))
    }
}
