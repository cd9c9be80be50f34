// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureProtocol

/// `gesturectl reload`
struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have the daemon read its configuration again.",
        discussion: "A wrong configuration changes nothing: its errors are printed and the exit status is 78.")

    @OptionGroup var requests: RequestOptions

    func run() throws {
        guard let reply = try requests.send(RequestLine("reload")) else { return }
        var text = "configuration \(reply.json["config_generation"]?.displayText ?? "reloaded") in use"
        if let warnings = reply.json["warnings"]?.integer, warnings > 0 {
            text += ", \(warnings) warning\(warnings == 1 ? "" : "s") (gesturectl check shows them)"
        }
        StandardOutput.write(text + "\n")
    }
}
