// SPDX-License-Identifier: MIT
package import CLinux
package import GestureProtocol
package import LinuxSystem

/// One connection to the daemon: requests out, lines in. It blocks, with time limits, and starts no thread.
///
/// For one thread at a time.
package final class Connection {
    /// What ends a wait.
    package enum Arrival {
        /// Without its line feed.
        case line([UInt8])
        /// The connection is gone, and why.
        case end(cause: String)
        /// One of the caller's own descriptors is ready.
        case ready(CInt)
        case timeout
    }

    /// Milliseconds for the connection and for each reply. A reply takes a few; a daemon that needs longer hangs.
    package static let patience: CInt = 5000

    private let socket: OwnedDescriptor
    private let patience: CInt
    private var input = LineSplitter()
    /// What the kernel has not taken yet.
    private var output: [UInt8] = []
    private var isGreeted = false

    /// - Parameter patience: milliseconds for the connection, and for each reply.
    /// - Throws: `.unreachable`.
    package init(path: String, patience: CInt = Connection.patience) throws(ConnectionError) {
        self.patience = patience
        do throws(SystemError) {
            socket = try UnixSocket.connect(path: path, within: patience)
        } catch {
            throw .unreachable(error)
        }
    }

    /// For a caller's own loop: while it is readable, call `next` with a deadline that is past.
    package var descriptor: CInt { socket.rawValue }

    /// Sends without waiting; what the kernel does not take now goes out in `next`.
    package func send(_ bytes: [UInt8]) {
        output += bytes
        flush()
    }

    /// Waits for the next line.
    /// - Parameters:
    ///   - deadline: on the monotonic clock, in microseconds; `nil`: waits without end.
    ///   - others: more descriptors that end the wait. They come before lines that have not been read yet.
    ///   - isReading: whether to take lines; without it only `others`, `timeout` and `end` come.
    /// - Throws: `.foreign`, `.otherProtocol`.
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

    /// Sends a request and waits for its reply.
    /// - Parameter event: gets the lines that come before the reply.
    /// - Throws: `ConnectionError`, also `.refused`; what `event` throws.
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
                // `null`: the daemon could not read the line, or it has too many clients.
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

    /// For poll(2), rounded up: a wait never ends too early.
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

    /// - Throws: `.otherProtocol` when it is the `hello` of a daemon that speaks another one.
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
                // What the daemon wrote before it went is still read.
                output.removeAll()
            }
        }
    }

    /// - Returns: why nothing more comes; `nil` while more may come.
    private func receive() -> String? {
        var count = 0
        var code: CInt = 0
        input.append(
            [UInt8](unsafeUninitializedCapacity: 65536) { space, used in
                count = linux_receive(socket.rawValue, space.baseAddress, space.count)
                code = linux_errno()
                used = max(0, count)
            })
        if count == 0 { return ConnectionError.closedCause }
        if count > 0 || code == EAGAIN || code == EINTR { return nil }
        return SystemError(call: "recv", code: code).reason
    }
}

/// A reply of the daemon.
package struct Reply {
    /// As it came, without its line feed.
    package let line: [UInt8]
    package let json: JSONValue

    /// - Returns: `nil` when the daemon has done what was asked.
    func refusal(of command: String) -> GestureClient.Refusal? {
        json.flag("ok") ? nil : GestureClient.Refusal(json, command: command)
    }
}

/// Cuts what was read into lines.
struct LineSplitter {
    /// Bytes. A `regions` reply of thousands of regions has less.
    private static let limit = 16 << 20
    /// Values of a line: each takes more than a hundred bytes when it is parsed.
    private static let mostValues = 1 << 20

    private var buffer: [UInt8] = []
    /// How much of it has no line feed.
    private var searched = 0

    mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(contentsOf: bytes) }

    /// - Returns: the next line without its line feed; `nil` while there is none.
    /// - Throws: `.foreign` when a line is too long, or has too many values.
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

    /// At least as many as there are.
    private static func values(of line: [UInt8]) -> Int {
        line.reduce(1) { count, byte in
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count + 1
            default: count
            }
        }
    }
}

/// An error of one connection. The client library and the tool have their own messages for it.
package enum ConnectionError: Error {
    /// `connect` failed.
    case unreachable(SystemError)
    /// The daemon has closed the connection.
    case closed
    /// The daemon has not replied in time.
    case noReply
    /// Something that no gesture daemon writes: `a line that is not JSON`.
    case foreign(String)
    /// The daemon speaks another protocol.
    case otherProtocol(server: String?, number: Int)
    /// With the reply as it came.
    case refused(GestureClient.Refusal, line: [UInt8])

    static let closedCause = "the daemon has closed the connection"
    static let noReplyCause = "the daemon does not answer; see its log"

    /// What to do when `connect` has failed.
    /// - Parameters:
    ///   - code: the errno.
    ///   - setting: where the socket can be named: `--socket`.
    package static func cure(_ code: CInt, setting: String) -> String {
        switch code {
        case EACCES, EPERM: "add your user to group gestured (usermod -aG gestured USER) and log in again"
        case ENOENT: "start the daemon (systemctl start gestured), or name its socket \(setting)"
        case ECONNREFUSED: "the daemon has stopped; start it (systemctl start gestured)"
        case EAGAIN: "the daemon takes no connection now; see its log (journalctl -u gestured)"
        case ENAMETOOLONG: "a socket's path has at most 107 bytes"
        default: "name the daemon's socket \(setting)"
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
                path: path, cause: "protocol \(number); this client speaks \(ProtocolLimits.version)")
        case .refused(let refusal, _): self = .refused(refusal)
        }
    }

    private init(unreachable error: SystemError, path: String) {
        let cure = ConnectionError.cure(error.code, setting: "in $GESTURED_SOCKET")
        self = .unavailable(
            path: path, cause: "no daemon: \(error.reason); \(cure)",
            isPermanent: [EACCES, EPERM, ENAMETOOLONG, EINVAL].contains(error.code))
    }

    /// Whether trying again cannot help.
    var isPermanent: Bool {
        switch self {
        case .unavailable(_, _, let isPermanent): isPermanent
        case .wrongProtocol, .refused, .cancelled: true
        }
    }
}
