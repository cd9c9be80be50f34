// SPDX-License-Identifier: MIT
import CLinux

/// What a descriptor is ready for.
package struct IOEvents: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let readable = IOEvents(rawValue: EPOLLIN.rawValue)
    package static let writable = IOEvents(rawValue: EPOLLOUT.rawValue)
    /// Both directions are closed. Comes without being asked for.
    package static let hangup = IOEvents(rawValue: EPOLLHUP.rawValue)
    /// An error waits on the descriptor. Comes without being asked for.
    package static let error = IOEvents(rawValue: EPOLLERR.rawValue)
}
