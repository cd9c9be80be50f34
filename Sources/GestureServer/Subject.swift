// SPDX-License-Identifier: MIT

/// One gesture of one region, by which subscriptions select.
package struct Subject: Hashable, Sendable {
    /// The region's id.
    package var region: String
    /// The kind's name on the wire.
    package var gesture: String
    /// The gesture's name on the wire.
    package var name: String
    /// Whether its events go only to peers that may control the daemon.
    package var isPrivate: Bool

    package init(region: String, gesture: String, name: String, isPrivate: Bool) {
        self.region = region
        self.gesture = gesture
        self.name = name
        self.isPrivate = isPrivate
    }
}

/// A region of the configuration, with gestures or without, on a connected panel or not.
package struct ServedRegion: Hashable, Sendable {
    package var id: String
    /// Whether only peers that may control the daemon may know of it.
    package var isPrivate: Bool

    package init(_ id: String, isPrivate: Bool) {
        self.id = id
        self.isPrivate = isPrivate
    }
}
