// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
package import ContactTracking
package import GestureEngine
package import LinuxSystem

/// An open evdev node.
///
/// libevdev is used to describe the device, to set its clock and to grab it. Events are read without libevdev (see
/// `EventReader`). The slot table is also read without it, because libevdev does not report an error if the kernel
/// refuses the table.
package final class InputDevice {
    package let node: String
    package let description: DeviceDescription
    /// Whether this process has grabbed the device, so that other programs, such as the compositor, receive no events
    /// from it.
    package internal(set) var isGrabbed = false

    let descriptor: OwnedDescriptor
    let evdev: OpaquePointer?
    var reader = EventReader()
    /// The delegate is not retained, because it owns the device. `stop()` clears the reference.
    private(set) unowned(unsafe) var delegate: (any InputDeviceDelegate)?
    private let fetchTable: (CInt) -> SlotTable?
    private var source: EventLoop.Source?
    private var loop: EventLoop?

    /// Opens a node that udev has initialised, and reads its description. Does not read events.
    /// - Parameter udev: the udev properties of the device.
    /// - Throws: a `SystemError` with the node, such as `EACCES` (see `InputDevice.remedy`), `ENODEV` (the device has
    ///   been unplugged) or `ENOTTY` (it is not an evdev node).
    package convenience init(node: String, udev: [String: String]) throws(SystemError) {
        evdev_silence_library()
        let descriptor = try OwnedDescriptor(opening: node, flags: O_RDONLY | O_NONBLOCK)
        if let slots = AxisRange(absurdSlotsOf: descriptor.rawValue) {
            self.init(refusing: descriptor, node: node, slots, udev: udev)
            return
        }
        var evdev: OpaquePointer?
        let code = libevdev_new_from_fd(descriptor.rawValue, &evdev)
        guard code >= 0, let evdev else {
            throw SystemError(call: "libevdev_new_from_fd", code: -code, path: node)
        }
        // The clock is set before the first read. Some fake devices refuse this.
        let stampsArrival = libevdev_set_clock_id(evdev, CLOCK_MONOTONIC) < 0
        let description = DeviceDescription(evdev, udev: udev)
        let slotCount = description.axis(EventCode.absMTSlot).map { Int(clamping: Int64($0.maximum) + 1) } ?? 1
        self.init(node: node, descriptor, evdev, description) {
            SlotTable(descriptor: $0, node: node, device: description, slotCount: slotCount)
        }
        reader.stampsArrival = stampsArrival
    }

    private init(
        node: String, _ descriptor: consuming OwnedDescriptor, _ evdev: OpaquePointer?,
        _ description: DeviceDescription, _ fetchTable: @escaping (CInt) -> SlotTable?
    ) {
        self.node = node
        self.descriptor = descriptor
        self.evdev = evdev
        self.description = description
        self.fetchTable = fetchTable
    }

    /// Creates an object for a device that must not be passed to libevdev. The description is sufficient for
    /// `Admission` to refuse the device.
    private convenience init(
        refusing descriptor: consuming OwnedDescriptor, node: String, _ slots: AxisRange, udev: [String: String]
    ) {
        let description = DeviceDescription(identityOf: descriptor.rawValue, slots: slots, udev: udev)
        self.init(node: node, descriptor, nil, description) { _ in nil }
    }

    /// Returns a remedy for a device with these properties that cannot be opened; `nil` if none is known.
    package static func remedy(
        for error: SystemError, udev: [String: String], isContainer: Bool = Environment.isContainer
    ) -> String? {
        if isContainer { return containerRemedy(for: error) }
        guard error.code == EACCES || error.code == EPERM, let node = error.path else { return nil }
        return DeviceKind.touchscreen.isSet(in: udev)
            ? "install the package acl and 74-gestured.rules, then run: udevadm control --reload; "
                + "udevadm trigger \(node)"
            : "74-gestured.rules covers touchscreens only; to use this device, add a udev rule for the user gestured"
    }

    private static func containerRemedy(for error: SystemError) -> String? {
        switch error.code {
        case ENOENT: "mount the host's /dev/input into the container; if it is mounted, restart the container"
        case EPERM: "start the container with --device-cgroup-rule 'c 13:* r'"
        case EACCES: "start the container with --group-add and the number of the host's group input"
        default: nil
        }
    }

    /// Creates a device for tests.
    /// - Parameter descriptor: any descriptor from which events can be read.
    convenience init(adopting descriptor: consuming OwnedDescriptor, table: @escaping (CInt) -> SlotTable?) {
        self.init(node: "", descriptor, nil, DeviceDescription(), table)
    }

    deinit {
        stop()
        libevdev_free(evdev)
    }

    /// Returns the kernel's slot table; `nil` if the kernel does not provide it.
    func slotTable() -> SlotTable? { fetchTable(descriptor.rawValue) }

    /// Whether events are available. If so, `slotTable()` is newer than the events that were read.
    var hasMore: Bool { hasMore(within: 0) }

    /// Whether events are available. If not, waits for them for up to this number of milliseconds.
    package func hasMore(within milliseconds: Int32) -> Bool {
        evdev_has_more(descriptor.rawValue, milliseconds) != 0
    }

    /// Returns the kernel's slot table if it matches the events that were read; `nil` if more events are available or
    /// if the kernel does not provide the table.
    package func tableAsRead() -> SlotTable? {
        guard !hasMore, let table = slotTable(), !hasMore else { return nil }
        return table
    }

    /// Starts reporting to `delegate` whenever the loop finds events.
    package func start(loop: EventLoop, delegate: any InputDeviceDelegate) throws(SystemError) {
        guard source == nil else { return }
        self.delegate = delegate
        self.loop = loop
        source = try loop.add(descriptor.rawValue, events: .readable, priority: .brief) { [unowned self] _ in
            readAvailable()
        }
    }

    /// Stops reporting, and releases the grab. Repeated calls are harmless.
    package func stop() {
        if let source { loop?.remove(source) }
        source = nil
        loop = nil
        delegate = nil
        ungrab()
    }

    /// Whether the device is reporting, which it does between `start` and `stop`.
    var isStarted: Bool { source != nil }

    /// Reads all available events. Called by the loop, and before deadlines fire, because an event may be earlier than
    /// a deadline.
    package func readAvailable() {
        // The number of reads is limited, so that a flood of events does not block the loop.
        for _ in 0..<8 where isStarted {
            switch reader.read(from: descriptor.rawValue, arrival: MonotonicClock.now()) {
            case .nothing: return
            case .gone: return lose()
            case .read(let isDry):
                deliver()
                if isDry { return }
            }
        }
    }

    private func deliver() {
        let events = reader.events
        let dropped = reader.firstDropped
        let valid = events[..<(dropped ?? events.endIndex)]
        if !valid.isEmpty { delegate?.inputDevice(self, received: valid) }
        // The remaining events in the buffer are dropped, because they are older than the table that is fetched now.
        if dropped != nil { resynchronize() }
    }

    /// Stops the device, and reports that it is gone or can no longer be read.
    func lose() {
        let delegate = self.delegate
        stop()
        delegate?.inputDeviceWasLost(self)
    }
}

