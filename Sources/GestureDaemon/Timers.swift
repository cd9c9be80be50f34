// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import LinuxSystem

/// Deadlines of panels, retired twins and idle times; the end of a sleep, before which none fires; and regular checks.
final class Timers {
    /// Microseconds between checks of what may go unreported. Rare, because a check wakes the machine.
    private static let checkInterval: Int64 = 30_000_000

    private let loop: EventLoop
    private let panels: Panels
    private let scenes: Scenes
    private let installation: Installation
    private var deadlines: DeadlineTimer?
    private var checks: DeadlineTimer?
    private var suspendWatch: SuspendWatch?

    init(loop: EventLoop, _ panels: Panels, _ scenes: Scenes, _ installation: Installation) {
        (self.loop, self.panels, self.scenes, self.installation) = (loop, panels, scenes, installation)
    }

    /// Fires deadlines from now on.
    func start() throws(SystemError) {
        deadlines = try DeadlineTimer(loop: loop, priority: .brief) { [unowned self] in fireDeadlines() }
        suspendWatch = SuspendWatch(loop: loop) { [unowned panels] in
            panels.resume(sleptAfter: Timestamp(microseconds: $0))
        }
    }

    /// Must be called at the begin of each turn; `nil`: the kernel reports the end of a sleep.
    var checkForSleep: (() -> Void)? {
        suspendWatch?.isNotified == true ? nil : { [unowned self] in suspendWatch?.check() }
    }

    /// Checks the panels at once, and from now on regularly.
    func startChecks() throws(SystemError) {
        checks = try DeadlineTimer(loop: loop) { [unowned self] in
            checkPanels()
            installation.remindOfRefusal()
        }
        checkPanels()
    }

    private func checkPanels() {
        panels.check()
        checks?.arm(at: MonotonicClock.now() + Self.checkInterval)
    }

    /// Must be called at the end of each turn.
    func armDeadlines() {
        var next = min(scenes.watch.nextDeadline ?? .never, panels.twins.nextDeadline)
        for device in panels.devices.attached {
            if let deadline = device.panel?.nextDeadline, deadline < next { next = deadline }
        }
        deadlines?.arm(at: next < .never ? next.microseconds : nil)
    }

    private func fireDeadlines() {
        // No deadline after a sleep began may fire.
        suspendWatch?.check()
        // The time first, then the devices: what is read may precede a deadline, and an event that comes later does not
        // precede `now`.
        let now = Timestamp(microseconds: loop.schedule.turnTime)
        for device in panels.devices.attached { device.panel?.readAvailable() }
        for device in panels.devices.attached { device.panel?.fireDeadlines(until: now) }
        panels.twins.removeDue()
        scenes.advance(to: now)
    }
}
