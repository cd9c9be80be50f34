// SPDX-License-Identifier: MIT
import CLinux

/// The system's lists of users and groups.
package enum Users {
    /// - Returns: `nil` if no user (no group) has that name.
    package static func number(of name: String, isGroup: Bool) -> UInt32? {
        isGroup ? getgrnam(name)?.pointee.gr_gid : getpwnam(name)?.pointee.pw_uid
    }

    /// - Returns: `nil` if no user has that number.
    package static func name(of user: UInt32) -> String? {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) }
    }
}
