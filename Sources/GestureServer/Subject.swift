// SPDX-License-Identifier: MIT

/// One gesture of one region: what subscriptions select by.
package struct Subject: Hashable, Sendable {
    /// The region's id.
    package var region: String
    /// The kind, as on the wire.
    package var gesture: String
    /// The gesture's name, as on the wire.
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
