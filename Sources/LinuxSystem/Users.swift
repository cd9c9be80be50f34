// SPDX-License-Identifier: MIT
import CLinux

/// The system's lists of users and groups.
package enum Users {
    /// - Returns: `nil` if no user (no group) has that name.
    package static func number(of name: String, isGroup: Bool) -> UInt32? {
        isGroup ? getgrnam(name)?.pointee.gr_gid : getpwnam(name)?.pointee.pw_uid
    }
}
