// SPDX-License-Identifier: MIT
import GestureProtocol

package typealias ClientError = GestureClient.ClientError

extension GestureClient {
    /// An error in the communication between a client and the daemon.
    public enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is no daemon at the socket, or the daemon closed the connection before it replied. In the latter case,
        /// the request may or may not have been carried out. `isPermanent` is true if trying again would not help.
        case unavailable(path: String, cause: String, isPermanent: Bool)
        /// The daemon refused a request and changed nothing.
        case refused(Refusal)
        /// The program at the socket is not gestured, or uses another protocol.
        case wrongProtocol(path: String, cause: String)
        /// The task was cancelled. Its request may or may not have been carried out.
        case cancelled

        /// The path and the cause, such as `/run/gestured/gestured.sock: no daemon: …`.
        public var description: String {
            switch self {
            case .unavailable(let path, let cause, _), .wrongProtocol(let path, let cause): "\(path): \(cause)"
            case .refused(let refusal): refusal.description
            case .cancelled: "cancelled"
            }
        }
    }

    /// An error reply of the daemon.
    public struct Refusal: Hashable, Sendable, CustomStringConvertible {
        /// The request, such as `set_scene`.
        public var command: String
        public var code: ErrorCode
        public var message: String
        /// The most similar valid name.
        public var suggestion: String?
        /// The errors in the configuration, if the code is `.configurationInvalid`.
        public var diagnostics: [Diagnostic]

        public var description: String {
            "\(command): \(message)\(Spelling.hint(suggestion)) (\(code.rawValue))"
        }
    }

    /// The reason for a refusal. A later daemon may have more codes.
    public struct ErrorCode: RawRepresentable, Hashable, Sendable {
        /// The name in the protocol.
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let badJSON = Self(rawValue: "bad_json")
        public static let badRequest = Self(rawValue: "bad_request")
        public static let unknownCommand = Self(rawValue: "unknown_command")
        public static let unknownKey = Self(rawValue: "unknown_key")
        public static let badValue = Self(rawValue: "bad_value")
        public static let lineTooLong = Self(rawValue: "line_too_long")
        public static let permissionDenied = Self(rawValue: "permission_denied")
        public static let notFound = Self(rawValue: "not_found")
        public static let configurationInvalid = Self(rawValue: "config_invalid")
        public static let busy = Self(rawValue: "busy")
        public static let unsupported = Self(rawValue: "unsupported")
        public static let `internal` = Self(rawValue: "internal")
    }
}
