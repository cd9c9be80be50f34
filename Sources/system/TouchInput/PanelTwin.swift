// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
package import ContactTracking
import GestureEngine
package import LinuxSystem

/// The device that applications read instead of a panel. It is made with uinput and removed when this object is freed.
///
/// Applications that have not read all events by then reach the end of the file instead. Therefore, the object must be
/// kept for `PanelTwin.removalDelay` after the contacts have lifted.
package final class PanelTwin {
    /// The time in microseconds after which every application should have read the last lift.
    package static let removalDelay: Int64 = 100_000

    /// The twin's own node, such as `/dev/input/event9`; `nil` if unknown.
    package let node: String?

    private let descriptor: OwnedDescriptor
    /// The object of libevdev; `nil` for a twin that was made by an earlier process.
    private var handle: OpaquePointer?
    private var writer = EventWriter()
    /// The error of the first failed write, after which nothing more is written; `nil` if no write has failed.
    package private(set) var failure: SystemError?

    /// Creates the twin.
    /// - Parameters:
    ///   - description: the description from `DeviceDescription.twin(of:)`.
    ///   - input: the panel, which provides the name.
    /// - Throws: a `SystemError` with the path of uinput. See `remedy(for:)`.
    package init(_ description: DeviceDescription, of input: InputDevice) throws(SystemError) {
        let descriptor = try Uinput.open()
        let device = try Uinput.create(on: descriptor, phys: description.phys) { model in
            // In the description, unprintable characters of the name were replaced. The original name is used here,
            // because compositors compare it.
            if let evdev = input.evdev { libevdev_set_name(model, libevdev_get_name(evdev)) }
            description.describe(model)
        }
        node = libevdev_uinput_get_devnode(device).map { String(cString: $0) }
        self.descriptor = descriptor
        handle = device
    }

    /// Takes over a twin that an earlier process has left behind, and lifts every contact on it.
    package init(stored descriptor: consuming OwnedDescriptor) {
        node = nil
        self.descriptor = descriptor
        liftSlots()
    }

    deinit {
        // libevdev does not close a descriptor that it has not opened.
        if let handle { libevdev_uinput_destroy(handle) } else { _ = evdev_uinput_remove(descriptor.rawValue) }
    }

    /// The descriptor to pass to the service manager, which keeps the twin while the daemon restarts.
    package var rawDescriptor: CInt { descriptor.rawValue }

    /// Writes complete frames with one system call. Does nothing after a failure. Never blocks. Allocates memory only
    /// if there are more events than in any earlier call.
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
        // The number of slots is not known. Events for a slot that does not exist apply to the previous slot, whose
        // contact has already been lifted.
        for slot in 0..<Int32(Admission.maximumSlots) {
            events.append(.axis(EventCode.absMTSlot, slot, at: time))
            events.append(.axis(EventCode.absMTToolType, EventCode.mtToolFinger, at: time))
            events.append(.axis(EventCode.absMTTrackingID, -1, at: time))
        }
        events.append(KernelEvent(time: time, type: EventCode.evKey, code: EventCode.btnTouch, value: 0))
        events.append(.report(at: time))
        // Errors are ignored, because the twin may already be gone.
        try? writer.write(events, to: descriptor.rawValue)
    }

    /// Returns a remedy if no twin can be made; `nil` if none is known.
    package static func remedy(for error: SystemError, isContainer: Bool = Environment.isContainer) -> String? {
        switch error.code {
        case EACCES where isContainer:
            "allow the host's group input to write to /dev/uinput, and add its number with --group-add"
        case EPERM where isContainer, ENOENT where isContainer: "start the container with --device /dev/uinput"
        case EACCES, EPERM: "gestured may not create input devices; run gesturectl share --enable as root"
        case ENOENT, ENODEV, ENXIO:
            "load the kernel module with modprobe uinput; gesturectl share --enable loads it at each boot"
        default: nil
        }
    }
}
