// SPDX-License-Identifier: MIT
import CLinux

/// Calls its handler at a time of `CLOCK_MONOTONIC`. It uses one absolute timerfd.
///
/// Deadlines change with every frame, and a system call costs more than a spurious wake-up. Therefore, the timerfd is
/// armed only for a deadline that is earlier than the current one. If it fires too early, it is armed again without
/// calling the handler.
package final class DeadlineTimer {
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop
    private let handler: () -> Void
    private var source: EventLoop.Source?
    /// The time for which the timerfd is armed.
    private var armed: Int64?
    /// The time that was last passed to `arm(at:)`.
    private var wanted: Int64?
    /// Whether `timerfd_settime` failed and the loop will try again.
    private var isRefused = false

    /// Creates a timer that is not armed.
    /// - Parameter priority: the priority of its source in the loop.
    package init(
        loop: EventLoop, priority: TurnSchedule.Priority = .usual, handler: @escaping () -> Void
    ) throws(SystemError) {
        let flags = CInt(TFD_NONBLOCK | TFD_CLOEXEC)
        descriptor = OwnedDescriptor(
            adopting: try retryingOnInterrupt("timerfd_create") { timerfd_create(CLOCK_MONOTONIC, flags) })
        self.loop = loop
        self.handler = handler
        // This reference is unowned, because `cancel` and `deinit` remove the source.
        source = try loop.add(descriptor.rawValue, events: .readable, priority: priority) { [unowned self] _ in fire() }
    }

    deinit {
        cancel()
    }

    /// Calls the handler once at `microseconds` of the monotonic clock, or in the next turn if that time has passed.
    /// This replaces the previous time. With `nil`, the handler is not called.
    package func arm(at microseconds: Int64?) {
        wanted = microseconds
        guard let microseconds else { return }
        if let armed, armed <= microseconds { return }
        // Zero would disarm the timer.
        let time = max(microseconds, 1)
        if linux_timer_arm(descriptor.rawValue, time) >= 0 {
            armed = time
        } else if !isRefused {
            // Without another attempt, the deadline would be handled only with the next event, and a long press would
            // be recognized only at the lift.
            isRefused = true
            loop.schedule.tryAgain { [self] in
                isRefused = false
                arm(at: wanted)
            }
        }
    }

    /// Disarms the timer permanently. The handler is not called again.
    package func cancel() {
        if let source { loop.remove(source) }
        source = nil
        wanted = nil
    }

    private func fire() {
        var expirations: UInt64 = 0
        // Reading fails with EAGAIN if the timer was armed again after epoll reported it.
        guard read(descriptor.rawValue, &expirations, MemoryLayout<UInt64>.size) > 0 else { return }
        armed = nil
        guard let deadline = wanted else { return }
        guard deadline <= loop.schedule.turnTime else { return arm(at: deadline) }
        wanted = nil
        handler()
    }
}
