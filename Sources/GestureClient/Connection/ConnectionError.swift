// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
package import LinuxSystem

/// An error of one connection. The client library and the tool have their own messages for it.
package enum ConnectionError: Error {
    /// `connect` failed.
    case unreachable(SystemError)
    /// The daemon has closed the connection.
    case closed
    /// The daemon has not replied in time.
    case noReply
    /// Something that no gesture daemon writes: `a line that is no JSON`.
    case foreign(String)
    /// The daemon speaks another protocol.
    case otherProtocol(server: String?, number: Int)
    case refused(GestureClient.Refusal)

    static let closedCause = "the daemon has closed the connection"
    static let noReplyCause = "the daemon does not answer; see its log"
}

extension GestureClient.ClientError {
    init(_ error: ConnectionError, path: String) {
        switch error {
        case .unreachable(let error): self.init(unreachable: error, path: path)
        case .closed: self = .unavailable(path: path, cause: ConnectionError.closedCause, isPermanent: false)
        case .noReply: self = .unavailable(path: path, cause: ConnectionError.noReplyCause, isPermanent: false)
        case .foreign(let what): self = .wrongProtocol(path: path, cause: "\(what); this is no gesture daemon")
        case .otherProtocol(_, let number):
            self = .wrongProtocol(
                path: path, cause: "protocol \(number); this client speaks \(ProtocolLimits.version)")
        case .refused(let refusal): self = .refused(refusal)
        }
    }

    private init(unreachable error: SystemError, path: String) {
        let cure =
            switch error.code {
            case EACCES, EPERM: "add your user to group gestured (usermod -aG gestured USER) and log in again"
            case ENOENT: "start the daemon (systemctl start gestured), or name its socket in $GESTURED_SOCKET"
            case ECONNREFUSED: "the daemon has stopped; start it (systemctl start gestured)"
            case ENAMETOOLONG: "a socket's path has at most 107 bytes"
            default: "is it the daemon's socket?"
            }
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
