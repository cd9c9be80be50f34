// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureProtocol
import Glibc

/// The tool beside the daemon: watches it, asks it, records panels and replays recordings.
@main
struct Gesturectl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gesturectl",
        abstract: "Watch and ask the gesture daemon; check configurations; record and replay panels.",
        discussion: """
            Exit status: 0 done, 64 wrong usage, 65 unusable recording or refused device, 66 unreadable file, \
            69 no daemon, 77 not permitted, 78 wrong configuration, 124 nothing came in time, 127 no such command.
            """,
        version: "gesturectl \(Version.number)",
        subcommands: [
            Listen.self, Wait.self, Exec.self, Touches.self, Devices.self, Regions.self, At.self, Status.self,
            Check.self,
            Reload.self, Enable.self, Disable.self, Scene.self, Cancel.self, Record.self, Replay.self, Schema.self,
        ])

    static func main() {
        // Services, and programs that were started by careless ones, inherit it ignored: then `head`
        // could never end a tool that listens.
        signal(SIGPIPE, SIG_DFL)
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let error as ToolError {
            if !error.message.isEmpty { StandardError.write("gesturectl: \(error.message)\n") }
            exit(withError: ExitCode(error.status.rawValue))
        } catch {
            exit(withError: error)
        }
    }
}
