// SPDX-License-Identifier: MIT
import CLinux

/// Finds out at once that the machine has slept, and costs no wake-up while it has not.
///
/// Ask `sleepBegan()` at the beginning of each turn of the loop, before anything that the turn has found:
/// a deadline may be called before the timer that the kernel cancels at the wake-up. That timer is there so
/// that there is a turn at all. The question reads three clocks and enters no kernel.
package final class SuspendWatch {
    private let loop: EventLoop
    private let descriptor: OwnedDescriptor?
    private var source: EventLoop.Source?
    private var detector = SuspendDetector(MonotonicClock.sleepReading())

    /// Without a descriptor to be had it still knows at the next turn, whatever makes it.
    package init(loop: EventLoop) {
        self.loop = loop
        let number = linux_wake_timer_create()
        guard number >= 0 else {
            descriptor = nil
            return
        }
        descriptor = OwnedDescriptor(adopting: number)
        source = try? loop.add(number, events: .readable) { _ in _ = linux_wake_timer_reset(number) }
    }

    deinit {
        if let source { loop.remove(source) }
    }

    /// - Returns: when the machine was last known to be awake, in monotonic microseconds, if it has slept
    ///   since the last call; else `nil`.
    package func sleepBegan() -> Int64? { detector.sleepBegan(MonotonicClock.sleepReading()) }
}
