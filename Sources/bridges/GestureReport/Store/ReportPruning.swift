// SPDX-License-Identifier: MIT
import CLinux
import LocalDatabase

/// Deletes from the database what is too old, with the names and places that nothing refers to any more.
enum ReportPruning {
    /// The number of rows that are read at the same time.
    private static let page: Int64 = 256
    /// The columns that have ids of names.
    private static let references = [
        ("gesture", "region"), ("failure", "region"), ("use", "region"), ("scene", "scene"), ("panel", "device"),
        ("map", "device"), ("map", "scene"), ("missed", "region"), ("missed", "gesture"), ("missed", "code"),
        ("missed", "key"), ("missed", "unit"), ("box", "device"), ("box", "region"),
    ]

    /// Whether a clock can be believed: something has been counted on another day of the last month.
    static func believes(_ today: LocalDay, _ database: SQLiteDatabase) throws(SQLiteError) -> Bool {
        try !database.run(
            "SELECT 1 FROM panel WHERE hour >= ? AND hour < ? LIMIT 1",
            [.integer((today.number - 31) * 24), .integer(today.number * 24)]
        ).isEmpty
    }

    /// Deletes what is older than a day, within a transaction.
    static func delete(before first: LocalDay, _ database: SQLiteDatabase) throws(SQLiteError) {
        for (table, column) in ReportFile.timed {
            let factor: Int64 = column == "quarter" ? 96 : column == "hour" ? 24 : 1
            try database.run("DELETE FROM \(table) WHERE \(column) < ?", [.integer(first.number * factor)])
        }
        // The place of a region that still exists is written again with the next quarter.
        try database.run("DELETE FROM box WHERE region NOT IN (SELECT region FROM use)")
        try deleteNames(database)
    }

    private static func deleteNames(_ database: SQLiteDatabase) throws(SQLiteError) {
        var used: Set<Int64> = []
        for (table, column) in references {
            for row in try database.run("SELECT DISTINCT \(column) FROM \(table)") {
                used.insert(row.first?.number ?? 0)
            }
        }
        for table in ["gesture", "failure"] { try addNames(in: table, to: &used, database) }
        for row in try database.run("SELECT id FROM name") {
            guard let id = row.first?.number, !used.contains(id) else { continue }
            try database.run("DELETE FROM name WHERE id = ?", [.integer(id)])
        }
    }

    /// Adds the names that the counts of a table have as places.
    private static func addNames(
        in table: String, to used: inout Set<Int64>, _ database: SQLiteDatabase
    ) throws(SQLiteError) {
        var last: [SQLiteDatabase.Value] = [.integer(.min), .integer(.min)]
        while true {
            let rows = try database.run(
                "SELECT hour, region, counts FROM \(table) WHERE (hour, region) > (?, ?) ORDER BY hour, region LIMIT ?",
                last + [.integer(page)])
            for row in rows {
                for entry in SparseCounts(bytes: row.last?.bytes ?? []).sorted { used.insert(Int64(entry.place)) }
            }
            guard let end = rows.last, rows.count == Int(page) else { return }
            last = Array(end.prefix(2))
        }
    }

    /// Deletes a damaged file that was put aside and is older than a day.
    static func deleteBroken(_ path: String, before first: LocalDay) {
        var status = stat()
        guard lstat(ReportFile.broken(path), &status) == 0,
            Int64(status.st_mtim.tv_sec) < first.number * 24 * 3600
        else { return }
        ReportFile.deleteBroken(path)
    }
}
