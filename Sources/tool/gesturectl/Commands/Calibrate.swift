// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GestureClient
import GestureConfiguration
import GestureProtocol
import Glibc
import LinuxSystem
import Recordings

struct Calibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find the calibration of a panel with targets on its display.",
        discussion: """
            Asks for touches of targets on the display, which the page /calibrate of gestured-web shows, or a text \
            console. Prints the error before and after, and the calibration as a line of the configuration and as a \
            rule for udev. Touches that do not fit are named and repeated. Gestures are not recognized meanwhile. \
            Ctrl-C leaves everything as it was.

            With --screens, it finds out which panel lies on which output of the compositor.
            """)

    @OptionGroup var socket: SocketOptions

    @Argument(help: "The panel; it may be left out if there is only one.", completion: DaemonNames.devices)
    var device: String?

    @Flag(
        help: """
            Show a cross on each output of the compositor in turn, learn which panel is touched, and print its output \
            for the configuration, compositors and udev.
            """)
    var screens = false

    @Option(help: ArgumentHelp("The number of targets, 4 to 9. (default: 5)", valueName: "n"))
    var targets: Int?

    @Option(
        defaultAsFlag: "", parsing: .next,
        help: ArgumentHelp(
            """
            Show the targets on this text console, which must fill the display, instead of on the page; without a \
            path, on this terminal. A Linux console does so by itself.
            """, valueName: "path"), completion: .file())
    var tty: String?

    @Option(
        defaultAsFlag: "", parsing: .next,
        help: ArgumentHelp(
            "Write the calibration into a file of the configuration, by default one in conf.d.", valueName: "file"),
        completion: .file())
    var write: String?

    @Option(
        defaultAsFlag: "", parsing: .next,
        help: ArgumentHelp(
            "Write the rule into a file, by default one in /etc/udev/rules.d, for the daemon and the compositor.",
            valueName: "file"), completion: .file())
    var udev: String?

    @Flag(help: "Write what the last touches have told, without new ones.")
    var last = false

    @Flag(help: "Remove the files that --write and --udev have written.")
    var reset = false

    @OptionGroup var configuration: ConfigurationOptions

    func validate() throws {
        if let targets, !CalibrationTarget.counts.contains(targets) {
            throw ValidationError("--targets is \(targets); use a number from 4 to 9")
        }
        if targets != nil || tty != nil, let other = reset ? "reset" : last ? "last" : screens ? "screens" : nil {
            throw ValidationError("--\(other) shows no targets; leave out --targets and --tty")
        }
        if last, reset || write == nil && udev == nil {
            throw ValidationError("--last writes what was touched last; pass it with --write or --udev")
        }
        if screens, device == nil,
            let (option, _) = [("write", write), ("udev", udev)].first(where: { $0.1?.isEmpty == false })
        {
            throw ValidationError(
                "--screens would write several panels into the file of --\(option); leave out the file, or name a panel"
            )
        }
        for (option, path) in [("write", write), ("udev", udev)] where path == "-" {
            throw ValidationError("--\(option) cannot be \"-\", because the result is printed anyway; pass a file")
        }
        for (option, path) in [("tty", tty), ("write", write), ("udev", udev)] {
            guard let path, !path.isEmpty, !path.contains("/") else { continue }
            throw ValidationError(
                "--\(option) would use the file \"\(path.safe)\"; pass ./\(path.safe), or name the panel before the "
                    + "option")
        }
    }

    func run() throws {
        if reset { return try removeFiles() }
        let connection = try socket.connect()
        StandardOutput.endIfUnread()
        let signals = try SignalWait()
        try Self.checkRights(connection)
        if screens { return try findScreens(connection, signals) }
        let found = try connection.panel(device, choice: Self.choice)
        guard found.output != nil else {
            throw ToolError(.notFound, "panel \"\(found.id.safe)\" is not ready; see gesturectl devices")
        }
        let description = try connection.describe(found.id).recording.description
        let id = found.calibrationID(description)
        let files = files(of: id)
        for file in files { try file.check() }
        if !files.isEmpty { try found.checkDistinct(description, on: connection) }
        let configured = try write == nil ? nil : CalibrationConfiguration(configuration.files, found, id: id)
        if last {
            let finding = try Self.lastFinding(.calibration, id)
            StandardOutput.write(Array("\(finding.key)\n\(finding.rule(for: description))\n".utf8))
            return try writeFiles(finding, files, found, id, description, configured)
        }
        try TargetDisplay.checkRegions(connection)
        let feed = try PanelFeed(connection, panel: found, signals: signals.rawValue, events: ["config"])
        guard let recording = try feed.begin() else { return Self.endInterrupted(signals) }
        guard let panel = CalibratedPanel(feed.output, recording.description) else {
            throw ToolError(.software, "the daemon's description of the panel cannot be read; do the versions match?")
        }
        guard let round = try collect(feed, recording, panel, signals.rawValue) else {
            return Self.endInterrupted(signals)
        }
        try Self.checkOutput(feed, connection)
        guard let finding = try report(round, panel)?.finding else { return }
        let isKept = finding.keep(for: id)
        if files.isEmpty {
            StandardError.tell(
                "nothing was written; to keep it, pass --write or --udev" + (isKept ? " with --last" : ""))
        }
        try writeFiles(finding, files, found, id, recording.description, configured)
    }

    static let choice = "name one of them (--screens finds out which lies where)"

    /// - Throws: `ToolError` 77 if this user may not see touches, or not define the regions of the targets. The right
    ///   `define` is not enough for their ids.
    private static func checkRights(_ connection: DaemonConnection) throws {
        let (status, words) = try connection.status()
        let missing = Rights([.control, .raw]).subtracting(Rights(words: words))
        guard !missing.isEmpty else { return }
        let denial = missing.denial(
            of: "gesturectl calibrate", to: geteuid(), needsAll: true, files: status["config"]?.texts("files") ?? [])
        throw ToolError(.noPermission, ToolError.namingUser(in: denial.message).safe)
    }

    /// - Parameter connection: one whose events are not needed.
    /// - Throws: `ToolError` 75 if the output has changed since the start. A panel that has gone has none.
    private static func checkOutput(_ feed: PanelFeed, _ connection: DaemonConnection) throws {
        let output = try connection.devices().first { $0.id == feed.device }?.output
        guard output == nil || output == feed.output else {
            throw ToolError(.busy, "the output of the panel has changed meanwhile; calibrate it again")
        }
    }

    /// Ends the tool with the signal.
    static func endInterrupted(_ signals: borrowing SignalWait) {
        StandardError.tell("interrupted; nothing was changed")
        signals.end()
    }
}

