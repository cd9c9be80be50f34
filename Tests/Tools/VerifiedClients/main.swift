// SPDX-License-Identifier: MIT
import CLinux
import Glibc

// Runs fast and slow clients of a running daemon. Every line that they receive is checked against the protocol and the
// laws of gestures. Some of them change regions: guests that lease them, and clients with the right `control`. From
// time to time, clients subscribe again or reconnect. Violations are written to standard error as they occur, and the
// totals to standard output at the end.
//
// usage: verified-clients SOCKET CONFIGURATION COUNT FIRST_USER
//
// FIRST_USER: the uid of the first ten clients; the next ten have the next uid, and so on. Ends when standard input
// ends. The exit status is 1 if there was a violation, or the daemon has closed a connection.

linux_ignore_sigpipe()
let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[3]), let firstUser = UInt32(arguments[4])
else {
    print("usage: verified-clients SOCKET CONFIGURATION COUNT FIRST_USER")
    exit(64)
}
let crowd = VerifiedCrowd(
    path: arguments[1], configuration: try VerifiedCrowd.text(of: arguments[2]), count: count, firstUser: firstUser)
print("READY")
// Flushed, so that the line appears immediately in a pipe.
fflush(nil)
while !crowd.isInputEnded { crowd.turn() }
crowd.finish()
print("DONE \(crowd.tally)")
exit(crowd.isGood ? 0 : 1)
