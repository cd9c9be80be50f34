// SPDX-License-Identifier: MIT
import CLinux
import CUdev
package import ContactTracking

/// An input device reported by udev, before it is opened.
package struct DiscoveredDevice: Hashable, Sendable {
    /// The path in sysfs. Unlike a node, it is never reused for another device.
    package var systemPath: String
    /// The device node, such as `/dev/input/event4`.
    package var node: String
    /// The device number of the node.
    package var number: UInt64
    /// The description without axes, keys and properties, because reading these requires an open node. It is sufficient
    /// for detecting a touchscreen and for matching a `[[device]]`.
    package var description: DeviceDescription
}

extension DiscoveredDevice {
    /// Creates a description; `nil` if the device is not an event node or if its rules have not run. In the latter
    /// case, udev will report it again. (`ID_INPUT` shows that the rules have run. In an enumeration, udev's own flag
    /// is not set for fake devices.) If udev is not running, the device is classified by its capabilities.
    init?(_ device: OpaquePointer) {
        let name = String(orEmpty: udev_device_get_sysname(device))
        let node = String(orEmpty: udev_device_get_devnode(device))
        guard name.hasPrefix("event"), !node.isEmpty else { return nil }
        var properties = Self.properties(device)
        let isInitialised = properties["ID_INPUT"] == "1"
        guard isInitialised || !Self.isUdevRunning else { return nil }
        // The parent is the input device, whose attributes contain the names. udev owns the reference.
        let parent = udev_device_get_parent_with_subsystem_devtype(device, "input", nil)
        func attribute(_ key: String) -> String {
            parent.map { String(orEmpty: udev_device_get_sysattr_value($0, key)) } ?? ""
        }
        if !isInitialised {
            let capabilities = KernelCapabilities(
                properties: attribute("properties"), keys: attribute("capabilities/key"),
                axes: attribute("capabilities/abs"))
            properties.merge(capabilities.classification) { _, derived in derived }
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

    /// Whether the device is an event node, even if it cannot be described.
    static func isNode(_ device: OpaquePointer) -> Bool {
        String(orEmpty: udev_device_get_sysname(device)).hasPrefix("event")
    }

    /// Whether udev's rules have run for a node, so that other programs hear of it. They do not run without udev, or for a
    /// file that is no device.
    package static func isInitialised(_ node: String) -> Bool {
        var status = stat()
        guard stat(node, &status) == 0 else { return false }
        guard status.st_rdev != 0, isUdevRunning else { return true }
        guard let udev = udev_new() else { return false }
        defer { udev_unref(udev) }
        guard let device = udev_device_new_from_devnum(udev, CChar(UInt8(ascii: "c")), status.st_rdev) else {
            return false
        }
        defer { udev_device_unref(device) }
        return DiscoveredDevice(device) != nil
    }

    private static var isUdevRunning: Bool { access("/run/udev/control", F_OK) == 0 }

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
