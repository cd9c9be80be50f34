// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureEngine
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

            With --stroke, asks you to draw a shape a few times, and prints it as a gesture for the configuration.
            """)

    @OptionGroup var socket: SocketOptions

    @OptionGroup var output: RecordingOutput

    @OptionGroup var choice: PanelOption

    @Option(help: ArgumentHelp("End after this time: 10s, 500ms, 2min.", valueName: "time"))
    var duration: Seconds?

    @Option(help: ArgumentHelp("Draw a stroke instead, and print a gesture with this name.", valueName: "name"))
    var stroke: String?

    @Option(help: ArgumentHelp("How often the stroke is drawn, 1 to 16. (default: 3)", valueName: "n"))
    var count: Int?

    @OptionGroup var configuration: ConfigurationOptions

    func validate() throws {
        guard let stroke else {
            if count != nil { throw ValidationError("--count is for strokes; pass --stroke") }
            return
        }
        if let count, !(1...StrokeTemplate.most).contains(count) {
            throw ValidationError("--count is \(count); use a number from 1 to \(StrokeTemplate.most)")
        }
        if duration != nil || output.format != nil {
            throw ValidationError("--stroke makes no recording; leave out --duration and --format")
        }
        if let mistake = StrokeDrawing.mistake(inName: stroke) { throw ValidationError(mistake) }
    }

    func run() throws {
        if let stroke { return try draw(stroke) }
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

extension Record {
    /// Takes drawings from the panel, and writes the gesture.
    private func draw(_ name: String) throws {
        let path = output.path
        try FileBytes.checkWritable(path)
        let connection = try socket.connect()
        if path == "-" { StandardOutput.endIfUnread() }
        let signals = try SignalWait()
        let feed = try PanelFeed(connection, device: choice.device, signals: signals.rawValue)
        guard var recording = try feed.begin() else { return StandardError.tell("interrupted; nothing was drawn") }
        var setup = try MeasureSetup(recording, config: configuration.files, source: feed.device)
        _ = setup.follow(feed.output)
        let count = count ?? 3
        StandardError.tell(
            "on \"\(feed.device.safe)\": draw the shape \(counted(count, "time")) with one finger; to end earlier, press "
                + "Ctrl-C")
        var meter = PanelMeter(setup, from: recording, limits: StrokeDrawing.limits, isPaired: false)
        let attempts = try feed.attempts(count, of: "drawing", &recording, &meter) { StrokeDrawing.summary($0) }
        let drawings = attempts.flatMap { $0 }.compactMap { StrokeDrawing($0) }
        guard !drawings.isEmpty else { return StandardError.tell("nothing was drawn") }
        for remark in StrokeDrawing.remarks(drawings, name: name, regions: setup.panel.regions) {
            StandardError.tell("warning: \(remark)")
        }
        try FileBytes.write(Array((StrokeDrawing.gesture(name, drawings) + "\n").utf8), to: path)
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
