// SPDX-License-Identifier: MIT
import BridgeProgram
import CLinux
import GestureClient
import GestureConfiguration
import GestureKeys
import GestureProtocol
import LinuxSystem
import TouchInput

/// Passes events of the daemon to the mapper, and its strokes to the virtual devices.
final class KeysService: BridgeService {
    /// The interval in microseconds at which the daemon is asked for a sign of life while a key is down, so that a daemon
    /// that hangs does not leave it down.
    private static let checkInterval: Int64 = 1_000_000
    /// The interval in microseconds between two messages about gestures beyond the limit.
    private static let reportInterval: Int64 = 10_000_000

    private let loop: EventLoop
    private let settings: KeysSettings
    private let devices: VirtualDevices
    private var mapper: GestureMapper
    private var link: DaemonLink?
    private var timer: DeadlineTimer?
    /// The time of the next check whether the daemon hangs; `nil` while none is due.
    private var check: Int64?
    private var rights: [String] = []
    private(set) var failure: SystemError?
    private var lastCause = ""
    private var lastWarnings: [String] = []
    /// The number of refused actions that have been reported, and the earliest time of the next report.
    private var reported: (count: Int, until: Int64) = (0, .min)

    convenience init(_ settings: KeysSettings, loop: EventLoop) throws(SystemError) {
        try self.init(settings, loop: loop, devices: VirtualDevices())
    }

    private init(_ settings: KeysSettings, loop: EventLoop, devices: VirtualDevices) throws(SystemError) {
        (self.settings, self.loop, self.devices) = (settings, loop, devices)
        mapper = GestureMapper(settings)
        do throws(SystemError) {
            if !settings.bindings.isEmpty { try Uinput.check() }
        } catch {
            Self.explain(error)
            throw error
        }
        let this = Unmanaged.passUnretained(self)
        timer = try DeadlineTimer(loop: loop) { this.takeUnretainedValue().tick() }
        link = try DaemonLink(
            path: settings.socket, subscription: settings.subscription, loop: loop, priority: .brief
        ) {
            this.takeUnretainedValue().take($0)
        }
    }

    var status: String {
        let count = settings.bindings.count
        return count == 1 ? "1 binding" : "\(count) bindings"
    }

    func start() {
        if settings.bindings.isEmpty {
            KeysOptions.log("there are no bindings; add some to \(KeysSettings.standardFile)")
        }
        link?.connect()
    }

    func stop() {
        perform(mapper.releaseAll())
        link?.close()
        link = nil
        timer?.cancel()
        timer = nil
    }

    func successor(_ settings: KeysSettings) throws(SystemError) -> KeysService {
        try KeysService(settings, loop: loop, devices: devices)
    }

    // MARK: Events

    private func take(_ event: GestureClient.Event) {
        perform(mapper.take(event, at: loop.schedule.turnTime))
        switch event {
        case .hello(let hello):
            rights = hello.rights
            lastCause = ""
            KeysOptions.log("connected to \(settings.socket)")
            refresh()
        case .device: refresh()
        case .configuration(let change) where change.change != "rejected": refresh()
        case .disconnected(let cause): lost(cause)
        default: break
        }
        reportRefusals()
        if mapper.isHolding, check == nil { check = loop.schedule.turnTime + Self.checkInterval }
        armTimer()
    }

    private func lost(_ cause: String) {
        guard cause != lastCause else { return }
        lastCause = cause
        KeysOptions.log("\(cause); trying again")
    }

    /// Writes the strokes. Without a device that works, nothing can be done, and the service manager starts the program
    /// again.
    private func perform(_ strokes: [Stroke]) {
        do throws(SystemError) {
            try devices.perform(strokes, at: loop.schedule.turnTime)
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: SystemError) {
        Self.explain(error)
        failure = failure ?? error
        loop.stop()
    }

    private static func explain(_ error: SystemError) {
        switch error.code {
        case EACCES, EPERM:
            KeysOptions.log(
                "this user may not create input devices; start the program with systemctl start gestured-keys")
        case ENOENT, ENODEV, ENXIO: KeysOptions.log("there is no uinput; load the kernel module with modprobe uinput")
        default: break
        }
    }

    private func tick() {
        perform(mapper.advance(to: loop.schedule.turnTime))
        reportRefusals()
        if let time = check, time <= loop.schedule.turnTime {
            check = mapper.isHolding ? loop.schedule.turnTime + Self.checkInterval : nil
            // Without a reply, the link ends the connection, and the keys are released.
            if mapper.isHolding { link?.request("ping") }
        }
        armTimer()
    }

    /// Sets the timer to the next check of the daemon, report, or turn of a wheel.
    private func armTimer() {
        let report = mapper.refused > reported.count ? reported.until : nil
        timer?.arm(at: [check, report, mapper.nextTurn].compactMap { $0 }.min())
    }

    private func reportRefusals() {
        let now = loop.schedule.turnTime
        guard mapper.refused > reported.count, now >= reported.until else { return }
        KeysOptions.log(
            "gestures came too fast, \(mapper.refused - reported.count) of them did nothing; at most 50 keys a second are pressed"
        )
        reported = (mapper.refused, now + Self.reportInterval)
    }

    // MARK: Panels and regions

    /// Asks for the panels, which get keyboards and pointers, and for the regions, to warn about bindings without effect.
    private func refresh() {
        link?.request("devices") { [weak self] in
            guard case .success(let reply) = $0 else { return }
            let devices = GestureClient.Device.all(in: reply)
            self?.take(devices)
            self?.link?.request("status") { status in
                self?.link?.request("regions") { regions in
                    guard case .success(let status) = status, case .success(let regions) = regions else { return }
                    self?.warn(
                        about: regions.list("regions").map { GestureClient.Region($0) }, on: devices,
                        scenes: status.texts("scenes"))
                }
            }
        }
    }

    private func take(_ panels: [GestureClient.Device]) {
        do throws(SystemError) {
            try devices.makeKeyboards(settings.keyboardPanels(panels))
            try devices.makePointers(settings.pointerPanels(panels))
        } catch {
            fail(error)
        }
    }

    private func warn(
        about regions: [GestureClient.Region], on devices: [GestureClient.Device], scenes: [String]
    ) {
        let context = BindingContext(
            regions: regions, devices: devices, scenes: scenes, rights: rights,
            privateRegions: rights.contains("private") ? .seen : .hidden)
        let warnings = settings.warnings(in: context).map { $0.logLine }
        for warning in warnings where !lastWarnings.contains(warning) { KeysOptions.log("warning: \(warning)") }
        lastWarnings = warnings
    }
}
