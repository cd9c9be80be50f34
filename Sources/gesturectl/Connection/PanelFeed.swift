// SPDX-License-Identifier: MIT
import GesturePipeline
import GestureProtocol
import LinuxSystem
import Recordings

/// What one panel says, from the daemon: its description and then frame after frame, as a recording has them.
struct PanelFeed {
    /// Why no more frames come.
    enum End: Hashable {
        /// Somebody asked the tool to end; all that other clients have seen until then has been told.
        case interrupted
        case timeout
        /// The panel was unplugged; that was told.
        case removed
        case daemonGone
        /// The tool was too slow.
        case framesLost
    }

    /// Microseconds that an interrupted tool waits for its last frames.
    private static let longestFarewell: Int64 = 1_000_000

    let connection: DaemonConnection
    /// The panel's id.
    let device: String
    /// `/dev/input/event4`; empty when the daemon does not say.
    let node: String
    /// What it is mapped to, as the daemon's `devices` reply has it.
    let output: JSONValue?
    private let signals: CInt

    /// Subscribes to the raw frames.
    /// - Parameters:
    ///   - device: nil: the only one that is ready.
    ///   - signals: becomes readable when the tool shall end.
    init(_ connection: DaemonConnection, device: String?, signals: CInt) throws {
        self.connection = connection
        self.signals = signals
        let panel = try Self.panel(connection, device)
        self.device = device ?? panel?["device"]?.string ?? ""
        node = panel?["node"]?.string ?? ""
        output = panel?["output"]
        var request = RequestLine("subscribe", id: 1)
        request.add("events", ["frame"])
        _ = try connection.reply(to: request, id: 1)
    }

    /// Its entry among the daemon's devices; of a panel with a name nil, when the daemon does not know it.
    /// - Throws: when there is none or a choice.
    private static func panel(_ connection: DaemonConnection, _ device: String?) throws -> JSONValue? {
        let reply = try connection.reply(to: RequestLine("devices", id: 2), id: 2)
        let devices = reply.json["devices"]?.elements ?? []
        if let device { return devices.first { $0["device"]?.string == device } }
        let ready = devices.filter { $0["state"]?.string == "ready" }
        guard let first = ready.first else {
            throw ToolError(.unavailable, "no panel is ready; gesturectl devices says why")
        }
        guard ready.count == 1 else {
            let names = ready.compactMap { $0["device"]?.string }
            throw ToolError(
                .usage, "several panels are ready; choose one with --device: \(names.joined(separator: ", "))")
        }
        return first
    }

    /// Asks until nothing is under way, so that a replay begins where the recording did.
    /// - Returns: a recording without entries; nil when interrupted.
    func begin() throws -> Recording? {
        var request = RequestLine("describe", id: 3)
        request.add("device", device)
        var hasSaidSo = false
        while true {
            let reply = try connection.reply(to: request, id: 3)
            guard let recording = Recording(describing: reply.json, device: device) else {
                throw ToolError(
                    .software, "the daemon's description of \"\(device.safe)\" cannot be read; same versions?")
            }
            if reply.json["idle"]?.bool == true { return recording }
            if !hasSaidSo { StandardError.write("gesturectl: waiting until nothing touches the panel\n") }
            hasSaidSo = true
            guard try pause() else { return nil }
        }
    }

    /// Lets a tenth of a second pass. What happens meanwhile is before the recording.
    /// - Returns: false when interrupted.
    private func pause() throws -> Bool {
        let end = MonotonicClock.now() + 100_000
        while MonotonicClock.now() < end {
            switch try connection.next(within: 100, orReadable: signals) {
            case .line: continue
            case .timeout: return true
            case .interrupted: return false
            case .end: throw connection.lost()
            }
        }
        return true
    }

    /// Tells `body` each frame of the panel as it comes, until it returns false or there are no more.
    /// - Parameter duration: in microseconds; nil: without end.
    /// - Returns: nil when `body` has had enough.
    func forEachFrame(within duration: Int64? = nil, _ body: (JSONValue) throws -> Bool) throws -> End? {
        var isEnding = false
        var end = duration.map { MonotonicClock.now() + $0 }
        while true {
            let left = end.map { max(0, $0 - MonotonicClock.now()) }
            if left == 0 { return isEnding ? .interrupted : .timeout }
            let milliseconds = left.map { CInt(clamping: $0 / 1000 + 1) } ?? -1
            switch try connection.next(within: milliseconds, orReadable: isEnding ? -1 : signals) {
            case .timeout: continue
            case .interrupted:
                // What other clients have seen until now may still be on its way to this one: it comes
                // before the answer.
                isEnding = true
                end = MonotonicClock.now() + Self.longestFarewell
                try connection.send(RequestLine("ping", id: 4))
            case .end: return .daemonGone
            case .line(let line):
                guard let event = JSONValue(parsing: line) else { continue }
                if event["reply"]?.string == "ping" { return .interrupted }
                guard event["event"]?.string != "overflow" else { return .framesLost }
                guard event["event"]?.string == "frame", event["device"]?.string == device else { continue }
                guard try body(event) else { return nil }
                if event["removed"]?.bool == true { return .removed }
            }
        }
    }
}
