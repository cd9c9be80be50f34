// SPDX-License-Identifier: MIT
import CEvdev
import ContactTracking

extension DeviceDescription {
    /// What libevdev has read of a device.
    init(_ evdev: OpaquePointer, udev: [String: String]) {
        self.init(
            name: String(orEmpty: libevdev_get_name(evdev)), phys: String(orEmpty: libevdev_get_phys(evdev)),
            uniq: String(orEmpty: libevdev_get_uniq(evdev)),
            bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(evdev)),
            vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(evdev)),
            product: UInt16(truncatingIfNeeded: libevdev_get_id_product(evdev)),
            version: UInt16(truncatingIfNeeded: libevdev_get_id_version(evdev)), udev: udev)
        for property in 0..<UInt32(INPUT_PROP_CNT) where libevdev_has_property(evdev, property) != 0 {
            properties.insert(Int(property))
        }
        for key in 0..<UInt32(KEY_CNT) where libevdev_has_event_code(evdev, UInt32(EV_KEY), key) != 0 {
            keys.insert(Int(key))
        }
        for code in 0..<UInt32(ABS_CNT) {
            guard let axis = libevdev_get_abs_info(evdev, code)?.pointee else { continue }
            axes[Int(code)] = AxisRange(
                minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
                resolution: axis.resolution, value: axis.value)
        }
    }
}

extension String {
    /// An empty string for `nil`; invalid UTF-8 is repaired.
    init(orEmpty text: UnsafePointer<CChar>?) {
        self = text.map { String(cString: $0) } ?? ""
    }
}
