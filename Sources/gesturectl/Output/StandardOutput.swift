// SPDX-License-Identifier: MIT
import Glibc

/// Writes to the standard output at once and whole.
///
/// When the reader of a pipe goes away the kernel ends the process by SIGPIPE: quietly, as
/// `head` expects.
enum StandardOutput {
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static func write(_ text: String) { write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) { writeAll(bytes, to: STDOUT_FILENO) }
}

/// Writes to the standard error at once and whole.
enum StandardError {
    static func write(_ text: String) { writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

private func writeAll(_ bytes: [UInt8], to descriptor: CInt) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || (count < 0 && errno == EINTR) else { return }
        rest = rest.dropFirst(max(0, count))
    }
}
