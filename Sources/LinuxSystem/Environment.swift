// SPDX-License-Identifier: MIT
import CLinux

/// The process's environment variables.
package enum Environment {
    /// `nil` when it is not set. Invalid UTF-8 is repaired.
    package static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
