// SPDX-License-Identifier: MIT

/// The numbers of missing lines that have not been explained yet by a `coalesced` or an `overflow`.
struct MissingLines {
    /// The ranges of missing numbers in ascending order.
    private var ranges: [ClosedRange<Int64>] = []
    private(set) var count: Int64 = 0

    var oldest: Int64? { ranges.first?.lowerBound }

    /// Adds the missing lines between two lines that were received one after the other.
    mutating func add(after last: Int64, before next: Int64) {
        guard next > last + 1 else { return }
        ranges.append((last + 1)...(next - 1))
        count += next - 1 - last
    }

    /// Accounts for lines that were merged into another one. Their numbers are not known, so the oldest missing ones
    /// are removed, because they can belong to the fewest gestures.
    /// - Parameter first: the lowest number that a merged line can have.
    /// - Returns: whether enough lines were missing.
    mutating func account(for lines: Int64, from first: Int64) -> Bool {
        var left = lines
        var place = ranges.firstIndex { $0.upperBound >= first } ?? ranges.count
        while left > 0, place < ranges.count {
            let range = ranges.remove(at: place)
            let start = max(range.lowerBound, first)
            let end = left > range.upperBound - start ? range.upperBound : start + left - 1
            if start > range.lowerBound {
                ranges.insert(range.lowerBound...(start - 1), at: place)
                place += 1
            }
            if end < range.upperBound { ranges.insert((end + 1)...range.upperBound, at: place) }
            left -= end - start + 1
        }
        count -= lines - left
        return left == 0
    }

    mutating func removeAll() { self = MissingLines() }
}
