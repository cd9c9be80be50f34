// SPDX-License-Identifier: MIT
import CLinux

/// The clock of kernel event times and of every deadline. Only the loop's users read it, the
/// engine never.
package enum MonotonicClock {
    /// Microseconds of `CLOCK_MONOTONIC`: stands still while the machine sleeps.
    package static func now() -> Int64 { linux_clock_us(CLOCK_MONOTONIC) }

    /// What `SuspendDetector` compares.
    package static func sleepReading() -> SuspendDetector.Reading {
        SuspendDetector.Reading(before: now(), boot: linux_clock_us(CLOCK_BOOTTIME), after: now())
    }

    /// Microseconds since 1970, for `wall_ms` only.
    package static func wallTime() -> Int64 { linux_clock_us(CLOCK_REALTIME) }
}
