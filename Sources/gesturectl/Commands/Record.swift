// SPDX-License-Identifier: MIT
import GestureProtocol
import ArgumentParser
import GesturePipeline
import LinuxSystem

/// `gesturectl record`
struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record what a panel says, to be replayed.",
        discussion: """
            Asks the daemon for the panel's raw events: needs no root and disturbs nothing. Begins as soon as nothing \
            touches the panel, ends when it is interrupted (Ctrl-C), after the duration, or when the panel goes. What \
            it writes is an evemu file; gesturectl replay makes the lines of it that the daemon's clients saw.
            """)

    @OptionGroup var socket: SocketOptions

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where to write; - is the standard output.", valueName: "file"),
        completion: .file())
    var output = "-"

    @Option(
        help: ArgumentHelp("The panel. (default: the one that is ready)", valueName: "id"),
        completion: DaemonNames.devices)
    var device: String?

    @Option(help: ArgumentHelp("End after so long: 10s, 500ms, 2min.", valueName: "time"))
    var duration: Seconds?

    /// Microseconds that an interrupted recording waits for its last frames.
    private static let longestFarewell: Int64 = 1_000_000

    func run() throws {
        let connection = try socket.connect()
        connection.endsWithOutput = output == "-"
        let signals = try SignalWait()
        let device = try device ?? onlyPanel(connection)
        var request = RequestLine("subscribe", id: 1)
        request.add("events", ["frame"])
        _ = try connection.reply(to: request, id: 1)
        guard var recording = try begin(connection, device, signals.rawValue) else {
            return StandardError.write("gesturectl: interrupted before anything was recorded\n")
        }
        if output == "-" { StandardOutput.endIfUnread() }
        StandardError.write("gesturectl: recording \"\(device.safe)\"; end with Ctrl-C\n")
        let frames = try collect(into: &recording, connection, signals.rawValue)
        let bytes = RecordingWriter.write(recording)
        output == "-" ? StandardOutput.write(bytes) : try FileBytes.write(bytes, to: output)
        StandardError.write(
            "gesturectl: \(frames) frame\(frames == 1 ? "" : "s")" + (output == "-" ? "" : " in \(output.safe)") + "\n")
    }

    /// - Throws: when there is none or a choice.
    private func onlyPanel(_ connection: DaemonConnection) throws -> String {
        let reply = try connection.reply(to: RequestLine("devices", id: 2), id: 2)
        let ready = (reply.json["devices"]?.elements ?? []).filter { $0["state"]?.string == "ready" }
            .compactMap { $0["device"]?.string }
        guard let first = ready.first else {
            throw ToolError(.unavailable, "no panel is ready; gesturectl devices says why")
        }
        guard ready.count == 1 else {
            throw ToolError(
                .usage, "several panels are ready; choose one with --device: \(ready.joined(separator: ", "))")
        }
        return first
    }

    /// Asks until nothing is under way, so that a replay begins where the recording did.
    /// - Returns: nil when interrupted.
    private func begin(_ connection: DaemonConnection, _ device: String, _ signals: CInt) throws -> Recording? {
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
            guard try pause(connection, signals) else { return nil }
        }
    }

    /// Lets a tenth of a second pass. What happens meanwhile is before the recording.
    /// - Returns: false when interrupted.
    private func pause(_ connection: DaemonConnection, _ signals: CInt) throws -> Bool {
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

    /// - Returns: the number of frames.
    private func collect(
        into recording: inout Recording, _ connection: DaemonConnection, _ signals: CInt
    ) throws -> Int {
        var frames = 0
        var isEnding = false
        var end = duration.map { MonotonicClock.now() + $0.microseconds }
        while true {
            let left = end.map { max(0, $0 - MonotonicClock.now()) }
            if left == 0 { return frames }
            let milliseconds = left.map { CInt(clamping: $0 / 1000 + 1) } ?? -1
            switch try connection.next(within: milliseconds, orReadable: isEnding ? -1 : signals) {
            case .timeout: return frames
            case .interrupted:
                // What other clients have seen until now may still be on its way to this one: it comes
                // before the answer.
                isEnding = true
                end = MonotonicClock.now() + Self.longestFarewell
                try connection.send(RequestLine("ping", id: 4))
            case .end:
                StandardError.write("gesturectl: the daemon has gone; the recording ends here\n")
                return frames
            case .line(let line):
                guard let event = JSONValue(parsing: line) else { continue }
                if event["reply"]?.string == "ping" { return frames }
                guard event["event"]?.string != "overflow" else {
                    StandardError.write("gesturectl: frames were lost here; the recording ends before them\n")
                    return frames
                }
                guard event["event"]?.string == "frame", event["device"]?.string == recording.device,
                    recording.append(frame: event)
                else { continue }
                frames += 1
                if event["removed"]?.bool == true { return frames }
            }
        }
    }
}
