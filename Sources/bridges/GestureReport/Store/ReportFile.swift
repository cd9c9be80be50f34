// SPDX-License-Identifier: MIT
import CLinux
import LocalDatabase

/// The tables of the database. Only the files of this folder know SQL.
enum ReportFile {
    /// The tables with their definitions as SQLite stores them.
    ///
    /// Times are the number of a quarter, an hour or a day since 1970 in the machine's time zone; regions, gestures and
    /// other names are rows of `name`. The counts of gestures and failures of a region are one value, whose places are names: a row
    /// for each would need three times as much. None of the tables has a finer time, or a place but a cell.
    static let tables = [
        "name": "CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)",
        "state": "CREATE TABLE state(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
        "session":
            "CREATE TABLE session(quarter INTEGER NOT NULL, seconds INTEGER NOT NULL, touches INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(quarter, seconds, touches)) WITHOUT ROWID",
        "gesture":
            "CREATE TABLE gesture(hour INTEGER NOT NULL, region INTEGER NOT NULL, counts BLOB NOT NULL, PRIMARY KEY(hour, region)) WITHOUT ROWID",
        "failure":
            "CREATE TABLE failure(hour INTEGER NOT NULL, region INTEGER NOT NULL, counts BLOB NOT NULL, PRIMARY KEY(hour, region)) WITHOUT ROWID",
        "use":
            "CREATE TABLE use(hour INTEGER NOT NULL, region INTEGER NOT NULL, touches INTEGER NOT NULL, failed INTEGER NOT NULL, twice INTEGER NOT NULL, empty INTEGER NOT NULL, PRIMARY KEY(hour, region)) WITHOUT ROWID",
        "scene":
            "CREATE TABLE scene(hour INTEGER NOT NULL, scene INTEGER NOT NULL, ms INTEGER NOT NULL, PRIMARY KEY(hour, scene)) WITHOUT ROWID",
        "panel":
            "CREATE TABLE panel(hour INTEGER NOT NULL, device INTEGER NOT NULL, contacts INTEGER NOT NULL, heard INTEGER NOT NULL, flickers INTEGER NOT NULL, storms INTEGER NOT NULL, listened INTEGER NOT NULL, PRIMARY KEY(hour, device)) WITHOUT ROWID",
        "glass":
            "CREATE TABLE glass(hour INTEGER NOT NULL, device INTEGER NOT NULL, reports INTEGER NOT NULL, report_us INTEGER NOT NULL, rest_us INTEGER NOT NULL, wander_um INTEGER NOT NULL, dark INTEGER NOT NULL, PRIMARY KEY(hour, device)) WITHOUT ROWID",
        "map":
            "CREATE TABLE map(day INTEGER NOT NULL, device INTEGER NOT NULL, scene INTEGER NOT NULL, kind INTEGER NOT NULL, columns INTEGER NOT NULL, rows INTEGER NOT NULL, cell INTEGER NOT NULL, counts BLOB NOT NULL, PRIMARY KEY(day, device, scene, kind, columns, rows, cell)) WITHOUT ROWID",
        "missed":
            "CREATE TABLE missed(day INTEGER NOT NULL, region INTEGER NOT NULL, gesture INTEGER NOT NULL, code INTEGER NOT NULL, key INTEGER NOT NULL, unit INTEGER NOT NULL, bound INTEGER NOT NULL, most INTEGER NOT NULL, meant BLOB NOT NULL, other BLOB NOT NULL, PRIMARY KEY(day, region, gesture, code, key, unit, bound, most)) WITHOUT ROWID",
        "box":
            "CREATE TABLE box(device INTEGER NOT NULL, region INTEGER NOT NULL, x0 INTEGER NOT NULL, y0 INTEGER NOT NULL, x1 INTEGER NOT NULL, y1 INTEGER NOT NULL, PRIMARY KEY(device, region)) WITHOUT ROWID",
    ]
    /// The tables with times, and the column of the time.
    static let timed = [
        ("session", "quarter"), ("gesture", "hour"), ("failure", "hour"), ("use", "hour"), ("scene", "hour"),
        ("panel", "hour"), ("glass", "hour"), ("map", "day"), ("missed", "day"),
    ]

    /// Opens the file for writing, and creates it if it does not exist.
    /// - Throws: an `SQLiteError`. A file with other tables is treated as damaged.
    static func open(_ path: String) throws(SQLiteError) -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: path)
        try prepare(database)
        try database.run("PRAGMA journal_mode = DELETE")
        try database.run("PRAGMA synchronous = FULL")
        // Forgotten counts must not remain in the file.
        try database.run("PRAGMA secure_delete = ON")
        // A file of an earlier version lacks tables.
        let missing = try missingTables(database)
        if !missing.isEmpty {
            try database.transaction { () throws(SQLiteError) in
                for name in missing { try database.run(tables[name] ?? "") }
            }
        }
        guard try database.run("PRAGMA quick_check(1)").first?.first?.string == "ok" else { throw .damage }
        return database
    }

    /// Opens an existing file for a reader.
    static func openExisting(_ path: String) throws(SQLiteError) -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: path, .existing)
        try prepare(database)
        // A reader finds the tables that an older file lacks empty.
        for name in try missingTables(database) {
            try database.run("CREATE TEMP" + (tables[name] ?? "").dropFirst("CREATE".count))
        }
        return database
    }

    private static func prepare(_ database: SQLiteDatabase) throws(SQLiteError) {
        database.wait(milliseconds: 2000)
        try database.run("PRAGMA trusted_schema = OFF")
        try database.run("PRAGMA cache_size = -256")
    }

    /// - Returns: the tables that the file lacks, in their order.
    /// - Throws: `SQLiteError.damage` if it has others.
    private static func missingTables(_ database: SQLiteDatabase) throws(SQLiteError) -> [String] {
        let found = try database.run("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL LIMIT 32")
        guard found.allSatisfy({ row in row.first?.string.flatMap { tables[$0] } == row.last?.string }) else {
            throw .damage
        }
        let names = Set(found.compactMap { $0.first?.string })
        return tables.keys.sorted().filter { !names.contains($0) }
    }

    /// Renames a damaged file, for later inspection. An earlier one is replaced.
    /// - Returns: the new path.
    static func putAside(_ path: String) -> String {
        let aside = broken(path)
        for suffix in SQLiteDatabase.suffixes {
            unlink(aside + suffix)
            rename(path + suffix, aside + suffix)
        }
        return aside
    }

    static func broken(_ path: String) -> String { path + ".broken" }

    static func deleteBroken(_ path: String) {
        for suffix in SQLiteDatabase.suffixes { unlink(broken(path) + suffix) }
    }

    /// Deletes everything.
    /// - Throws: `SQLiteError`, also if the file does not exist. A damaged file that was put aside is deleted in any case.
    static func forget(_ path: String) throws(SQLiteError) {
        deleteBroken(path)
        let database = try openExisting(path)
        try database.run("PRAGMA secure_delete = ON")
        try database.transaction { () throws(SQLiteError) in
            for name in tables.keys.sorted() where name != "state" { try database.run("DELETE FROM \(name)") }
            try database.run(
                "INSERT INTO state VALUES('forgotten', 1) ON CONFLICT(name) DO UPDATE SET value = value + 1")
        }
        try database.run("VACUUM")
    }
}

extension QuarterTally.Misses {
    init(meant: SQLiteDatabase.Value?, other: SQLiteDatabase.Value?) {
        self.init(
            meant: SparseCounts(bytes: meant?.bytes ?? []), other: SparseCounts(bytes: other?.bytes ?? []))
    }
}
