// SPDX-License-Identifier: MIT

/// Limits how many keys and buttons are pressed: a burst at once, then a number in each second. Together they are at
/// most 50 in any second.
struct RateLimit {
    /// The number of keys that may be pressed at once. A reader of a keyboard loses events beyond 64 that it has not read
    /// yet, and a key that is pressed and released takes four.
    static let burst = 12
    private static let perSecond: Int64 = 38
    /// The credit for one key. Each microsecond adds `perSecond`.
    private static let price: Int64 = 1_000_000

    private var credit = Int64(burst) * price
    private var last: Int64 = .min

    /// Whether this number of keys may be pressed now. If so, they are counted.
    /// - Parameter time: the time in microseconds on the monotonic clock.
    mutating func allows(_ count: Int, at time: Int64) -> Bool {
        let (gap, isTooLong) = time.subtractingReportingOverflow(last)
        let elapsed = isTooLong ? Self.price : min(max(gap, 0), Self.price)
        last = max(last, time)
        credit = min(Int64(Self.burst) * Self.price, credit + elapsed * Self.perSecond)
        let cost = Int64(clamping: count) * Self.price
        guard cost <= credit else { return false }
        credit -= cost
        return true
    }
}
