// SPDX-License-Identifier: MIT
import CLinux
import Glibc

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
        let code = writeAll(bytes, to: STDOUT_FILENO)
        guard code != 0 else { return }
        let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        StandardError.write("gesturectl: the standard output: \(reason)\n")
        exit(ToolError.Status.output.rawValue)
    }
}

/// Writes to the standard error, unbuffered.
enum StandardError {
    static func write(_ text: String) { _ = writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

/// - Returns: 0, or the number of the error that ended it.
private func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN {
            // Another process has made it non-blocking.
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&wanted, 1, -1)
            continue
        }
        guard count > 0 else { return count < 0 ? errno : EIO }
        rest = rest.dropFirst(count)
    }
    return 0
}
