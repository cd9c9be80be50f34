// SPDX-License-Identifier: MIT

/// Counts by place, most of which are zero: cells of a panel, or steps of a histogram.
package struct SparseCounts: Hashable, Sendable {
    /// The greatest place that is kept.
    package static let mostPlaces = 1 << 16

    private(set) var counts: [Int: Int] = [:]

    package init() {}

    package subscript(place: Int) -> Int { counts[place] ?? 0 }

    package var isEmpty: Bool { counts.isEmpty }
    package var total: Int { counts.values.reduce(0, +) }
    /// The places that are not zero, in ascending order.
    package var sorted: [(place: Int, count: Int)] { counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    package mutating func add(_ count: Int = 1, at place: Int) {
        guard (0..<Self.mostPlaces).contains(place), count > 0 else { return }
        counts[place, default: 0] = min(self[place] + count, 1 << 40)
    }

    package mutating func add(_ other: SparseCounts) {
        for (place, count) in other.counts { add(count, at: place) }
    }

    /// The distances between places, and the counts, each in as many groups of seven bits as it needs.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var last = -1
        for (place, count) in sorted {
            Self.append(UInt64(place - last), to: &bytes)
            Self.append(UInt64(count), to: &bytes)
            last = place
        }
        return bytes
    }

    /// - Parameter bytes: the value of `bytes`. What follows a mistake is ignored.
    package init(bytes: [UInt8]) { add(bytes: bytes) }

    /// Adds the counts in the value of `bytes`.
    package mutating func add(bytes: [UInt8]) {
        var rest = bytes[...]
        var last = -1
        while let step = Self.next(&rest), let count = Self.next(&rest), step > 0, step <= Self.mostPlaces {
            last += Int(step)
            guard last < Self.mostPlaces else { return }
            add(Int(min(count, 1 << 40)), at: last)
        }
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var number = number
        while number >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: number))
    }

    private static func next(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 56, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }
}

/// The distances of measured values from their limit, in steps of 5 %.
package enum LimitStep {
    /// The growth from one step to the next.
    package static let growth = 1.05
    /// The number of steps; the last one has everything that is farther, more than ten times.
    package static let count = 50

    /// The place of values that are only known to be beyond the limit.
    package static let unknown: Int? = count

    /// The step of a value: 0 for up to 5 % beyond the limit.
    /// - Returns: `nil` if the value or the limit is not a positive number.
    package static func step(of value: Double, limit: Double) -> Int? {
        guard value.isFinite, limit.isFinite, value >= 0, limit > 0 else { return nil }
        guard value > 0 else { return count - 1 }
        let excess = value > limit ? value / limit : limit / value
        var edge = growth
        for step in 0..<count - 1 {
            if excess <= edge { return step }
            edge *= growth
        }
        return count - 1
    }

    /// The factor by which a limit must grow or shrink to admit everything up to a step.
    package static func factor(_ step: Int) -> Double {
        var factor = 1.0
        for _ in 0...max(0, min(step, count)) { factor *= growth }
        return factor
    }
}
