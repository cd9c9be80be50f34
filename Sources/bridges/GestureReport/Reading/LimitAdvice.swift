// SPDX-License-Identifier: MIT

/// A limit that would have let failed touches through, from the numbers of the lines themselves.
package struct LimitAdvice: Hashable, Sendable {
    package let key: QuarterTally.LimitKey
    /// The touches that missed the present limit and did nothing else.
    package let missed: Int
    /// Whether it is known how far the touches went.
    package let isKnown: Bool
    /// The limit that helps, in hundredths of its unit; `nil` if that is not known, or if any other would do more harm.
    package let proposed: Int?
    /// The number of these touches that it would have let through.
    package let admitted: Int
    /// The number of touches that were something else, or meant for something else, and that it would have let in.
    package let wrong: Int

    /// The share of near misses that a better limit must let through.
    private static let share = 0.9
    /// The number of touches that may be let in wrongly, for each one that works, and in any case.
    private static let wrongShare = 0.25
    private static let leastWrong = 3.0
    /// Touches farther than this step, four and a half times the limit, were not meant for the gesture.
    private static let farthest = 30

    init?(_ limit: ReportData.Limit) {
        let near = limit.misses.meant.sorted.filter { $0.place <= Self.farthest }
        let wanted = Double(near.reduce(0) { $0 + $1.count }) * Self.share
        guard limit.misses.meant.total > 0 else { return nil }
        var (admitted, step) = (0, -1)
        for entry in near where Double(admitted) < wanted {
            let wrong = Self.count(limit.misses.other, upTo: entry.place)
            guard Double(wrong) <= max(Self.leastWrong, Double(admitted + entry.count) * Self.wrongShare) else { break }
            admitted += entry.count
            step = entry.place
        }
        key = limit.key
        missed = limit.misses.meant.total
        self.admitted = admitted
        wrong = Self.count(limit.misses.other, upTo: step)
        isKnown = wanted > 0
        guard step >= 0 else {
            proposed = nil
            return
        }
        let factor = LimitStep.factor(step)
        let exact = Double(limit.key.limit) * (limit.key.isMost ? factor : 1 / factor)
        proposed = Self.rounded(exact, up: limit.key.isMost)
    }

    private static func count(_ counts: SparseCounts, upTo step: Int) -> Int {
        counts.sorted.reduce(0) { $0 + ($1.place <= step ? $1.count : 0) }
    }

    /// A number with two digits, or with one if the second would be 5 or 0 for a small one.
    private static func rounded(_ number: Double, up: Bool) -> Int {
        guard number > 0 else { return 0 }
        var unit = 1.0
        while number / unit >= 100 { unit *= 10 }
        return Int((number / unit).rounded(up ? .up : .down) * unit)
    }

    /// The value as the configuration writes it, such as `"420ms"`.
    package var setting: String? {
        guard let number = proposed.map({ Self.text($0) }) else { return nil }
        return key.unit == "deg" ? number : "\"\(number)\(key.unit)\""
    }

    package var presentText: String { "\(Self.text(key.limit)) \(key.unit)" }

    static func text(_ hundredths: Int) -> String {
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(LocalDay.two(Int64(rest)))"
    }
}

/// A region at which many touches fail, and why.
package struct RegionAdvice: Hashable, Sendable {
    package let region: ReportData.Region
    /// The limit that would have helped most; `nil` if no number did it.
    package let limit: LimitAdvice?
    /// The most frequent failure that has no number.
    package let failure: ReportData.Failure?

    /// The regions with the most failed attempts, the worst first.
    package static func worst(_ count: Int, of data: ReportData) -> [RegionAdvice] {
        let regions = data.regions.filter { $0.use.failed > 0 }
            .sorted { ($1.use.failed, $0.name) < ($0.use.failed, $1.name) }
        return regions.prefix(count).map { region in
            let limits = current(data.limits.filter { $0.key.region == region.name }).compactMap { LimitAdvice($0) }
            let best = limits.max { ($0.missed, $1.key.key) < ($1.missed, $0.key.key) }
            let numbered = Set(limits.map { $0.key.code })
            let plain = region.failures.filter { $0.code == "left_region" && !numbered.contains($0.code) }
                .max { $0.count < $1.count }
            return RegionAdvice(region: region, limit: best, failure: plain)
        }
    }

    /// The limits that are in force, without those that somebody has changed since.
    private static func current(_ limits: [ReportData.Limit]) -> [ReportData.Limit] {
        limits.filter { limit in
            !limits.contains {
                $0.lastDay > limit.lastDay && $0.key.gesture == limit.key.gesture && $0.key.key == limit.key.key
                    && $0.key.code == limit.key.code && $0.key.isMost == limit.key.isMost
            }
        }
    }
}

/// Touches that landed where nothing is, close to a region.
package struct NearMiss: Hashable, Sendable {
    package enum Side: String, Sendable { case left, right, above, below }

    package let region: String
    package let side: Side
    package let count: Int

    /// The greatest distance from the region, in tenths of a millimetre.
    static let reach = 100
    private static let least = 10

    /// The sides of regions beside which touches land on nothing, the worst first.
    package static func all(in data: ReportData) -> [NearMiss] {
        // The database also has the places of regions that no longer exist.
        let counted = Set(data.regions.filter { $0.use.touches > 0 && $0.use.nothing == 0 }.map { $0.name })
        var counts: [String: [Side: Int]] = [:]
        for map in data.maps where map.kind == .nothing {
            let boxes = data.boxes.filter { $0.device == map.device && counted.contains($0.region) }
            for (place, count) in map.counts.sorted {
                let x = place % map.grid.columns * map.grid.cell + map.grid.cell / 2
                let y = place / map.grid.columns * map.grid.cell + map.grid.cell / 2
                guard let (region, side) = nearest(x, y, boxes) else { continue }
                counts[region, default: [:]][side, default: 0] += count
            }
        }
        return counts.flatMap { region, sides in
            sides.map { NearMiss(region: region, side: $0.key, count: $0.value) }
        }.filter { $0.count >= least }.sorted { ($1.count, $0.region) < ($0.count, $1.region) }
    }

    private static func nearest(_ x: Int, _ y: Int, _ boxes: [ReportData.Box]) -> (String, Side)? {
        var best: (distance: Int, region: String, side: Side)?
        for box in boxes {
            let (left, right, above, below) = (box.left - x, x - box.right, box.top - y, y - box.bottom)
            let (dx, dy) = (max(left, right, 0), max(above, below, 0))
            guard max(dx, dy) <= reach else { continue }
            let side: Side = dx >= dy ? (left > 0 ? .left : .right) : (above > 0 ? .above : .below)
            if best.map({ max(dx, dy) < $0.distance }) ?? true { best = (max(dx, dy), box.region, side) }
        }
        return best.flatMap { $0.distance == 0 ? nil : ($0.region, $0.side) }
    }
}
