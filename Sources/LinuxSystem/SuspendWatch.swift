// SPDX-License-Identifier: MIT
import CLinux

/// Detects that the machine has slept, without waking it up.
///
/// Call `sleepBegan()` at the beginning of each turn of the loop, before its handlers: the handler of a deadline may
/// come before that of the timer that the kernel cancels at the wake-up. The timer only makes sure that there is a
/// turn. The call reads three clocks and makes no system call.
package final class SuspendWatch {
    private let loop: EventLoop
    private let descriptor: OwnedDescriptor?
    private var source: EventLoop.Source?
    private var detector = SuspendDetector(MonotonicClock.sleepReading())

    /// Without a free descriptor there is no timer, and a sleep is detected in the next turn that comes.
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

/// Derives from two clocks whether the machine has slept. Pure.
///
/// `CLOCK_BOOTTIME` runs while the machine sleeps, `CLOCK_MONOTONIC` does not. The two cannot be read at the same moment:
/// a process that is interrupted between the reads would see a sleep that was none. So the monotonic clock is read
/// before and after, and only a difference beyond both counts.
package struct SuspendDetector: Hashable, Sendable {
    /// The clocks in microseconds, in the order in which they were read.
    package struct Reading: Hashable, Sendable {
        package var before: Int64
        package var boot: Int64
        package var after: Int64
    }

    /// Each clock is truncated to microseconds.
    private static let rounding: Int64 = 2

    /// An upper bound of the time that the machine has slept, as of `awake`.
    private var largestSleep: Int64
    /// When the machine was last known to be awake, monotonic.
    private var awake: Int64

    package init(_ first: Reading) {
        largestSleep = first.boot - first.before
        awake = first.after
    }

    /// Takes a new reading of the clocks.
    /// - Returns: when the machine was last known to be awake, monotonic, if it has slept since; else `nil`.
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
