// SPDX-License-Identifier: MIT
import GestureEngine

/// Tells ghost touches from people: no person lands so many contacts within a second.
struct StormDetector: Hashable, Sendable {
    private static let second = Interval(microseconds: 1_000_000)
    /// Limits the memory that a configuration may ask for.
    private static let largestLimit = 10_000

    private let quiet: Interval
    /// The times of the last landings, as many as are allowed within a second; a ring with the oldest at `next`.
    private var times: [Timestamp]
    private var next = 0
    private var isFull = false
    /// While a storm lasts, when it will be over.
    private var end: Timestamp?

    init(_ settings: FilterSettings.Storm) {
        quiet = settings.quiet
        let limit = min(max(1, settings.contactsPerSecond), Self.largestLimit)
        times = Array(repeating: Timestamp(microseconds: 0), count: limit)
    }

    /// Counts a landing, which may start a storm or prolong it.
    /// - Returns: whether the landing is part of a storm.
    mutating func isStorm(landingAt time: Timestamp) -> Bool {
        if let end {
            if time < end {
                self.end = time + quiet
                return true
            }
            self.end = nil
            isFull = false
            next = 0
        }
        let isTooMany = isFull && time - times[next] < Self.second
        times[next] = time
        next += 1
        if next == times.count {
            next = 0
            isFull = true
        }
        if isTooMany { end = time + quiet }
        return isTooMany
    }

    func isStorming(at time: Timestamp) -> Bool { end.map { time < $0 } ?? false }
}
