// SPDX-License-Identifier: MIT

/// Something an operator may want to read in the log; rate limits are the log's.
package struct ServerNotice: Hashable, Sendable {
    package enum Severity: Hashable, Sendable { case debug, info, warning, error }

    package var severity: Severity
    /// Lower case, no full stop, nothing that a client wrote.
    package var message: String

    package init(_ severity: Severity, _ message: String) {
        self.severity = severity
        self.message = message
    }
}
