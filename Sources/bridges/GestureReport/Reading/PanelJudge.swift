// SPDX-License-Identifier: MIT

/// Compares a day of a panel with the days before it.
struct PanelJudge {
    /// The fewest days before the judged one.
    private static let leastDays = 3
    /// The fewest touches that a cell should have got before its silence says something. A visitor touches the same cell
    /// several times, so they are worth less than independent ones.
    private static let leastExpected = 30.0
    /// The part of the expected touches that a dead cell may still get from its neighbours.
    private static let deadShare = 0.03
    /// The part of the expected touches that its neighbours must have got. Otherwise the picture has changed.
    private static let aliveShare = 0.4
    /// The part of the expected touches that the cell must have got in each earlier window. A cell that was silent before may
    /// just be seldom touched.
    private static let usualShare = 0.25
    /// The longest window of days in which a cell that is seldom touched is judged.
    private static let longestWindow: Int64 = 7
    /// The fewest quarters of an hour of a day in which a single place was touched alone, and how many times as many as
    /// usual.
    private static let leastLonely = 8
    private static let lonelyFactor = 4.0
    /// The seconds of an hour for which the display must have been off, so that the hour is not silent.
    private static let leastDark = 600
    /// A panel is slow below this part of its usual reports.
    private static let slowShare = 0.75
    /// A finger trembles if it wanders so many times as far as usual, and so many millimetres a second more.
    private static let jitterFactor = 3.0
    private static let leastJitter = 2.0

    private let device: String
    private let days: [Int64: HealthHistory.Day]
    private let today: Int64

    init(_ device: String, _ days: [Int64: HealthHistory.Day], _ today: Int64) {
        (self.device, self.days, self.today) = (device, days, today)
    }

    var findings: [GlassFinding] { silence + deadCells + noisyCells + noise + dropouts + slow + jitter }

    // MARK: what is known from before

    /// The findings, and those of the last day before that this one cannot refute yet: a day that has just begun knows nothing.
    var findingsInForce: [GlassFinding] {
        let now = findings
        guard let earlier = days.keys.filter({ $0 < today }).max() else { return now }
        let old = PanelJudge(device, days, earlier).findings.filter { finding in
            isOpen(finding.trouble, since: earlier) && !now.contains { $0.isAbout(finding.trouble) }
        }
        return now
            + old.map { finding($0.trouble, "\($0.reason) (this was seen on \(LocalDay(number: earlier).text))") }
    }

    /// Whether the day has too little data to say that a trouble of an earlier day is over.
    private func isOpen(_ trouble: GlassFinding.Trouble, since earlier: Int64) -> Bool {
        if case .silence = trouble { return !wasTouched(today) }
        return days[today]?.hours.count ?? 0 < days[earlier]?.hours.count ?? 0
    }

    /// Whether anything arrived on a day.
    private func wasTouched(_ day: Int64) -> Bool {
        guard let day = days[day] else { return false }
        return !day.maps.isEmpty || day.hours.values.contains { $0.contacts > 0 }
    }

    private func finding(_ trouble: GlassFinding.Trouble, _ reason: String) -> GlassFinding {
        GlassFinding(device: device, trouble: trouble, reason: reason)
    }

    /// The days before a day of which something is known.
    private func before(_ day: Int64) -> [HealthHistory.Day] {
        days.filter { $0.key < day }.sorted { $0.key < $1.key }.map { $0.value }
    }

    // MARK: cells

    /// Cells at which nothing arrives any more although their neighbours are touched as usual.
    private var deadCells: [GlassFinding] {
        guard let grids = days[today]?.maps.keys else { return [] }
        return grids.sorted { $0.columns < $1.columns }.flatMap { grid -> [GlassFinding] in
            var found: [Int: String] = [:]
            for window in [1, 2, 4, Self.longestWindow] {
                for (cell, reason) in deadCells(grid, window: window) where found[cell] == nil { found[cell] = reason }
            }
            return found.sorted { $0.key < $1.key }.map { cell, reason in
                finding(.deadCell(x: grid.x(of: cell), y: grid.y(of: cell)), reason)
            }
        }
    }

