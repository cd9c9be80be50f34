// SPDX-License-Identifier: MIT

/// A region that the configuration has, with gestures or without, on a panel that is there or not.
package struct RegionName: Hashable, Sendable {
    package var id: String
    /// Whether only peers that may control the daemon are told of it.
    package var isPrivate: Bool

    package init(_ id: String, isPrivate: Bool) {
        self.id = id
        self.isPrivate = isPrivate
    }
}
