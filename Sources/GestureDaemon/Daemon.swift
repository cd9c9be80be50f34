// SPDX-License-Identifier: MIT
import CLinux
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Devices, regions and clients, put together: one thread, one loop.
///
/// The loop waits for descriptors and for the earliest deadline of all panels. What a device says
/// goes through its panel's pipeline to the server within the same call.
final class Daemon {
    let loop: EventLoop
    let log: Log
    let store: ConfigurationStore
    let server: GestureServer
    let identifiers = SharedIdentifiers()
    let instance: String
    let options: Options
    let started = MonotonicClock.now()
    var devices: [AttachedDevice] = []
    /// Devices that nobody wants to open, under the configuration in force.
    var bystanders: [DiscoveredDevice] = []
    /// What panels that are gone have counted.
    var past = PanelCounts()
    var line = EventLine()
    /// Clients that are gone and may have had regions under lease.
    var endedConnections: [Int64] = []

    private let notifier = ServiceNotifier()
    private(set) var monitor: DeviceMonitor?
    private var signals: SignalSource?
    private var deadlines: DeadlineTimer?
    private var watchdog: DeadlineTimer?
    private var upkeep: DeadlineTimer?
    private var suspendWatch: SuspendWatch?
    private var isWatchdogDue = false
    private var isStopping = false
    /// When code is released that opening devices has taken, on the monotonic clock; `nil` while none was opened.
    private var codeReleaseDue: Int64?
    private var noticeRetries = 0

    /// - Parameter store: holds a configuration already.
    init(_ options: Options, store: ConfigurationStore, log: Log, loop: EventLoop, server: GestureServer) {
        self.options = options
        self.store = store
        self.log = log
        self.loop = loop
        self.server = server
        instance = server.identity.instance
        server.setControlUsers(ControlUsers.identifiers(store.current.access, log: log))
    }

    /// To stop, to stop, and to reload.
    static let signals = [SIGTERM, SIGINT, SIGHUP]

    /// Runs until SIGTERM or SIGINT.
    func run() throws(SystemError) {
        let daemon = Unmanaged.passUnretained(self)
        signals = try SignalSource(loop: loop, signals: Self.signals) { signal in
            daemon.takeUnretainedValue().received(signal)
        }
        deadlines = try DeadlineTimer(loop: loop) { daemon.takeUnretainedValue().deadlineCame() }
        try startWatchdog()
        suspendWatch = SuspendWatch(loop: loop)
        loop.turnBegan = { daemon.takeUnretainedValue().turnBegan() }
        loop.turnCompleted = { daemon.takeUnretainedValue().turnCompleted() }
        subjectsChanged()
        startMonitor()
        upkeep = try DeadlineTimer(loop: loop) { daemon.takeUnretainedValue().upkeepCame() }
        upkeepCame()
        warnAboutUnmatchedRules()
        notifier.ready(status: statusText)
        log.info("ready: \(statusText)")
        // Reading the configuration and finding devices take most of the code, waiting takes little.
        ProgramCode.release()
        // No turn may come by itself before a finger does.
        if notifier.hasUnsent { loop.tryAgain {} }
        do throws(SystemError) {
            try loop.run()
        } catch {
            stop()
            throw error
        }
        monitor?.stop()
    }

    // MARK: Loop

    private func received(_ signal: CInt) {
        switch signal {
        case SIGHUP:
            notifier.reloading()
            _ = reload()
            notifier.ready(status: statusText)
        default:
            stop()
        }
    }

    /// A finger may have moved before the deadline and not been read yet: read first.
    private func deadlineCame() {
        // And the time before that: a lift that comes meanwhile is not read yet, and may precede a deadline.
        let now = MonotonicClock.now()
        if let due = codeReleaseDue, due <= now {
            codeReleaseDue = nil
            ProgramCode.release()
        }
        for device in devices { device.panel?.readAvailable() }
        for device in devices { device.panel?.fireDeadlines(until: now) }
    }

    /// Before anything that the turn has found: it may be a deadline that the machine has slept through.
    private func turnBegan() {
        guard let time = suspendWatch?.sleepBegan() else { return }
        log.info("the machine has slept: what was under way is cancelled")
        for device in devices { device.panel?.resume(sleptAfter: Timestamp(microseconds: time)) }
        // Panels may have gone and come meanwhile.
        monitor?.rescan()
    }

