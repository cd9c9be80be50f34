// SPDX-License-Identifier: MIT

/// The severity of a log message. The raw value is its name in configurations and lines.
package enum LogLevel: String, Hashable, Sendable, Comparable, CaseIterable {
    case debug, info, warning, error

    package static func < (a: Self, b: Self) -> Bool { a.syslogSeverity > b.syslogSeverity }

    /// The prefix that sets the priority of a line in journald.
    package var priority: String { "<\(syslogSeverity)>" }

    private var syslogSeverity: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .warning: 4
        case .error: 3
        }
    }
}
