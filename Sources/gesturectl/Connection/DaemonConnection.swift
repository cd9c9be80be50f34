// SPDX-License-Identifier: MIT
import GestureProtocol
import CLinux
import LinuxSystem

/// One connection to the daemon: lines out, lines in.
final class DaemonConnection {
    /// What ends a wait.
    enum Arrival {
        case line([UInt8])
        /// The daemon has hung up.
        case end
        /// The descriptor that was waited for too is readable.
        case interrupted
        case timeout
    }

    /// An answer takes milliseconds; a daemon that needs longer than this many hangs.
    static let patience: CInt = 5000
    /// A `regions` reply of thousands of regions has less.
    private static let lineLimit = 16 << 20

    let path: String
    /// When nobody reads the standard output any more, a wait for lines ends the tool as a write would.
    var endsWithOutput = true
    /// What is to be done before that.
    var beforeEnd: () -> Void = {}
    private let socket: OwnedDescriptor
    private let patience: CInt
    private var buffer: [UInt8] = []
    /// Its first line has come.
    private var hasGreeted = false
    /// What has been searched for the end of a line.
    private var searched = 0

    /// - Parameter patience: milliseconds for the connection, and for each answer.
    /// - Throws: `ToolError` 69 with path, cause and cure.
    init(path: String, patience: CInt = DaemonConnection.patience) throws(ToolError) {
        self.path = path
        self.patience = patience
        do throws(SystemError) {
            socket = try UnixSocket.connect(path: path, within: patience)
        } catch {
            throw Self.unreachable(path, error.code)
        }
    }

    private static func unreachable(_ path: String, _ code: CInt) -> ToolError {
        let cause = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        let cure =
            switch code {
            case EACCES, EPERM: "add your user to group gestured (usermod -aG gestured USER) and log in again"
            case ENOENT: "start the daemon (systemctl start gestured), or name its socket with --socket"
            case ECONNREFUSED: "the daemon has stopped; start it (systemctl start gestured)"
            case EAGAIN: "the daemon takes no connection now; see its log (journalctl -u gestured)"
            case ENAMETOOLONG: "a socket's path has at most 107 bytes"
            default: "name the daemon's socket with --socket"
            }
        return ToolError(.unavailable, "\(path.safe): no daemon: \(cause); \(cure)")
    }

    /// Sends a whole request.
    func send(_ request: RequestLine) throws(ToolError) {
        var rest = Array(request.line.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { linux_send(socket.rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if linux_errno() == EAGAIN {
                var wanted = pollfd(fd: socket.rawValue, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wanted, 1, patience)
            } else if linux_errno() != EINTR {
                throw lost()
            }
        }
    }

    /// Waits for a line.
    /// - Parameters:
    ///   - milliseconds: at most so long; below 0 for ever.
    ///   - interrupt: another descriptor that ends the wait, or -1.
    ///   - isAnswer: what comes is the answer to something: it is waited for whoever reads the output.
    func next(
        within milliseconds: CInt = -1, orReadable interrupt: CInt = -1, isAnswer: Bool = false
    ) throws(ToolError) -> Arrival {
        while true {
            if let line = takeLine() {
                if !hasGreeted { try greet(line) }
                return .line(line)
            }
            guard buffer.count < Self.lineLimit else {
                throw ToolError(.software, "\(path.safe): a line of more than 16 MiB; this is no gesture daemon")
            }
            var wanted = [
                pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interrupt, events: Int16(POLLIN), revents: 0),
                // Nothing of it is asked for: the kernel tells of a pipe's end all the same.
                pollfd(
                    fd: !isAnswer && endsWithOutput && StandardOutput.isPipe ? STDOUT_FILENO : -1, events: 0, revents: 0
                ),
            ]
            let count = poll(&wanted, 3, milliseconds)
            if count == 0 { return .timeout }
            if count < 0, linux_errno() != EINTR { throw lost() }
            guard count > 0 else { continue }
            if wanted[2].revents != 0 { StandardOutput.endIfUnread(after: beforeEnd) }
            if wanted[1].revents != 0 { return .interrupted }
            guard receive() else { return .end }
        }
    }

    /// Sends a request and waits for its reply; event lines before it go to `event`.
    /// - Throws: `ToolError` when the daemon says no, hangs or goes away.
    func reply(
        to request: RequestLine, id: Int64, event: ([UInt8]) throws -> Void = { _ in }
    ) throws -> Reply {
        try send(request)
        while true {
            switch try next(within: patience, isAnswer: true) {
            case .line(let line):
                guard let json = JSONValue(parsing: line) else {
                    throw ToolError(.software, "\(path.safe): a line that is no JSON; this is no gesture daemon")
                }
                guard json["reply"] != nil else {
                    try event(line)
                    continue
                }
                if json["id"]?.integer == id || json["reply"]?.isNull == true {
                    return try Reply(line: line, json: json).checked()
                }
            case .end: throw lost()
            case .timeout: throw ToolError(.unavailable, "\(path.safe): the daemon does not answer; see its log")
            case .interrupted: continue
            }
        }
    }

    /// The daemon went away in the middle of something.
    func lost() -> ToolError {
        ToolError(
            .unavailable, "\(path.safe): the daemon has closed the connection; see its log (journalctl -u gestured)")
    }

    /// Looks at the first line.
    /// - Throws: `ToolError` 69 when it is of a daemon that speaks otherwise.
    private func greet(_ line: [UInt8]) throws(ToolError) {
        hasGreeted = true
        guard let hello = JSONValue(parsing: line), hello["event"]?.string == "hello",
            let version = hello["protocol"]?.integer, version != ProtocolLimits.version
        else { return }
        throw ToolError(
            .unavailable,
            """
            \(path.safe): \((hello["server"]?.string ?? "the daemon").safe) speaks protocol \(version), this gesturectl \
            \(ProtocolLimits.version); use the gesturectl that came with the daemon
            """)
    }

    private func takeLine() -> [UInt8]? {
        guard let end = buffer[searched...].firstIndex(of: 0x0A) else {
            searched = buffer.count
            return nil
        }
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        searched = 0
        return line
    }

    /// - Returns: false at the end of the stream.
    private func receive() -> Bool {
        var count = 0
        let block = [UInt8](unsafeUninitializedCapacity: 16384) { space, used in
            count = linux_receive(socket.rawValue, space.baseAddress, space.count)
            used = max(0, count)
        }
        buffer.append(contentsOf: block)
        return count > 0 || (count < 0 && (linux_errno() == EAGAIN || linux_errno() == EINTR))
    }
}
