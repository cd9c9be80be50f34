// SPDX-License-Identifier: MIT

/// Why a command fails: a message for the standard error, and an exit status of sysexits(3).
struct ToolError: Error, Hashable {
    enum Status: Int32, CaseIterable {
        /// The command line is wrong.
        case usage = 64
        /// The recording cannot be used, or its device is refused.
        case data = 65
        /// A file that was named cannot be read.
        case noInput = 66
        /// No daemon, or none that answers.
        case unavailable = 69
        /// A bug in the tool or the daemon.
        case software = 70
        /// A file cannot be written.
        case cannotCreate = 73
        /// The standard output cannot be written.
        case output = 74
        /// The daemon does not permit it to this user.
        case noPermission = 77
        /// The configuration has errors.
        case configuration = 78
        /// Nothing came in time; as of timeout(1).
        case timeout = 124
        /// A command cannot be started; as of shells.
        case notStarted = 127
    }

    var status: Status
    /// Place, cause, cure; lower case, no full stop. Empty: everything has been printed.
    var message: String

    init(_ status: Status, _ message: String) {
        self.status = status
        self.message = message
    }
}
