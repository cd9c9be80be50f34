// SPDX-License-Identifier: MIT
import CLinux

/// The system's lists of users and groups.
package enum Users {
    /// - Returns: `nil` if no user (no group) has that name.
    package static func number(of name: String, isGroup: Bool) -> UInt32? {
        isGroup ? group(of: name) : id(of: name)
    }

    /// - Returns: `nil` if no user has that name.
    package static func id(of name: String) -> UInt32? {
        var uid: UInt32 = 0
        return linux_user_id(name, &uid) >= 0 ? uid : nil
    }

    /// - Returns: `nil` if no group has that name.
    package static func group(of name: String) -> UInt32? {
        var gid: UInt32 = 0
        return linux_group_id(name, &gid) >= 0 ? gid : nil
    }
}
