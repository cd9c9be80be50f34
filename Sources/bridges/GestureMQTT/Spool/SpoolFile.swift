// SPDX-License-Identifier: MIT
#if MQTT
import CLinux
import GestureProtocol
import LinuxSystem
import LocalDatabase

/// The file of the spool: its tables, and the handling of a file that was damaged or changed.
enum SpoolFile {
    /// The largest valid id or count. It is far greater than any real one, and far too small for an addition to
    /// overflow.
    static let mostCounted: Int64 = 1 << 53

    /// The tables with their definitions as SQLite stores them.
    private static let tables = [
        "message":
            "CREATE TABLE message(id INTEGER PRIMARY KEY, topic TEXT NOT NULL, payload BLOB NOT NULL, retained INTEGER NOT NULL)",
        "state": "CREATE TABLE state(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    ]
    /// The names in the table `state`.
    private static let states = ["epoch", "last_id", "dropped", "counts", "areas", "homeassistant"]
    /// An SQL expression for the size of a payload in bytes. It does not load the payload. Its value is 0 if the column
    /// does not contain a payload.
    static let size = "CASE typeof(payload) WHEN 'blob' THEN length(payload) ELSE 0 END"
    /// The maximum time for reading rows of a damaged file in microseconds. It is shorter than the watchdog interval.
    private static let patience: Int64 = 4_000_000

    /// Opens the file, and creates it if it does not exist.
    /// - Throws: an `SQLiteError`. A file with triggers, or with tables that are not in the schema, is treated as damaged.
    static func open(_ path: String, isDurable: Bool) throws(SQLiteError) -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: path)
        // Exclusive locking needs no shared memory. It is possible because no other process uses the file.
        try database.run("PRAGMA locking_mode = EXCLUSIVE")
        try database.run("PRAGMA trusted_schema = OFF")
        try database.run("PRAGMA journal_mode = WAL")
        try database.run("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
        // A recording shows what people did, so deleted data must not remain in the file.
        try database.run("PRAGMA secure_delete = ON")
        try database.run("PRAGMA cache_size = -256")
        try database.run("PRAGMA journal_size_limit = 262144")
        try database.run("PRAGMA wal_autocheckpoint = 64")
        if try database.run("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty {
            for name in tables.keys.sorted() { try database.run(tables[name] ?? "") }
        }
        let found = try database.run("SELECT name, sql FROM sqlite_schema LIMIT 3")
        guard found.count == tables.count,
            found.allSatisfy({ row in
                row.first?.string.flatMap { tables[$0] } == row.last?.string
            })
        else { throw .damage }
        try dropUnsound(database)
        return database
    }

    /// Removes rows that this program cannot have written.
    private static func dropUnsound(_ database: SQLiteDatabase) throws(SQLiteError) {
        try database.run(
            """
            DELETE FROM message WHERE typeof(topic) <> 'text' OR typeof(payload) <> 'blob'
            OR length(payload) > \(SQLiteDatabase.longestValue / 2) OR typeof(retained) <> 'integer'
            """)
    }

    // MARK: damaged files

    /// Renames a damaged file, for later inspection.
    /// - Returns: the new path of the file.
    static func putAside(_ path: String) -> String {
        let aside = path + ".broken"
        for suffix in SQLiteDatabase.suffixes {
            unlink(aside + suffix)
            rename(path + suffix, aside + suffix)
        }
        return aside
    }

    /// Creates a file at `path` with the readable contents of a damaged file that was renamed. Both files are closed
    /// again.
    /// - Parameter limit: the maximum number of messages to read from each end.
    static func rescue(from aside: String, into path: String, isDurable: Bool, limit: Int) throws(SQLiteError) {
        let database = try open(path, isDurable: isDurable)
        guard let damaged = try? SQLiteDatabase(path: aside) else { return }
        _ = try? damaged.run("PRAGMA locking_mode = EXCLUSIVE")
        _ = try? damaged.run("PRAGMA trusted_schema = OFF")
        let end = MonotonicClock.now() + patience
        try database.transaction { () throws(SQLiteError) in
            if isTable("state", damaged) { try rescueStates(from: damaged, into: database) }
            guard isTable("message", damaged) else { return }
            // Messages are read from both ends up to the damage.
            var last = Int64.min
            try rescueRows(from: damaged, into: database, limit: limit, until: end, "id > ? ORDER BY id", &last)
            var first = Int64.max
            try rescueRows(from: damaged, into: database, limit: limit, until: end, "id < ? ORDER BY id DESC", &first)
        }
        try dropUnsound(database)
    }

    /// Whether there is an ordinary table of this name. A view or a virtual table might take forever to read.
    private static func isTable(_ name: String, _ database: SQLiteDatabase) -> Bool {
        let rows = try? database.run(
            "SELECT 1 FROM sqlite_schema WHERE name = ? AND type = 'table' AND sql LIKE 'CREATE TABLE%'", [.text(name)])
        return rows?.isEmpty == false
    }

    private static func rescueStates(
        from damaged: SQLiteDatabase, into database: SQLiteDatabase
    ) throws(SQLiteError) {
        for name in states {
            let rows = try? damaged.run("SELECT value FROM state WHERE name = ? LIMIT 1", [.text(name)])
            guard let value = rows?.first?.first?.string else { continue }
            try database.run("INSERT OR REPLACE INTO state VALUES(?, ?)", [.text(name), .text(value)])
        }
    }

    /// Copies rows until it reaches one that cannot be read or that already exists.
    private static func rescueRows(
        from damaged: SQLiteDatabase, into database: SQLiteDatabase, limit: Int, until end: Int64, _ order: String,
        _ place: inout Int64
    ) throws(SQLiteError) {
        for _ in 0..<limit where MonotonicClock.now() < end {
            let rows = try? damaged.run(
                "SELECT id, topic, payload, retained FROM message WHERE \(order) LIMIT 1", [.integer(place)])
            guard let row = rows?.first, row.count == 4, let id = row[0].number, id != place else { return }
            place = id
            guard row[1].string != nil, row[2].bytes != nil, row[3].number != nil else { continue }
            let isThere = try !database.run("SELECT 1 FROM message WHERE id = ?", [.integer(id)]).isEmpty
            guard !isThere else { return }
            try database.run("INSERT INTO message VALUES(?, ?, ?, ?)", row)
        }
    }

    // MARK: access by other users

    /// Removes the permissions of other users from the folder of the spool.
    /// - Parameter mayPass: whether other users may open those files in the folder whose names they know and whose
    ///   modes permit it.
    static func protect(folder: String, mayPass: Bool) {
        // If this runs as root, the folder may belong to the system, and its mode must not be changed.
        guard geteuid() != 0 else { return }
        chmod(folder, mayPass ? 0o711 : 0o700)
    }

    // MARK: checking values

    /// Parses an id or a count that this program has written; `nil` if the text is not valid.
    static func counted(_ text: String?) -> Int64? {
        text.flatMap { Int64($0) }.flatMap { (0...mostCounted).contains($0) ? $0 : nil }
    }

    /// Whether a text has the form of `Spool.newEpoch`.
    static func isEpoch(_ text: String) -> Bool {
        text.utf8.count == 8 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
#endif
