// SPDX-License-Identifier: MIT
import CEvdev
import CLinux
package import ContactTracking
import GestureEngine
package import LinuxSystem

/// One evdev node: what it is, and what it reports.
///
/// libevdev describes it, sets its clock and grabs it; the events are read here (see
/// `EventReader`), and so is the slot table: libevdev does not say when the kernel refuses it.
package final class InputDevice {
    package let node: String
    package let description: DeviceDescription
    /// Whether event times are the kernel's; otherwise they are those of the reads.
    package var hasKernelTimes: Bool { !reader.stampsArrival }
    /// Whether the compositor sees nothing of it.
    package internal(set) var isGrabbed = false

    let descriptor: OwnedDescriptor
    let evdev: OpaquePointer?
    let reader = EventReader()
    /// Not retained: it owns the device. `stop()` forgets it.
    private(set) unowned(unsafe) var delegate: (any InputDeviceDelegate)?
    private let slotCount: Int
    private let table: (CInt) -> KernelSlots?
    private var source: EventLoop.Source?
    private var loop: EventLoop?

    /// Opens a node that udev has initialised, and asks it what it is. Reads no event.
    /// - Parameter udev: its properties.
    /// - Throws: `SystemError` with the node: `EACCES` (not in the group `input`), `ENODEV`
    ///   (unplugged meanwhile), `ENOTTY` (no evdev node), …
    package init(node: String, udev: [String: String]) throws(SystemError) {
        evdev_silence_library()
        let descriptor = try OwnedDescriptor(opening: node, flags: O_RDONLY | O_NONBLOCK)
        var evdev: OpaquePointer?
        let code = libevdev_new_from_fd(descriptor.rawValue, &evdev)
        guard code >= 0, let evdev else {
            throw SystemError(call: "libevdev_new_from_fd", code: -code, path: node)
        }
        // Before the first read. Some fake devices refuse it.
        reader.stampsArrival = libevdev_set_clock_id(evdev, CLOCK_MONOTONIC) < 0
        let description = DeviceDescription(evdev, udev: udev)
        let slotCount = description.axis(EventCode.absMTSlot).map { Int(clamping: Int64($0.maximum) + 1) } ?? 1
        self.node = node
        self.evdev = evdev
        self.description = description
        self.slotCount = slotCount
        self.descriptor = descriptor
        table = { KernelSlots(descriptor: $0, device: description, slotCount: slotCount) }
    }

    /// For tests: any descriptor that events can be read from.
    init(adopting descriptor: consuming OwnedDescriptor, table: @escaping (CInt) -> KernelSlots?) {
        node = ""
        description = DeviceDescription()
        evdev = nil
        slotCount = 1
        self.descriptor = descriptor
        self.table = table
    }

    deinit {
        stop()
        libevdev_free(evdev)
    }

    /// How its slots are now; `nil` when the kernel does not say.
    ///
    /// A panel of one contact loses what waits to be read of its key by that.
    func slotTable() -> KernelSlots? { table(descriptor.rawValue) }

    /// Whether something waits to be read: then what was read is not yet what `slotTable()` says.
    var hasMore: Bool { hasMore(within: 0) }

    /// The same, or comes within so many milliseconds, for which it blocks.
    package func hasMore(within milliseconds: Int32) -> Bool {
        evdev_has_more(descriptor.rawValue, milliseconds) != 0
    }

    /// How its slots are, to be compared with what was read of it; `nil` while more waits to be read, or when the
    /// kernel does not say.
    package func tableAsRead() -> KernelSlots? {
        guard !hasMore, let table = slotTable(), !hasMore else { return nil }
        return table
    }

    /// Reports to `delegate` from now on, whenever the loop finds events.
    package func start(loop: EventLoop, delegate: any InputDeviceDelegate) throws(SystemError) {
        guard source == nil else { return }
        self.delegate = delegate
        self.loop = loop
        let device = Unmanaged.passUnretained(self)
        source = try loop.add(descriptor.rawValue, events: .readable) { _ in
            device.takeUnretainedValue().readAvailable()
        }
    }

    /// Reports nothing more. Lets go of a grab. Twice is harmless.
    package func stop() {
        if let source { loop?.remove(source) }
        source = nil
        loop = nil
        delegate = nil
        ungrab()
    }

    /// Whether it reports: from `start` to `stop`.
    var isStarted: Bool { source != nil }

    /// Reads all that waits. The loop calls it; and who wakes for a deadline calls it first.
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
        let known = events[..<(dropped ?? events.endIndex)]
        if !known.isEmpty { delegate?.inputDevice(self, received: UnsafeBufferPointer(rebasing: known)) }
        // The rest of the buffer is older than the table, too.
        if dropped != nil { resynchronize() }
    }

    /// It is gone, be it only that it cannot be read any more.
    func lose() {
        let delegate = self.delegate
        stop()
        delegate?.inputDeviceWasLost(self)
    }
}
