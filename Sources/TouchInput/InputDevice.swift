// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
package import ContactTracking
package import GestureEngine
package import LinuxSystem

/// An open evdev node.
///
/// libevdev describes the device, sets its clock and grabs it. The events are read here (see `EventReader`), and so is
/// the slot table: libevdev does not say when the kernel refuses it.
package final class InputDevice {
    package let node: String
    package let description: DeviceDescription
    /// Whether other programs, such as the compositor, get no events of the device.
    package internal(set) var isGrabbed = false

    let descriptor: OwnedDescriptor
    let evdev: OpaquePointer?
    var reader = EventReader()
    /// Not retained, because it owns the device. `stop()` clears it.
    private(set) unowned(unsafe) var delegate: (any InputDeviceDelegate)?
    private let fetchTable: (CInt) -> SlotTable?
    private var source: EventLoop.Source?
    private var loop: EventLoop?

    /// Opens a node that udev has initialised, and reads its description. Reads no event.
    /// - Parameter udev: udev's properties of the device.
    /// - Throws: `SystemError` with the node: `EACCES` (see `InputDevice.remedy`), `ENODEV`
    ///   (unplugged meanwhile), `ENOTTY` (no evdev node), …
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
        // Before the first read. Some fake devices refuse it.
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

    /// A device that libevdev must not see. The description is what `Admission` needs to refuse it.
    private convenience init(
        refusing descriptor: consuming OwnedDescriptor, node: String, _ slots: AxisRange, udev: [String: String]
    ) {
        let description = DeviceDescription(identityOf: descriptor.rawValue, slots: slots, udev: udev)
        self.init(node: node, descriptor, nil, description) { _ in nil }
    }

    /// What the administrator can do when a device with these properties cannot be opened; `nil`: no cure is known.
    package static func remedy(for error: SystemError, udev: [String: String]) -> String? {
        guard error.code == EACCES || error.code == EPERM, let node = error.path else { return nil }
        return udev["ID_INPUT_TOUCHSCREEN"] == "1"
            ? "install the package acl and 74-gestured.rules, then: udevadm control --reload; udevadm trigger \(node)"
            : "74-gestured.rules is for touchscreens only; if you want this one, let the user gestured read it by a rule"
    }

    /// For tests.
    /// - Parameter descriptor: any that events can be read from.
    convenience init(adopting descriptor: consuming OwnedDescriptor, table: @escaping (CInt) -> SlotTable?) {
        self.init(node: "", descriptor, nil, DeviceDescription(), table)
    }

    deinit {
        stop()
        libevdev_free(evdev)
    }

    /// The kernel's slot table; `nil` when the kernel does not say.
    func slotTable() -> SlotTable? { fetchTable(descriptor.rawValue) }

    /// Whether events wait to be read, so that `slotTable()` is ahead of what was read.
    var hasMore: Bool { hasMore(within: 0) }

    /// Whether events wait to be read, or come within so many milliseconds, for which it blocks.
    package func hasMore(within milliseconds: Int32) -> Bool {
        evdev_has_more(descriptor.rawValue, milliseconds) != 0
    }

    /// The kernel's slot table, if it is that of the moment up to which events were read; `nil` while more events
    /// wait, or when the kernel does not say.
    package func tableAsRead() -> SlotTable? {
        guard !hasMore, let table = slotTable(), !hasMore else { return nil }
        return table
    }

    /// Starts to report to `delegate` whenever the loop finds events.
    package func start(loop: EventLoop, delegate: any InputDeviceDelegate) throws(SystemError) {
        guard source == nil else { return }
        self.delegate = delegate
        self.loop = loop
        source = try loop.add(descriptor.rawValue, events: .readable, priority: .brief) { [unowned self] _ in
            readAvailable()
        }
    }

    /// Stops reporting, and releases the grab. May be called twice.
    package func stop() {
        if let source { loop?.remove(source) }
        source = nil
        loop = nil
        delegate = nil
        ungrab()
    }

    /// Whether it reports: from `start` to `stop`.
    var isStarted: Bool { source != nil }

    /// Reads all events that wait. The loop calls it. Call it before deadlines fire, too: an event may be earlier.
    package func readAvailable() {
        // Bounded, so that a device that floods does not stop the loop.
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
        let dropped = events.firstIndex { $0.type == EventCode.evSyn && $0.code == EventCode.synDropped }
        let valid = events[..<(dropped ?? events.endIndex)]
        if !valid.isEmpty { delegate?.inputDevice(self, received: valid) }
        // The rest of the buffer is older than the table that is fetched now.
        if dropped != nil { resynchronize() }
    }

    /// Stops, and reports that the device is gone or cannot be read any more.
    func lose() {
        let delegate = self.delegate
        stop()
        delegate?.inputDeviceWasLost(self)
    }
}

/// Exclusive access to a device (`EVIOCGRAB`).
extension InputDevice {
    package enum GrabOutcome: Hashable, Sendable {
        case grabbed
        /// Other programs have seen a contact land, and must see it lift. Or events wait to be read, which may be that.
        case fingerDown
        /// Another process has grabbed it.
        case busy
        /// The errno.
        case failed(CInt)
    }

    /// Grabs the device, if no contact is down.
    package func grab() -> GrabOutcome {
        if isGrabbed { return .grabbed }
        if hasMore || isTouched { return .fingerDown }
        let code = setGrabbed(true)
        guard code >= 0 else { return code == -EBUSY ? .busy : .failed(-code) }
        isGrabbed = true
        // Other programs have seen a contact that landed just before.
        guard isTouched else { return .grabbed }
        ungrab()
        return .fingerDown
    }

    /// Releases the grab. May be called twice.
    package func ungrab() {
        guard isGrabbed else { return }
        isGrabbed = false
        // A failure can only say that the device is gone.
        _ = setGrabbed(false)
    }

    private var isTouched: Bool { slotTable()?.slots.contains { $0.trackingID >= 0 } ?? false }

    /// - Returns: 0, or the errno, negative.
    private func setGrabbed(_ grabbed: Bool) -> CInt {
        guard let evdev else { return 0 }
        var code: CInt
        repeat { code = libevdev_grab(evdev, grabbed ? LIBEVDEV_GRAB : LIBEVDEV_UNGRAB) } while code == -EINTR
        return code
    }
}

/// Receives what a device reports. Must live until the device's `stop()`, which it may call any time.
package protocol InputDeviceDelegate: AnyObject {
    /// The events of one read, in their order: often one frame. A delegate that keeps them costs a copy.
    func inputDevice(_ device: InputDevice, received events: ArraySlice<KernelEvent>)

    /// Events were lost, or `resynchronize()` was called: the slots are now as in `table`.
    func inputDevice(_ device: InputDevice, resynchronized table: SlotTable, at time: Timestamp)

    /// Its axes are not those that it was opened with. It has been stopped: open it again.
    func inputDeviceHasOtherAxes(_ device: InputDevice)

    /// It was unplugged, revoked or broke. It has been stopped.
    func inputDeviceWasLost(_ device: InputDevice)
}
