// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GestureConfiguration
import GesturePipeline
import GestureProtocol

/// `gesturectl replay`
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the lines that the daemon would make of a recording.",
        discussion: """
            Reads evemu files (versions 1.0 to 1.3, description and events in one) and what gesturectl record wrote. \
            Needs no daemon and no root; time is the recording's. On a terminal one readable line for each event, \
            otherwise the daemon's own lines of JSON. A device that the daemon would not use is refused with the \
            reason and status 65.
            """)

    /// What a panel is called for which the configuration has no [[device]].
    private static let fallbackName = "panel"

    @Argument(
        help: ArgumentHelp("An evemu file; - is the standard input.", valueName: "recording"),
        completion: .file())
    var recording: String

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("The configuration.", valueName: "file"),
        completion: .file())
    var config: String

    @Option(help: "Kinds of lines, with commas: gesture, failed, touches.")
    var events = ReplayEvents([.gesture])

    @Flag(help: "Also why gestures were not recognized.")
    var explain = false

    @Flag(help: "Lines of JSON on a terminal too.")
    var json = false

    @Option(help: "Colours: auto (on a terminal, unless NO_COLOR is set), always or never.")
    var color: ColorChoice = .auto

    func run() throws {
        let configuration = try ConfigurationLoading.load(config)
        let recording = try read()
        let setup = try admit(recording, configuration)
        var pipeline = PanelPipeline(
            setup, identifiers: recording.identifiers)
        let names = explain ? events.names.union([.failed]) : events.names
        pipeline.interest = LineInterest(
            updates: true, touches: names.contains(.touches), failures: names.contains(.failed))
        var output = ReplayOutput(
            EventFormatter(colors: Colors(isOn: color.isOn)),
            isReadable: !json && (StandardOutput.isTerminal || color == .always))
        let isComplete = RecordingReplay.run(recording, through: &pipeline) { line in
            if names.contains(line.event) { output.write(line) }
        }
        output.flush()
        if !isComplete {
            StandardError.write(
                "gesturectl: something still waited an hour after the last event; the replay ends there\n")
        }
    }

    private func read() throws(ToolError) -> Recording {
        let bytes = try FileBytes.read(recording, limit: RecordingReader.sizeLimit)
        do throws(RecordingError) {
            return try RecordingReader.read(bytes)
        } catch {
            let place = error.line > 0 ? "\(recording.safe):\(error.line)" : recording.safe
            throw ToolError(.data, "\(place): \(error.message)")
        }
    }

    private func admit(_ recording: Recording, _ configuration: Configuration) throws(ToolError)
        -> PanelSetup
    {
        let name = recording.device ?? Self.fallbackName
        switch PanelDecision(recording.description, configuration, fallbackName: name) {
        case .ready(let setup):
            for warning in setup.warnings {
                StandardError.write("gesturectl: warning: \(warning.safe)\n")
            }
            return setup
        case .refused(_, let reason), .ignored(_, let reason):
            throw ToolError(
                .data,
                "\(self.recording.safe): device \"\(recording.description.name.safe)\" refused: \(reason.safe)"
            )
        }
    }
}
