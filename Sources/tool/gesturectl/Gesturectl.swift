// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureProtocol
import Glibc

/// The daemon's command-line tool: watches and queries the daemon, records panels and replays recordings.
@main
struct Gesturectl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gesturectl",
        abstract: "Watch and control the gesture daemon; check configurations; record and replay panels.",
        version: "gesturectl \(Version.number)",
        groupedSubcommands: [
            CommandGroup(
                name: "Everyday", subcommands: [Listen.self, Explain.self, Check.self, Reload.self, Doctor.self]),
            CommandGroup(name: "Watching", subcommands: [Wait.self, Exec.self, Touches.self]),
            CommandGroup(name: "Querying", subcommands: [Devices.self, Regions.self, At.self, Status.self]),
            CommandGroup(
                name: "Changing",
                subcommands: [
                    Enable.self, Disable.self, Scene.self, Profile.self, Activity.self, Rotate.self, Calibrate.self,
                    Cancel.self,
                ]),
            CommandGroup(
                name: "Without a daemon",
                subcommands: [
                    Try.self, Expect.self, Record.self, Replay.self, Play.self, Convert.self, Measure.self, Share.self,
                    Web.self, Report.self, Schema.self,
                ]),
        ])

    /// The end of the help.
    static let exitStatuses = """
        Exit status: 0 done, 1 unknown name or a problem found by doctor, 64 wrong usage, 65 unusable recording, device or touches, 66 unreadable file, \
        69 no daemon, 70 a bug, 73 unwritable file, 74 unwritable output, 75 daemon busy, 76 another protocol, 77 not permitted, 78 wrong configuration, 124 timeout expired, 127 no such command.
        """

    static func main() {
        // If a standard stream were closed, the next socket or file would get its number and receive the tool's output.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
        // Services and some parents start the tool with SIGPIPE ignored, in which case `head` could not end `listen`.
        signal(SIGPIPE, SIG_DFL)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            var command = try parseAsRoot(CommandLineMistakes.arranged(arguments))
            try command.run()
        } catch let error as ToolError {
            if !error.message.isEmpty { StandardError.tell(error.message) }
            exit(withError: ExitCode(error.status.rawValue))
        } catch {
            // ArgumentParser reports `--help` and `--version` as errors, too.
            let code = withHelpWidth { exitCode(for: error) }
            if code.isSuccess { end(error) }
            StandardError.tell(withHelpWidth { CommandLineMistakes.message(for: error, arguments) })
            let status: ToolError.Status = code == .validationFailure ? .usage : .software
            exit(withError: ExitCode(status.rawValue))
        }
    }
}

/// The reason why a command fails: a message for standard error, and an exit status of sysexits(3).
struct ToolError: Error, Hashable {
    enum Status: Int32, CaseIterable {
        /// There is no region, scene or panel with that name, or no panel is ready, or `doctor` has found a problem.
        case notFound = 1
        /// The command line is wrong.
        case usage = 64
        /// The recording or its device cannot be used, or touches make no calibration.
        case data = 65
        /// A given file cannot be read.
        case noInput = 66
        /// There is no daemon, or it does not answer.
        case unavailable = 69
        /// A bug in the tool or the daemon.
        case software = 70
        /// A file cannot be written.
        case cannotCreate = 73
        /// Standard output cannot be written.
        case output = 74
        /// The daemon has reached a limit, or asks to try again later.
        case busy = 75
        /// The daemon speaks another protocol.
        case otherProtocol = 76
        /// This user may not connect, or may not do this.
        case noPermission = 77
        /// The configuration has errors.
        case configuration = 78
        /// The timeout has expired; the status is that of timeout(1).
        case timeout = 124
        /// A command cannot be started; the status is that of shells.
        case notStarted = 127
    }

    var status: Status
    /// Location, cause and remedy, in lower case and without a full stop; empty if the error has already been printed.
    var message: String
    /// The daemon's reply, if it has refused a request.
    var reply: [UInt8]?

    init(_ status: Status, _ message: String) {
        self.status = status
        self.message = message
    }
}
