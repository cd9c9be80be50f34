// SPDX-License-Identifier: MIT
import CLinux

/// The clock of kernel events and of every deadline. The engine never reads it.
package enum MonotonicClock {
    /// Returns the microseconds of `CLOCK_MONOTONIC`, which stops while the machine sleeps.
    package static func now() -> Int64 { linux_clock_us(CLOCK_MONOTONIC) }

    /// Returns a reading for `SuspendDetector`.
    package static func sleepReading() -> SuspendDetector.Reading {
        SuspendDetector.Reading(before: now(), boot: linux_clock_us(CLOCK_BOOTTIME), after: now())
    }

    /// Returns the microseconds since 1970, for `wall_ms` only.
    package static func wallTime() -> Int64 { linux_clock_us(CLOCK_REALTIME) }
}