    private func deadCells(_ grid: CellGrid, window: Int64) -> [(Int, String)] {
        let first = today - window + 1
        let earlier = before(first).compactMap { $0.maps[grid] }
        guard earlier.count >= Self.leastDays else { return [] }
        let usual = earlier.reduce(into: SparseCounts()) { $0.add($1) }
        let now = days.filter { $0.key >= first && $0.key <= today }.compactMap { $0.value.maps[grid] }
            .reduce(into: SparseCounts()) { $0.add($1) }
        guard usual.total > 0 else { return [] }
        let factor = Double(now.total) / Double(usual.total)
        return usual.sorted.compactMap { cell, count in
            let expected = Double(count) * factor
            guard expected >= Self.leastExpected, Double(now[cell]) <= expected * Self.deadShare else { return nil }
            guard earlierLeast(cell, grid, window: window) >= expected * Self.usualShare else { return nil }
            let around = grid.neighbours(of: cell)
            let usualAround = around.reduce(0.0) { $0 + Double(usual[$1]) * factor }
            let nowAround = around.reduce(0) { $0 + now[$1] }
            guard usualAround >= Self.leastExpected, Double(nowAround) >= usualAround * Self.aliveShare else {
                return nil
            }
            let time = window == 1 ? "today" : "in \(window) days"
            return (cell, "\(now[cell]) touches \(time), \(Int(expected.rounded())) expected; the area around it works")
        }
    }

    /// The fewest touches that a cell has got in any earlier window of this length; 0 if there are too few.
    private func earlierLeast(_ cell: Int, _ grid: CellGrid, window: Int64) -> Double {
        var sums: [Int] = []
        var end = today - window
        while let first = days.keys.min(), end - window + 1 >= first {
            let known = days.filter { $0.key > end - window && $0.key <= end }.compactMap { $0.value.maps[grid] }
            if !known.isEmpty { sums.append(known.reduce(0) { $0 + $1[cell] }) }
            end -= window
        }
        return sums.count >= (window == 1 ? Self.leastDays : 2) ? Double(sums.min() ?? 0) : 0
    }

    /// Cells that were touched alone for many quarters of an hour. A busy button is touched while others are.
    private var noisyCells: [GlassFinding] {
        guard let now = days[today] else { return [] }
        return now.lonely.sorted { $0.key.columns < $1.key.columns }.flatMap { grid, lonely -> [GlassFinding] in
            let earlier = before(today)
            guard earlier.count >= Self.leastDays else { return [] }
            return lonely.sorted.compactMap { cell, count in
                let near = [cell] + grid.neighbours(of: cell)
                let sum = near.reduce(0) { $0 + lonely[$1] }
                // The cell with most quarters stands for its neighbours.
                guard sum >= Self.leastLonely, !near.contains(where: { lonely[$0] > count }) else { return nil }
                let usual = earlier.map { day in near.reduce(0) { $0 + (day.lonely[grid]?[$1] ?? 0) } }.sorted()
                // Noise that began some days ago must not become usual, so the quieter half counts.
                let quiet = Double(usual[usual.count / 4])
                guard Double(sum) >= max(Double(Self.leastLonely), quiet * Self.lonelyFactor) else { return nil }
                return finding(
                    .noisyCell(x: grid.x(of: cell), y: grid.y(of: cell)),
                    "in \(sum) quarters of an hour nothing else was touched; usually in \(Int(quiet))")
            }
        }
    }

    // MARK: hours

    /// The numbers of an hour on earlier days, in ascending order.
    private func usual(_ hour: Int, through last: Int64 = .max, _ value: (QuarterTally.PanelUse) -> Int) -> [Int] {
        days.filter { $0.key < today && $0.key <= last }.compactMap { $0.value.hours[hour].map(value) }.sorted()
    }

