// SPDX-License-Identifier: MIT
import GestureEngine

/// Tells ghost touches from people: too many landings within a second.
struct LandingRate: Hashable, Sendable {
    private static let second = Interval(microseconds: 1_000_000)
    /// Nobody needs to count further.
    private static let largestLimit = 10_000

    private let quiet: Interval
    /// The times of the last landings, as many as are allowed in a second; oldest at `next`.
    private var times: [Timestamp]
    private var next = 0
    private var isFull = false
    private var quietAt: Timestamp?

    init(_ settings: FilterSettings.Storm) {
        quiet = settings.quiet
        let limit = min(max(1, settings.contactsPerSecond), Self.largestLimit)
        times = Array(repeating: Timestamp(microseconds: 0), count: limit)
    }

    /// - Returns: whether the landing is part of a storm. The first one that is starts it.
    mutating func isStorm(landingAt time: Timestamp) -> Bool {
        if let end = quietAt {
            if time < end {
                quietAt = time + quiet
                return true
            }
            quietAt = nil
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
        if isTooMany { quietAt = time + quiet }
        return isTooMany
    }

    func isStorming(at time: Timestamp) -> Bool { quietAt.map { time < $0 } ?? false }
}
