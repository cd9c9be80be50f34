// SPDX-License-Identifier: MIT
import CLinux

/// A configuration file that cannot be read: which one, and why.
package struct ConfigurationFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    /// `Permission denied`, `is not a regular file`
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// - Parameter code: an errno.
    package init(path: String, code: CInt) {
        self.init(path: path, reason: strerror(code).map { String(cString: $0) } ?? "unknown error")
    }

    /// `/etc/gestured/gestured.toml: Permission denied`
    package var description: String { "\(path): \(reason)" }
}
