// SPDX-License-Identifier: MIT

/// A time in the time zone of the machine, in steps of 15 minutes. The report knows no finer time.
package struct LocalQuarter: Hashable, Comparable, Sendable {
    /// The seconds of a quarter of an hour.
    package static let seconds: Int64 = 900

    /// The number of quarters since 1970.
    package let number: Int64

    package init(number: Int64) { self.number = number }

    /// - Parameter seconds: the seconds since 1970 in the time zone of the machine.
    package init(seconds: Int64) { number = Self.floor(seconds, Self.seconds) }

    /// The number of hours since 1970.
    package var hour: Int64 { Self.floor(number, 4) }
    /// The number of days since 1970.
    package var day: Int64 { Self.floor(number, 96) }

    package static func < (a: Self, b: Self) -> Bool { a.number < b.number }

    /// The time, such as `2026-11-30 14:15`.
    package var text: String {
        let minutes = (number - day * 96) * 15
        return "\(LocalDay(number: day).text) \(LocalDay.two(minutes / 60)):\(LocalDay.two(minutes % 60))"
    }

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        (number - (number % divisor + divisor) % divisor) / divisor
    }
}

/// A day of the calendar.
package struct LocalDay: Hashable, Comparable, Sendable {
    /// The number of days since 1970.
    package let number: Int64

    package init(number: Int64) { self.number = number }

    package static func < (a: Self, b: Self) -> Bool { a.number < b.number }

    /// The date, such as `2026-11-30`. The algorithm counts eras of 400 years, which begin in March.
    package var text: String {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let day = shifted - era * 146_097
        let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365
        let rest = day - (365 * year + year / 4 - year / 100)
        let month = (5 * rest + 2) / 153
        let shown = month < 10 ? month + 3 : month - 9
        return
            "\(year + era * 400 + (shown <= 2 ? 1 : 0))-\(Self.two(shown))-\(Self.two(rest - (153 * month + 2) / 5 + 1))"
    }

    /// The day of the week, such as `Mon`. The first day of 1970 was a Thursday.
    package var weekday: String {
        ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int((number % 7 + 7) % 7)]
    }

    static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
