// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
package import ContactTracking
package import GestureEngine
package import LinuxSystem

/// A virtual keyboard with one key. Compositors and idle daemons switch the display on when the key is pressed.
///
/// It is made with uinput, and removed when this object is freed.
package final class WakeKeyboard {
    private let key: WakeKey
    private let descriptor: OwnedDescriptor
    /// The object of libevdev.
    private let handle: OpaquePointer
    private var writer = EventWriter()

    /// Creates the keyboard.
    /// - Throws: a `SystemError` with the path of uinput. See `PanelTwin.remedy(for:)`.
    package init(_ key: WakeKey) throws(SystemError) {
        self.key = key
        let descriptor = try OwnedDescriptor(opening: PanelTwin.path, flags: O_RDWR | O_NONBLOCK)
        guard evdev_uinput_set_phys(descriptor.rawValue, "gestured/wake") >= 0 else {
            throw .last("UI_SET_PHYS", path: PanelTwin.path)
        }
        guard let model = libevdev_new() else { throw SystemError(call: "libevdev_new", code: ENOMEM) }
        defer { libevdev_free(model) }
        libevdev_set_name(model, "gestured wake key")
        libevdev_set_id_bustype(model, BUS_VIRTUAL)
        libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(key.rawValue), nil)
        var device: OpaquePointer?
        let code = libevdev_uinput_create_from_device(model, descriptor.rawValue, &device)
        guard code >= 0, let device else {
            throw SystemError(call: "libevdev_uinput_create_from_device", code: -code, path: PanelTwin.path)
        }
        self.descriptor = descriptor
        handle = device
    }

    // libevdev does not close a descriptor that it has not opened.
    deinit { libevdev_uinput_destroy(handle) }

    /// Presses and releases the key with one system call, so that it cannot stay pressed. Never blocks.
    package func press(at time: Timestamp) throws(SystemError) {
        let events = [Int32(1), 0].flatMap { value in
            [KernelEvent(time: time, type: EventCode.evKey, code: key.rawValue, value: value), .report(at: time)]
        }
        try writer.write(events, to: descriptor.rawValue)
    }
}
