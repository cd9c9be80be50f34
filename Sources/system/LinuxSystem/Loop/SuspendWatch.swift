// SPDX-License-Identifier: MIT
import CLinux

/// Detects that the machine has slept, without waking it up.
///
/// The kernel cancels a timer when the machine wakes up, before any program runs again. The loop handles the
/// cancellation first, so the clocks are compared before any later event is handled, and only after a wake-up.
package final class SuspendWatch {
    private let loop: EventLoop
    private let descriptor: OwnedDescriptor?
    private let woke: (_ sleepBegan: Int64) -> Void
    private var source: EventLoop.Source?
    private var detector = SuspendDetector(MonotonicClock.sleepReading())

    /// Creates a watch. If no descriptor is free, there is no timer, and the caller must call `check()` in every turn.
    /// - Parameter woke: called after a sleep, with a time before it in microseconds of the monotonic clock. Only brief
    ///   turns of the loop can have run between that time and the sleep.
    package init(loop: EventLoop, woke: @escaping (_ sleepBegan: Int64) -> Void) {
        self.loop = loop
        self.woke = woke
        let number = linux_wake_timer_create()
        guard number >= 0 else {
            descriptor = nil
            return
        }
        descriptor = OwnedDescriptor(adopting: number)
        // This reference is unowned, because `deinit` removes the source.
        source = try? loop.add(number, events: .readable, priority: .first) { [unowned self] _ in
            _ = linux_wake_timer_reset(number)
            check()
        }
    }

    deinit {
        if let source { loop.remove(source) }
    }

    /// Whether the kernel reports the end of a sleep.
    package var isNotified: Bool { source != nil }

    /// Compares the clocks, and calls `woke` if the machine has slept since the last comparison. The only system calls
    /// are those that read the clocks.
    package func check() {
        if let time = detector.sleepBegan(MonotonicClock.sleepReading()) { woke(max(time, loop.schedule.earlierTime)) }
    }
}

/// Detects from two clocks whether the machine has slept. It does not read the clocks itself.
///
/// `CLOCK_BOOTTIME` runs while the machine sleeps, but `CLOCK_MONOTONIC` does not. They cannot be read at the same
/// moment, and an interruption between the two reads would look like a sleep. Therefore, the monotonic clock is read
/// before and after the other one. The machine has slept only if the smallest possible difference now exceeds the
/// largest possible difference before.
package struct SuspendDetector: Hashable, Sendable {
    /// The times of the clocks in microseconds, in the order in which the clocks were read.
    package struct Reading: Hashable, Sendable {
        package var before: Int64
        package var boot: Int64
        package var after: Int64
    }

    /// The rounding error in microseconds. It arises because each time is truncated to microseconds.
    private static let rounding: Int64 = 2

    /// An upper bound on the total time that the machine had slept at `awake`.
    private var largestSleep: Int64
    /// The last time of the monotonic clock at which the machine was known to be awake.
    private var awake: Int64

    package init(_ first: Reading) {
        largestSleep = first.boot - first.before
        awake = first.after
    }

    /// Handles a new reading of the clocks.
    /// - Returns: the last time of the monotonic clock at which the machine was known to be awake; `nil` if it has not
    ///   slept since then.
    package mutating func sleepBegan(_ reading: Reading) -> Int64? {
        let (least, most) = (reading.boot - reading.after, reading.boot - reading.before)
        let before = awake
        awake = reading.after
        if least > largestSleep + Self.rounding {
            largestSleep = most
            return before
        }
        largestSleep = min(largestSleep, most)
        return nil
    }
}
