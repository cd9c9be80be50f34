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
    /// - Parameter panel: the name of the panel's node, such as `event4`. A udev rule gives the keyboard the seat of this
    ///   panel.
    /// - Throws: a `SystemError` with the path of uinput. See `PanelTwin.remedy(for:)`.
    package init(_ key: WakeKey, for panel: String) throws(SystemError) {
        self.key = key
        let descriptor = try Uinput.open()
        handle = try Uinput.create(on: descriptor, phys: "\(DeviceDescription.twinPrefix)\(panel)/wake") { model in
            libevdev_set_name(model, "gestured wake key")
            libevdev_set_id_bustype(model, BUS_VIRTUAL)
            libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(key.rawValue), nil)
        }
        self.descriptor = descriptor
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
