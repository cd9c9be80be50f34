// SPDX-License-Identifier: MIT
import ArgumentParser
import GesturePipeline
import GestureProtocol

/// `gesturectl replay`
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the lines that the daemon would make of a recording.",
        discussion: """
            Reads evemu files (versions 1.0 to 1.3, description and events in one), files of libinput record, and what \
            gesturectl record wrote. Needs no daemon and no root; time is the recording's. On a terminal one readable \
            line for each event, otherwise the daemon's own lines of JSON. A device that the daemon would not use is \
            refused with the reason and status 65.
            """)

    @Argument(
        help: ArgumentHelp("The recording; - is the standard input.", valueName: "recording"),
        completion: .file())
    var recording: String

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("The configuration.", valueName: "file"),
        completion: .file())
    var config: String

    @Option(help: ArgumentHelp("Which device of several: node, name or id.", valueName: "device"))
    var device: String?

    @Option(help: "Kinds of lines, with commas: gesture, failed, touches.")
    var events = ReplayEvents([.gesture])

    @Flag(help: "Also why gestures were not recognized.")
    var explain = false

    @Flag(help: "Lines of JSON on a terminal too.")
    var json = false

    @OptionGroup var colors: ColorOptions

    func run() throws {
        let source = try ReplaySource(recording, device: device, config: config)
        let names = explain ? events.names.union([.failed]) : events.names
        var output = ReplayOutput(
            EventFormatter(colors: colors.colors),
            isReadable: !json && (StandardOutput.isTerminal || colors.color == .always))
        let interest = LineInterest(
            updates: true, touches: names.contains(.touches), failures: names.contains(.failed))
        source.run(interest) { line in
            if names.contains(line.event) { output.write(line) }
        }
        output.flush()
    }
}
