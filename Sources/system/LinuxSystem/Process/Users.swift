// SPDX-License-Identifier: MIT
import CLinux

/// The system's databases of users and groups.
package enum Users {
    /// - Returns: the number of a user or group; `nil` if the name does not exist.
    package static func number(of name: String, isGroup: Bool) -> UInt32? {
        isGroup ? getgrnam(name)?.pointee.gr_gid : getpwnam(name)?.pointee.pw_uid
    }

    /// - Returns: the name of a user; `nil` if the number does not exist.
    package static func name(of user: UInt32) -> String? {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) }
    }
}

/// The name of this machine.
package enum HostName {
    /// The name that `hostname` prints; `nil` if there is none.
    package static var current: String? {
        // POSIX allows names of at most 255 bytes.
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
