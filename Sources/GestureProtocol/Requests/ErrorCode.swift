// SPDX-License-Identifier: MIT

/// Why a request was refused. Append-only: clients test for these words.
package enum ErrorCode: UInt8, Hashable, Sendable, CaseIterable {
    case badJSON, badRequest, unknownCommand, unknownKey, badValue, lineTooLong
    case permissionDenied, notFound, configInvalid, busy, unsupported, `internal`

    /// The word on the wire.
    package var word: StaticString {
        switch self {
        case .badJSON: "bad_json"
        case .badRequest: "bad_request"
        case .unknownCommand: "unknown_command"
        case .unknownKey: "unknown_key"
        case .badValue: "bad_value"
        case .lineTooLong: "line_too_long"
        case .permissionDenied: "permission_denied"
        case .notFound: "not_found"
        case .configInvalid: "config_invalid"
        case .busy: "busy"
        case .unsupported: "unsupported"
        case .internal: "internal"
        }
    }
}
