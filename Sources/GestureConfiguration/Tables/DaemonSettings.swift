// SPDX-License-Identifier: MIT

enum DaemonKey: String, TableKey {
    case logLevel = "log_level"
    case maxClients = "max_clients"
}

/// `[daemon]`: what concerns the process, not the touches.
package struct DaemonSettings: Hashable, Sendable {
    /// The least important lines that are written.
    package enum LogLevel: String, Hashable, Sendable, CaseIterable {
        case debug, info, warning, error
    }

    package var logLevel = LogLevel.info
    /// Connections at a time. Default 64.
    package var maxClients = 64

    package init() {}

    static func read(_ reader: TableReader<DaemonKey>) -> Self {
        var result = DaemonSettings()
        let levels = LogLevel.allCases.map { ($0.rawValue, $0) }
        if let level = reader.word(.logLevel, levels) { result.logLevel = level }
        if let clients = reader.integer(.maxClients, 1...1024) { result.maxClients = clients }
        return result
    }
}
