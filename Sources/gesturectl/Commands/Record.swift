// SPDX-License-Identifier: MIT
import ArgumentParser
import GesturePipeline
import GestureProtocol
import LinuxSystem
import Recordings

struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record the raw events of a panel for a replay.",
        discussion: """
            Asks the daemon for the panel's raw events, which needs no root and disturbs nothing. Starts as soon as \
            nothing touches the panel. Ends when it is interrupted (Ctrl-C), after --duration, or when the panel is \
            removed. Writes a file in the format of evemu or of libinput record. From it, gesturectl replay produces \
            the lines that the daemon sent to its clients.
            """)

    @OptionGroup var socket: SocketOptions

    @OptionGroup var output: RecordingOutput

    @OptionGroup var choice: PanelOption

    @Option(help: ArgumentHelp("End after this time: 10s, 500ms, 2min.", valueName: "time"))
    var duration: Seconds?

    func run() throws {
        let path = output.path
        try FileBytes.checkWritable(path)
        let connection = try socket.connect()
        connection.endsWithOutput = path == "-"
        let signals = try SignalWait()
        let panel = try PanelFeed(connection, device: choice.device, signals: signals.rawValue)
        guard var recording = try panel.begin() else {
            return StandardError.tell("interrupted before anything was recorded")
        }
        if path == "-" { StandardOutput.endIfUnread() }
        StandardError.tell("recording \"\(panel.device.safe)\"; end with Ctrl-C")
        var frames = 0
        let end = try panel.forEachFrame(within: duration?.microseconds) { frame in
            if recording.append(frame: frame) { frames += 1 }
            return true
        }
        if end == .daemonGone { StandardError.tell("the daemon has gone; the recording ends here") }
        if end == .framesLost { StandardError.tell("frames were lost here; the recording ends before them") }
        try output.write(recording, node: panel.node)
        StandardError.tell(counted(frames, "frame") + (path == "-" ? "" : " in \(path.safe)"))
    }
}

struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert a recording to the other format.",
        discussion: """
            Reads files of evemu and of libinput record, and writes either format without losing an event. If a \
            recording contains several devices, --device selects the one to convert.
            """)

    @Argument(
        help: ArgumentHelp("The recording; - for standard input.", valueName: "recording"), completion: .file())
    var recording: String

    @OptionGroup var output: RecordingOutput

    @Option(
        help: ArgumentHelp(
            "The device to use if the recording contains several: its node, name or id.", valueName: "device"))
    var device: String?

    func run() throws {
        let file = try LibinputDevice(reading: recording, device: device)
        try output.write(file.recording, node: file.node)
    }
}
