// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureProtocol
import LinuxSystem

/// What the service manager is told.
extension Daemon {
    /// What `systemctl status` shows.
    var statusText: String {
        let ready = devices.count { $0.panel != nil }
        let rest = store.isFallback ? "; the configuration files are refused" : ""
        return "\(counted(ready, "touchscreen")), \(counted(store.current.regions.count, "region"))\(rest)"
    }

    func showStatus() {
        notifier.status(statusText)
    }

    func startWatchdog() throws(SystemError) {
        guard let interval = notifier.watchdogInterval else { return }
        let daemon = Unmanaged.passUnretained(self)
        watchdog = try DeadlineTimer(loop: loop) { daemon.takeUnretainedValue().requestKeepAlive(interval / 2) }
        requestKeepAlive(interval / 2)
    }

    /// The watchdog's message is sent at the end of the turn, so that none is sent while the loop hangs.
    private func requestKeepAlive(_ interval: Int64) {
        isWatchdogDue = true
        watchdog?.arm(at: MonotonicClock.now() + interval)
    }

    /// Tries again soon: with the regular interval the next message would come when the manager's timeout ends.
    private func watchdogFailed() {
        guard let interval = notifier.watchdogInterval else { return }
        watchdog?.arm(at: MonotonicClock.now() + min(interval / 10, 1_000_000))
    }

    /// Must be called at the end of each turn.
    func notifyManager() {
        if isWatchdogDue {
            isWatchdogDue = false
            if !notifier.watchdog() { watchdogFailed() }
        }
        if notifier.hasUnsent { retryNotification() }
    }

    /// Retries every 10 ms for a second, then in turns that come anyway.
    private func retryNotification() {
        notifier.resend()
        notifyRetries = notifier.hasUnsent ? notifyRetries + 1 : 0
        if (1..<100).contains(notifyRetries) { loop.schedule.tryAgain {} }
    }
}