    /// Contacts that no region got, at hours at which nobody touched one.
    private var noise: [GlassFinding] {
        var (count, hours) = (0, 0)
        for (hour, use) in days[today]?.hours ?? [:] where use.heard == 0 && use.contacts >= 10 {
            let earlier = usual(hour) { $0.contacts }
            guard earlier.count >= Self.leastDays, earlier[earlier.count / 2] * 5 < use.contacts else { continue }
            count += use.contacts
            hours += 1
        }
        guard hours >= 2 else { return [] }
        return [finding(.noise, "\(count) contacts in \(hours) hours without a touch of a region")]
    }

    /// Whether the day is one of rest: nothing arrived a week before either, but on a day between them.
    private var isDayOfRest: Bool {
        days[today - 7] != nil && !wasTouched(today - 7) && (today - 6..<today).contains { wasTouched($0) }
    }

    /// The longest time without a contact at hours at which there were always many.
    private var silence: [GlassFinding] {
        guard let now = days[today], !isDayOfRest else { return [] }
        // The silence itself must not become usual.
        let lastTouched = days.keys.filter { $0 < today && wasTouched($0) }.max() ?? today
        var (run, missed, best) = (0, 0, (hours: 0, missed: 0))
        for hour in 0..<24 {
            let earlier = usual(hour, through: lastTouched) { $0.contacts }
            guard let use = now.hours[hour], use.contacts == 0, earlier.count >= 5, !isSwitchedOff(hour) else {
                (run, missed) = (0, 0)
                continue
            }
            let least = earlier[earlier.count / 5]
            run += 1
            missed += least
            if missed > best.missed { best = (run, missed) }
        }
        guard best.hours >= 2, best.missed >= 40 else { return [] }
        return [
            finding(
                .silence(hours: best.hours), "at these hours there were at least \(best.missed) contacts on other days")
        ]
    }

    /// Whether the display was switched off for so long in an hour that nobody was expected.
    private func isSwitchedOff(_ hour: Int) -> Bool { days[today]?.dark[hour] ?? 0 >= Self.leastDark }

    // MARK: reports

    private var dropouts: [GlassFinding] {
        let (now, usual) = (days[today]?.use ?? .init(), before(today).map { $0.use }.sum)
        guard before(today).count >= Self.leastDays, now.contacts > 0, usual.contacts > 0, now.flickers >= 20 else {
            return []
        }
        let (rate, earlier) = (
            Double(now.flickers) / Double(now.contacts), Double(usual.flickers) / Double(usual.contacts)
        )
        guard rate >= 0.03, rate >= earlier * 3 else { return [] }
        return [
            finding(
                .dropouts, "\(now.flickers) of \(now.contacts) contacts; before, \(usual.flickers) of \(usual.contacts)"
            )
        ]
    }

    private var slow: [GlassFinding] {
        guard let (now, earlier) = compared({ $0.reportRate }), now < earlier * Self.slowShare else { return [] }
        return [finding(.slow, "\(Int(now.rounded())) times a second; before, \(Int(earlier.rounded()))")]
    }

    private var jitter: [GlassFinding] {
        guard let (now, earlier) = compared({ $0.jitter }),
            now >= max(earlier * Self.jitterFactor, earlier + Self.leastJitter)
        else { return [] }
        return [
            finding(
                .jitter,
                "they wander \(ReportOutput.tenths(now)) mm a second; before, \(ReportOutput.tenths(earlier)) mm")
        ]
    }

    /// A measurement of the day and the usual one of the days before; `nil` if one of them is not known.
    private func compared(_ value: (QuarterTally.PanelUse) -> Double?) -> (now: Double, usual: Double)? {
        let earlier = before(today).compactMap { value($0.use) }.sorted()
        guard earlier.count >= Self.leastDays, let now = value(days[today]?.use ?? .init()) else { return nil }
        return (now, earlier[earlier.count / 2])
    }
}

extension CellGrid {
    /// The middle of a cell in tenths of a millimetre.
    func x(of place: Int) -> Int { place % columns * cell + cell / 2 }
    func y(of place: Int) -> Int { place / columns * cell + cell / 2 }
}
