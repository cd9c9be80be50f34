// SPDX-License-Identifier: MIT
import ArgumentParser
import LinuxSystem

struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the JSON schema of the configuration or of the protocol.",
        discussion: "Reads it from share/gestured, next to the folder that contains the program.")

    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case config, `protocol`

        var file: String { "\(rawValue).schema.json" }
    }

    @Argument(help: ArgumentHelp("The format that the schema describes.", valueName: "config_or_protocol"))
    var subject: Subject

    func run() throws {
        let path = "\(InstalledFiles.folder)/\(subject.file)"
        if let bytes = try? FileBytes.read(path, limit: 1 << 20) { return StandardOutput.write(bytes) }
        throw ToolError(.noInput, "no \(subject.file) in \(InstalledFiles.folder.safe); install it")
    }
}
