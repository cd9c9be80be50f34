// SPDX-License-Identifier: MIT
import CUdev
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
}

extension DiscoveredDevice {
    /// `nil` for a device that is no event node, and for one whose rules have not run: udev reports that one again.
    /// (In an enumeration udev does not set its flag for that on fake devices; it does set `ID_INPUT`.)
    init?(_ device: OpaquePointer) {
        let name = String(orEmpty: udev_device_get_sysname(device))
        let node = String(orEmpty: udev_device_get_devnode(device))
        guard name.hasPrefix("event"), !node.isEmpty else { return nil }
        let properties = Self.properties(device)
        guard properties["ID_INPUT"] == "1" else { return nil }
        // The parent is the input device, which has the names. udev owns the reference.
        let parent = udev_device_get_parent_with_subsystem_devtype(device, "input", nil)
        func attribute(_ key: String) -> String {
            parent.map { String(orEmpty: udev_device_get_sysattr_value($0, key)) } ?? ""
        }
        func number(_ key: String) -> UInt16 { UInt16(attribute(key), radix: 16) ?? 0 }
        self.init(
            systemPath: String(orEmpty: udev_device_get_syspath(device)), node: node,
            number: UInt64(udev_device_get_devnum(device)),
            description: DeviceDescription(
                name: attribute("name"), phys: attribute("phys"), uniq: attribute("uniq"), bus: number("id/bustype"),
                vendor: number("id/vendor"), product: number("id/product"), version: number("id/version"),
                udev: properties))
    }

    /// Whether it is an event node, also when it cannot be described.
    static func isNode(_ device: OpaquePointer) -> Bool {
        String(orEmpty: udev_device_get_sysname(device)).hasPrefix("event")
    }

    private static func properties(_ device: OpaquePointer) -> [String: String] {
        var result: [String: String] = [:]
        var entry = udev_device_get_properties_list_entry(device)
        while let current = entry {
            entry = udev_list_entry_get_next(current)
            let key = String(orEmpty: udev_list_entry_get_name(current))
            guard key.hasPrefix("ID_") || key.hasPrefix("LIBINPUT_") || key.hasPrefix("WL_") else { continue }
            result[key] = String(orEmpty: udev_list_entry_get_value(current))
        }
        return result
    }
}