/// Exclusive access to a device (`EVIOCGRAB`).
extension InputDevice {
    /// The result of `grab()`.
    package enum GrabOutcome: Hashable, Sendable {
        case grabbed
        /// A contact is down, or an available event may be a landing. Other programs that have received the landing of
        /// a contact must also receive its lift.
        case fingerDown
        /// Another process has grabbed the device.
        case busy
        /// The system call failed with this errno.
        case failed(CInt)
    }

    /// Grabs the device if no contact is down.
    package func grab() -> GrabOutcome {
        if isGrabbed { return .grabbed }
        if hasMore || isTouched { return .fingerDown }
        let code = setGrabbed(true)
        guard code >= 0 else { return code == -EBUSY ? .busy : .failed(-code) }
        isGrabbed = true
        // A contact may have landed just before the grab. Other programs have received its landing.
        guard isTouched else { return .grabbed }
        ungrab()
        return .fingerDown
    }

    /// Releases the grab. Repeated calls are harmless.
    package func ungrab() {
        guard isGrabbed else { return }
        isGrabbed = false
        // If this fails, the device is gone.
        _ = setGrabbed(false)
    }

    private var isTouched: Bool { slotTable()?.slots.contains { $0.trackingID >= 0 } ?? false }

    /// Calls `EVIOCGRAB`.
    /// - Returns: 0, or the negative errno.
    private func setGrabbed(_ grabbed: Bool) -> CInt {
        guard let evdev else { return 0 }
        var code: CInt
        repeat { code = libevdev_grab(evdev, grabbed ? LIBEVDEV_GRAB : LIBEVDEV_UNGRAB) } while code == -EINTR
        return code
    }
}

/// Receives the events of a device. The delegate must live until `stop()` of the device is called, and it may call
/// `stop()` at any time.
package protocol InputDeviceDelegate: AnyObject {
    /// Called with the events of one read, in order. They often form one frame. Keeping the slice causes a copy of the
    /// events.
    func inputDevice(_ device: InputDevice, received events: ArraySlice<KernelEvent>)

    /// Called after events were lost or `resynchronize()` was called. `table` contains the current slots.
    func inputDevice(_ device: InputDevice, resynchronized table: SlotTable, at time: Timestamp)

    /// Called when the axes differ from those that the device had when it was opened. The device has been stopped and
    /// must be opened again.
    func inputDeviceHasOtherAxes(_ device: InputDevice)

    /// Called when the device has been unplugged or revoked, or is broken. It has already been stopped.
    func inputDeviceWasLost(_ device: InputDevice)
}
