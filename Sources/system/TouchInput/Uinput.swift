// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking
package import LinuxSystem

/// Creates input devices with uinput.
package enum Uinput {
    static let path = "/dev/uinput"

    /// Fails if this process cannot create devices.
    package static func check() throws(SystemError) { _ = try open() }

    /// Opens uinput for one device.
    static func open() throws(SystemError) -> OwnedDescriptor {
        try OwnedDescriptor(opening: path, flags: O_RDWR | O_NONBLOCK)
    }

    /// Creates a device.
    /// - Parameters:
    ///   - descriptor: the descriptor from `open()`, which must stay open as long as the device exists.
    ///   - describe: sets the properties of the device in an object of libevdev.
    /// - Returns: the object to destroy with `libevdev_uinput_destroy`, which does not close the descriptor.
    /// - Throws: a `SystemError` with the path of uinput. See `PanelTwin.remedy(for:)`.
    static func create(
        on descriptor: borrowing OwnedDescriptor, phys: String, describe: (OpaquePointer) -> Void
    ) throws(SystemError) -> OpaquePointer {
        guard evdev_uinput_set_phys(descriptor.rawValue, phys) >= 0 else { throw .last("UI_SET_PHYS", path: path) }
        guard let model = libevdev_new() else { throw SystemError(call: "libevdev_new", code: ENOMEM) }
        defer { libevdev_free(model) }
        describe(model)
        var device: OpaquePointer?
        let code = libevdev_uinput_create_from_device(model, descriptor.rawValue, &device)
        guard code >= 0, let device else {
            throw SystemError(call: "libevdev_uinput_create_from_device", code: -code, path: path)
        }
        return device
    }
}

extension DeviceDescription {
    /// Sets all properties of the device that is to be made, except its name.
    func describe(_ model: OpaquePointer) {
        libevdev_set_id_bustype(model, Int32(bus))
        libevdev_set_id_vendor(model, Int32(vendor))
        libevdev_set_id_product(model, Int32(product))
        libevdev_set_id_version(model, Int32(version))
        for property in properties { libevdev_enable_property(model, UInt32(clamping: property)) }
        for key in keys { libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(clamping: key), nil) }
        for (code, axis) in axes {
            var info = input_absinfo(
                value: 0, minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
                resolution: axis.resolution)
            libevdev_enable_event_code(model, UInt32(EV_ABS), UInt32(clamping: code), &info)
        }
    }
}
