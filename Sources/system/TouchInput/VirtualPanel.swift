// SPDX-License-Identifier: MIT
import CEvdev
package import ContactTracking
package import GestureEngine
package import LinuxSystem

/// A virtual panel.
///
/// It is made with uinput, and removed when this object is freed. The kernel also removes it when the process ends, however
/// that happens.
package final class VirtualPanel {
    /// The panel's node, such as `/dev/input/event9`.
    package let node: String

    private let descriptor: OwnedDescriptor
    /// The object of libevdev.
    private let handle: OpaquePointer
    private var writer = EventWriter()

    /// - Throws: a `SystemError` with the path of uinput; its code is `EINVAL` if the kernel refuses the description.
    package init(_ description: DeviceDescription) throws(SystemError) {
        let descriptor = try Uinput.open()
        let handle = try Uinput.create(on: descriptor, phys: description.phys) { model in
            libevdev_set_name(model, description.name)
            description.describe(model)
        }
        guard let node = libevdev_uinput_get_devnode(handle) else {
            libevdev_uinput_destroy(handle)
            throw SystemError(call: "libevdev_uinput_get_devnode", code: ENODEV, path: Uinput.path)
        }
        self.node = String(cString: node)
        self.descriptor = descriptor
        self.handle = handle
    }

    // libevdev does not close a descriptor that it has not opened.
    deinit { libevdev_uinput_destroy(handle) }

    /// Writes a complete frame with one system call. Never blocks.
    /// - Parameter time: the time of all events, which Linux 6.5 and later report. It must have come.
    package func write(_ frame: [KernelEvent], at time: Timestamp) throws(SystemError) {
        try writer.write(
            frame.map { KernelEvent(time: time, type: $0.type, code: $0.code, value: $0.value) },
            to: descriptor.rawValue)
    }
}
