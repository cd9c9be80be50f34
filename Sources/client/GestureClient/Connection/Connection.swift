// SPDX-License-Identifier: MIT
package import CLinux
package import GestureProtocol
package import LinuxSystem

/// A connection to the daemon that sends requests and receives lines. Its calls block, with timeouts, and it does not
/// start a thread.
///
/// It is not thread-safe.
package final class Connection {
    /// The event that ended a wait.
    package enum Arrival {
        /// A line without its line feed.
        case line([UInt8])
        case end(cause: String)
        /// One of the caller's own descriptors is ready.
        case ready(CInt)
        case timeout
    }

    /// The timeout, in milliseconds, for connecting and for each reply. A reply normally takes a few milliseconds, so a
    /// daemon that exceeds the timeout is assumed to hang.
    package static let patience: CInt = 5000

    private let socket: OwnedDescriptor
    private let patience: CInt
    private var input = LineSplitter()
    /// The memory into which bytes are received. It is kept, because allocating it for each line takes noticeable time.
    private var received = [UInt8](repeating: 0, count: 16384)
    /// Bytes that the kernel has not accepted yet.
    private var output: [UInt8] = []
    private var isGreeted = false

    /// - Parameter patience: the timeout for connecting and for each reply, in milliseconds.
    /// - Throws: `.unreachable`.
    package init(path: String, patience: CInt = Connection.patience) throws(ConnectionError) {
        self.patience = patience
        do throws(SystemError) {
            socket = try UnixSocket.connect(path: path, within: patience)
        } catch {
            throw .unreachable(error)
        }
    }

    /// The descriptor, which a caller can poll in its own loop. When the descriptor is readable, call `readLines`.
    package var descriptor: CInt { socket.rawValue }

    /// Sends bytes without waiting. Bytes that the kernel does not accept now are sent during `next`.
    package func send(_ bytes: [UInt8]) {
        output += bytes
        flush()
    }

    /// Waits for the next line.
    /// - Parameters:
    ///   - deadline: the deadline on the monotonic clock, in microseconds; `nil` to wait indefinitely.
    ///   - others: more descriptors that end the wait when they are ready. They take precedence over lines that have
    ///     not been read yet.
    ///   - isReading: whether to return lines. If not, only `ready`, `timeout` and `end` are returned.
    /// - Throws: `.foreign` or `.otherProtocol`.
    package func next(
        until deadline: Int64? = nil, or others: [pollfd] = [], isReading: Bool = true
    ) throws(ConnectionError) -> Arrival {
        while true {
            if isReading, let line = try takeLine() { return .line(line) }
            flush()
            let interest = (isReading ? POLLIN : 0) | (output.isEmpty ? 0 : POLLOUT)
            var entries = [pollfd(fd: socket.rawValue, events: Int16(interest), revents: 0)] + others
            let count = poll(&entries, nfds_t(entries.count), Self.milliseconds(until: deadline))
            if count == 0 { return .timeout }
            if count < 0 {
                if linux_errno() == EINTR { continue }
                return .end(cause: SystemError.last("poll").reason)
            }
            if let other = entries.dropFirst().first(where: { $0.revents != 0 }) { return .ready(other.fd) }
            if entries[0].revents != Int16(POLLOUT), let cause = receive() { return .end(cause: cause) }
        }
    }

    /// Reads once without waiting, and passes on the lines that are complete. Call this again while the descriptor is
    /// readable.
    /// - Parameter take: called with each line, without its line feed; returns whether to go on.
    /// - Returns: the cause if the connection has ended; otherwise `nil`.
    /// - Throws: `.foreign` or `.otherProtocol`.
    package func readLines(_ take: ([UInt8]) -> Bool) throws(ConnectionError) -> String? {
        flush()
        let cause = receive()
        while let line = try takeLine() {
            guard take(line) else { return nil }
        }
        return cause
    }

    /// Sends a request and waits for its reply.
    /// - Parameter event: called with each line that arrives before the reply.
    /// - Throws: `ConnectionError`, including `.refused`, and errors thrown by `event`.
    package func reply(to request: RequestLine, event: ([UInt8]) throws -> Void = { _ in }) throws -> Reply {
        send(request.bytes)
        while true {
            switch try next(until: MonotonicClock.now() + Int64(patience) * 1000) {
            case .line(let line):
                guard let json = JSONValue(parsing: line) else {
                    throw ConnectionError.foreign("a line that is not JSON")
                }
                guard json["reply"] != nil else {
                    try event(line)
                    continue
                }
                // A `reply` of `null` means that the daemon could not read the line, or that it has too many clients.
                guard json["id"]?.integer == Int64(request.id) || json["reply"]?.isNull == true else { continue }
                let reply = Reply(line: line, json: json)
                if let refusal = reply.refusal(of: request.command) {
                    throw ConnectionError.refused(refusal, line: line)
                }
                return reply
            case .end: throw ConnectionError.closed
            case .timeout: throw ConnectionError.noReply
            case .ready: continue
            }
        }
    }

    /// Returns the timeout for poll(2) in milliseconds, rounded up so that a wait never ends too early.
    package static func milliseconds(until deadline: Int64?) -> CInt {
        guard let deadline else { return -1 }
        let (left, isTooMuch) = deadline.subtractingReportingOverflow(MonotonicClock.now())
        return isTooMuch ? .max : CInt(clamping: max(0, left / 1000 + (left % 1000 > 0 ? 1 : 0)))
    }

    private func takeLine() throws(ConnectionError) -> [UInt8]? {
        guard let line = try input.next() else { return nil }
        if !isGreeted, let json = JSONValue(parsing: line) { try Self.check(greeting: json) }
        isGreeted = true
        return line
    }

    /// - Throws: `.otherProtocol` for the `hello` of a daemon with another protocol.
    static func check(greeting json: JSONValue) throws(ConnectionError) {
        guard json.text("event") == "hello", json.whole("protocol") != ProtocolLimits.version else { return }
        throw .otherProtocol(server: json["server"]?.string, number: json.whole("protocol"))
    }

    private func flush() {
        while !output.isEmpty {
            let count = output.withUnsafeBytes { linux_send(socket.rawValue, $0.baseAddress, $0.count) }
            if count > 0 {
                output.removeFirst(count)
            } else if linux_errno() == EAGAIN {
                return
            } else if linux_errno() != EINTR {
                // The error is ignored, because lines that the daemon wrote before it closed the connection must still
                // be read.
                output.removeAll()
            }
        }
    }

    /// - Returns: the cause if the connection has ended; otherwise `nil`.
    private func receive() -> String? {
        let count = received.withUnsafeMutableBytes { linux_receive(socket.rawValue, $0.baseAddress, $0.count) }
        let code = linux_errno()
        input.append(received.prefix(max(0, count)))
        if count == 0 { return ConnectionError.closedCause }
        if count > 0 || code == EAGAIN || code == EINTR { return nil }
        return SystemError(call: "recv", code: code).reason
    }
}

