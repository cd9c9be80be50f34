// SPDX-License-Identifier: MIT

/// How much an operator wants to read.
enum LogLevel: UInt8, Hashable, Sendable, Comparable, CaseIterable {
    case debug, info, warning, error

    init?(word: String) {
        switch word {
        case "debug": self = .debug
        case "info": self = .info
        case "warning": self = .warning
        case "error": self = .error
        default: return nil
        }
    }

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    var word: StaticString {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// The priority that journald takes from the start of a line.
    var priority: StaticString {
        switch self {
        case .debug: "<7>"
        case .info: "<6>"
        case .warning: "<4>"
        case .error: "<3>"
        }
    }
}
