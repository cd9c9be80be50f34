// SPDX-License-Identifier: MIT
package import ContactTracking

/// An input device that udev knows, before it is opened.
package struct DiscoveredDevice: Hashable, Sendable {
    /// Unlike a node, never used again for another device.
    package var systemPath: String
    /// `/dev/input/event4`
    package var node: String
    package var number: UInt64
    /// Without axes, keys and properties, which need an open node. Enough to tell a touchscreen and to match a
    /// `[[device]]`.
    package var description: DeviceDescription

    package init(systemPath: String, node: String, number: UInt64, description: DeviceDescription) {
        self.systemPath = systemPath
        self.node = node
        self.number = number
        self.description = description
    }
}
