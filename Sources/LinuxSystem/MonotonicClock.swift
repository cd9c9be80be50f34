// SPDX-License-Identifier: MIT
import CLinux

/// The clock of kernel events and of every deadline. The engine never reads it.
package enum MonotonicClock {
    /// Microseconds of `CLOCK_MONOTONIC`, which stands still while the machine sleeps.
    package static func now() -> Int64 { linux_clock_us(CLOCK_MONOTONIC) }

    /// A reading for `SuspendDetector`.
    package static func sleepReading() -> SuspendDetector.Reading {
        SuspendDetector.Reading(before: now(), boot: linux_clock_us(CLOCK_BOOTTIME), after: now())
    }

    /// Microseconds since 1970, for `wall_ms` only.
    package static func wallTime() -> Int64 { linux_clock_us(CLOCK_REALTIME) }
}
