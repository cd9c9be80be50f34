// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureEngine
import GesturePipeline
import Recordings

struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure how people tap, swipe or hold, or where a panel has noise, and suggest settings.",
        discussion: """
            Asks for some repetitions anywhere on the panel, regardless of regions. Prints their durations, \
            distances and speeds, how many of them the current settings reject, and a table [defaults] that would \
            accept them. Velocities are measured as in the daemon. Everything except the table is a comment, so \
            the output is a configuration file. Ctrl-C ends the measurement early.

            With noise, nobody touches the panel: where contacts land nevertheless, as on a cracked or wet panel, a \
            mask hides them.
            """)

    @OptionGroup var socket: SocketOptions

    @Argument(help: "tap, swipe, hold or noise.")
    var subject: MeasuredSubject

    @Option(help: ArgumentHelp("The number of repetitions. (default: 20; all in a recording)", valueName: "n"))
    var count: Int?

    @Flag(help: "Measure pairs of taps and the gap between them.")
    var double = false

    @OptionGroup var choice: PanelOption

    @OptionGroup var configuration: ConfigurationOptions

    @Option(help: ArgumentHelp("Measure a recording instead of a panel.", valueName: "file"), completion: .file())
    var recording: String?

    @Option(
        help: ArgumentHelp("Compare with the settings of this profile. (default: \"default\")", valueName: "id"),
        completion: DaemonNames.profiles)
    var profile: String?

    @Option(help: ArgumentHelp("How long to listen for noise. (default: 30s)", valueName: "time"))
    var duration: Seconds?

    @Option(
        defaultAsFlag: "", parsing: .next,
        help: ArgumentHelp(
            "Write the masks against noise into a file of the configuration, by default one in conf.d.",
            valueName: "file"), completion: .file())
    var write: String?

    @Flag(help: "Print one line of JSON.")
    var json = false

    func validate() throws {
        try CountOption.check(count)
        if double, subject != .tap {
            throw ValidationError("--double is for taps; use gesturectl measure tap --double")
        }
        if subject == .noise, count != nil {
            throw ValidationError("--count is for repetitions; use --duration for noise")
        }
        if subject != .noise, duration != nil || write != nil {
            throw ValidationError("--duration and --write are for noise; use gesturectl measure noise")
        }
        if write == "-" {
            throw ValidationError("--write cannot be \"-\", because the result is printed anyway; pass a file")
        }
        if recording != nil, duration != nil || write != nil {
            throw ValidationError("--duration and --write are for a panel; leave out --recording")
        }
    }

    func run() throws {
        guard let gesture = subject.gesture else { return try measureNoise() }
        let report = try recording.map { try measure(gesture, recording: $0) } ?? measurePanel(gesture)
        guard let report else { return StandardError.tell("interrupted before anything was measured") }
        StandardOutput.write(json ? report.line : Array(report.text(in: StandardOutput.layout).utf8))
    }

    private func measure(_ gesture: MeasuredGesture, recording path: String) throws -> MeasureReport {
        let file = try LibinputDevice(reading: path, device: choice.device)
        let setup = try MeasureSetup(file.recording, config: configuration.files, profile: profile, source: path)
        var meter = PanelMeter(
            setup, from: file.recording, limits: gesture.limits(setup.inUse), isPaired: double)
        var attempts: [[ContactTrack]] = []
        for entry in file.recording.entries {
            guard let attempt = meter.take(entry) else { continue }
            attempts.append(attempt)
            if attempts.count == count { break }
        }
        if attempts.count != count, let attempt = meter.finish() { attempts.append(attempt) }
        guard !attempts.isEmpty else {
            let rest = meter.leftOutText.map { "; " + $0 } ?? ""
            throw ToolError(.data, "\(path.safe): the recording contains no \(gesture.rawValue) of one finger" + rest)
        }
        return report(gesture, attempts, meter, setup)
    }

    /// - Returns: `nil` if it was interrupted before anything was measured.
    private func measurePanel(_ gesture: MeasuredGesture) throws -> MeasureReport? {
        let connection = try socket.connect()
        StandardOutput.endIfUnread()
        let signals = try SignalWait()
        let feed = try PanelFeed(connection, device: choice.device, signals: signals.rawValue)
        guard var recording = try feed.begin() else { return nil }
        var setup = try MeasureSetup(recording, config: configuration.files, profile: profile, source: feed.device)
        if setup.follow(feed.output) {
            StandardError.tell(
                "the daemon uses another configuration for \"\(feed.device.safe)\"; pass it with --config")
        }
        let count = count ?? 20
        let instruction = gesture.instruction(count: count, isDouble: double)
        StandardError.tell("on \"\(feed.device.safe)\": \(instruction); to end earlier, press Ctrl-C")
        var meter = PanelMeter(setup, from: recording, limits: gesture.limits(setup.inUse), isPaired: double)
        let attempts = try feed.attempts(count, of: "measurement", &recording, &meter) { gesture.summary($0) }
        return attempts.isEmpty ? nil : report(gesture, attempts, meter, setup)
    }

    private func report(
        _ gesture: MeasuredGesture, _ attempts: [[ContactTrack]], _ meter: borrowing PanelMeter, _ setup: MeasureSetup
    ) -> MeasureReport {
        MeasureReport(
            gesture: gesture, panel: setup.panel, count: attempts.count, leftOut: meter.leftOut,
            leftOutText: meter.leftOutText,
            finding: gesture.finding(attempts, setup.inUse, bounds: setup.panel.size.bounds), advice: meter.advice)
    }
}
