// SPDX-License-Identifier: MIT
import CLinux

/// Calls its handler once a moment of `CLOCK_MONOTONIC` has come: one absolute timerfd.
///
/// Lazy, because deadlines move with every frame and a system call costs more than a spurious
/// wake-up: the kernel is told only of a deadline earlier than the one it knows. When it fires
/// too early, the timer arms itself anew and calls nobody.
package final class DeadlineTimer {
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop
    private let handler: () -> Void
    private var source: EventLoop.Source?
    /// What the kernel will wake us for.
    private var armed: Int64?
    /// What was asked for last.
    private var wanted: Int64?
    /// The kernel did not take the last time; the loop will come back.
    private var isRefused = false

    /// Nothing is armed yet. Lives until `cancel()`.
    package init(loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) {
        descriptor = OwnedDescriptor(adopting: try retryingOnInterrupt("timerfd_create") { linux_timer_create() })
        self.loop = loop
        self.handler = handler
        // Unretained on purpose: `cancel` and `deinit` remove the source.
        let timer = Unmanaged.passUnretained(self)
        source = try loop.add(descriptor.rawValue, events: .readable) { _ in
            timer.takeUnretainedValue().fire()
        }
    }

    deinit {
        cancel()
    }

    /// Calls the handler once at `microseconds` of the monotonic clock, or at once when that is
    /// past; replaces what was asked for before. `nil`: not at all.
    package func arm(at microseconds: Int64?) {
        wanted = microseconds
        guard let microseconds else { return }
        if let armed, armed <= microseconds { return }
        // Zero would disarm.
        let time = max(microseconds, 1)
        if linux_timer_arm(descriptor.rawValue, time) >= 0 {
            armed = time
        } else if !isRefused {
            // Otherwise the deadline would come with the next event only: a long press with the lift.
            isRefused = true
            loop.tryAgain { [self] in
                isRefused = false
                arm(at: wanted)
            }
        }
    }

    /// No call comes after this.
    package func cancel() {
        if let source { loop.remove(source) }
        source = nil
        wanted = nil
    }

    private func fire() {
        var expirations: UInt64 = 0
        // EAGAIN: armed anew since epoll saw it. Anything else cannot happen to a timerfd.
        guard read(descriptor.rawValue, &expirations, MemoryLayout<UInt64>.size) > 0 else { return }
        armed = nil
        guard let deadline = wanted else { return }
        guard deadline <= MonotonicClock.now() else { return arm(at: deadline) }
        wanted = nil
        handler()
    }
}
