// SPDX-License-Identifier: MIT
import CLinux

/// The processor time of a body in seconds, without the time in which other threads and programs run.
package func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
    let start = linux_clock_us(CLOCK_THREAD_CPUTIME_ID)
    try body()
    return Double(linux_clock_us(CLOCK_THREAD_CPUTIME_ID) - start) / 1e6
}
