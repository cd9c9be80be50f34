// SPDX-License-Identifier: MIT
import LocalDatabase

/// The database of finished quarters. It says what it throws away, and never fails for good.
package final class ReportStore {
    /// The most quarters that are kept in memory while the disk cannot be written.
    static let mostWaiting = 16

    /// The most ids that are remembered.
    private static let mostNames = 4096

    private let path: String
    private let log: (String) -> Void
    private var database: SQLiteDatabase?
    /// The quarters that could not be written yet, the oldest first.
    private var waiting: [(tally: QuarterTally, boxes: Set<PanelFacts.Box>)] = []
    private var lastFailure: SQLiteError?
    /// The ids of names in the file.
    private var names: [String: Int64] = [:]
    /// The number of times that the file had been emptied when this program last looked.
    private var forgotten: Int64?
    /// Whether it has been emptied since `wasForgotten` was asked.
    private var isForgotten = false
    /// Whether the log says that there are too many names.
    private var isFull = false

    /// - Parameter log: writes a message for the user.
    package init(path: String, log: @escaping (String) -> Void) {
        (self.path, self.log) = (path, log)
        attempt("cannot be opened") { () throws(SQLiteError) in _ = try openFile() }
    }

    /// Whether somebody has emptied the file since the last call, so that the open quarter must be forgotten, too.
    package func wasForgotten() -> Bool {
        if database == nil {
            // It could not be written, and is only looked at.
            if let other = try? ReportFile.openExisting(path), let now = try? Self.forgotten(other) {
                note(forgotten: now)
            }
        } else {
            attempt("cannot be read") { () throws(SQLiteError) in
                if let database { note(forgotten: try Self.forgotten(database)) }
            }
        }
        defer { isForgotten = false }
        return isForgotten
    }

    private func note(forgotten now: Int64) {
        // The ids are those of names that are gone.
        if let forgotten, forgotten != now { (waiting, names, isForgotten) = ([], [:], true) }
        forgotten = now
    }

    private static func forgotten(_ database: SQLiteDatabase) throws(SQLiteError) -> Int64 {
        try database.run("SELECT value FROM state WHERE name = 'forgotten'").first?.first?.number ?? 0
    }

    /// Adds what was counted in a quarter, and the quarters that could not be written before.
    func add(_ tally: QuarterTally, boxes: Set<PanelFacts.Box>) {
        waiting.append((tally, boxes))
        var written = 0
        attempt("cannot be written") { () throws(SQLiteError) in
            let database = try openFile()
            for entry in waiting {
                do throws(SQLiteError) {
                    try database.transaction { () throws(SQLiteError) in try write(entry.tally, entry.boxes, database) }
                } catch {
                    // The transaction was rolled back, and with it new names.
                    names = [:]
                    throw error
                }
                written += 1
            }
        }
        waiting.removeFirst(min(written, waiting.count))
        while waiting.count > Self.mostWaiting {
            let lost = waiting.removeFirst()
            log("\(path): threw away \(Self.name(of: lost.tally))")
        }
    }

    /// Deletes what is older than a number of days, if the clock can be believed: a clock that is wrong by a year must not
    /// delete a year. It is believed once something has been counted on another day of the last month.
    /// - Returns: whether nothing is left to do; `false` if the file could not be written.
    @discardableResult
    package func prune(keeping days: Int, today: LocalDay) -> Bool {
        var isDone = false
        attempt("cannot be written") { () throws(SQLiteError) in
            let database = try openFile()
            let first = LocalDay(number: today.number - Int64(days) + 1)
            if try ReportPruning.believes(today, database) {
                try database.transaction { () throws(SQLiteError) in
                    try ReportPruning.delete(before: first, database)
                }
                // Their ids may have gone.
                (names, isFull) = ([:], false)
                ReportPruning.deleteBroken(path, before: first)
            }
            isDone = true
        }
        return isDone
    }

    /// Closes the file. What waits is lost.
    package func close() {
        database = nil
        for entry in waiting { log("\(path): threw away \(Self.name(of: entry.tally))") }
        waiting = []
    }

    private static func name(of tally: QuarterTally) -> String {
        "what was counted in the quarter of an hour from \(tally.quarter.text)"
    }

    // MARK: the file

    private func openFile() throws(SQLiteError) -> SQLiteDatabase {
        if let database { return database }
        let opened = try ReportFile.open(path)
        // Another program may have emptied the file while it was closed.
        names = [:]
        note(forgotten: try Self.forgotten(opened))
        database = opened
        return opened
    }

    /// Does something with the file. A damaged one is put aside, and a new one takes its place.
    private func attempt(_ trouble: String, _ body: () throws(SQLiteError) -> Void) {
        do throws(SQLiteError) {
            do throws(SQLiteError) {
                try body()
            } catch {
                guard error.isDamage else { throw error }
                (database, names, forgotten) = (nil, [:], nil)
                let aside = ReportFile.putAside(path)
                log("\(path): \(error); it is kept as \(aside), and a new file begins: all that it had is thrown away")
                try body()
            }
            if lastFailure != nil { log("\(path): can be written again") }
            lastFailure = nil
        } catch {
            database = nil
            guard lastFailure != error else { return }
            lastFailure = error
            log("\(path): \(trouble): \(error); trying again each quarter of an hour")
        }
    }

    // MARK: writing

    private typealias Value = SQLiteDatabase.Value

    private func id(_ text: String, _ database: SQLiteDatabase) throws(SQLiteError) -> Value {
        if let known = names[text] { return .integer(known) }
        try database.run("INSERT OR IGNORE INTO name(text) VALUES(?)", [.text(text)])
        guard let id = try database.run("SELECT id FROM name WHERE text = ?", [.text(text)]).first?.first?.number else {
            throw .damage
        }
        if names.count >= Self.mostNames { names = [:] }
        names[text] = id
        return .integer(id)
    }

    private func write(
        _ tally: QuarterTally, _ boxes: Set<PanelFacts.Box>, _ database: SQLiteDatabase
    ) throws(SQLiteError) {
        for (session, count) in tally.sessions.sorted(by: { $0.key.order < $1.key.order }) {
            try add(
                "session", ["quarter", "seconds", "touches"], ["count"],
                [session.quarter.number, Int64(session.seconds), Int64(session.touches)].map { .integer($0) }, [count],
                database)
        }
        let hour = Value.integer(tally.quarter.hour)
        try writeCounts(
            "gesture", hour, tally.gestures.map { ($0.key.region, $0.key.gesture, $0.value) }, database)
        try writeCounts(
            "failure", hour, tally.failures.map { ($0.key.region, "\($0.key.gesture) \($0.key.code)", $0.value) },
            database)
        for (region, use) in tally.uses.sorted(by: { $0.key < $1.key }) {
            try add(
                "use", ["hour", "region"], ["touches", "failed", "twice", "empty"],
                [hour, id(region, database)], [use.touches, use.failed, use.twice, use.nothing], database)
        }
        for (scene, milliseconds) in tally.scenes.sorted(by: { $0.key < $1.key }) {
            try add("scene", ["hour", "scene"], ["ms"], [hour, id(scene, database)], [milliseconds], database)
        }
        for (device, use) in tally.panels.sorted(by: { $0.key < $1.key }) {
            try add(
                "panel", ["hour", "device"], ["contacts", "heard", "flickers", "storms", "listened"],
                [hour, id(device, database)], [use.contacts, use.heard, use.flickers, use.storms, tally.listened],
                database)
            try add(
                "glass", ["hour", "device"], ["reports", "report_us", "rest_us", "wander_um", "dark"],
                [hour, id(device, database)], [use.reports, use.reportTime, use.restTime, use.wander, tally.dark],
                database)
        }
        try writeMaps(tally, database)
        try writeLimits(tally, database)
        try write(boxes, database)
    }

    /// Adds numbers to a row, which is made if it does not exist.
    private func add(
        _ table: String, _ keys: [String], _ columns: [String], _ key: [Value], _ numbers: [Int],
        _ database: SQLiteDatabase
    ) throws(SQLiteError) {
        let all = keys + columns
        let marks = all.map { _ in "?" }.joined(separator: ", ")
        let sums = columns.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", ")
        try database.run(
            "INSERT INTO \(table)(\(all.joined(separator: ", "))) VALUES(\(marks)) ON CONFLICT DO UPDATE SET \(sums)",
            key + numbers.map { .integer(Int64($0)) })
    }

    /// Adds counts by name to those of a region in an hour.
    private func writeCounts(
        _ table: String, _ hour: Value, _ counts: [(region: String, name: String, count: Int)],
        _ database: SQLiteDatabase
    ) throws(SQLiteError) {
        let regions = Dictionary(grouping: counts) { $0.region }
        for (region, entries) in regions.sorted(by: { $0.key < $1.key }) {
            let place = [hour, try id(region, database)]
            let old = try database.run("SELECT counts FROM \(table) WHERE hour = ? AND region = ?", place).first?.first?
                .bytes
            var sum = SparseCounts(bytes: old ?? [])
            for entry in entries.sorted(by: { $0.name < $1.name }) {
                guard case .integer(let id) = try id(entry.name, database) else { continue }
                sum.add(entry.count, at: Int(clamping: id))
                // A name beyond the greatest place is not counted: that many can only be a mistake.
                if id >= SparseCounts.mostPlaces, !isFull {
                    isFull = true
                    log("\(path): there are too many names; \"\(entry.name)\" and other new ones are not counted")
                }
            }
            try database.run("INSERT OR REPLACE INTO \(table) VALUES(?, ?, ?)", place + [.blob(sum.bytes)])
        }
    }

    private func writeMaps(_ tally: QuarterTally, _ database: SQLiteDatabase) throws(SQLiteError) {
        for (key, counts) in tally.maps.sorted(by: { $0.key.order < $1.key.order }) {
            let place: [Value] = [
                .integer(tally.quarter.day), try id(key.device, database), try id(key.scene, database),
                .integer(Int64(key.kind.rawValue)), .integer(Int64(key.grid.columns)), .integer(Int64(key.grid.rows)),
                .integer(Int64(key.grid.cell)),
            ]
            let condition =
                "day = ? AND device = ? AND scene = ? AND kind = ? AND columns = ? AND rows = ? AND cell = ?"
            let old = try database.run("SELECT counts FROM map WHERE \(condition)", place).first?.first?.bytes
            var sum = counts
            if let old { sum.add(SparseCounts(bytes: old)) }
            try database.run("INSERT OR REPLACE INTO map VALUES(?, ?, ?, ?, ?, ?, ?, ?)", place + [.blob(sum.bytes)])
        }
    }

    private func writeLimits(_ tally: QuarterTally, _ database: SQLiteDatabase) throws(SQLiteError) {
        for (key, misses) in tally.limits.sorted(by: { $0.key.order < $1.key.order }) {
            let place: [Value] = [
                .integer(tally.quarter.day), try id(key.region, database), try id(key.gesture, database),
                try id(key.code, database), try id(key.key, database), try id(key.unit, database),
                .integer(Int64(key.limit)), .integer(key.isMost ? 1 : 0),
            ]
            let condition =
                "day = ? AND region = ? AND gesture = ? AND code = ? AND key = ? AND unit = ? AND bound = ? AND most = ?"
            let old = try database.run("SELECT meant, other FROM missed WHERE \(condition)", place).first
            var sum = misses
            if let old { sum.add(QuarterTally.Misses(meant: old.first, other: old.last)) }
            try database.run(
                "INSERT OR REPLACE INTO missed VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                place + [.blob(sum.meant.bytes), .blob(sum.other.bytes)])
        }
    }

    /// Remembers where the regions lie. Regions of other scenes stay as they were.
    private func write(_ boxes: Set<PanelFacts.Box>, _ database: SQLiteDatabase) throws(SQLiteError) {
        for box in boxes.sorted(by: { ($0.device, $0.region) < ($1.device, $1.region) }) {
            try database.run(
                "INSERT OR REPLACE INTO box VALUES(?, ?, ?, ?, ?, ?)",
                [try id(box.device, database), try id(box.region, database)]
                    + [box.left, box.top, box.right, box.bottom].map { .integer(Int64($0)) })
        }
    }
}

// The order in which rows are written decides the ids of names, so it must not depend on the order of a dictionary.
extension QuarterTally.Session {
    fileprivate var order: (Int64, Int, Int) { (quarter.number, seconds, touches) }
}
extension QuarterTally.MapKey {
    fileprivate var order: (String, String, Int, Int, Int) {
        (device, scene, kind.rawValue, grid.columns, grid.rows * 10_000 + grid.cell)
    }
}
extension QuarterTally.LimitKey {
    fileprivate var order: (String, String, String, String, String, Int) {
        (region, gesture, code, key, unit, limit * 2 + (isMost ? 1 : 0))
    }
}
