// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// Writes to the standard output, unbuffered.
///
/// When the reader of a pipe goes away the kernel ends the process by SIGPIPE: quietly, as
/// `head` expects.
enum StandardOutput {
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether its reader may go away.
    static let isPipe: Bool = {
        var status = stat()
        return fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }()

    /// Ends the tool by SIGPIPE, as a write would, when it is a pipe without a reader.
    /// - Parameter last: called before that.
    static func endIfUnread(after last: () -> Void = {}) {
        guard isPipe else { return }
        var end = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        if poll(&end, 1, 0) > 0, end.revents & Int16(POLLERR) != 0 {
            last()
            SignalWait.die(of: SIGPIPE)
        }
    }

    static func write(_ text: String) { write(Array(text.utf8)) }

    /// Ends the tool with 74 when it cannot be written, as on a full disk.
    static func write(_ bytes: [UInt8]) {
        guard let error = writeAll(bytes, to: STDOUT_FILENO) else { return }
        StandardError.write("gesturectl: the standard output: \(error.reason)\n")
        exit(ToolError.Status.output.rawValue)
    }
}

/// Writes to the standard error, unbuffered.
enum StandardError {
    static func write(_ text: String) { _ = writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

/// Writes all bytes to a file.
/// - Returns: the error that ended it; nil when all is written.
func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> SystemError? {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            rest = rest.dropFirst(count)
        } else if count == 0 {
            return SystemError(call: "write", code: EIO)
        } else if errno == EAGAIN {
            // Another process has made it non-blocking.
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&entry, 1, -1)
        } else if errno != EINTR {
            return .last("write")
        }
    }
    return nil
}