/// A reply of the daemon.
package struct Reply {
    /// The line as it arrived, without its line feed.
    package let line: [UInt8]
    package let json: JSONValue

    /// Returns the refusal, or `nil` if the daemon has carried out the request.
    func refusal(of command: String) -> GestureClient.Refusal? {
        json.flag("ok") ? nil : GestureClient.Refusal(json, command: command)
    }
}

/// Splits received bytes into lines.
struct LineSplitter {
    /// The maximum length of a line in bytes. Even a `regions` reply with thousands of regions is shorter.
    private static let limit = 16 << 20
    /// The maximum number of values in a line. Each value takes more than a hundred bytes of memory when it is parsed.
    private static let mostValues = 1 << 20

    private var buffer: [UInt8] = []
    /// The number of bytes that are known to contain no line feed.
    private var searched = 0

    mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(contentsOf: bytes) }

    /// - Returns: the next line without its line feed; `nil` if it is not complete.
    /// - Throws: `.foreign` if a line is too long or has too many values.
    mutating func next() throws(ConnectionError) -> [UInt8]? {
        guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.count
            guard searched <= Self.limit else { throw .foreign("a line of more than 16 MiB") }
            return nil
        }
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        searched = 0
        guard line.count <= Self.mostValues || Self.values(of: line) <= Self.mostValues else {
            throw .foreign("a line of more than a million values")
        }
        return line
    }

    /// Returns an upper bound on the number of values.
    private static func values(of line: [UInt8]) -> Int {
        line.reduce(1) { count, byte in
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count + 1
            default: count
            }
        }
    }
}

