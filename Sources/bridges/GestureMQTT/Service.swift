// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import GestureClient
import GestureConfiguration
import GestureEngine
import GestureProtocol
import LinuxSystem

/// The bridge. On one loop, it passes events from the daemon to the broker and commands from the broker to the daemon.
final class Service: BridgeService {
    /// The interval at which the daemon's health is checked, in microseconds.
    static let check: Int64 = 10_000_000

    let loop: EventLoop
    private(set) var settings: MQTTSettings
    let topics: Topics
    let broker: BrokerConnection
    let spool: Spool
    var panel = PanelState()
    var activity = Activity()
    var outbox: Outbox
    private(set) var daemon: DaemonLink?
    private var commands: Commands?
    private var homeAssistant: HomeAssistant?
    private let filter: GestureFilter
    var timer: DeadlineTimer?
    /// The time at which each of these is next due, on the monotonic clock.
    var due: (check: Int64, health: Int64, statistics: Int64)
    /// The counts when the last statistics were sent.
    var baseline: Counts
    /// The states of the checks for regions that are no longer touched, and for areas that are touched continuously.
    var areas: AreaWatch
    var noise: [String: NoiseWatch] = [:]
    /// The contents of the last messages of these kinds, without their times.
    private var lastStatus: [UInt8] = []
    var lastHealth: [UInt8] = []
    /// The sums of the day that were sent last; `nil` if none were sent on this connection.
    var lastSums: DailySums?
    /// Whether a rejected configuration has been reported to the broker.
    private var isProblemTold = false
    /// Whether the daemon may send events of private regions to this client. If so, nothing is sent to the broker.
    private(set) var mayHavePrivateRegions = false
    private var lastCause = ""
    /// Whether this connection to the broker has subscribed to commands.
    private var isSubscribed = false
    /// Whether it has been logged that subscribing is paused.
    private var isPaused = false

    /// Creates a service that does not connect yet.
    init(_ settings: MQTTSettings, loop: EventLoop) throws(SystemError) {
        self.loop = loop
        self.settings = settings
        topics = Topics(settings)
        SpoolFile.protect(folder: settings.state, mayPass: settings.keepsConfigurationInState)
        spool = Spool(folder: settings.state, settings.spool)
        broker = try BrokerConnection(settings, loop: loop)
        outbox = Outbox(maxAge: settings.maxAge.microseconds)
        filter = GestureFilter(settings.gestures)
        baseline = Counts(saved: spool.state("counts"))
        areas = AreaWatch(saved: spool.state("areas"))
        let now = MonotonicClock.now()
        due = (
            now + Self.check, now + settings.health.interval.microseconds,
            now + settings.statistics.interval.microseconds
        )
        let this = Unmanaged.passUnretained(self)
        timer = try DeadlineTimer(loop: loop) { this.takeUnretainedValue().tick() }
        daemon = try DaemonLink(
            path: settings.socket, subscription: GestureFilter.subscription(settings.gestures), loop: loop
        ) { this.takeUnretainedValue().take($0) }
        commands = try Commands(self)
        if settings.homeAssistant.isOn { homeAssistant = HomeAssistant(settings, topics) }
        listen()
    }

    private func listen() {
        let this = Unmanaged.passUnretained(self)
        let will = (topic: topics.status, payload: Reports.offline("lost"))
        broker.callbacks.will = { will }
        broker.callbacks.connected = { this.takeUnretainedValue().connected() }
        broker.callbacks.lost = { this.takeUnretainedValue().lost($0) }
        broker.callbacks.acknowledged = { this.takeUnretainedValue().acknowledged($0, refusal: $1) }
        broker.callbacks.drained = { this.takeUnretainedValue().send() }
        broker.callbacks.received = { message in
            // The command is handled later, because the library is processing a packet now.
            this.takeUnretainedValue().commands?.take(message)
        }
    }

    func start() {
        daemon?.connect()
        broker.start()
        armTimer()
    }

    /// Disconnects from the daemon and the broker.
    func stop() {
        commands?.stop()
        daemon?.close()
        flushAcknowledged()
        if broker.isConnected { publish(retained: Reports.offline("stopped"), to: topics.status) }
        broker.stop()
        timer?.cancel()
    }

    var status: String { "\(settings.broker.host):\(settings.port)" }

    func successor(_ settings: MQTTSettings) throws(SystemError) -> Service {
        // The old spool is closed before the new service opens it.
        spool.close()
        return try Service(settings, loop: loop)
    }

    static func log(_ text: String) { MQTTOptions.log(text) }

    // MARK: the broker

    private func connected() {
        lastCause = ""
        Self.log("connected to \(settings.broker.host):\(settings.port)")
        isSubscribed = false
        subscribe()
        (lastStatus, outbox.lastSent) = ([], 0)
        activity.forget()
        lastSums = nil
        publishStatus()
        publishActivity()
        publishSums()
        homeAssistant?.connected(self)
        send()
    }

    /// Subscribes to commands, unless subscribing is paused because it has ended several connections.
    func subscribe() {
        guard !isSubscribed, broker.isConnected, let commands else { return }
        guard broker.maySubscribe else {
            if !isPaused {
                Self.log(
                    "not accepting commands for ten minutes: the broker keeps sending a message that this program cannot take"
                )
            }
            return isPaused = true
        }
        (isSubscribed, isPaused) = (true, false)
        broker.subscribe(commands.topics)
    }

    private func lost(_ cause: String) {
        flushAcknowledged()
        outbox.inFlight.removeAll()
        guard cause != lastCause else { return }
        lastCause = cause
        Self.log("\(settings.broker.host):\(settings.port): \(cause); trying again")
    }

    // MARK: the daemon

