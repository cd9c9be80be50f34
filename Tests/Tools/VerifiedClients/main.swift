// SPDX-License-Identifier: MIT
import CLinux
import Glibc

// Clients of a running daemon, fast and slow, whose every line is checked against the protocol and the laws of
// gestures. Some change regions: guests that lease them, and a program with the right `control`. They subscribe
// again and reconnect now and then. Violations are written to standard error, and the totals at the end to standard
// output.
//
// usage: verified-clients SOCKET CONFIGURATION COUNT FIRST_USER
//
// FIRST_USER: the uid of the first ten clients; the next ten have the next one, and so on. Ends at the end of its
// input; the exit status is 1 if there was a violation, or a connection that the daemon ended.

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
// Flushed, so that a pipe shows the line immediately.
fflush(nil)
while !crowd.isInputEnded { crowd.turn() }
crowd.finish()
print("DONE \(crowd.tally)")
exit(crowd.isGood ? 0 : 1)
