// SPDX-License-Identifier: MIT
import ArgumentParser

/// `gesturectl convert`
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a recording down in the other format.",
        discussion: """
            Reads evemu files and those of libinput record, and writes either without losing an event; of several \
            devices, one.
            """)

    @Argument(
        help: ArgumentHelp("The recording; - is the standard input.", valueName: "recording"), completion: .file())
    var recording: String

    @OptionGroup var output: RecordingOutput

    @Option(help: ArgumentHelp("Which device of several: node, name or id.", valueName: "device"))
    var device: String?

    func run() throws {
        let file = try RecordingFile(recording, device: device)
        try output.write(file.recording, node: file.node)
    }
}