    private func take(_ event: GestureClient.Event) {
        switch event {
        case .hello(let hello):
            panel.hello = hello
            mayHavePrivateRegions = hello.rights.contains("private")
            panel.trouble = mayHavePrivateRegions ? Self.withheld : nil
            commands?.daemonIsThere()
            refresh()
        case .gesture(let gesture): take(gesture)
        case .idle(let change):
            if activity.take(change, now: Self.wallMilliseconds) { publishActivity() }
        case .wake(let wake): take(wake)
        case .state, .device: refresh()
        case .configuration(let change): take(change)
        case .disconnected(let cause):
            (panel.hello, panel.status, panel.devices) = (nil, nil, [])
            panel.trouble = cause
            publishStatus()
        default: break
        }
    }

    private static let withheld =
        "this user has the right private, and there are private regions, so nothing is sent; remove the user from "
        + "private_uids, and do not run this program as the daemon's user"

    private func take(_ gesture: GestureClient.Gesture) {
        guard !mayHavePrivateRegions || gesture.isAdded else { return }
        if !gesture.isAdded, !gesture.isLeased, activity.noteGesture(now: Self.wallMilliseconds) { publishActivity() }
        guard let quality = filter.qualityOfService(of: gesture) else { return }
        let message = BrokerMessage(
            topic: topics.gesture(region: gesture.region, name: gesture.name),
            payload: GestureMessage(gesture: gesture, positions: settings.positions).payload,
            qualityOfService: quality,
            expirySeconds: expiry)
        sendLive(message)
    }

    private func take(_ wake: GestureClient.Wake) {
        guard !mayHavePrivateRegions else { return }
        let payload = Reports.object { json in
            json.member("device", wake.device)
            json.member("reason", wake.reason)
            json.member("time_ms", Self.wallMilliseconds)
        }
        sendLive(BrokerMessage(topic: topics.wake, payload: payload, qualityOfService: 0, expirySeconds: expiry))
    }

    /// The time after which the broker drops a live message, in seconds.
    private var expiry: UInt32 { UInt32(clamping: (settings.maxAge.microseconds + 999_999) / 1_000_000) }

    private func take(_ change: GestureClient.ConfigurationChange) {
        // This is assumed until the regions are known again.
        if panel.hasRight("private") { mayHavePrivateRegions = true }
        switch change.change {
        case "rejected":
            // For a client with this right, the diagnostics may name private regions.
            let diagnostics = panel.hasRight("private") ? [] : change.diagnostics
            problem(diagnostics, isRefused: true, generation: change.generation)
        case "applied" where isProblemTold:
            problem([], isRefused: false, generation: change.generation)
        default: break
        }
        refresh()
    }

    private func problem(_ diagnostics: [GestureClient.Diagnostic], isRefused: Bool, generation: Int) {
        isProblemTold = isRefused
        spool.add(topic: topics.problem, isRetained: true) { id in
            Reports.problem(
                diagnostics, isRefused: isRefused, generation: generation, id: id, time: Self.wallMilliseconds)
        }
        send()
    }

    static var wallMilliseconds: Int64 { MonotonicClock.wallTime() / 1000 }

    /// Requests the data for the messages from the daemon, and then calls `completed`.
    func refresh(_ completed: @escaping () -> Void = {}) {
        guard let daemon, panel.hello != nil else { return completed() }
        if panel.hasRight("private") {
            daemon.request("regions") { [weak self] in self?.takePrivacy($0) }
        }
        daemon.request("status") { [weak self] in self?.takeStatus($0) }
        daemon.request("devices") { [weak self] in
            if case .success(let reply) = $0 {
                self?.panel.devices = GestureClient.Device.all(in: reply)
            }
        }
        daemon.request("counts") { [weak self] in
            self?.takeCounts($0)
            completed()
        }
    }

    private func takePrivacy(_ answer: DaemonLink.Answer) {
        guard case .success(let reply) = answer else { return }
        mayHavePrivateRegions = reply.list("regions").contains { $0.flag("private") }
        panel.trouble = mayHavePrivateRegions ? Self.withheld : nil
    }

    private func takeStatus(_ answer: DaemonLink.Answer) {
        guard case .success(let reply) = answer else { return }
        panel.status = reply
        activity.take(status: reply, now: Self.wallMilliseconds)
        publishActivity()
        let isRejected = reply["config"]?.text("state") == "rejected"
        // The configuration was rejected before this program started. The reason is in the daemon's log.
        guard isRejected, !isProblemTold else { return }
        problem([], isRefused: true, generation: reply["config"]?.whole("generation") ?? 0)
    }

    private func takeCounts(_ answer: DaemonLink.Answer) {
        if case .success(let reply) = answer, !mayHavePrivateRegions {
            panel.counts = Counts(reply, instance: panel.hello?.instance ?? "")
            panel.counts.uptime = Counts.count(panel.status?["uptime_ms"]?.integer)
        }
        publishStatus()
        homeAssistant?.update(self)
    }

    /// Sends whether somebody uses the panel if that has changed.
    private func publishActivity() {
        guard broker.isConnected, panel.hello != nil, !mayHavePrivateRegions,
            let message = activity.message(now: Self.wallMilliseconds)
        else { return }
        publish(retained: message, to: topics.activity)
    }

    /// Sends the status if it has changed.
    private func publishStatus() {
        panel.spoolFailure = spool.failure
        panel.spoolDropped = spool.dropped
        let content = Reports.status(panel, time: 0)
        guard broker.isConnected, content != lastStatus else { return }
        lastStatus = content
        publish(retained: Reports.status(panel, time: Self.wallMilliseconds), to: topics.status)
    }
}
#endif
