// SPDX-License-Identifier: MIT
import CLinux

/// The clock used for kernel events and for all deadlines. The engine itself never reads it.
package enum MonotonicClock {
    /// Returns the time of `CLOCK_MONOTONIC` in microseconds. This clock stops while the machine sleeps.
    package static func now() -> Int64 { linux_clock_us(CLOCK_MONOTONIC) }

    /// Returns a reading of the clocks for `SuspendDetector`.
    package static func sleepReading() -> SuspendDetector.Reading {
        SuspendDetector.Reading(before: now(), boot: linux_clock_us(CLOCK_BOOTTIME), after: now())
    }

    /// Returns the time in microseconds since 1970. It must not be used for deadlines.
    package static func wallTime() -> Int64 { linux_clock_us(CLOCK_REALTIME) }
}
