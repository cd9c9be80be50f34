// SPDX-License-Identifier: MIT
package import BridgeProgram
import GestureClient
import GestureEngine
import GestureProtocol
package import LinuxSystem

/// Listens to the daemon, and stores what was counted after each quarter of an hour.
package final class ReportService: BridgeService {
    /// The longest time between two looks at the clock, and the time while something is open, in microseconds.
    private static let lookInterval: Int64 = 60_000_000
    private static let openInterval: Int64 = 10_000_000
    /// A clock that was set by less than this is still right, in seconds.
    private static let smallJump: Int64 = 60

    private let loop: EventLoop
    private let settings: ReportSettings
    private let store: ReportStore
    private var hearing: TouchHearing
    private var link: DaemonLink?
    private var timer: DeadlineTimer?
    private var clock: ReportClock
    /// The time since which the daemon has been connected, or since which the open quarter counts it, in microseconds.
    private var listensSince: Int64?
    /// The kernel's displays, which count if the settings name no file.
    private let displays = DisplayPower()
    /// Whether the display was off at the last look at the clock.
    private var isDark = false
    private var instance = ""
    private var hasRightPrivate = false
    /// Whether the daemon may send events of private regions. If so, nothing is counted.
    private var mayHavePrivateRegions = false
    /// Whether it does, as far as is known.
    private var seesPrivateRegions = false
    private var counts: PanelCounts?
    /// The quarter that has ended, for which the daemon's counters are awaited.
    private var ended: QuarterTally?
    /// The day on which old counts were last deleted, and the quarter in which that was last tried.
    private var prunedDay: Int64?
    private var pruneTry: LocalQuarter?
    private var lastCause = ""
    /// The troubles of the glass that the log has named.
    private var troubles: [GlassFinding.Trouble] = []

    package init(_ settings: ReportSettings, loop: EventLoop) throws(SystemError) {
        (self.settings, self.loop) = (settings, loop)
        clock = ReportClock.now()
        store = ReportStore(path: settings.database) { ReportOptions.log($0) }
        hearing = TouchHearing(
            idle: settings.idle.microseconds, background: settings.background, leased: settings.leased,
            quarter: clock.quarter)
        // This reference is unretained, because `stop` releases the timer and the link.
        let this = Unmanaged.passUnretained(self)
        timer = try DeadlineTimer(loop: loop) { this.takeUnretainedValue().tick() }
        var subscription = GestureClient.Subscription(events: [.gesture, .failed, .device, .config])
        // Late lines are counted all the same.
        subscription.maxAge = .zero
        link = try DaemonLink(path: settings.socket, subscription: subscription, loop: loop) {
            this.takeUnretainedValue().take($0)
        }
    }

    package var status: String { settings.database }

    package func start() {
        link?.connect()
        displays.list()
        if let file = displayFile, let problem = DisplayPower.problem(file: file, of: "report.toml") {
            ReportOptions.log(problem)
        }
        writeToday(of: clock.quarter)
        armTimer()
    }

    /// Stores the open quarter, too: nobody is there to count its rest.
    package func stop() {
        lookAtClock()
        writeEnded([:])
        hearing.end()
        noteListened()
        if !hearing.isEmpty { store.add(hearing.begin(clock.quarter), boxes: hearing.boxes) }
        store.close()
        link?.close()
        (link, timer) = (nil, nil)
    }

    package func successor(_ settings: ReportSettings) throws(SystemError) -> ReportService {
        try ReportService(settings, loop: loop)
    }

    // MARK: events

    private func take(_ event: GestureClient.Event) {
        lookAtClock()
        if !mayHavePrivateRegions { hearing.take(event, now: MonotonicClock.now()) }
        switch event {
        case .hello(let hello):
            (instance, lastCause) = (hello.instance, "")
            hasRightPrivate = hello.rights.contains("private")
            mayHavePrivateRegions = hasRightPrivate
            (listensSince, isDark) = (clock.boot, isDisplayOff())
            ReportOptions.log("connected to \(settings.socket)")
            refresh()
            request("counts") { [weak self] in self?.takeFirstCounts($0) }
        case .state, .device: refresh()
        case .configuration:
            // This is assumed until the regions are known again.
            if hasRightPrivate { mayHavePrivateRegions = true }
            refresh()
        case .overflow(let dropped, _): ReportOptions.log("\(dropped) lines were lost; their touches are not counted")
        case .disconnected(let cause): lost(cause)
        default: break
        }
        armTimer()
    }

    private func lost(_ cause: String) {
        noteListened()
        listensSince = nil
        guard cause != lastCause else { return }
        lastCause = cause
        ReportOptions.log("\(cause); trying again")
    }

    private func request(_ command: String, _ answer: @escaping (JSONValue) -> Void) {
        link?.request(command) { if case .success(let reply) = $0 { answer(reply) } }
    }

    private func refresh() {
        request("devices") { [weak self] in self?.hearing.take(devices: $0) }
        request("regions") { [weak self] in self?.take(regions: $0) }
    }

    private func take(regions reply: JSONValue) {
        let seesPrivate = hasRightPrivate && reply.list("regions").contains { $0.flag("private") }
        if seesPrivate {
            hearing.forget()
            ReportOptions.log(
                "this user has the right private, and there are private regions, so nothing is counted; remove the user from "
                    + "private_uids, and do not run this program as the daemon's user")
        }
        if seesPrivateRegions, !seesPrivate { beginCounts() }
        (mayHavePrivateRegions, seesPrivateRegions) = (seesPrivate, seesPrivate)
        hearing.take(regions: reply)
    }

    /// Leaves out what the daemon has counted until now.
    private func beginCounts() {
        counts = nil
        guard listensSince != nil else { return }
        listensSince = clock.boot
        request("counts") { [weak self] in self?.takeFirstCounts($0) }
    }

    private func takeFirstCounts(_ reply: JSONValue) {
        // After a restart of this program, what the daemon had counted before is not known to be new.
        guard counts == nil else { return }
        counts = PanelCounts(reply, instance: instance)
    }

    // MARK: time

    private func tick() {
        lookAtClock()
        noteListened()
        hearing.advance(to: MonotonicClock.now())
        _ = noticeForgetting()
        prune()
        armTimer()
    }

    /// Forgets what is in memory, too, if somebody has emptied the database.
    private func noticeForgetting() -> Bool {
        guard store.wasForgotten() else { return false }
        hearing.forget()
        ended = nil
        beginCounts()
        ReportOptions.log("everything was forgotten, also the open quarter of an hour")
        writeToday(of: clock.quarter)
        return true
    }

    /// Deletes what is too old, once a day. What fails is tried again in the next quarter of an hour.
    private func prune() {
        let today = LocalDay(number: clock.quarter.day)
        guard prunedDay != today.number, pruneTry != clock.quarter else { return }
        pruneTry = clock.quarter
        if store.prune(keeping: settings.keepDays, today: today) { prunedDay = today.number }
    }

    private func armTimer() {
        let longest = hearing.isEmpty ? Self.lookInterval : Self.openInterval
        timer?.arm(at: MonotonicClock.now() + min(longest, clock.untilNextQuarter + 1000))
    }

    /// Begins another quarter if the clock says so, and notes if it was set.
    private func lookAtClock() {
        let now = ReportClock.now()
        let jump = now.jump(since: clock)
        if abs(jump) > Self.smallJump {
            ReportOptions.log(
                "the clock was set \(jump > 0 ? "forward" : "back") by \(abs(jump)) s; what was counted until now stays "
                    + "in the quarter of an hour from \(hearing.tally.quarter.text)")
        }
        guard now.quarter != hearing.tally.quarter else { return clock = now }
        hearing.advance(to: MonotonicClock.now())
        noteListened()
        // A display may have been plugged in.
        displays.list()
        clock = now
        writeEnded([:])
        ended = hearing.begin(now.quarter)
        guard let link, listensSince != nil else { return writeEnded([:]) }
        link.request("counts") { [weak self] in self?.takeCounts($0) }
    }

    /// Counts the time since the last call, but not that of a sleep. During all of it, the display was as it was when the
    /// call before looked.
    private func noteListened() {
        guard let since = listensSince else { return }
        let seconds = max(0, (clock.boot - since) / 1_000_000)
        let isAwake = seconds <= LocalQuarter.seconds
        if isAwake, !mayHavePrivateRegions {
            hearing.noteListened(seconds: Int(seconds), dark: isDark ? Int(seconds) : 0)
        }
        listensSince = isAwake ? since + seconds * 1_000_000 : clock.boot
        isDark = isDisplayOff()
    }

    private var displayFile: String? { settings.display == ReportSettings.kernelDisplays ? nil : settings.display }

    private func isDisplayOff() -> Bool {
        guard settings.display != nil else { return false }
        guard let displayFile else { return displays.isOff() }
        return (try? DisplayPower.isOff(file: displayFile)) ?? false
    }

    private func takeCounts(_ answer: DaemonLink.Answer) {
        guard case .success(let reply) = answer, !mayHavePrivateRegions else { return writeEnded([:]) }
        let new = PanelCounts(reply, instance: instance)
        let more = counts == nil ? [:] : new.since(counts)
        counts = new
        writeEnded(more)
    }

    /// Stores the quarter that has ended.
    /// - Parameter uses: the numbers that the daemon has counted on each panel meanwhile.
    private func writeEnded(_ uses: [String: QuarterTally.PanelUse]) {
        guard var tally = ended else { return }
        ended = nil
        for device in hearing.readyPanels.union(uses.keys) {
            tally.panels[device, default: .init()].add(uses[device] ?? .init())
        }
        guard !mayHavePrivateRegions, !tally.panels.isEmpty || !tally.isEmpty else {
            // The day may have changed.
            return writeToday(of: tally.quarter)
        }
        // Counts that were forgotten meanwhile must not come back.
        guard !noticeForgetting() else { return }
        store.add(tally, boxes: hearing.boxes)
        writeToday(of: tally.quarter)
    }

    /// Writes the sums of the day of a quarter. After the last one of a day, they are those of the whole day.
    private func writeToday(of quarter: LocalQuarter) {
        guard let health = TodayFile(settings).write(LocalDay(number: quarter.day)) else { return }
        hearing.ghosts = health.ghosts
        guard health.findings.map(\.trouble) != troubles else { return }
        troubles = health.findings.map(\.trouble)
        ReportOptions.log("health of the glass: \(health.score) of 100: \(health.reason)")
    }
}
