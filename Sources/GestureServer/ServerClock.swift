// SPDX-License-Identifier: MIT
import LinuxSystem

/// Where the server reads the time: the system's clocks, or a test's.
package struct ServerClock {
    /// Microseconds that never go back.
    package var monotonic: () -> Int64
    /// Microseconds since 1970, for `wall_ms`.
    package var wall: () -> Int64

    package init(monotonic: @escaping () -> Int64, wall: @escaping () -> Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    package static var system: Self {
        ServerClock(monotonic: { MonotonicClock.now() }, wall: { MonotonicClock.wallTime() })
    }
}
