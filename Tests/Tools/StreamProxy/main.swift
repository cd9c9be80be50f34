// SPDX-License-Identifier: MIT
import CLinux

// Stands in for `gestured` in tests with clients that connect by themselves: takes the same arguments, starts the
// real daemon behind a socket of its own, and verifies what passes. It ends as the daemon does, and passes signals
// on. What breaks the protocol is written on its standard error as `stream: …`, beside the daemon's log.

/// Writes a line on the standard error.
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
