// SPDX-License-Identifier: MIT
import Glibc

/// The clock for time limits in tests.
package enum MonotonicSeconds {
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
