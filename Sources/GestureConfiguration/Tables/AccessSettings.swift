// SPDX-License-Identifier: MIT

enum AccessKey: String, TableKey {
    case controlUIDs = "control_uids"
}

/// `[access]`: who may do more than listen.
package struct AccessSettings: Hashable, Sendable {
    package enum User: Hashable, Sendable {
        case uid(UInt32)
        /// To be looked up in the system's users.
        case name(String)
    }

    /// May reload, switch scenes, define regions, and see private ones; besides root and the
    /// daemon's own user.
    package var controlUsers: [User] = []

    package init() {}

    static func read(_ reader: TableReader<AccessKey>) -> Self {
        var result = AccessSettings()
        for value in reader.array(.controlUIDs, of: "user names or numbers") ?? [] {
            if case .integer = value.kind {
                // The highest number means nobody in system calls.
                let uid = reader.check.integer("a uid", value, 0...Int64(UInt32.max) - 1)
                if let uid { result.controlUsers.append(.uid(UInt32(uid))) }
            } else if let name = reader.check.name("a user", value) {
                result.controlUsers.append(.name(name))
            }
        }
        return result
    }
}
