// SPDX-License-Identifier: MIT
import CLinux

/// The system's list of users.
package enum Users {
    /// - Returns: `nil` if no user has that name.
    package static func id(of name: String) -> UInt32? {
        var uid: UInt32 = 0
        return linux_user_id(name, &uid) >= 0 ? uid : nil
    }
}
