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

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where to write; - is the standard output.", valueName: "file"),
        completion: .file())
    var output = "-"

    @Option(help: "evemu or libinput. (default: by the ending of the output, .yml and .yaml, else evemu)")
    var format: RecordingFormat?

    @Option(help: ArgumentHelp("Which device of several: node, name or id.", valueName: "device"))
    var device: String?

    func run() throws {
        let file = try RecordingFile(recording, device: device)
        let format = format ?? RecordingFormat(endingOf: output) ?? .evemu
        let bytes = format.write(file.recording, node: file.node)
        output == "-" ? StandardOutput.write(bytes) : try FileBytes.write(bytes, to: output)
    }
}