/// An error of one connection. The client library and the tool each have their own messages for it.
package enum ConnectionError: Error {
    /// `connect` failed.
    case unreachable(SystemError)
    case closed
    /// The daemon has not replied in time.
    case noReply
    /// The peer has sent bytes that no gesture daemon would write. The value describes these bytes, for example as `a
    /// line that is not JSON`.
    case foreign(String)
    /// The daemon uses another protocol.
    case otherProtocol(server: String?, number: Int)
    /// The daemon refused the request. `line` is the reply as it arrived.
    case refused(GestureClient.Refusal, line: [UInt8])

    static let closedCause = "the daemon has closed the connection"
    static let noReplyCause = "the daemon does not answer; see its log"

    /// Returns advice for the user after `connect` has failed.
    /// - Parameters:
    ///   - code: the errno.
    ///   - naming: the advice if the socket may be another one, such as `name its socket with --socket`.
    package static func cure(_ code: CInt, naming: String) -> String {
        if Environment.isContainer, let cure = containerCure(code, naming: naming) { return cure }
        return switch code {
        case EACCES, EPERM: "add your user to group gestured (usermod -aG gestured USER) and log in again"
        case ENOENT: "start the daemon (systemctl start gestured), or \(naming)"
        case ECONNREFUSED: "the daemon has stopped; start it (systemctl start gestured)"
        case EAGAIN: "the daemon accepts no connection at present; see its log (journalctl -u gestured)"
        case ENAMETOOLONG: "a socket's path has at most 107 bytes"
        default: naming
        }
    }

    /// Returns advice for a client in a container; `nil` if there is none of its own.
    private static func containerCure(_ code: CInt, naming: String) -> String? {
        switch code {
        case EACCES, EPERM: "start the container with --group-add and the number of the socket's group"
        case ENOENT: "mount the folder of the daemon's socket into the container, or \(naming)"
        case ECONNREFUSED: "the daemon has stopped; start its container"
        default: nil
        }
    }
}

extension GestureClient.ClientError {
    package init(_ error: ConnectionError, path: String) {
        switch error {
        case .unreachable(let error): self.init(unreachable: error, path: path)
        case .closed: self = .unavailable(path: path, cause: ConnectionError.closedCause, isPermanent: false)
        case .noReply: self = .unavailable(path: path, cause: ConnectionError.noReplyCause, isPermanent: false)
        case .foreign(let what): self = .wrongProtocol(path: path, cause: "\(what); this is not a gesture daemon")
        case .otherProtocol(_, let number):
            self = .wrongProtocol(
                path: path,
                cause: "the daemon speaks protocol \(number); this client speaks protocol \(ProtocolLimits.version)")
        case .refused(let refusal, _): self = .refused(refusal)
        }
    }

    private init(unreachable error: SystemError, path: String) {
        let cure = ConnectionError.cure(error.code, naming: "name its socket in $GESTURED_SOCKET")
        self = .unavailable(
            path: path, cause: "no daemon: \(error.reason); \(cure)",
            isPermanent: [EACCES, EPERM, ENAMETOOLONG, EINVAL].contains(error.code))
    }

    /// Whether trying again would not help.
    var isPermanent: Bool {
        switch self {
        case .unavailable(_, _, let isPermanent): isPermanent
        case .wrongProtocol, .refused, .cancelled: true
        }
    }
}