extension Calibrate {
    /// Shows the targets and takes the touches.
    /// - Returns: `nil` if it was interrupted.
    private func collect(
        _ feed: PanelFeed, _ recording: Recording, _ panel: CalibratedPanel, _ interrupt: CInt
    ) throws -> CalibrationRound? {
        let path = tty ?? (TextConsole.isOwn ? "" : nil)
        // On the tool's own terminal, the screen shows the same texts.
        let isOwn = path?.isEmpty == true
        let console = try path.map { try TextConsole($0.isEmpty ? TextConsole.own : $0, interrupt: interrupt) }
        defer { console?.leave() }
        if !isOwn {
            let place = path.map { "on \($0.safe)" } ?? "on the page /calibrate of gestured-web"
            StandardError.tell(
                "on \"\(feed.device.safe)\": hold a finger on each target \(place) for a moment; Ctrl-C ends this")
        }
        let connection = try socket.connect()
        let display = TargetDisplay(connection, device: feed.device, panel: panel, console: console)
        var session = CalibrationSession(targets ?? 5, recording, panel, on: display) { text in
            if !isOwn { StandardError.write("  \(text)\n") }
        }
        try session.show()
        let end = try feed.forEachFrame(configured: { try Self.checkOutput(feed, connection) }) {
            try session.take($0)
        }
        switch end {
        case .daemonGone: throw feed.connection.lost()
        case .removed: throw ToolError(.notFound, "the panel has gone; plug it in and calibrate it again")
        case .framesLost: throw ToolError(.busy, "frames were lost; calibrate the panel again")
        case nil: return session.round.current == nil ? session.round : nil
        }
    }

    /// Prints the calibration.
    /// - Returns: `nil` if the panel needs none.
    /// - Throws: `ToolError` 65 if the touches do not make one, or it is worse than the one in force.
    private func report(_ round: CalibrationRound, _ panel: CalibratedPanel) throws -> CalibrationNumbers? {
        guard let fit = round.fit else {
            throw ToolError(
                .data,
                "the touches lie on one line, or too few targets are within the axes of the panel; touch each target")
        }
        let calibration = fit.mapping.rotated(by: panel.rotation.inverse)
        let size = panel.size(fit.mapping)
        let pairs = round.pairs + round.unreachablePairs
        let errors = CalibrationErrors(
            before: pairs.map { panel.current.error(of: $0, size) },
            after: pairs.map { fit.mapping.error(of: $0, size) })
        var lines = [
            "error before: \(CalibrationErrors.text(errors.before))",
            "error after:  \(CalibrationErrors.text(errors.after))",
        ]
        if !round.unreachablePairs.isEmpty {
            lines.append("fitted to:    \(round.pairs.count) of \(pairs.count) targets")
        }
        let remarks = calibration.axisRemarks
        if !remarks.isEmpty { lines.append("axes:         \(remarks.joined(separator: ", "))") }
        StandardOutput.write(lines.joined(separator: "\n") + "\n")
        if errors.areWorse {
            throw ToolError(.data, "this is worse than the calibration in force; nothing was written; try again")
        }
        if panel.isUncalibrated, errors.areNoise {
            StandardError.tell("the panel needs no calibration; nothing was written")
            return nil
        }
        if round.isNotLinear {
            StandardError.tell(
                "the panel is not linear: with the best calibration, touches are still up to "
                    + "\(fixed(fit.errors.max() ?? 0, 1)) mm off, which none can correct")
        }
        let numbers = CalibrationNumbers(calibration)
        // These lines are copied, so they are not wrapped.
        StandardOutput.write(Array("\(numbers.finding.key)\n\(numbers.finding.rule(for: panel.description))\n".utf8))
        if let rotation = panel.rotation(insteadOf: calibration) {
            StandardError.tell(
                "the panel is upside down: for gestured, rotation = \(rotation) in its output is the simpler cure; a "
                    + "compositor needs the rule")
        }
        return numbers
    }
}
