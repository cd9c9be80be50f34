// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureEngine
import GesturePipeline
import Recordings

struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure how people tap, swipe or hold, and suggest settings.",
        discussion: """
            Asks for some repetitions anywhere on the panel, whatever regions are there, and prints how long, how far \
            and how fast they were, how many of them the settings in use refuse, and a table [defaults] that would do. \
            Velocities are those that the daemon finds. All but that table are comments: the output is a configuration \
            file. Ctrl-C ends with what there is.
            """)

    @OptionGroup var socket: SocketOptions

    @Argument(help: "tap, swipe or hold.")
    var gesture: MeasuredGesture

    @Option(help: ArgumentHelp("So many times. (default: 20; of a recording, all)", valueName: "n"))
    var count: Int?

    @Flag(help: "Taps in pairs, for the gap between them.")
    var double = false

    @Option(
        help: ArgumentHelp("The panel. (default: the one that is ready)", valueName: "id"),
        completion: DaemonNames.devices)
    var device: String?

    @Option(
        name: [.customShort("c"), .long],
        help: ArgumentHelp("The configuration in use. (default: as the daemon's)", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(help: ArgumentHelp("Measure a recording instead of a panel.", valueName: "file"), completion: .file())
    var recording: String?

    @Flag(help: "Print one line of JSON.")
    var json = false

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count \(count): give at least 1") }
        if double, gesture != .tap { throw ValidationError("--double is for taps: gesturectl measure tap --double") }
    }

    func run() throws {
        let report = try recording.map { try measure(recording: $0) } ?? measurePanel()
        guard let report else { return StandardError.tell("interrupted before anything was measured") }
        StandardOutput.write(json ? report.line : Array(report.text.utf8))
    }

    private func measure(recording path: String) throws -> MeasureReport {
        let file = try LibinputDevice(reading: path, device: device)
        let setup = try MeasureSetup(file.recording, config: config, source: path)
        var meter = PanelMeter(
            setup, from: file.recording, limits: gesture.limits(setup.inUse), isPaired: double)
        var attempts: [[ContactTrack]] = []
        for entry in file.recording.entries {
            guard let attempt = meter.take(entry) else { continue }
            attempts.append(attempt)
            if attempts.count == count { break }
        }
        guard !attempts.isEmpty else {
            let rest = meter.leftOutText.map { "; " + $0 } ?? ""
            throw ToolError(.data, "\(path.safe): no \(gesture.rawValue) of one finger in it" + rest)
        }
        return report(attempts, meter, setup)
    }

    /// - Returns: nil when interrupted before anything was measured.
    private func measurePanel() throws -> MeasureReport? {
        let connection = try socket.connect()
        StandardOutput.endIfUnread()
        let signals = try SignalWait()
        let feed = try PanelFeed(connection, device: device, signals: signals.rawValue)
        guard var recording = try feed.begin() else { return nil }
        var setup = try MeasureSetup(recording, config: config, source: feed.device)
        if setup.follow(feed.output) {
            StandardError.tell("the daemon has another configuration of \"\(feed.device.safe)\"; name it with --config")
        }
        let count = count ?? 20
        let instruction = gesture.instruction(count: count, isDouble: double)
        StandardError.tell("on \"\(feed.device.safe)\": \(instruction); Ctrl-C ends earlier")
        var meter = PanelMeter(setup, from: recording, limits: gesture.limits(setup.inUse), isPaired: double)
        var attempts: [[ContactTrack]] = []
        let end = try feed.forEachFrame { frame in
            recording.entries.removeAll(keepingCapacity: true)
            guard recording.append(frame: frame) else { return true }
            let leftOut = meter.collector.leftOut
            defer {
                if meter.collector.leftOut != leftOut, let text = meter.leftOutText {
                    StandardError.write("  \(text)\n")
                }
            }
            for entry in recording.entries {
                guard let attempt = meter.take(entry) else { continue }
                attempts.append(attempt)
                StandardError.write("  \(attempts.count)/\(count)  \(gesture.summary(attempt))\n")
            }
            return attempts.count < count
        }
        say(end)
        return attempts.isEmpty ? nil : report(attempts, meter, setup)
    }

    /// Prints why it has ended early.
    private func say(_ end: PanelFeed.End?) {
        switch end {
        case .daemonGone: StandardError.tell("the daemon has gone; that is all there is")
        case .framesLost: StandardError.tell("frames were lost here; what came before them is measured")
        case .removed: StandardError.tell("the panel has gone; that is all there is")
        case nil: break
        }
    }

    private func report(
        _ attempts: [[ContactTrack]], _ meter: borrowing PanelMeter, _ setup: MeasureSetup
    ) -> MeasureReport {
        MeasureReport(
            gesture: gesture, panel: setup.panel, count: attempts.count, leftOut: meter.leftOut,
            leftOutText: meter.leftOutText,
            finding: gesture.finding(attempts, setup.inUse, bounds: setup.panel.size.bounds))
    }
}
