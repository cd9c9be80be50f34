// SPDX-License-Identifier: MIT
import ArgumentParser
import CLinux
import GestureProtocol
import LinuxSystem

/// `gesturectl touches`
struct Touches: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the contacts on a panel live.",
        discussion: """
            On a terminal a picture: the regions, the contacts by slot and their trails of the last second; otherwise \
            the daemon's own lines of JSON. Goes on until it is interrupted.
            """)

    @OptionGroup var socket: SocketOptions

    @Option(
        help: ArgumentHelp("The panel. (default: the first that is ready)", valueName: "id"),
        completion: DaemonNames.devices)
    var device: String?

    @Flag(help: "Lines of JSON on a terminal too.")
    var json = false

    func run() throws {
        let connection = try socket.connect()
        var subscription = RequestLine("subscribe", id: 1)
        subscription.add("events", ["touches"])
        if json || !StandardOutput.isTerminal { return try printLines(connection, subscription) }
        subscription.add("max_rate_hz", 30)
        var picture = try makePicture(connection)
        _ = try connection.reply(to: subscription, id: 1)
        let signals = try SignalWait()
        Terminal.enter()
        defer { Terminal.leave() }
        try draw(&picture, connection, signals.rawValue)
    }

    private func printLines(_ connection: DaemonConnection, _ subscription: RequestLine) throws {
        _ = try connection.reply(to: subscription, id: 1)
        while true {
            guard case .line(let line) = try connection.next() else { throw connection.lost() }
            guard let event = JSONValue(parsing: line), event["event"]?.string == "touches",
                device == nil || event["device"]?.string == device
            else { continue }
            StandardOutput.write(line + [0x0A])
        }
    }

    private func makePicture(_ connection: DaemonConnection) throws -> TouchPicture {
        let devices = try connection.reply(to: RequestLine("devices", id: 1), id: 1).json["devices"]?.elements ?? []
        let panel = devices.first { $0["output"] != nil && (device == nil || $0["device"]?.string == device) }
        guard let panel, let name = panel["device"]?.string else {
            throw ToolError(
                .unavailable, "no panel \(device.map { "\"\($0.safe)\" " } ?? "")is ready; see gesturectl devices")
        }
        let regions = try connection.reply(to: RequestLine("regions", id: 2), id: 2).json["regions"]?.elements ?? []
        return TouchPicture(
            device: name, width: panel["output"]?["width"]?.number ?? 0,
            height: panel["output"]?["height"]?.number ?? 0, regions: regions.compactMap(RegionEntry.init))
    }

    /// Until somebody interrupts, or the daemon goes away.
    private func draw(_ picture: inout TouchPicture, _ connection: DaemonConnection, _ interrupt: CInt) throws {
        while true {
            let size = Terminal.size
            Terminal.show(picture.lines(columns: size.columns, rows: size.rows))
            // Trails fade; without one the picture waits for touches.
            let wait: CInt = picture.hasTrails ? 100 : -1
            switch try connection.next(within: wait, orReadable: interrupt) {
            case .line(let line):
                guard let event = JSONValue(parsing: line), event["event"]?.string == "touches",
                    event["device"]?.string == picture.device
                else { continue }
                picture.follow(event)
            case .timeout: picture.fade(at: MonotonicClock.now())
            case .interrupted: return
            case .end: throw connection.lost()
            }
        }
    }
}
