// SPDX-License-Identifier: MIT
import CLinux
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Connects devices, the configuration and clients, in one loop.
///
/// The loop waits for descriptors and for the earliest deadline of all panels. Events of a device go through its
/// panel's pipeline to the server within the same call.
final class Daemon {
    let loop: EventLoop
    let log: Log
    let store: ConfigurationStore
    let server: GestureServer
    let identifiers = SharedIdentifiers()
    let idle = IdleWatch()
    let instance: String
    let options: Options
    let started = MonotonicClock.now()
    var devices: [AttachedDevice] = []
    /// Devices that need not be opened, under the configuration in force.
    var unopenedDevices: [DiscoveredDevice] = []
    /// The counters of panels that are gone, by name.
    var pastCounts: [String: PanelCounts] = [:]
    let tallies = RegionTallies()
    /// By panel, for connections that want them.
    var touchMaps: [String: TouchMap] = [:]
    private var line = EventLine()
    /// Connections that have ended, whose leases end with the turn.
    var endedConnections: [Int64] = []
    /// Changes of single regions that wait until nothing is under way there.
    var waitingChanges: [RegionChange] = []

    /// The reload under way, if a thread does it.
    var reading: BackgroundWork<Reload.Outcome>?
    /// For whom it is.
    var reloadAskers: [ReloadAsker] = []
    /// For whom the next one is.
    var reloadsWaiting: [ReloadAsker] = []
    /// Definitions of many regions, by connections that wait for the reply.
    var definitions: [(connection: Int64, definition: Definition)] = []
    /// The first of them is under way.
    var isDefining = false
    /// What reads it, if a thread does.
    var defining: BackgroundWork<DefinitionJob.Outcome>?
    /// What frees the configuration before, after a reload.
    var releasing: BackgroundWork<Void>?
    /// What keeps the configuration in force for the next start.
    var keeping: BackgroundWork<SystemError?>?
    /// When clients and the log were last told that the files are refused.
    var refusalTold: Int64?

    let notifier = ServiceNotifier()
    let crashGuard: CrashGuard
    /// Twins of which everything has lifted, and when they are removed.
    var retiredTwins: [(twin: PanelTwin, until: Int64)] = []
    private(set) var monitor: DeviceMonitor?
    private var signals: SignalSource?
    private var deadlines: DeadlineTimer?
    var watchdog: DeadlineTimer?
    private var checkTimer: DeadlineTimer?
    private var suspendWatch: SuspendWatch?
    var isWatchdogDue = false
    private var isStopping = false
    var notifyRetries = 0

    /// - Parameter store: holds a configuration already.
    init(
        _ options: Options, store: ConfigurationStore, log: Log, crashGuard: CrashGuard, loop: EventLoop,
        server: GestureServer
    ) {
        self.options = options
        self.store = store
        self.log = log
        self.crashGuard = crashGuard
        self.loop = loop
        self.server = server
        instance = server.identity.instance
        server.delegate = self
        apply(ResolvedAccess(store.current))
    }

    /// Stop, stop, and reload.
    static let signals = [SIGTERM, SIGINT, SIGHUP]

    /// Runs until SIGTERM or SIGINT.
    func run() throws(SystemError) {
        let daemon = Unmanaged.passUnretained(self)
        signals = try SignalSource(loop: loop, signals: Self.signals) { signal in
            daemon.takeUnretainedValue().received(signal)
        }
        deadlines = try DeadlineTimer(loop: loop, priority: .brief) { daemon.takeUnretainedValue().fireDeadlines() }
        try startWatchdog()
        let suspendWatch = SuspendWatch(loop: loop) { daemon.takeUnretainedValue().woke(sleptAfter: $0) }
        self.suspendWatch = suspendWatch
        // Nothing else: whatever runs then makes each touch wait.
        loop.setTurnHandlers(
            began: suspendWatch.isNotified ? nil : { daemon.takeUnretainedValue().suspendWatch?.check() },
            completed: { daemon.takeUnretainedValue().turnCompleted() })
        subjectsChanged()
        applyIdle(.reload)
        retireStoredTwins()
        startMonitor()
        checkTimer = try DeadlineTimer(loop: loop) {
            daemon.takeUnretainedValue().checkDevices()
            daemon.takeUnretainedValue().remindOfRefusal()
        }
        checkDevices()
        warnAboutUnmatchedRules()
        notifier.ready(status: statusText)
        log.info("ready: \(statusText)")
        keepConfiguration()
        // To read thousands of regions takes much more memory than to have them.
        linux_trim_memory()
        // Otherwise the next turn might come with the first touch.
        if notifier.hasUnsent { loop.schedule.tryAgain {} }
        do throws(SystemError) {
            try loop.run()
        } catch {
            stop()
            throw error
        }
        monitor?.stop()
        awaitRetiredTwins()
    }

    // MARK: Loop

    private func received(_ signal: CInt) {
        switch signal {
        case SIGHUP:
            notifier.reloading()
            requestReload(for: .signal)
        default:
            stop()
        }
    }

