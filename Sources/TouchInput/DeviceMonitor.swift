// SPDX-License-Identifier: MIT
import CLinux
import CUdev
package import LinuxSystem

/// Finds input devices through udev, now and as they come and go.
///
/// Reports every `event*` node that udev has initialised, of whatever kind: who hears of it
/// decides what to open. When the kernel's queue of news overflows, all is listed anew.
package final class DeviceMonitor {
    private let udev: OpaquePointer
    /// `nil` until udev's news could be listened to.
    private var monitor: OpaquePointer?
    private let loop: EventLoop
    private var registry = DeviceRegistry()
    /// At the last `rescan()`.
    private var listing: InputListing?
    /// Then, udev knew of all that the kernel lists.
    private var isComplete = true
    /// So many devices one turn of the loop looks at, once it runs: each may be a panel to open, and others wait to be
    /// served, the watchdog among them. What is left comes with the next turn.
    private static let mostPerTurn = 8
    private var hasListed = false
    /// When udev last told something; after so long, in microseconds, it has told all.
    private var lastNews: Int64 = 0
    private static let quiet: Int64 = 1_000_000
    /// When to list again, and how often that was done in a row.
    private var rescanAt: Int64?
    private var rescans = 0
    private var source: EventLoop.Source?
    private var retryTimer: DeadlineTimer?
    private unowned(unsafe) var delegate: (any DeviceMonitorDelegate)?

    /// - Throws: `SystemError` of `udev_new`: no memory.
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

    /// Reports what is there, and from now on what comes and goes. Once.
    /// - Throws: `SystemError` naming the function of libudev that failed: what comes and goes is reported by
    ///   `rescan()` only, until that can listen.
    package func start(delegate: any DeviceMonitorDelegate) throws(SystemError) {
        self.delegate = delegate
        // First listen, then list: nothing falls between.
        defer { rescan() }
        let this = Unmanaged.passUnretained(self)
        retryTimer = try DeadlineTimer(loop: loop) { this.takeUnretainedValue().retry() }
        try listen()
    }

    private func listen() throws(SystemError) {
        // "udev", not "kernel": after its rules have run, and properties and rights are there.
        guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
            throw .last("udev_monitor_new_from_netlink")
        }
        do throws(SystemError) {
            try check(
                udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil),
                "udev_monitor_filter_add_match")
            try check(udev_monitor_enable_receiving(monitor), "udev_monitor_enable_receiving")
            let this = Unmanaged.passUnretained(self)
            source = try loop.add(udev_monitor_get_fd(monitor), events: .readable) { _ in
                this.takeUnretainedValue().receive()
            }
        } catch {
            udev_monitor_unref(monitor)
            throw error
        }
        self.monitor = monitor
    }

    /// Reports nothing more.
    package func stop() {
        if let source { loop.remove(source) }
        source = nil
        retryTimer?.cancel()
        retryTimer = nil
        delegate = nil
    }

    /// Compares what udev lists with what was reported, and reports the differences; and once more what
    /// could not be opened.
    package func rescan() {
        if source == nil, delegate != nil { try? listen() }
        // Before udev's: what changes in between is seen the next time.
        let listing = InputListing()
        let givenUp = registry.takeGivenUp()
        let present = enumerate()
        // One that cannot be described at the moment is not gone.
        for device in registry.missing(from: present) where Self.isGone(device.systemPath) {
            lose(device.systemPath)
        }
        let unknown = present.filter { !registry.contains($0) }
        let room = hasListed ? Self.mostPerTurn : unknown.count
        for device in unknown.prefix(room) { found(device) }
        hasListed = true
        for device in givenUp where registry.contains(device) { report(device) }
        self.listing = listing
        rescanAt = nil
        isComplete = source != nil && present.count >= listing.nodes && unknown.count <= room
        if unknown.count > room {
            rescanAt = MonotonicClock.now()
            armRetry()
        } else if isComplete {
            rescans = 0
        } else {
            rescanSoon()
        }
    }

    /// The same at a hundredth of the cost where nothing has changed: to be asked now and then, because news of
    /// udev may be lost. While it comes, it is waited for: many devices make the machine busy enough.
    package func rescanIfChanged() {
        guard MonotonicClock.now() - lastNews > Self.quiet else { return }
        if !isComplete || InputListing() != listing { return rescan() }
        for device in registry.takeGivenUp() { report(device) }
    }

    /// A device that was opened broke: reports it again a little later, unless it goes. Five times at most.
    package func tryAgain(_ device: DiscoveredDevice) {
        registry.openFailed(device, at: MonotonicClock.now())
        armRetry()
    }

    /// udev has not run its rules for a device, or could not be understood: a look in between, as often as at
    /// a device that cannot be opened. Then it may well stay so.
    private func rescanSoon() {
        guard rescans < DeviceRegistry.largestRetries else { return }
        rescans += 1
        rescanAt = MonotonicClock.now() + DeviceRegistry.retryInterval
        armRetry()
    }

    /// Something came, and nobody knows what.
    private func missNews() {
        rescans = 0
        rescanSoon()
    }

    private func armRetry() {
        retryTimer?.arm(at: [registry.nextRetry, rescanAt].compactMap { $0 }.min())
    }

    private static func isGone(_ path: String) -> Bool {
        var owner = uid_t()
        return linux_file_kind(path, &owner) < 0 && linux_errno() == ENOENT
    }

    private func check(_ result: CInt, _ call: StaticString) throws(SystemError) {
        if result < 0 { throw SystemError(call: call, code: -result) }
    }

    private func receive() {
        lastNews = MonotonicClock.now()
        for _ in 0..<Self.mostPerTurn where source != nil {
            guard let device = udev_monitor_receive_device(monitor) else {
                switch linux_errno() {
                case ENOBUFS: rescan()
                // What is not for us leaves no error.
                case 0, EAGAIN, EINTR: break
                default: missNews()
                }
                return
            }
            defer { udev_device_unref(device) }
            take(device)
        }
    }

    private func take(_ device: OpaquePointer) {
        let action = String(orEmpty: udev_device_get_action(device))
        if action == "remove" {
            lose(String(orEmpty: udev_device_get_syspath(device)))
        } else if let discovered = DiscoveredDevice(device) {
            if !found(discovered), action == "change" { delegate?.deviceMonitor(self, changed: discovered) }
        } else if DiscoveredDevice.isNode(device) {
            missNews()
        }
    }

    /// Those that can be described.
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

    /// - Returns: whether it is new.
    @discardableResult
    private func found(_ device: DiscoveredDevice) -> Bool {
        let (lost, isNew) = registry.add(device)
        for other in lost { delegate?.deviceMonitor(self, lost: other) }
        if isNew { report(device) }
        return isNew
    }

    private func lose(_ systemPath: String) {
        if let lost = registry.remove(systemPath: systemPath) { delegate?.deviceMonitor(self, lost: lost) }
    }

    private func report(_ device: DiscoveredDevice) {
        guard let delegate else { return }
        if delegate.deviceMonitor(self, found: device) { registry.opened(device) } else { tryAgain(device) }
    }

    private func retry() {
        let now = MonotonicClock.now()
        for device in registry.takeDue(at: now) {
            // Its node may be another device's already, of which udev has not told yet.
            if Self.isGone(device.systemPath) { lose(device.systemPath) } else { report(device) }
        }
        if let rescanAt, rescanAt <= now { rescan() }
        armRetry()
    }
}
