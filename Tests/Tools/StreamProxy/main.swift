// SPDX-License-Identifier: MIT
import CLinux

// Replaces `gestured` in tests whose clients connect by themselves. It takes the same arguments, starts the real
// daemon with a socket of its own, and verifies the lines that it passes on. It ends with the daemon's status, and
// forwards signals. Violations of the protocol are written to standard error as `stream: …`, next to the daemon's
// log.

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