    private func fireDeadlines() {
        // No deadline after a sleep began may fire.
        suspendWatch?.check()
        // The time first, then the devices: what is read may precede a deadline, and an event that comes later does not
        // precede `now`.
        let now = Timestamp(microseconds: loop.schedule.turnTime)
        for device in devices { device.panel?.readAvailable() }
        for device in devices { device.panel?.fireDeadlines(until: now) }
        removeRetiredTwins()
        send(idle.advance(to: now))
    }

    /// Called before what came after the sleep is read.
    private func woke(sleptAfter time: Int64) {
        log.info("suspend: the machine has slept; what was under way is cancelled")
        for device in devices { device.panel?.resume(sleptAfter: Timestamp(microseconds: time)) }
        // Panels may have been unplugged and plugged in.
        monitor?.rescan()
    }

    private func turnCompleted() {
        server.endTurn()
        let hasIdleScene = store.changes.idleScene != idle.scene
        if hasFollowUps || hasIdleScene {
            if !loop.schedule.isTurnLong {
                followUp()
            } else if hasFollowUps {
                loop.schedule.tryAgain { [self] in followUp() }
            }
            if hasIdleScene { followIdleScene() }
            server.endTurn()
        }
        // They end with the next turn, which must not be that of the next touch.
        if !endedConnections.isEmpty { loop.schedule.tryAgain {} }
        for device in devices { device.panel?.noteSeen() }
        notifyManager()
        if log.hasSuppressed { log.reportSuppressed() }
        armDeadlines()
    }

    private func armDeadlines() {
        var next = idle.nextDeadline ?? .never
        for device in devices {
            if let deadline = device.panel?.nextDeadline, deadline < next { next = deadline }
        }
        for twin in retiredTwins { next = min(next, Timestamp(microseconds: twin.until)) }
        deadlines?.arm(at: next < .never ? next.microseconds : nil)
    }

    /// Microseconds between checks. Rare, because a check wakes the machine.
    private static let checkInterval: Int64 = 30_000_000

    /// Checks what may go unreported: lost events of udev, changed axes, and grabs by other processes.
    private func checkDevices() {
        if let monitor, monitor.isQuiet { monitor.rescanIfChanged() }
        for panel in panels {
            panel.checkAxes()
            panel.retryGrab()
            panel.checkForOtherGrab()
        }
        checkTimer?.arm(at: MonotonicClock.now() + Self.checkInterval)
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

    /// Opens the device again later, if udev still has it.
    func tryAgain(_ device: DiscoveredDevice) {
        monitor?.tryAgain(device)
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        notifier.stopping()
        log.info("daemon: stopping")
        // First: until a shared panel is released, applications get no touches.
        for device in devices { device.panel?.close(.disabled) }
        reading?.abandon()
        defining?.abandon()
        releasing?.abandon()
        keeping?.abandon()
        server.stop()
        loop.stop()
    }

    // MARK: State

    /// The level of the command line takes precedence over that of the configuration.
    func applyLogLevel() {
        log.level = options.logLevel ?? LogLevel(rawValue: store.current.daemon.logLevel.rawValue) ?? .info
        for panel in panels { logTransitions(of: panel) }
    }

    /// At the level debug the log has a line for each step of a gesture's machine.
    func logTransitions(of panel: Panel) {
        panel.pipeline.transitionLog = log.level == .debug ? { [log] text in log.debug(text) } : nil
    }

    var panels: [Panel] { devices.compactMap { $0.panel } }

    /// What a thread needs to lay regions out on the panels.
    var openPanels: [OpenPanel] {
        devices.compactMap { device in
            guard let layout = device.panel?.pipeline.setup.layout else { return nil }
            return OpenPanel(
                path: device.discovered.systemPath, description: device.description,
                fallbackName: device.fallbackName, layout: layout)
        }
    }

    /// Gives the server the gestures of all panels; must be called after panels were added, removed or changed.
    func subjectsChanged() {
        var parts: [(first: Int, device: String, index: SubjectIndex)] = []
        var count = 0
        for panel in panels {
            panel.pipeline.subjectBase = count + 1
            parts.append((count, panel.pipeline.setup.device, panel.pipeline.subjectIndex))
            count = panel.pipeline.subjectBase + panel.pipeline.subjectIndex.count
        }
        let subjects = SubjectList(count: count) { number in
            guard let part = parts.last(where: { $0.first <= number }), number > part.first else {
                return Subject(panel: parts.first { $0.first == number }?.device ?? "")
            }
            return Subject(part.index[number - part.first - 1], device: part.device)
        }
        let current = store.current
        tallies.forgetRegions(except: Set(store.current.regions.map { $0.id }))
        server.setSubjects(subjects, hasPrivate: current.hasPrivateRegions) {
            let hidden = current.privateRegionIDs
            return current.regions.map { ServedRegion($0.name, isPrivate: hidden.contains($0.id)) }
        }
    }

    func broadcast(_ write: (inout EventLine) -> Void) {
        write(&line)
        server.broadcast(line)
    }
}

extension Subject {
    fileprivate init(_ subject: (region: Region, gesture: Gesture), device: String) {
        self.init(
            device: device, region: subject.region.name, gesture: subject.gesture.word, name: subject.gesture.name,
            isPrivate: subject.region.isPrivate)
    }
}
