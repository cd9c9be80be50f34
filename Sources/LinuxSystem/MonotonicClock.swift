// SPDX-License-Identifier: MIT
import CLinux

/// The clock of kernel event times and of every deadline. Only the loop's users read it, the
/// engine never.
package enum MonotonicClock {
    /// Microseconds of `CLOCK_MONOTONIC`: stands still while the machine sleeps.
    package static func now() -> Int64 { linux_clock_us(CLOCK_MONOTONIC) }

    /// Microseconds that the machine has slept since it started. More than before: it slept in between.
    package static func timeSuspended() -> Int64 { linux_clock_us(CLOCK_BOOTTIME) - linux_clock_us(CLOCK_MONOTONIC) }

    /// Microseconds since 1970, for `wall_ms` only.
    package static func wallTime() -> Int64 { linux_clock_us(CLOCK_REALTIME) }
}
