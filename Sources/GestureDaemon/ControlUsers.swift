// SPDX-License-Identifier: MIT
import CLinux
import GestureConfiguration

/// Looks up who may control the daemon.
enum ControlUsers {
    /// Names that nobody has are told and left out.
    static func identifiers(_ access: AccessSettings, log: Log) -> Set<UInt32> {
        var result: Set<UInt32> = []
        for user in access.controlUsers {
            switch user {
            case .uid(let uid): result.insert(uid)
            case .name(let name):
                var uid: UInt32 = 0
                if linux_user_id(name, &uid) >= 0 {
                    result.insert(uid)
                } else {
                    log.warning("[access] control_uids: no user is called \"\(name)\"")
                }
            }
        }
        return result
    }
}
