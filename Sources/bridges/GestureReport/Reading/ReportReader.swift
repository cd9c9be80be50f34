// SPDX-License-Identifier: MIT
package import LocalDatabase

/// Reads the database.
package struct ReportReader {
    private let database: SQLiteDatabase

    /// - Parameter path: an existing database.
    package init(path: String) throws(SQLiteError) { database = try ReportFile.openExisting(path) }

    package func read(from first: LocalDay, through last: LocalDay) throws(SQLiteError) -> ReportData {
        var data = ReportData(first: first, last: last)
        let days = [first.number, last.number + 1]
        try readSessions(days.map { $0 * 96 }, into: &data)
        try readRegions(days.map { $0 * 24 }, into: &data)
        try readPlaces(days, into: &data)
        data.panels = try panelHours(days.map { $0 * 24 })
        return data
    }

    /// Reads what the health of the panels on a day is judged from.
    package func history(of day: LocalDay) throws(SQLiteError) -> HealthHistory {
        var history = HealthHistory(last: day)
        let days = [day.number - HealthHistory.length, day.number + 1]
        for row in try rows(
            "SELECT day, d.text, kind, columns, rows, cell, counts FROM map JOIN name d ON d.id = device WHERE day >= ? AND day < ?",
            days)
        {
            guard let kind = QuarterTally.MapKind(rawValue: row.count(2)), let grid = row.grid(3) else { continue }
            history.add(
                .init(
                    device: row.text(1), scene: "", kind: kind, grid: grid, counts: SparseCounts(bytes: row.bytes(6))),
                on: row.number(0))
        }
        for hour in try panelHours(days.map { $0 * 24 }) { history.add(hour) }
        return history
    }

    private func panelHours(_ bounds: [Int64]) throws(SQLiteError) -> [ReportData.PanelHour] {
        try rows(
            "SELECT hour, text, contacts, heard, flickers, storms, reports, report_us, rest_us, wander_um, listened, dark FROM panel LEFT JOIN glass USING(hour, device) JOIN name ON id = device WHERE hour >= ? AND hour < ? ORDER BY hour, text",
            bounds
        ).map {
            ReportData.PanelHour(
                hour: $0.number(0), device: $0.text(1),
                use: .init(
                    contacts: $0.count(2), heard: $0.count(3), flickers: $0.count(4), storms: $0.count(5),
                    reports: $0.count(6), reportTime: $0.count(7), restTime: $0.count(8), wander: $0.count(9)),
                listened: $0.count(10), dark: $0.count(11))
        }
    }

    private func rows(_ text: String, _ bounds: [Int64] = []) throws(SQLiteError) -> [Row] {
        try database.run(text, bounds.map { .integer($0) }).map { Row(values: $0) }
    }

    private func readSessions(_ bounds: [Int64], into data: inout ReportData) throws(SQLiteError) {
        let range = "FROM session WHERE quarter >= ? AND quarter < ?"
        for row in try rows(
            "SELECT quarter / 96 AS day, sum(count), sum(count * touches), sum(count * seconds) \(range) GROUP BY day ORDER BY day",
            bounds)
        {
            data.days.append(
                .init(
                    day: LocalDay(number: row.number(0)), sessions: row.count(1), touches: row.count(2),
                    seconds: row.count(3)))
        }
        for row in try rows("SELECT quarter / 4 % 24 AS hour, sum(count) \(range) GROUP BY hour", bounds)
        where (0..<24).contains(row.number(0)) { data.hours[Int(row.number(0))] = row.count(1) }
        data.lengths = try rows("SELECT seconds, sum(count) \(range) GROUP BY seconds ORDER BY seconds", bounds)
            .map { ($0.count(0), $0.count(1)) }
    }

    private func readRegions(_ bounds: [Int64], into data: inout ReportData) throws(SQLiteError) {
        var regions: [String: ReportData.Region] = [:]
        let range = "hour >= ? AND hour < ?"
        for row in try rows(
            "SELECT n.text, a, b, c, d FROM (SELECT region, sum(touches) a, sum(failed) b, sum(twice) c, sum(empty) d FROM use WHERE \(range) GROUP BY region) JOIN name n ON n.id = region",
            bounds)
        {
            regions[row.text(0), default: .init(name: row.text(0))].use = .init(
                touches: row.count(1), failed: row.count(2), twice: row.count(3), nothing: row.count(4))
        }
        for (region, name, count) in try namedCounts("gesture", bounds) {
            regions[region, default: .init(name: region)].gestures.append(.init(name: name, count: count))
        }
        for (region, name, count) in try namedCounts("failure", bounds) {
            let words = name.split(separator: " ")
            regions[region, default: .init(name: region)].failures.append(
                .init(gesture: words.dropLast().joined(separator: " "), code: String(words.last ?? ""), count: count))
        }
        data.regions = regions.values.sorted { $0.name < $1.name }
        data.scenes = try rows(
            "SELECT n.text, sum(ms) / 1000 FROM scene JOIN name n ON n.id = scene WHERE \(range) GROUP BY scene ORDER BY n.text",
            bounds
        ).map { .init(name: $0.text(0), count: $0.count(1)) }
    }

    /// The sums of the counts by region and name, in their order.
    private func namedCounts(
        _ table: String, _ bounds: [Int64]
    ) throws(SQLiteError) -> [(region: String, name: String, count: Int)] {
        var names: [Int: String] = [:]
        for row in try rows("SELECT id, text FROM name") { names[row.count(0)] = row.text(1) }
        var sums: [Int: SparseCounts] = [:]
        for row in try rows("SELECT region, counts FROM \(table) WHERE hour >= ? AND hour < ?", bounds) {
            sums[row.count(0), default: .init()].add(bytes: row.bytes(1))
        }
        return sums.flatMap { region, counts in
            counts.sorted.map { (names[region] ?? "", names[$0.place] ?? "", $0.count) }
        }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    }

    private func readPlaces(_ bounds: [Int64], into data: inout ReportData) throws(SQLiteError) {
        var maps: [QuarterTally.MapKey: SparseCounts] = [:]
        for row in try rows(
            "SELECT d.text, s.text, kind, columns, rows, cell, counts FROM map JOIN name d ON d.id = device JOIN name s ON s.id = scene WHERE day >= ? AND day < ?",
            bounds)
        {
            guard let kind = QuarterTally.MapKind(rawValue: row.count(2)), let grid = row.grid(3) else { continue }
            let key = QuarterTally.MapKey(device: row.text(0), scene: row.text(1), kind: kind, grid: grid)
            maps[key, default: .init()].add(bytes: row.bytes(6))
        }
        data.maps = maps.map {
            .init(
                device: $0.key.device, scene: $0.key.scene, kind: $0.key.kind, grid: $0.key.grid,
                counts: $0.value)
        }.sorted { ($0.device, $0.scene, $0.kind.rawValue) < ($1.device, $1.scene, $1.kind.rawValue) }
        try readLimits(bounds, into: &data)
        data.boxes = try rows(
            "SELECT d.text, r.text, x0, y0, x1, y1 FROM box JOIN name d ON d.id = device JOIN name r ON r.id = region ORDER BY d.text, r.text"
        ).map {
            .init(
                device: $0.text(0), region: $0.text(1), left: $0.side(2), top: $0.side(3), right: $0.side(4),
                bottom: $0.side(5))
        }
    }

    private func readLimits(_ bounds: [Int64], into data: inout ReportData) throws(SQLiteError) {
        var limits: [QuarterTally.LimitKey: ReportData.Limit] = [:]
        for row in try rows(
            "SELECT day, r.text, g.text, c.text, k.text, u.text, bound, most, meant, other FROM missed JOIN name r ON r.id = region JOIN name g ON g.id = gesture JOIN name c ON c.id = code JOIN name k ON k.id = key JOIN name u ON u.id = unit WHERE day >= ? AND day < ?",
            bounds)
        {
            let key = QuarterTally.LimitKey(
                region: row.text(1), gesture: row.text(2), code: row.text(3), key: row.text(4), unit: row.text(5),
                limit: row.count(6), isMost: row.number(7) != 0)
            var limit = limits[key] ?? .init(key: key, misses: .init(), lastDay: .min)
            limit.misses.add(.init(meant: .blob(row.bytes(8)), other: .blob(row.bytes(9))))
            limit.lastDay = max(limit.lastDay, row.number(0))
            limits[key] = limit
        }
        data.limits = limits.values.sorted {
            ($0.key.region, $0.key.gesture, $0.key.key, $0.key.limit) < (
                $1.key.region, $1.key.gesture, $1.key.key, $1.key.limit
            )
        }
    }
}

/// A row of a result. A value of another type than expected counts as missing.
private struct Row {
    let values: [SQLiteDatabase.Value]

    func number(_ column: Int) -> Int64 { column < values.count ? values[column].number ?? 0 : 0 }
    /// A number that is not negative, and small enough to be added to others.
    func count(_ column: Int) -> Int { Int(max(0, min(number(column), 1 << 50))) }
    /// The side of a box, which is near the panel.
    func side(_ column: Int) -> Int { Int(max(-1_000_000, min(number(column), 1_000_000))) }
    /// The grid in three columns; `nil` if it is none, because the file is damaged.
    func grid(_ column: Int) -> CellGrid? {
        CellGrid(stored: count(column), count(column + 1), cell: count(column + 2))
    }
    func text(_ column: Int) -> String { column < values.count ? values[column].string ?? "" : "" }
    func bytes(_ column: Int) -> [UInt8] { column < values.count ? values[column].bytes ?? [] : [] }
}
