// SPDX-License-Identifier: MIT

/// A span of time for a person, in its two largest units: `1 d 4 h`, `2 min 5 s`, `0.3 s`.
enum DurationText {
    static func text(milliseconds: Int64) -> String {
        let milliseconds = max(0, milliseconds)
        let seconds = milliseconds / 1000
        if seconds < 10 { return "\(shortest(Double(milliseconds) / 1000)) s" }
        let (days, hours, minutes) = (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }
}
