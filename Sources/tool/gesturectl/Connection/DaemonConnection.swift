// SPDX-License-Identifier: MIT
import CLinux
import GestureClient
import GestureProtocol
import Glibc
import LinuxSystem

/// The tool's connection to the daemon. Its errors are `ToolError`s. While it waits for lines, it ends the tool if
/// standard output is closed.
final class DaemonConnection {
    let path: String
    /// Whether waiting for lines ends the tool when standard output is a pipe without a reader.
    var endsWithOutput = true
    /// Called before the tool ends because its output was closed.
    var beforeEnd: () -> Void = {}
    private let connection: Connection

    /// - Parameter patience: the timeout of the connection and of each reply, in milliseconds.
    /// - Throws: `ToolError` 69 with path, cause and remedy.
    init(path: String, patience: CInt = Connection.patience) throws(ToolError) {
        self.path = path
        do throws(ConnectionError) {
            connection = try Connection(path: path, patience: patience)
        } catch {
            throw ToolError(error, path: path)
        }
    }

    /// Sends a request without waiting for the reply.
    func send(_ request: RequestLine) { connection.send(request.bytes) }

    /// Waits for a line.
    /// - Parameters:
    ///   - deadline: on the monotonic clock, in microseconds; `nil`: waits indefinitely.
    ///   - interrupt: another descriptor that ends the wait when it is readable, or -1.
    func next(until deadline: Int64? = nil, orReadable interrupt: CInt = -1) throws(ToolError) -> Connection.Arrival {
        let output = endsWithOutput && StandardOutput.isPipe ? STDOUT_FILENO : -1
        let others = [
            // No events are requested: the kernel always reports that a pipe has lost its reader.
            pollfd(fd: output, events: 0, revents: 0),
            pollfd(fd: interrupt, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            do throws(ConnectionError) {
                let arrival = try connection.next(until: deadline, or: others)
                guard case .ready(output) = arrival else { return arrival }
            } catch {
                throw ToolError(error, path: path)
            }
            StandardOutput.endIfUnread(after: beforeEnd)
        }
    }

    /// Sends a request and waits for its reply, even if the output is closed.
    /// - Parameter event: receives the lines that come before the reply.
    /// - Throws: `ToolError` if the daemon refuses the request, does not reply or closes the connection; errors
    ///   of `event`.
    func reply(to request: RequestLine, event: ([UInt8]) throws -> Void = { _ in }) throws -> Reply {
        do {
            return try connection.reply(to: request, event: event)
        } catch let error as ConnectionError {
            throw ToolError(error, path: path)
        }
    }

    /// Requests the status, and returns it with the words for this user's rights, which come in the line that every new
    /// client gets. This must be the first request of the connection.
    func status() throws -> (reply: JSONValue, rights: [String]) {
        var rights: [String] = []
        let reply = try reply(to: RequestLine("status")) { line in
            if let event = JSONValue(parsing: line), event["event"]?.string == "hello" {
                rights = event.texts("rights")
            }
        }
        return (reply.json, rights)
    }

    /// Returns the error for a connection that the daemon has closed.
    func lost() -> ToolError { ToolError(.closed, path: path) }
}

extension ToolError {
    /// Returns advice for a socket at which there may be no daemon.
    private static func naming(_ path: String) -> String {
        if path == InstalledFiles.socket { return "name its socket with --socket" }
        let isVariable = Environment.value("GESTURED_SOCKET") == path
        return isVariable ? "check the path in $GESTURED_SOCKET" : "check the path given with --socket"
    }

    init(_ error: ConnectionError, path: String) {
        let naming = Self.naming(path)
        let path = path.safe
        switch error {
        case .unreachable(let error):
            let text = "\(error.reason); " + ConnectionError.cure(error.code, naming: naming)
            switch error.code {
            case EACCES, EPERM: self.init(.noPermission, "\(path): \(text)")
            case ENAMETOOLONG: self.init(.usage, "\(path): \(text)")
            default: self.init(.unavailable, "\(path): no daemon: \(text)")
            }
        case .closed:
            self.init(
                .unavailable, "\(path): the daemon has closed the connection; see its log (journalctl -u gestured)")
        case .noReply: self.init(.unavailable, "\(path): the daemon does not answer; see its log")
        case .foreign(let what): self.init(.software, "\(path): \(what); this is not a gesture daemon")
        case .otherProtocol(let server, let number):
            self.init(
                .otherProtocol,
                """
                \(path): \((server ?? "the daemon").safe) speaks protocol \(number); this gesturectl speaks protocol \
                \(ProtocolLimits.version); use the gesturectl that came with the daemon
                """)
        case .refused(let refusal, let line):
            self.init(refusal)
            reply = line
        }
    }

    /// - Returns: the message of a denial, with the name of this user.
    static func namingUser(in message: String) -> String {
        let user = geteuid()
        return Users.name(of: user).map { Rights.naming(user, $0, in: message) } ?? message
    }

    private init(_ refusal: GestureClient.Refusal) {
        let status: Status =
            switch refusal.code {
            case .permissionDenied: .noPermission
            case .configurationInvalid: .configuration
            case .notFound: .notFound
            case .busy: .busy
            case .badValue, .badRequest: .usage
            default: .software
            }
        var message = Self.namingUser(in: refusal.message).safe + Spelling.hint(refusal.suggestion?.safe)
        if status == .notFound, message.hasPrefix("no region"), !message.contains("; ") { message += Regions.cure }
        self.init(status, ([message] + refusal.diagnostics.map(\.text)).joined(separator: "\n"))
    }
}

extension GestureClient.Diagnostic {
    /// The diagnostic in the format of compilers: `file:line:column: error: message`.
    var text: String {
        let place = file.safe + (line > 0 ? ":\(line):\(max(1, column))" : "")
        let text = message.safe + Spelling.hint(suggestion?.safe)
        return "\(place): \((severity.isEmpty ? "error" : severity).safe): \(text)"
    }
}

extension JSONValue {
    /// A scalar as readable text; empty for lists and objects.
    var displayText: String {
        if let string { return string }
        if let integer { return "\(integer)" }
        if let number { return "\(number)" }
        if let bool { return bool ? "yes" : "no" }
        return isNull ? "none" : ""
    }
}
