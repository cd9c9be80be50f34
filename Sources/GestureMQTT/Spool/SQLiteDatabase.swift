// SPDX-License-Identifier: MIT
import CSQLite

/// A file of SQLite, for one process.
final class SQLiteDatabase {
    enum Value: Hashable {
        case integer(Int64)
        case text(String)
        case blob([UInt8])
    }

    private let database: OpaquePointer
    /// Prepared once each.
    private var statements: [String: OpaquePointer] = [:]

    /// Makes the file if there is none.
    init(path: String) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw SQLiteError(code: code)
        }
        database = opened
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    /// - Returns: all rows of the answer.
    @discardableResult
    func run(_ text: String, _ values: [Value] = []) throws(SQLiteError) -> [[Value]] {
        let statement = try prepared(text)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        return try bind(values[...], from: 1, to: statement)
    }

    /// All or nothing of what `body` does.
    func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
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

    /// Binds the values, which must live until the statement has run, and runs it.
    private func bind(
        _ values: ArraySlice<Value>, from place: CInt, to statement: OpaquePointer
    ) throws(SQLiteError) -> [[Value]] {
        guard let value = values.first else { return try rows(statement) }
        let rest = values.dropFirst()
        switch value {
        case .integer(let number):
            try check(sqlite3_bind_int64(statement, place, number))
            return try bind(rest, from: place + 1, to: statement)
        case .text(let text):
            let bytes = Array(text.utf8CString)
            return try bytes.withUnsafeBufferPointer { bytes throws(SQLiteError) in
                try check(sqlite3_bind_text(statement, place, bytes.baseAddress, -1, nil))
                return try bind(rest, from: place + 1, to: statement)
            }
        case .blob(let bytes):
            return try bytes.withUnsafeBufferPointer { bytes throws(SQLiteError) in
                try check(sqlite3_bind_blob64(statement, place, bytes.baseAddress, UInt64(bytes.count), nil))
                return try bind(rest, from: place + 1, to: statement)
            }
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
            let count = Int(sqlite3_column_bytes(statement, column))
            return .blob(Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)))
        default: return .text(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
        }
    }

    private func check(_ code: CInt) throws(SQLiteError) {
        if code != SQLITE_OK { throw SQLiteError(code: code) }
    }
}

extension SQLiteDatabase.Value {
    var number: Int64? { if case .integer(let number) = self { number } else { nil } }
    var string: String? { if case .text(let text) = self { text } else { nil } }
    var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}

struct SQLiteError: Error, Hashable, CustomStringConvertible {
    var code: CInt

    /// Whether another file would do.
    var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

    var description: String { sqlite3_errstr(code).map { String(cString: $0) } ?? "error \(code)" }
}
