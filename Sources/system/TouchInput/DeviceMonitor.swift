// SPDX-License-Identifier: MIT
import CLinux
import CUdev
package import LinuxSystem

/// Finds input devices through udev: those that exist at the start, and those that are added and removed later. Also
/// reports that displays were plugged in or unplugged.
///
/// Every `event*` node that udev has initialised is reported, and the delegate decides which ones to open. When the
/// queue of udev's events overflows, all devices are listed again. They are also listed if a node appears or disappears
/// without an event, as in a container, which may not receive udev's events.
package final class DeviceMonitor {
    private let udev: OpaquePointer
    /// The source of udev's events; `nil` until it has been set up.
    private var monitor: OpaquePointer?
    private let loop: EventLoop
    private var registry = DeviceRegistry()
    /// The kernel's devices at the last listing; `nil` if udev did not list all of them.
    private var listing: InputListing?
    /// New devices that later listings have found. One of them is reported per turn, because opening a panel takes
    /// time: on a busy machine, opening 64 panels took longer than the watchdog's timeout.
    private var unreported: [DiscoveredDevice] = []
    /// The time of the last udev event in microseconds.
    private var lastEvent: Int64 = 0
    private var nodes: FolderWatch?
    /// The time of the first change of the nodes that has not been compared with udev's events.
    private var nodesChangedAt: Int64?
    private static let quiet: Int64 = 1_000_000
    /// The subsystems of displays.
    private static let displays = ["drm", "backlight"]
    /// The time of the next listing, and the number of consecutive listings.
    private var rescanAt: Int64?
    private var rescans = 0
    private var source: EventLoop.Source?
    private var retryTimer: DeadlineTimer?
    private unowned(unsafe) var delegate: (any DeviceMonitorDelegate)?

    /// - Throws: a `SystemError` with `udev_new` if memory is exhausted.
    package init(loop: EventLoop) throws(SystemError) {
        guard let udev = udev_new() else { throw .last("udev_new") }
        self.udev = udev
        self.loop = loop
    }

    deinit {
        stop()
        if let monitor { udev_monitor_unref(monitor) }
        udev_unref(udev)
    }

    /// Reports the existing devices. From now on, devices that are added and removed are reported as well. Call this
    /// once.
    /// - Throws: a `SystemError` with the failed function of libudev. In this case, devices are reported only by
    ///   `rescan()`, until it succeeds in setting up the monitor.
    package func start(delegate: any DeviceMonitorDelegate) throws(SystemError) {
        self.delegate = delegate
        // The devices are listed after the monitor has been set up, so that a device that is added in between is not
        // missed.
        defer { list(isFirst: true) }
        retryTimer = try DeadlineTimer(loop: loop) { [unowned self] in retry() }
        try listen()
    }

    private func listen() throws(SystemError) {
        // The monitor listens to "udev" instead of "kernel". Events of "kernel" come before the rules have set
        // properties and access rights.
        guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
            throw .last("udev_monitor_new_from_netlink")
        }
        do throws(SystemError) {
            for subsystem in ["input"] + Self.displays {
                try check(
                    udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil),
                    "udev_monitor_filter_add_match")
            }
            try check(udev_monitor_enable_receiving(monitor), "udev_monitor_enable_receiving")
            source = try loop.add(udev_monitor_get_fd(monitor), events: .readable) { [unowned self] _ in receive() }
        } catch {
            udev_monitor_unref(monitor)
            throw error
        }
        self.monitor = monitor
    }

    /// Stops reporting.
    package func stop() {
        if let source { loop.remove(source) }
        source = nil
        nodes = nil
        retryTimer?.cancel()
        retryTimer = nil
        delegate = nil
    }

    /// Reports the differences between udev's list and the reported devices, and retries devices that could not be
    /// opened. Displays count as changed.
    package func rescan() {
        list(isFirst: false)
        delegate?.deviceMonitorDisplaysChanged(self)
    }

    private func list(isFirst: Bool) {
        if source == nil, delegate != nil { try? listen() }
        if nodes?.isActive != true, delegate != nil {
            nodes = FolderWatch("/dev/input", loop: loop) { [unowned self] in nodesChanged() }
        }
        // This is read before udev's list, so that the next call detects a change that happens in between.
        let listing = InputListing()
        let givenUp = registry.takeGivenUp()
        let present = enumerate()
        // A device that is missing from udev's list is not necessarily gone: udev may be unable to describe it at the
        // moment.
        for device in registry.missing(from: present) where Self.isGone(device.systemPath) {
            lose(device.systemPath)
        }
        let unknown = present.filter { !registry.contains($0) }
        if isFirst { for device in unknown { found(device) } } else { unreported = unknown }
        for device in givenUp where registry.contains(device) { report(device) }
        rescanAt = nil
        let isComplete = source != nil && present.count >= listing.nodeCount
        self.listing = isComplete ? listing : nil
        if isComplete { rescans = 0 } else { rescanSoon() }
        armRetry()
    }

    /// Whether there has been no udev event for so long that none is likely to be pending.
    package var isQuiet: Bool { MonotonicClock.now() - lastEvent > Self.quiet }

    /// Rescans if the kernel's devices have changed or udev did not list all of them, and retries devices that could
    /// not be opened. Call this occasionally, because udev events may be lost.
    package func rescanIfChanged() {
        if InputListing() != listing { return rescan() }
        for device in registry.takeGivenUp() { report(device) }
    }

    /// Reports a broken device again a little later, unless it is gone. This is done at most five times.
    package func tryAgain(_ device: DiscoveredDevice) {
        registry.openFailed(device, at: MonotonicClock.now())
        armRetry()
    }

    /// Rescans a little later, because udev has not run its rules for a device yet, or because an event could not be
    /// read. The number of consecutive rescans has the same limit as the attempts to open a device.
    private func rescanSoon() {
        guard rescans < DeviceRegistry.largestRetries else { return }
        rescans += 1
        rescanAt = MonotonicClock.now() + DeviceRegistry.retryInterval
        armRetry()
    }

    /// Handles a udev event that could not be read.
    private func eventWasLost() {
        rescans = 0
        rescanSoon()
    }

    private func nodesChanged() {
        nodesChangedAt = nodesChangedAt ?? MonotonicClock.now()
        armRetry()
    }

    /// Rescans if no event of udev has followed a change of the nodes.
    private func compareNodes(at now: Int64) {
        guard let changed = nodesChangedAt, changed + DeviceRegistry.retryInterval <= now else { return }
        nodesChangedAt = nil
        guard lastEvent < changed else { return }
        rescans = 0
        rescanIfChanged()
    }

    private func armRetry() {
        let comparison = nodesChangedAt.map { $0 + DeviceRegistry.retryInterval }
        let next = [registry.nextRetry, rescanAt, comparison].compactMap { $0 }.min()
        retryTimer?.arm(at: unreported.isEmpty ? next : MonotonicClock.now())
    }

    private static func isGone(_ path: String) -> Bool {
        var owner = uid_t()
        return linux_file_kind(path, &owner) < 0 && linux_errno() == ENOENT
    }

    private func check(_ result: CInt, _ call: String) throws(SystemError) {
        if result < 0 { throw SystemError(call: call, code: -result) }
    }

    /// Handles only one event, because opening a panel takes time, during which touches on other panels, clients and
    /// the watchdog have to wait.
    private func receive() {
        lastEvent = MonotonicClock.now()
        guard let device = udev_monitor_receive_device(monitor) else {
            switch linux_errno() {
            case ENOBUFS: rescan()
            // No error is set if the filter has rejected an event.
            case 0, EAGAIN, EINTR: break
            default: eventWasLost()
            }
            return
        }
        defer { udev_device_unref(device) }
        handle(device)
    }

    private func handle(_ device: OpaquePointer) {
        let action = String(orEmpty: udev_device_get_action(device))
        let subsystem = String(orEmpty: udev_device_get_subsystem(device))
        if Self.displays.contains(subsystem) {
            // A graphics card reports a change when a display is plugged in; a backlight does for each new brightness.
            if subsystem == "drm" || action != "change" { delegate?.deviceMonitorDisplaysChanged(self) }
        } else if action == "remove" {
            lose(String(orEmpty: udev_device_get_syspath(device)))
        } else if let discovered = DiscoveredDevice(device) {
            if !found(discovered), action == "change" { delegate?.deviceMonitor(self, changed: discovered) }
        } else if DiscoveredDevice.isNode(device) {
            eventWasLost()
        }
    }

    /// Returns all devices that udev can describe.
    private func enumerate() -> [DiscoveredDevice] {
        guard let list = udev_enumerate_new(udev) else { return [] }
        defer { udev_enumerate_unref(list) }
        udev_enumerate_add_match_subsystem(list, "input")
        udev_enumerate_add_match_sysname(list, "event*")
        guard udev_enumerate_scan_devices(list) >= 0 else { return [] }
        var result: [DiscoveredDevice] = []
        var entry = udev_enumerate_get_list_entry(list)
        while let current = entry {
            entry = udev_list_entry_get_next(current)
            guard let device = udev_device_new_from_syspath(udev, udev_list_entry_get_name(current)) else { continue }
            defer { udev_device_unref(device) }
            if let discovered = DiscoveredDevice(device) { result.append(discovered) }
        }
        return result
    }

    /// Adds a device.
    /// - Returns: whether the device is new.
    @discardableResult
    private func found(_ device: DiscoveredDevice) -> Bool {
        let (lost, isNew) = registry.add(device)
        for other in lost { delegate?.deviceMonitor(self, lost: other) }
        if isNew { report(device) }
        return isNew
    }

    private func lose(_ systemPath: String) {
        unreported.removeAll { $0.systemPath == systemPath }
        if let lost = registry.remove(systemPath: systemPath) { delegate?.deviceMonitor(self, lost: lost) }
    }

    private func report(_ device: DiscoveredDevice) {
        guard let delegate else { return }
        if delegate.deviceMonitor(self, found: device) { registry.opened(device) } else { tryAgain(device) }
    }

    private func retry() {
        let now = MonotonicClock.now()
        for device in registry.takeDue(at: now) {
            // The device's node may already belong to another device that udev has not reported yet.
            if Self.isGone(device.systemPath) { lose(device.systemPath) } else { report(device) }
        }
        compareNodes(at: now)
        if let rescanAt, rescanAt <= now { rescan() }
        if !unreported.isEmpty {
            let device = unreported.removeFirst()
            if !Self.isGone(device.systemPath) { found(device) }
        }
        armRetry()
    }
}

/// Receives the devices that are added and removed. The delegate must outlive the monitor.
package protocol DeviceMonitorDelegate: AnyObject {
    /// Called once for each device, including those present at the start.
    /// - Returns: `false` if the device could not be opened now. In this case, it is reported up to five more times
    ///   within two seconds, because its access rights may not have been set yet.
    func deviceMonitor(_ monitor: DeviceMonitor, found device: DiscoveredDevice) -> Bool

    /// Called when udev has run its rules again for a known device.
    func deviceMonitor(_ monitor: DeviceMonitor, changed device: DiscoveredDevice)

    /// Called when displays may have been plugged in or unplugged.
    func deviceMonitorDisplaysChanged(_ monitor: DeviceMonitor)

    /// Called once for each known device, including those that could not be opened.
    func deviceMonitor(_ monitor: DeviceMonitor, lost device: DiscoveredDevice)
}
