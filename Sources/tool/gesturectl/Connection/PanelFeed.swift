// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol
import LinuxSystem
import Recordings

/// The raw events of one panel as the daemon sends them: its description, then its frames.
struct PanelFeed {
    /// The reason why the frames ended, if the tool itself did not stop reading them.
    enum End: Hashable {
        /// The panel was unplugged. Its last frame contains `removed`.
        case removed
        case daemonGone
        /// Frames were lost because the tool was too slow.
        case framesLost
    }

    /// The time for which an interrupted tool waits for its last frames, in microseconds.
    private static let longestFarewell: Int64 = 1_000_000

    let connection: DaemonConnection
    /// The panel's id.
    let device: String
    /// The path, such as `/dev/input/event4`; empty if unknown.
    let node: String
    /// The output that the panel is mapped to; `nil` if unknown.
    let output: GestureClient.Output?
    private let signals: CInt

    /// Subscribes to the raw frames.
    /// - Parameters:
    ///   - device: the panel's id, node or name; `nil`: the only panel that is ready.
    ///   - signals: a descriptor that becomes readable when the tool should end.
    init(_ connection: DaemonConnection, device: String?, signals: CInt) throws {
        try self.init(connection, panel: try connection.panel(device), signals: signals)
    }

    /// - Parameter events: the events to subscribe to in addition to frames.
    init(
        _ connection: DaemonConnection, panel: GestureClient.Device, signals: CInt, events: [GestureClient.JSON] = []
    ) throws {
        self.connection = connection
        self.signals = signals
        self.device = panel.id
        node = panel.node
        output = panel.output
        _ = try connection.reply(to: RequestLine("subscribe", [("events", .list(["frame"] + events))]))
    }

    /// Waits until nothing touches the panel, so that the recording and its replay start in the same state.
    /// - Returns: a recording without entries; `nil` if it was interrupted.
    func begin() throws -> Recording? {
        var hasSaidSo = false
        while true {
            let (recording, isIdle) = try connection.describe(device)
            if isIdle { return recording }
            if !hasSaidSo { StandardError.tell("waiting until nothing touches the panel") }
            hasSaidSo = true
            guard try pause() else { return nil }
        }
    }

    /// Waits for a tenth of a second. Frames that arrive are not recorded.
    /// - Returns: `false` if it was interrupted.
    private func pause() throws -> Bool {
        let end = MonotonicClock.now() + 100_000
        while MonotonicClock.now() < end {
            switch try connection.next(until: end, orReadable: signals) {
            case .line: continue
            case .timeout: return true
            case .ready: return false
            case .end: throw connection.lost()
            }
        }
        return true
    }

    /// Calls `body` with each frame of the panel, until it returns `false` or the frames end.
    /// - Parameters:
    ///   - duration: in microseconds; `nil`: unlimited.
    ///   - configured: called after each `config` event.
    /// - Returns: `nil` if `body` returned `false`, the time is over, or the tool was interrupted. After an interrupt,
    ///   `body` has received every frame that other clients had received by then.
    func forEachFrame(
        within duration: Int64? = nil, configured: () throws -> Void = {}, _ body: (JSONValue) throws -> Bool
    ) throws -> End? {
        var isEnding = false
        var end = duration.map { MonotonicClock.now() + $0 }
        while true {
            if let end, end <= MonotonicClock.now() { return nil }
            switch try connection.next(until: end, orReadable: isEnding ? -1 : signals) {
            case .timeout: continue
            case .ready:
                // Frames that other clients have received may not have arrived here yet. They come before the reply to
                // this request.
                isEnding = true
                end = MonotonicClock.now() + Self.longestFarewell
                connection.send(RequestLine("ping", id: 4))
            case .end: return .daemonGone
            case .line(let line):
                guard let event = JSONValue(parsing: line) else { continue }
                if event["reply"]?.string == "ping" { return nil }
                guard event["event"]?.string != "overflow" else { return .framesLost }
                if event["event"]?.string == "config" { try configured() }
                guard event["event"]?.string == "frame", event["device"]?.string == device else { continue }
                guard try body(event) else { return nil }
                if event["removed"]?.bool == true { return .removed }
            }
        }
    }
}

extension DaemonConnection {
    /// Requests the description of a panel. The id of the request is 3.
    /// - Parameter device: the panel's id.
    /// - Returns: a recording without entries, and whether nothing touches the panel.
    func describe(_ device: String) throws -> (recording: Recording, isIdle: Bool) {
        let reply = try reply(to: RequestLine("describe", id: 3, [("device", .text(device))])).json
        guard let recording = Recording(describing: reply, device: device) else {
            throw ToolError(
                .software, "the daemon's description of \"\(device.safe)\" cannot be read; do the versions match?")
        }
        return (recording, reply["idle"]?.bool == true)
    }
}
