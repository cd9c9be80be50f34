// SPDX-License-Identifier: MIT
import GestureConfiguration

/// Writes what is wrong with a configuration into the log, as a compiler would.
enum DiagnosticLog {
    static func write(_ diagnostics: [Diagnostic], to log: Log) {
        for diagnostic in diagnostics {
            switch diagnostic.severity {
            // An integrator's fault, not the daemon's: a warning all the same.
            case .error, .warning: log.warning(diagnostic.headline)
            }
        }
    }
}
