// SPDX-License-Identifier: MIT
import GestureConfiguration

/// Writes what is wrong with a configuration into the log, as a compiler would.
enum DiagnosticLog {
    static func write(_ diagnostics: [Diagnostic], to log: Log) {
        for diagnostic in diagnostics {
            switch diagnostic.severity {
            // An integrator's fault, but what follows from it, an old configuration, must be seen at any level.
            case .error: log.error(diagnostic.headline)
            case .warning: log.warning(diagnostic.headline)
            }
        }
    }
}
