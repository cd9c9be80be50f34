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
            On a terminal a picture: the regions as they are now, the contacts by slot and their trails of the last \
            second; otherwise the daemon's own lines of JSON. Goes on until it is interrupted.
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
        let isPicture = !json && StandardOutput.isTerminal
        subscription.add("events", ["touches"] + (isPicture ? ["config", "device"] : []))
        if !isPicture { return try printLines(connection, subscription) }
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
        guard let picture = try picture(connection, of: device) else {
            throw ToolError(
                .unavailable, "no panel \(device.map { "\"\($0.safe)\" " } ?? "")is ready; see gesturectl devices")
        }
        return picture
    }

    /// - Parameters:
    ///   - device: nil: the first that is ready.
    ///   - event: gets the lines that come while this asks.
    /// - Returns: nil when it is not there.
    private func picture(
        _ connection: DaemonConnection, of device: String?, event: ([UInt8]) throws -> Void = { _ in }
    ) throws -> TouchPicture? {
        let reply = try connection.reply(to: RequestLine("devices", id: 1), id: 1, event: event)
        let devices = reply.json["devices"]?.elements ?? []
        let panel = devices.first { $0["output"] != nil && (device == nil || $0["device"]?.string == device) }
        guard let panel, let name = panel["device"]?.string else { return nil }
        let list = try connection.reply(to: RequestLine("regions", id: 2), id: 2, event: event)
        let regions = list.json["regions"]?.elements ?? []
        return TouchPicture(
            device: name, width: panel["output"]?["width"]?.number ?? 0,
            height: panel["output"]?["height"]?.number ?? 0, regions: regions.compactMap(RegionEntry.init))
    }

    /// Until somebody interrupts, or the daemon goes away.
    private func draw(_ picture: inout TouchPicture, _ connection: DaemonConnection, _ interrupt: CInt) throws {
        while true {
            let size = Terminal.size
            Terminal.show(picture.lines(columns: size.columns, rows: size.rows))
            // Trails fade; without one only the terminal's size may change.
            switch try connection.next(within: picture.hasTrails ? 100 : 1000, orReadable: interrupt) {
            case .line(let line): if Self.follow(line, &picture) { try refresh(&picture, connection) }
            case .timeout: picture.fade(at: MonotonicClock.now())
            case .interrupted: return
            case .end: throw connection.lost()
            }
        }
    }

    /// - Returns: whether the daemon must be asked: other regions, a scene, another panel in the place of this one.
    private static func follow(_ line: [UInt8], _ picture: inout TouchPicture) -> Bool {
        guard let event = JSONValue(parsing: line) else { return false }
        switch event["event"]?.string {
        case "touches" where event["device"]?.string == picture.device: picture.follow(event)
        case "config", "device": return true
        default: break
        }
        return false
    }

    /// Asks what is there now. What is touched meanwhile counts, and what changes meanwhile is asked for again.
    private func refresh(_ picture: inout TouchPicture, _ connection: DaemonConnection) throws {
        var isOutdated = true
        while isOutdated {
            isOutdated = false
            let now = try self.picture(connection, of: picture.device) { line in
                if Self.follow(line, &picture) { isOutdated = true }
            }
            if let now { picture.show(now) } else { picture.isMissing = true }
        }
    }
}
