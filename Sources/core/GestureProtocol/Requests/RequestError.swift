// SPDX-License-Identifier: MIT

/// The reason why a request was refused. The raw value is the name on the wire. It must not change, because clients
/// test for it.
package enum ErrorCode: String, Hashable, Sendable, CaseIterable {
    case badJSON = "bad_json"
    case badRequest = "bad_request"
    case unknownCommand = "unknown_command"
    case unknownKey = "unknown_key"
    case badValue = "bad_value"
    case lineTooLong = "line_too_long"
    case permissionDenied = "permission_denied"
    case notFound = "not_found"
    case configInvalid = "config_invalid"
    case busy
    case unsupported
    case `internal`
}

/// The error reply to a request that had no effect.
package struct RequestError: Error, Hashable, Sendable {
    package var code: ErrorCode
    /// The mistake and its correction: lower case, without a full stop. May quote the request.
    package var message: String
    /// The nearest valid name.
    package var suggestion: String?
    /// Additional members of the error object, encoded by `JSONWriter.bytes`: `"diagnostics":[…]`.
    package var details: [UInt8]

    package init(_ code: ErrorCode, _ message: String, suggestion: String? = nil, details: [UInt8] = []) {
        self.code = code
        self.message = message
        self.suggestion = suggestion
        self.details = details
    }
}

extension RequestError {
    /// Writes the members of the error object.
    package func write(into json: inout JSONWriter) {
        json.member("code", code.rawValue)
        json.member("message", message)
        if let suggestion { json.member("suggestion", suggestion) }
        json.append(json: details)
    }
}
