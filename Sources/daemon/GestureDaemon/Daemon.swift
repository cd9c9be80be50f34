// SPDX-License-Identifier: MIT
import CLinux
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem

/// Connects the parts of the daemon, and runs them in one loop.
///
/// Each part owns its state and is given its dependencies. All parts live as long as the daemon, so they may use
/// unowned references to each other. The events of a device pass through the pipeline of its panel to the server within
/// one call.
final class Daemon {
    private let loop: EventLoop
    private let log: Log
    private let server: GestureServer
    private let service: ServiceStatus
    private let panels: Panels
    private let scenes: Scenes
    private let outputs: Outputs
    private let installation: Installation
    private let reloads: Reloads
    private let clients: ClientRegions
    private let timers: Timers
    private var signals: SignalSource?
    private var isStopping = false

    /// Connects the parts. Nothing runs until `run()` is called.
    /// - Parameters:
    ///   - logLevel: the level from the command line.
    ///   - store: the store, which already contains a configuration.
    init(
        logLevel: LogLevel?, store: ConfigurationStore, log: Log, crashGuard: CrashGuard, loop: EventLoop,
        server: GestureServer
    ) {
        (self.loop, self.log, self.server) = (loop, log, server)
        let devices = Devices(store)
        let (statistics, idle) = (PanelStatistics(devices, store), IdleWatch())
        service = ServiceStatus(loop: loop, store: store, devices: devices)
        let announcements = Announcements(server, store, service)
        let factory = PanelFactory(
            loop: loop, log: log, server: server, crashGuard: crashGuard, idle: idle, statistics: statistics,
            store: store, memories: PanelMemories(devices, log))
        panels = Panels(devices, factory, RetiredTwins(service.notifier, log), store, service, announcements)
        let updates = PanelUpdates(panels: panels, store: store, log: log, announcements: announcements)
        scenes = Scenes(idle, updates)
        outputs = Outputs(loop: loop, updates)
        let keeper = ConfigurationKeeper(loop: loop, log: log, store: store)
        installation = Installation(logLevel, server, service, updates, scenes, keeper)
        reloads = Reloads(loop: loop, installation)
        clients = ClientRegions(loop: loop, server, updates, statistics)
        timers = Timers(loop: loop, panels, scenes, installation)
        let status = StatusReply(loop: loop, server: server, store: store, devices: devices, statistics: statistics)
        server.delegate = Requests(status, scenes, outputs, reloads, clients)
        installation.apply(ResolvedAccess(store.current))
        installation.applyLogLevel()
    }

    /// The handled signals: two stop the daemon, and one reloads the configuration.
    static let signals = [SIGTERM, SIGINT, SIGHUP]

    /// Runs until SIGTERM or SIGINT.
    func run() throws(SystemError) {
        signals = try SignalSource(loop: loop, signals: Self.signals) { [unowned self] signal in
            if signal == SIGHUP { reloads.request(for: .signal) } else { stop() }
        }
        try service.startWatchdog()
        try timers.start()
        // Anything else in these handlers would delay every touch.
        loop.setTurnHandlers(began: timers.checkForSleep, completed: { [unowned self] in turnCompleted() })
        scenes.restore()
        outputs.restore()
        panels.start()
        try timers.startChecks()
        panels.warnAboutUnmatchedRules()
        service.notifier.ready(status: service.text)
        log.info("ready: \(service.text)")
        installation.keeper.keep()
        // Returns unused memory to the kernel: reading thousands of regions takes much more memory than storing them.
        linux_trim_memory()
        // Messages that were not sent yet are sent in an extra turn now, so that they do not delay the first touch.
        if service.notifier.hasUnsent { loop.schedule.tryAgain {} }
        // The first turn may be far away.
        timers.armDeadlines()
        do throws(SystemError) {
            try loop.run()
        } catch {
            stop()
            throw error
        }
        panels.end()
    }

    private func turnCompleted() {
        server.endTurn()
        if clients.hasWork || scenes.hasIdleChange {
            clients.workSoon()
            if scenes.hasIdleChange { scenes.followIdle() }
            server.endTurn()
        }
        // The leases end in an extra turn now, so that this work does not delay the next touch.
        if clients.leases.hasEnded { loop.schedule.tryAgain {} }
        panels.noteSeen()
        service.turnCompleted()
        if log.hasSuppressed { log.reportSuppressed() }
        timers.armDeadlines()
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        service.notifier.stopping()
        log.info("daemon: stopping")
        // Panels stop first, because applications receive no touches from a shared panel until it is released.
        panels.stop()
        reloads.stop()
        outputs.stop()
        clients.definitions.stop()
        server.stop()
        loop.stop()
    }
}
