// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
package import ContactTracking
import GestureEngine
package import LinuxSystem

/// The device that applications read in the place of a panel, made with uinput. It is removed with this object.
///
/// Who has not read what was written before gets the end of the file instead: keep it for `PanelTwin.removalDelay` after the
/// contacts have lifted.
package final class PanelTwin {
    /// Microseconds within which any application has read the last lift.
    package static let removalDelay: Int64 = 100_000
    /// Of uinput.
    package static let path = "/dev/uinput"

    /// The twin's own node, such as `/dev/input/event9`; `nil` where it is not known.
    package let node: String?

    private let descriptor: OwnedDescriptor
    /// libevdev's; `nil` of one that a former process has made.
    private var handle: OpaquePointer?
    private var writer = EventWriter()
    /// Why nothing more is written; `nil`: nothing has failed.
    package private(set) var failure: SystemError?

    /// Makes it.
    /// - Parameters:
    ///   - description: as `DeviceDescription.twin(of:)` makes it.
    ///   - input: the panel, for its name.
    /// - Throws: `SystemError` with the path of uinput: see `remedy(for:)`.
    package init(_ description: DeviceDescription, of input: InputDevice) throws(SystemError) {
        let descriptor = try OwnedDescriptor(opening: Self.path, flags: O_RDWR | O_NONBLOCK)
        guard evdev_uinput_set_phys(descriptor.rawValue, description.phys) >= 0 else {
            throw .last("UI_SET_PHYS", path: Self.path)
        }
        guard let model = libevdev_new() else { throw SystemError(call: "libevdev_new", code: ENOMEM) }
        defer { libevdev_free(model) }
        // The description's name is repaired where it is not printable; compositors compare it.
        if let evdev = input.evdev { libevdev_set_name(model, libevdev_get_name(evdev)) }
        description.describe(model)
        var device: OpaquePointer?
        let code = libevdev_uinput_create_from_device(model, descriptor.rawValue, &device)
        guard code >= 0, let device else {
            throw SystemError(call: "libevdev_uinput_create_from_device", code: -code, path: Self.path)
        }
        node = libevdev_uinput_get_devnode(device).map { String(cString: $0) }
        self.descriptor = descriptor
        handle = device
    }

    /// Takes over what a former process has left behind, and lifts every contact there.
    package init(stored descriptor: consuming OwnedDescriptor) {
        node = nil
        self.descriptor = descriptor
        liftSlots()
    }

    deinit {
        // Does not close a descriptor that it has not opened.
        if let handle { libevdev_uinput_destroy(handle) } else { _ = evdev_uinput_remove(descriptor.rawValue) }
    }

    /// For the service manager, which keeps the device while the daemon restarts.
    package var rawDescriptor: CInt { descriptor.rawValue }

    /// Writes whole frames, in one call; after a failure, nothing. Never blocks. Allocates nothing once it has written as
    /// many.
    package func write(_ events: [KernelEvent]) {
        guard failure == nil else { return }
        do throws(SystemError) {
            try writer.write(events, to: descriptor.rawValue)
        } catch {
            failure = error
        }
    }

    private func liftSlots() {
        let time = Timestamp(microseconds: MonotonicClock.now())
        var events: [KernelEvent] = []
        // What is said of a slot that does not exist is said of the one before it, which has lifted already.
        for slot in 0..<Int32(Admission.maximumSlots) {
            events.append(.axis(EventCode.absMTSlot, slot, at: time))
            events.append(.axis(EventCode.absMTToolType, EventCode.mtToolFinger, at: time))
            events.append(.axis(EventCode.absMTTrackingID, -1, at: time))
        }
        events.append(KernelEvent(time: time, type: EventCode.evKey, code: EventCode.btnTouch, value: 0))
        events.append(.report(at: time))
        // It may be gone already.
        try? writer.write(events, to: descriptor.rawValue)
    }

    /// What the administrator can do when no twin can be made; `nil`: no cure is known.
    package static func remedy(for error: SystemError) -> String? {
        switch error.code {
        case EACCES, EPERM: "gestured may not make input devices: gesturectl share --enable, as root"
        case ENOENT, ENODEV, ENXIO:
            "load the kernel module: modprobe uinput; gesturectl share --enable does it at each boot"
        default: nil
        }
    }
}

extension DeviceDescription {
    /// Sets all but the name of a device that is to be made.
    fileprivate func describe(_ model: OpaquePointer) {
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
