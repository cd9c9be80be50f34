// SPDX-License-Identifier: MIT
import CLinux

/// The time of day here, `14:03:07.123`.
enum LocalTime {
    static func now() -> String { text(linux_clock_us(CLOCK_REALTIME)) }

    /// - Parameter microseconds: on the kernel's `CLOCK_MONOTONIC`, as the daemon's lines have them.
    static func of(monotonic microseconds: Int64) -> String {
        text(linux_clock_us(CLOCK_REALTIME) - linux_clock_us(CLOCK_MONOTONIC) + microseconds)
    }

    private static func text(_ microseconds: Int64) -> String {
        var seconds = time_t(microseconds / 1_000_000)
        var local = tm()
        localtime_r(&seconds, &local)
        let parts = [local.tm_hour, local.tm_min, local.tm_sec].map { digits(Int64($0), 2) }
        return parts.joined(separator: ":") + "." + digits(microseconds / 1000 % 1000, 3)
    }

    private static func digits(_ value: Int64, _ count: Int) -> String {
        let text = "\(value)"
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
