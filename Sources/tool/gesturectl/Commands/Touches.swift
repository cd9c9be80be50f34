// SPDX-License-Identifier: MIT
import ArgumentParser
import CLinux
import GestureClient
import GestureProtocol
import LinuxSystem

struct Touches: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the contacts on a panel as they move.",
        discussion: """
            Draws a picture on a terminal: the regions as they are now, the contacts by slot, and their trails of \
            the last second; otherwise prints the daemon's own lines of JSON. Runs until it is interrupted.
            """)

    @OptionGroup var socket: SocketOptions

    @OptionGroup var choice: PanelOption

    @Flag(help: "Print lines of JSON on a terminal too.")
    var json = false

    func run() throws {
        let connection = try socket.connect()
        guard !json, StandardOutput.isTerminal else { return try printLines(connection) }
        let panel = try connection.panel(choice.device)
        guard var picture = try picture(connection, of: panel) else {
            throw ToolError(.notFound, "panel \"\(panel.id.safe)\" is not ready; see gesturectl devices")
        }
        let events: GestureClient.JSON = ["touches", "config", "device"]
        _ = try connection.reply(to: RequestLine("subscribe", [("events", events), ("max_rate_hz", 30)]))
        let signals = try SignalWait()
        let screen = TerminalScreen(interrupt: signals.rawValue)
        screen.enter()
        defer { screen.leave() }
        try draw(&picture, on: screen, connection, signals.rawValue)
    }

    private func printLines(_ connection: DaemonConnection) throws {
        let device = try choice.device.map { try connection.panel($0).id }
        _ = try connection.reply(to: RequestLine("subscribe", [("events", ["touches"])]))
        while true {
            guard case .line(let line) = try connection.next() else { throw connection.lost() }
            guard let event = JSONValue(parsing: line), event["event"]?.string == "touches",
                device == nil || event["device"]?.string == device
            else { continue }
            StandardOutput.write(line + [0x0A])
        }
    }

    /// - Parameter event: receives the lines that come before the reply.
    /// - Returns: `nil` if the panel is not ready.
    private func picture(
        _ connection: DaemonConnection, of panel: GestureClient.Device?, event: ([UInt8]) throws -> Void = { _ in }
    ) throws -> TouchPicture? {
        guard let panel, let output = panel.output else { return nil }
        let list = try connection.reply(to: RequestLine("regions", id: 2), event: event).json
        return TouchPicture(
            device: panel.id, width: output.width, height: output.height, regions: GestureClient.Region.all(in: list))
    }

    /// Draws until it is interrupted, or the connection to the daemon ends.
    private func draw(
        _ picture: inout TouchPicture, on screen: borrowing TerminalScreen, _ connection: DaemonConnection,
        _ interrupt: CInt
    ) throws {
        while true {
            let size = screen.size
            guard screen.show(picture.lines(columns: size.columns, rows: size.rows)) else { return }
            // Trails fade, so the picture is redrawn often. Without trails, it only has to be redrawn between events if
            // the terminal is resized.
            let tick: Int64 = picture.hasTrails ? 100_000 : 1_000_000
            switch try connection.next(until: MonotonicClock.now() + tick, orReadable: interrupt) {
            case .line(let line): if Self.follow(line, &picture) { try refresh(&picture, connection) }
            case .timeout: picture.fade(at: MonotonicClock.now())
            case .ready: return
            case .end: throw connection.lost()
            }
        }
    }

    /// - Returns: whether the panel and the regions may have changed and must be queried again.
    private static func follow(_ line: [UInt8], _ picture: inout TouchPicture) -> Bool {
        guard let event = JSONValue(parsing: line) else { return false }
        switch event["event"]?.string {
        case "touches" where event["device"]?.string == picture.device: picture.follow(.init(event))
        case "config", "device": return true
        default: break
        }
        return false
    }

    /// Queries the panel and the regions, and handles touches that arrive in the meantime. If a change is reported
    /// meanwhile, they are queried again.
    private func refresh(_ picture: inout TouchPicture, _ connection: DaemonConnection) throws {
        var isOutdated = true
        while isOutdated {
            isOutdated = false
            func follow(_ line: [UInt8]) { if Self.follow(line, &picture) { isOutdated = true } }
            let panel = try connection.devices(event: follow).first { $0.id == picture.device }
            let now = try self.picture(connection, of: panel, event: follow)
            if let now { picture.show(now) } else { picture.isMissing = true }
        }
    }
}