    private func turnCompleted() {
        if isWatchdogDue {
            isWatchdogDue = false
            if !notifier.watchdog() { watchdogFailed() }
        }
        if notifier.hasUnsent { retryNotice() }
        if log.hasSuppressed { log.tellSuppressed() }
        endLeases()
        var next = codeReleaseDue
        for device in devices {
            guard let deadline = device.panel?.nextDeadline else { continue }
            next = min(next ?? .max, deadline)
        }
        deadlines?.arm(at: next)
    }

    /// As at the start, a second later: many may come at once.
    func releaseCodeSoon() { codeReleaseDue = MonotonicClock.now() + 1_000_000 }

    private func startWatchdog() throws(SystemError) {
        guard let interval = notifier.watchdogInterval else { return }
        let daemon = Unmanaged.passUnretained(self)
        watchdog = try DeadlineTimer(loop: loop) { daemon.takeUnretainedValue().watchdogCame(interval / 2) }
        watchdogCame(interval / 2)
    }

    /// Pinged at the end of the turn: a loop that hangs in one says nothing.
    private func watchdogCame(_ interval: Int64) {
        isWatchdogDue = true
        watchdog?.arm(at: MonotonicClock.now() + interval)
    }

    /// A manager that is busy does not take it. With the rhythm alone the next one would come when its patience
    /// ends.
    private func watchdogFailed() {
        guard let interval = notifier.watchdogInterval else { return }
        watchdog?.arm(at: MonotonicClock.now() + min(interval / 10, 1_000_000))
    }

    /// udev's news may be lost, and a grab of others tells nobody. Rare, because it wakes the machine.
    private static let upkeepInterval: Int64 = 30_000_000

    private func upkeepCame() {
        monitor?.rescanIfChanged()
        for panel in panels {
            panel.checkAxes()
            panel.takeAlone()
            panel.look()
        }
        upkeep?.arm(at: MonotonicClock.now() + Self.upkeepInterval)
    }

    /// In quick succession at first; a manager that takes nothing for a second is asked in turns that come anyway.
    private func retryNotice() {
        notifier.resend()
        noticeRetries = notifier.hasUnsent ? noticeRetries + 1 : 0
        if (1..<100).contains(noticeRetries) { loop.tryAgain {} }
    }

    private func startMonitor() {
        do throws(SystemError) {
            let monitor = try DeviceMonitor(loop: loop)
            self.monitor = monitor
            try monitor.start(delegate: self)
        } catch {
            log.error("device: \(error); panels that come are seen within 30 s only; is udev running?")
        }
    }

    /// A device broke that udev may still know.
    func tryAgain(_ device: DiscoveredDevice) {
        monitor?.tryAgain(device)
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        notifier.stopping()
        log.info("stopping")
        for device in devices { device.panel?.close(.disabled) }
        server.stop()
        loop.stop()
    }

    // MARK: State

    /// What `systemctl status` shows.
    var statusText: String {
        let ready = devices.count { $0.panel != nil }
        let panels = ready == 1 ? "1 touchscreen" : "\(ready) touchscreens"
        let regions = store.current.regions.count
        return "\(panels), \(regions == 1 ? "1 region" : "\(regions) regions")"
    }

    /// The command line's level wins over the configuration's.
    func applyLogLevel() {
        log.level = options.logLevel ?? LogLevel(word: store.current.daemon.logLevel.rawValue) ?? .info
        for panel in panels { logTransitions(of: panel) }
    }

    /// At the level debug the log has a line for each step of a gesture's machine.
    func logTransitions(of panel: Panel) {
        panel.pipeline.transitionLog = log.level == .debug ? { [log] text in log.debug(text) } : nil
    }

    func showStatus() {
        notifier.status(statusText)
    }

    var panels: [Panel] { devices.compactMap { $0.panel } }

    /// Tells the server whose gestures are whose, after panels have come, gone or changed.
    func subjectsChanged() {
        var subjects: [Subject] = []
        for panel in panels {
            panel.pipeline.subjectBase = subjects.count
            for region in panel.pipeline.setup.regions {
                for gesture in region.gestures {
                    subjects.append(
                        Subject(
                            region: region.id, gesture: gesture.word, name: gesture.name,
                            isPrivate: region.isPrivate))
                }
            }
        }
        let hidden = store.current.privateRegionIDs
        server.setSubjects(
            subjects, regions: store.current.regions.map { RegionName($0.id, isPrivate: hidden.contains($0.id)) })
    }

    func broadcast(_ write: (inout EventLine) -> Void) {
        write(&line)
        server.broadcast(line)
    }
}
