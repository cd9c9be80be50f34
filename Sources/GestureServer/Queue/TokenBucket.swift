// SPDX-License-Identifier: MIT

/// Limits a rate: a number of tokens a second, and a burst after a pause.
struct TokenBucket {
    /// Microseconds per token.
    private let interval: Int64
    private let burst: Int64
    /// When the bucket was, or will be, full: one token less for each interval from now to there.
    private var fullAt: Int64

    /// Starts full.
    init(perSecond: Int64, burst: Int64, now: Int64) {
        interval = max(1, 1_000_000 / max(1, perSecond))
        self.burst = max(1, burst)
        fullAt = now
    }

    /// Takes one token.
    /// - Returns: `nil` if there was one, else when there will be one.
    mutating func take(now: Int64) -> Int64? {
        let base = max(fullAt, now)
        let readyAt = base - (burst - 1) * interval
        guard readyAt <= now else { return readyAt }
        fullAt = base + interval
        return nil
    }
}
