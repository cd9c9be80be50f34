// SPDX-License-Identifier: MIT
import CLinux

/// A reading of the clocks.
struct ReportClock: Hashable {
    /// The microseconds since 1970.
    var wall: Int64
    /// The microseconds since the machine was started, also while it sleeps.
    var boot: Int64
    /// The seconds by which the time zone of the machine is ahead.
    var zone: Int64

    static func now() -> ReportClock {
        let wall = linux_clock_us(CLOCK_REALTIME)
        var seconds = time_t(wall / 1_000_000)
        var parts = tm()
        // The zone's file is read again if it has changed.
        tzset()
        localtime_r(&seconds, &parts)
        return ReportClock(wall: wall, boot: linux_clock_us(CLOCK_BOOTTIME), zone: Int64(parts.tm_gmtoff))
    }

    var quarter: LocalQuarter { LocalQuarter(seconds: wall / 1_000_000 + zone) }

    /// The seconds by which somebody has set the clock since an earlier reading.
    func jump(since earlier: ReportClock) -> Int64 {
        ((wall - earlier.wall) - (boot - earlier.boot)) / 1_000_000
    }

    /// The microseconds until the next quarter of an hour.
    var untilNextQuarter: Int64 {
        let local = wall + zone * 1_000_000
        let length = LocalQuarter.seconds * 1_000_000
        return length - (local % length + length) % length
    }
}
