// SPDX-License-Identifier: MIT
import GestureEngine
import GesturePipeline
import LinuxSystem

/// Fires the deadlines of panels, retired twins, scenes and idle times, and runs regular checks. Before any deadline, checks
/// whether the machine has slept.
final class Timers {
    /// The interval in microseconds between checks for unreported changes. It is long because each check wakes the
    /// machine.
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

    /// A function that checks whether the machine has slept, to be called at the start of each turn; `nil` if the
    /// kernel reports the end of a sleep.
    var checkForSleep: (() -> Void)? {
        suspendWatch?.isNotified == true ? nil : { [unowned self] in suspendWatch?.check() }
    }

    /// Checks the panels immediately and then regularly.
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

    /// Sets the timer to the next deadline. Call this at the end of each turn.
    func armDeadlines() {
        var next = min(scenes.nextDeadline, panels.twins.nextDeadline)
        for device in panels.devices.attached {
            if let deadline = device.panel?.nextDeadline, deadline < next { next = deadline }
        }
        deadlines?.arm(at: next < .never ? next.microseconds : nil)
    }

    private func fireDeadlines() {
        // A deadline after the start of a sleep must not fire.
        suspendWatch?.check()
        // This time was taken before the devices are read. Available events may precede a deadline, but an event that
        // arrives later cannot precede `now`.
        let now = Timestamp(microseconds: loop.schedule.turnTime)
        for device in panels.devices.attached { device.panel?.readAvailable() }
        for device in panels.devices.attached { device.panel?.fireDeadlines(until: now) }
        panels.twins.removeDue()
        scenes.advance(to: now)
    }
}
