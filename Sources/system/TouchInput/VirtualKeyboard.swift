// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
import ContactTracking
package import GestureEngine
package import LinuxSystem

/// A virtual keyboard with the given keys.
///
/// It has no other keys, so that desktops do not take it for a real keyboard and hide the keyboard on the screen. It is
/// made with uinput, and removed when this object is freed; the kernel then releases what is down.
package final class VirtualKeyboard {
    private let descriptor: OwnedDescriptor
    /// The object of libevdev.
    private let handle: OpaquePointer
    private var writer = EventWriter()
    private var events: [KernelEvent] = []

    /// - Throws: a `SystemError` with the path of uinput.
    package init(name: String, phys: String, codes: [UInt16]) throws(SystemError) {
        let descriptor = try Uinput.open()
        handle = try Uinput.create(on: descriptor, phys: phys) { model in
            libevdev_set_name(model, name)
            libevdev_set_id_bustype(model, BUS_VIRTUAL)
            for code in codes { libevdev_enable_event_code(model, UInt32(EV_KEY), UInt32(code), nil) }
            // A console repeats a key that is held only if the device has this.
            libevdev_enable_event_type(model, UInt32(EV_REP))
        }
        self.descriptor = descriptor
    }

    // libevdev does not close a descriptor that it has not opened.
    deinit { libevdev_uinput_destroy(handle) }

    /// Adds a frame that presses or releases keys, in this order. `flush` writes it.
    package func add(_ codes: [UInt16], isDown: Bool, at time: Timestamp) {
        for code in codes {
            events.append(KernelEvent(time: time, type: EventCode.evKey, code: code, value: isDown ? 1 : 0))
        }
        events.append(.report(at: time))
    }

    /// Writes all frames with one system call. Never blocks.
    package func flush() throws(SystemError) {
        guard !events.isEmpty else { return }
        defer { events.removeAll(keepingCapacity: true) }
        try writer.write(events, to: descriptor.rawValue)
    }
}
