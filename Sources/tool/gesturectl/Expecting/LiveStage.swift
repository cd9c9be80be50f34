// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureProtocol

/// The running daemon, and the virtual panel on which cases are played for it and for all other programs.
final class LiveStage {
    private let daemon: DaemonConnection
    private let signals: SignalWait
    /// The panel of the last case. It stays for the next case, unless that needs another one.
    private var panel: (description: DeviceDescription, player: Player, id: String)?

    init(_ socket: SocketOptions) throws {
        daemon = try socket.connect()
        signals = try SignalWait()
    }

    /// Plays the touches of a case, and returns the lines of gestures that the daemon has sent for its panel.
    func lines(
        of source: ReplaySource, _ options: ExpectOptions, updates: Bool, named place: String
    ) throws -> [JSONValue] {
        try check(options, place)
        let recording = try PlayedRecording(source.recording, named: place)
        if panel?.description != recording.description { try plug(recording) }
        guard let panel else { return [] }
        let phases = GestureClient.Gesture.Phase.allCases.filter { $0 != .update || updates }
        try EventFilter.everything.subscribe(daemon, [.gesture], phases: Set(phases), devices: [panel.id])
        var player = panel.player
        try recording.reset(&player)
        if try recording.play(on: &player, longestPause: nil, stay: Play.stay) == .interrupted { signals.end() }
        return try arrived(place)
    }

    /// - Throws: `ToolError` 1 if the case needs a scene or profile that the daemon does not have now.
    private func check(_ options: ExpectOptions, _ place: String) throws {
        let status = try daemon.reply(to: RequestLine("status")).json
        for (word, wanted, initial) in [("scene", options.scene, ""), ("profile", options.profile, "default")] {
            let current = status[word]?.string ?? initial
            guard let wanted, wanted != current else { continue }
            throw ToolError(
                .notFound,
                "\(place): the daemon has the \(word) \"\(current.safe)\"; choose it with gesturectl \(word) "
                    + wanted.safe)
        }
    }

    private func plug(_ recording: PlayedRecording) throws {
        panel = nil
        let player = try recording.plug(signals: signals.rawValue)
        var readers = PanelReaders(of: player.node, daemon: daemon, signals: signals.rawValue)
        guard try readers.wait(atMost: Play.wait) else { return signals.end() }
        guard let row = try daemon.devices().first(where: { $0.node == player.node }), row.state == "ready" else {
            StandardError.tell(readers.text)
            throw ToolError(.unavailable, "the daemon does not use the panel \(player.node); see gesturectl devices")
        }
        panel = (recording.description, player, row.id)
    }

    /// Returns the lines that have arrived by now.
    private func arrived(_ place: String) throws -> [JSONValue] {
        var (lines, isComplete) = ([JSONValue](), true)
        _ = try daemon.devices { line in
            guard let event = JSONValue(parsing: line) else { return }
            switch event["event"]?.string {
            case "gesture": lines.append(event)
            case "overflow": isComplete = false
            default: break
            }
        }
        guard isComplete else {
            throw ToolError(.data, "\(place): the daemon has dropped lines; make the case shorter")
        }
        return lines
    }
}
