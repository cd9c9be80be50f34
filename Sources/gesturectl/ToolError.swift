// SPDX-License-Identifier: MIT

/// Why a command ends with another exit status than 0: what is said on the standard error, and
/// the status, one of sysexits(3).
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
        /// A mistake in one of the two programs.
        case software = 70
        /// A file cannot be written.
        case cannotCreate = 73
        /// The standard output cannot be written.
        case output = 74
        /// The daemon knows you but may not do that for you.
        case noPermission = 77
        /// The configuration has errors.
        case configuration = 78
        /// What was waited for did not come, as timeout(1) says it.
        case timeout = 124
        /// A command cannot be started, as shells say it.
        case notStarted = 127
    }

    var status: Status
    /// Place, cause, cure; lower case, no full stop. Empty: all has been said.
    var message: String

    init(_ status: Status, _ message: String) {
        self.status = status
        self.message = message
    }
}
