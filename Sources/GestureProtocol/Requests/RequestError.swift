// SPDX-License-Identifier: MIT

/// What a client is told when its request did nothing.
package struct RequestError: Error, Hashable, Sendable {
    package var code: ErrorCode
    /// What is wrong and what would be right: lower case, no full stop. May quote the request.
    package var message: String
    /// The nearest word that would have been understood.
    package var suggestion: String?
    /// Further keys of the error object, comma first: `,"diagnostics":[…]`.
    package var details: JSONFragment?

    package init(_ code: ErrorCode, _ message: String, suggestion: String? = nil, details: JSONFragment? = nil) {
        self.code = code
        self.message = message
        self.suggestion = suggestion
        self.details = details
    }
}
