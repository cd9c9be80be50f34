// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import LinuxSystem

extension String {
    /// The text without characters that could move a terminal's cursor or change its state.
    var safe: String { SafeText.terminal(self) }
}

extension String {
    /// The number of columns on a terminal.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }
}

/// Formats a duration in its two largest units: `1 d 4 h`, `2 min 5 s`, `0.3 s`.
func durationText(milliseconds: Int64) -> String {
    let milliseconds = max(0, milliseconds)
    let seconds = milliseconds / 1000
    if seconds < 10 { return "\(shortest(Double(milliseconds) / 1000)) s" }
    let (days, hours, minutes) = (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60)
    if days > 0 { return "\(days) d \(hours) h" }
    if hours > 0 { return "\(hours) h \(minutes) min" }
    return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
}

/// Formats the time of a recording in seconds, as in its lines: `5.084000`.
/// - Parameter microseconds: the time; not negative.
func recordingTime(_ microseconds: Int64) -> String {
    "\(microseconds / 1_000_000).\(padded(microseconds % 1_000_000, to: 6))"
}

/// Formats the local time of day: `14:03:07.123`.
enum LocalTime {
    static func now() -> String { text(linux_clock_us(CLOCK_REALTIME)) }

    /// - Parameter microseconds: a time of the kernel's `CLOCK_MONOTONIC`, as in the daemon's lines.
    static func of(monotonic microseconds: Int64) -> String {
        text(linux_clock_us(CLOCK_REALTIME) - linux_clock_us(CLOCK_MONOTONIC) + microseconds)
    }

    private static func text(_ microseconds: Int64) -> String {
        var seconds = time_t(microseconds / 1_000_000)
        var local = tm()
        localtime_r(&seconds, &local)
        let parts = [local.tm_hour, local.tm_min, local.tm_sec].map { padded($0, to: 2) }
        return parts.joined(separator: ":") + "." + padded(microseconds / 1000 % 1000, to: 3)
    }
}

/// Returns `swipe`, or `swipe "page"` if the gesture has its own name.
func gestureLabel(_ kind: String, _ name: String) -> String { name == kind ? kind : "\(kind) \"\(name)\"" }

/// Formats a number with at most one decimal, and none if it is 0: `108`, `0.5`.
func shortest(_ value: Double) -> String {
    let tenths = (value * 10).rounded()
    guard abs(tenths) < 1e15 else { return "\(value)" }
    let whole = Int64(tenths)
    let sign = whole < 0 ? "-" : ""
    return whole % 10 == 0 ? "\(whole / 10)" : "\(sign)\(abs(whole) / 10).\(abs(whole) % 10)"
}

/// Formats a number with exactly this many decimals, at most 6: `-0.250000`.
func fixed(_ value: Double, _ decimals: Int) -> String {
    guard abs(value) < 1e12 else { return "\(value)" }
    let unit = (0..<decimals).reduce(Int64(1)) { unit, _ in unit * 10 }
    let whole = Int64((value * Double(unit)).rounded())
    let fraction = decimals > 0 ? "." + padded(abs(whole) % unit, to: decimals) : ""
    return (whole < 0 ? "-" : "") + "\(abs(whole) / unit)" + fraction
}
