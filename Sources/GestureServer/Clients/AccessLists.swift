// SPDX-License-Identifier: MIT
package import GestureProtocol
import LinuxSystem

/// Who may do more than listen: a list of users and groups for each right.
package struct AccessLists: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var right: Rights
        package var users: Set<UInt32>
        package var groups: Set<UInt32>

        package init(_ right: Rights, users: Set<UInt32> = [], groups: Set<UInt32> = []) {
            self.right = right
            self.users = users
            self.groups = groups
        }
    }

    private let entries: [Entry]

    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// - Parameter ownUser: the daemon's uid.
    func rights(of peer: PeerCredentials, ownUser: UInt32) -> Rights {
        if peer.user == 0 || peer.user == ownUser { return .all }
        var rights: Rights = []
        for entry in entries
        where entry.users.contains(peer.user) || entry.groups.contains(peer.group)
            || peer.groups.contains(where: { entry.groups.contains($0) })
        {
            rights.insert(entry.right)
        }
        return rights
    }
}
