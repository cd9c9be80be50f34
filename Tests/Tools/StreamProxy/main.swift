// SPDX-License-Identifier: MIT
import CLinux

// Replaces `gestured` in tests with clients that connect by themselves: takes the same arguments, starts the real
// daemon behind its own socket, and verifies the lines in between. It ends like the daemon, and passes signals on.
// Violations of the protocol are written to standard error as `stream: …`, beside the daemon's log.

/// Writes a line to standard error.
func report(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(2, line, line.count)
}

linux_ignore_sigpipe()
do {
    try Proxy(Array(CommandLine.arguments.dropFirst())).run()
} catch {
    report("proxied-gestured: \(error)")
    exit(1)
}
