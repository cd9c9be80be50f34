// SPDX-License-Identifier: MIT
import CLinux
import CSQLite

/// An SQLite file that one process writes and that only its owner can read.
package final class SQLiteDatabase {
    /// The maximum length of a value in bytes. Reading or writing a longer one fails with `SQLITE_TOOBIG`.
    package static let longestValue = 4 << 20
    /// The number of bytes that SQLite may allocate for all files together, so that no file can exhaust the memory,
    /// whatever its contents.
    private static let heap: Int64 = 16 << 20
    private static let limitHeap: Void = { _ = sqlite3_hard_heap_limit64(heap) }()

    package enum Value: Hashable, Sendable {
        /// A null, or a number that is not an integer.
        case null
        case integer(Int64)
        case text(String)
        case blob([UInt8])
    }

    private let database: OpaquePointer
    /// The prepared statements, keyed by their text.
    private var statements: [String: OpaquePointer] = [:]

    /// The way in which a file is opened.
    package enum Mode { case create, existing }

    /// Opens the file, and with `create` makes it if it does not exist.
    package init(path: String, _ mode: Mode = .create) throws(SQLiteError) {
        _ = Self.limitHeap
        if mode == .create { Self.protect(path) }
        let others = umask(0o077)
        defer { umask(others) }
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_PRIVATECACHE
            | (mode == .create ? SQLITE_OPEN_CREATE : 0)
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw SQLiteError(code: code)
        }
        database = opened
        sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, CInt(Self.longestValue))
    }

    /// The suffixes of a database's files. When SQLite creates these files, it gives them the mode of the database.
    package static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Removes the permissions of other users from existing files.
    private static func protect(_ path: String) {
        for suffix in suffixes {
            let descriptor = linux_open(path + suffix, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            fchmod(descriptor, 0o600)
            close(descriptor)
        }
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    /// - Returns: all rows of the result.
    @discardableResult
    package func run(_ text: String, _ values: [Value] = []) throws(SQLiteError) -> [[Value]] {
        let statement = try prepared(text)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (place, value) in zip(CInt(1)..., values) { try bind(value, at: place, of: statement) }
        return try rows(statement)
    }

    /// The time for which a lock of another process is awaited.
    package func wait(milliseconds: CInt) { sqlite3_busy_timeout(database, milliseconds) }

    package func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try run("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try body()
            try run("COMMIT")
        } catch {
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    private func prepared(_ text: String) throws(SQLiteError) -> OpaquePointer {
        if let statement = statements[text] { return statement }
        var made: OpaquePointer?
        try check(sqlite3_prepare_v2(database, text, -1, &made, nil))
        guard let made else { throw SQLiteError(code: SQLITE_MISUSE) }
        statements[text] = made
        return made
    }

    /// This is `SQLITE_TRANSIENT`, which Swift does not import. SQLite copies the value immediately.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private func bind(_ value: Value, at place: CInt, of statement: OpaquePointer) throws(SQLiteError) {
        switch value {
        case .null: try check(sqlite3_bind_null(statement, place))
        case .integer(let number): try check(sqlite3_bind_int64(statement, place, number))
        case .text(let text): try check(sqlite3_bind_text(statement, place, text, -1, Self.copied))
        case .blob(let bytes):
            try check(sqlite3_bind_blob64(statement, place, bytes, UInt64(bytes.count), Self.copied))
        }
    }

    private func rows(_ statement: OpaquePointer) throws(SQLiteError) -> [[Value]] {
        var rows: [[Value]] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw SQLiteError(code: code) }
            rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
        }
    }

    private static func value(_ statement: OpaquePointer, _ column: CInt) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_BLOB:
            // If memory is exhausted, the pointer is null, as for an empty blob.
            guard let start = sqlite3_column_blob(statement, column) else { return .blob([]) }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
        case SQLITE_TEXT: return sqlite3_column_text(statement, column).map { .text(String(cString: $0)) } ?? .null
        default: return .null
        }
    }

    private func check(_ code: CInt) throws(SQLiteError) {
        if code != SQLITE_OK { throw SQLiteError(code: code) }
    }
}

extension SQLiteDatabase.Value {
    package var number: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var string: String? { if case .text(let text) = self { text } else { nil } }
    package var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}

package struct SQLiteError: Error, Hashable, CustomStringConvertible {
    package var code: CInt

    /// The error for a file that contains another program's data.
    package static let damage = SQLiteError(code: SQLITE_CORRUPT)

    /// Whether the file itself is damaged, so that a new file would work.
    package var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

    /// Whether the cause is a single value that is too large.
    package var isOfValue: Bool { code == SQLITE_TOOBIG || code == SQLITE_NOMEM }

    package var description: String { sqlite3_errstr(code).map { String(cString: $0) } ?? "error \(code)" }
}
