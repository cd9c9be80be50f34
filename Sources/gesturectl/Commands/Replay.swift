// SPDX-License-Identifier: MIT
import ArgumentParser
import GesturePipeline
import GestureProtocol

/// `gesturectl replay`
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the lines that the daemon would make of a recording.",
        discussion: """
            Reads evemu files (versions 1.0 to 1.3, description and events in one) and what gesturectl record wrote. \
            Needs no daemon and no root; time is the recording's. A device that the daemon would not use is refused \
            with the reason and status 65.
            """)

    /// What a panel is called for which the configuration has no [[device]].
    private static let fallbackName = "panel"

    @Argument(
        help: ArgumentHelp("An evemu file; - is the standard input.", valueName: "recording"), completion: .file())
    var recording: String

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("The configuration.", valueName: "file"),
        completion: .file())
    var config: String

    @Option(help: "Kinds of lines, with commas: gesture, touches.")
    var events = ReplayEvents([.gesture])

    func run() throws {
        throw ToolError(.software, "replay waits for the pipeline")
    }
}
