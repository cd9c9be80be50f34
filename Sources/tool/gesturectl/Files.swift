// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem

/// Reads and writes whole files.
enum FileBytes {
    /// - Parameters:
    ///   - path: a file; `-` is standard input.
    ///   - limit: the maximum size in bytes. Reading stops just beyond it, so that the caller can detect a longer file.
    /// - Throws: `ToolError` 66. For root, a path that leads through another user's link or to another user's FIFO is
    ///   also an error.
    static func read(_ path: String, limit: Int) throws(ToolError) -> [UInt8] {
        do throws(SystemError) {
            if path == "-" { return try contents(of: STDIN_FILENO, limit: limit) }
            let file = try open(path)
            if geteuid() != 0 || linux_is_pipe_of_another(file.rawValue) == 0 {
                // The file was opened without waiting. A FIFO of this user may not have a writer yet, so wait for one.
                var ready = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
                while poll(&ready, 1, -1) < 0, errno == EINTR {}
                _ = fcntl(file.rawValue, F_SETFL, fcntl(file.rawValue, F_GETFL) & ~O_NONBLOCK)
                return try contents(of: file.rawValue, limit: limit)
            }
        } catch {
            throw ToolError(.noInput, "\(path.safe): \(geteuid() == 0 ? error.reasonForPath : error.reason)")
        }
        throw ToolError(.noInput, "\(path.safe): this FIFO belongs to another user")
    }

    private static func open(_ path: String) throws(SystemError) -> OwnedDescriptor {
        guard geteuid() == 0 else { return try OwnedDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK) }
        return OwnedDescriptor(
            adopting: try retryingOnInterrupt("open", path: path) { linux_open_through_links_of_root(path) })
    }

    /// Returns the first 64 KiB of a text file; `nil` if it cannot be read.
    static func text(_ path: String) -> String? {
        let limit = 1 << 16
        return try? String(decoding: read(path, limit: limit).prefix(limit), as: UTF8.self)
    }

    /// Checks, without changing anything, that `write` could write to the path. Call it before a long recording.
    /// - Throws: `ToolError` 73.
    static func checkWritable(_ path: String) throws(ToolError) {
        if path != "-" { try FileDestination(path).checkWritable() }
    }

    /// Creates or replaces a file; `-` is standard output.
    /// - Parameter isPrivate: whether only this user may read it.
    /// - Throws: `ToolError` 73.
    static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(ToolError) {
        if path == "-" { return StandardOutput.write(bytes) }
        try FileDestination(path).write(bytes, isPrivate: isPrivate)
    }
}

/// Writes to standard output, unbuffered.
///
/// When the reader of a pipe closes it, the kernel ends the process with SIGPIPE, and no error is printed. Pipelines
/// with `head` expect this.
enum StandardOutput {
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard output is a pipe, which its reader may close.
    static let isPipe: Bool = {
        var status = stat()
        return fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }()

    /// Ends the tool with SIGPIPE, as a write would, if standard output is a pipe without a reader.
    /// - Parameter last: called before the tool ends.
    static func endIfUnread(after last: () -> Void = {}) {
        guard isPipe else { return }
        var end = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        if poll(&end, 1, 0) > 0, end.revents & Int16(POLLERR) != 0 {
            last()
            SignalWait.die(of: SIGPIPE)
        }
    }

    /// Waits until the deadline. Ends the tool if the reader of the pipe closes it.
    /// - Parameter deadline: on the monotonic clock, in microseconds.
    static func wait(until deadline: Int64) {
        var end = pollfd(fd: isPipe ? STDOUT_FILENO : -1, events: 0, revents: 0)
        while MonotonicClock.now() < deadline {
            poll(&end, 1, CInt(clamping: (deadline - MonotonicClock.now()) / 1000 + 1))
            endIfUnread()
        }
    }

    /// The layout of text.
    static var layout: TextLayout { .of(STDOUT_FILENO) }

    /// Writes text as it fits into the terminal and its character set.
    static func write(_ text: String, in layout: TextLayout = layout) { write(Array(layout.text(text).utf8)) }

    /// Writes all bytes as they are. Ends the tool with status 74 if that fails, for example on a full disk.
    static func write(_ bytes: [UInt8]) {
        guard let error = writeAll(bytes, to: STDOUT_FILENO) else { return }
        StandardError.tell("standard output: \(error.reason)")
        exit(ToolError.Status.output.rawValue)
    }
}

/// Writes to standard error, unbuffered.
enum StandardError {
    /// Writes a line that begins with the tool's name.
    static func tell(_ message: String) { write("gesturectl: \(message)\n") }

    /// The layout of text.
    static var layout: TextLayout { .of(STDERR_FILENO) }

    /// Writes text as it fits into the terminal and its character set.
    static func write(_ text: String, in layout: TextLayout = layout) {
        _ = writeAll(Array(layout.text(text).utf8), to: STDERR_FILENO)
    }
}

/// Writes all bytes to a file.
/// - Parameter interrupt: a descriptor that is readable when the tool should end, or -1.
/// - Returns: the error that stopped it; `EINTR` if `interrupt` became readable while the file accepted no data;
///   `nil` if everything was written.
func writeAll(_ bytes: [UInt8], to descriptor: CInt, orReadable interrupt: CInt = -1) -> SystemError? {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            rest = rest.dropFirst(count)
        } else if count == 0 {
            return SystemError(call: "write", code: EIO)
        } else if errno == EAGAIN {
            // Another process has made the descriptor non-blocking.
            var entries = [
                pollfd(fd: interrupt, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            ]
            poll(&entries, 2, -1)
            if entries[0].revents != 0, entries[1].revents == 0 { return SystemError(call: "write", code: EINTR) }
        } else if errno != EINTR {
            return .last("write")
        }
    }
    return nil
}
