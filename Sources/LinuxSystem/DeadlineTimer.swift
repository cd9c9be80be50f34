// SPDX-License-Identifier: MIT
import CLinux

/// Calls its handler at a time of `CLOCK_MONOTONIC`: one absolute timerfd.
///
/// Deadlines move with every frame, and a system call costs more than a spurious wake-up: so the timerfd is armed only
/// for a deadline that is earlier than the one it has. When it fires too early, it is armed again and the handler is
/// not called.
package final class DeadlineTimer {
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop
    private let handler: () -> Void
    private var source: EventLoop.Source?
    /// The time that the timerfd is armed for.
    private var armed: Int64?
    /// The time that was last passed to `arm(at:)`.
    private var wanted: Int64?
    /// `timerfd_settime` failed; the loop will try again.
    private var isRefused = false

    /// Nothing is armed yet.
    /// - Parameter priority: of its source in the loop.
    package init(
        loop: EventLoop, priority: TurnSchedule.Priority = .usual, handler: @escaping () -> Void
    ) throws(SystemError) {
        let flags = CInt(TFD_NONBLOCK | TFD_CLOEXEC)
        descriptor = OwnedDescriptor(
            adopting: try retryingOnInterrupt("timerfd_create") { timerfd_create(CLOCK_MONOTONIC, flags) })
        self.loop = loop
        self.handler = handler
        // Unowned: `cancel` and `deinit` remove the source.
        source = try loop.add(descriptor.rawValue, events: .readable, priority: priority) { [unowned self] _ in fire() }
    }

    deinit {
        cancel()
    }

    /// Calls the handler once at `microseconds` of the monotonic clock, or in the next turn when that is past. Replaces
    /// the time before; `nil`: the handler is not called.
    package func arm(at microseconds: Int64?) {
        wanted = microseconds
        guard let microseconds else { return }
        if let armed, armed <= microseconds { return }
        // Zero would disarm.
        let time = max(microseconds, 1)
        if linux_timer_arm(descriptor.rawValue, time) >= 0 {
            armed = time
        } else if !isRefused {
            // Without this the deadline would come with the next event: a long press with the lift.
            isRefused = true
            loop.schedule.tryAgain { [self] in
                isRefused = false
                arm(at: wanted)
            }
        }
    }

    /// The handler is not called after this.
    package func cancel() {
        if let source { loop.remove(source) }
        source = nil
        wanted = nil
    }

    private func fire() {
        var expirations: UInt64 = 0
        // EAGAIN: armed again since epoll reported it.
        guard read(descriptor.rawValue, &expirations, MemoryLayout<UInt64>.size) > 0 else { return }
        armed = nil
        guard let deadline = wanted else { return }
        guard deadline <= loop.schedule.turnTime else { return arm(at: deadline) }
        wanted = nil
        handler()
    }
}
