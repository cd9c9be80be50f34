// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureProtocol
import LinuxSystem

/// Reports the daemon's state to the service manager, and sends keep-alive messages to its watchdog while the loop
/// runs.
final class ServiceStatus {
    let notifier = ServiceNotifier()
    private let loop: EventLoop
    private let store: ConfigurationStore
    private let devices: Devices
    private var watchdog: DeadlineTimer?
    private var isWatchdogDue = false
    private var retries = 0

    init(loop: EventLoop, store: ConfigurationStore, devices: Devices) {
        (self.loop, self.store, self.devices) = (loop, store, devices)
    }

    /// The text for `systemctl status`. It excludes private regions, because every user can read it.
    var text: String {
        let ready = devices.attached.count { $0.panel != nil }
        let suffix = store.isFallback ? "; the configuration files are refused" : ""
        let regions = store.current.view(seesPrivate: false).regions.count
        return "\(counted(ready, "touchscreen")), \(counted(regions, "region"))\(suffix)"
    }

    func show() { notifier.status(text) }

    func startWatchdog() throws(SystemError) {
        guard let interval = notifier.watchdogInterval else { return }
        watchdog = try DeadlineTimer(loop: loop) { [unowned self] in requestKeepAlive(interval / 2) }
        requestKeepAlive(interval / 2)
    }

    /// Requests that a message be sent to the watchdog at the end of the turn, so that none is sent while the loop
    /// hangs.
    private func requestKeepAlive(_ interval: Int64) {
        isWatchdogDue = true
        watchdog?.arm(at: MonotonicClock.now() + interval)
    }

    /// Retries soon, because the next regular message would be sent only when the manager's timeout expires.
    private func watchdogFailed() {
        guard let interval = notifier.watchdogInterval else { return }
        watchdog?.arm(at: MonotonicClock.now() + min(interval / 10, 1_000_000))
    }

    /// Sends due messages. Call this at the end of each turn.
    func turnCompleted() {
        if isWatchdogDue {
            isWatchdogDue = false
            if !notifier.watchdog() { watchdogFailed() }
        }
        if notifier.hasUnsent { retry() }
    }

    /// Retries every 10 ms for a second, then only in turns that happen anyway.
    private func retry() {
        notifier.resend()
        retries = notifier.hasUnsent ? retries + 1 : 0
        if (1..<100).contains(retries) { loop.schedule.tryAgain {} }
    }
}
