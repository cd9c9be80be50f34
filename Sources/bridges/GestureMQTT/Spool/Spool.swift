// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import CLinux
import GestureProtocol
import LocalDatabase

/// Messages that must not be lost. They are stored on disk until the broker has received them. The size is limited: if
/// it is exceeded, the oldest messages are dropped and counted.
///
/// Messages that cannot be written to the disk stay in memory, with a separate limit.
final class Spool {
    struct Entry: Hashable {
        var id: Int64
        var topic: String
        var payload: [UInt8]
        var isRetained: Bool
    }

    /// The maximum number of messages in memory while the disk is full.
    static let mostInMemory = 256

    /// The number of messages that have been dropped since the file was created, mainly because of the limit.
    private(set) var dropped: Int64 = 0
    /// The reason why messages cannot be written to the disk; `nil` if they can.
    private(set) var failure: String?
    /// A text that distinguishes the ids of this file from those of any other file.
    private(set) var epoch = ""

    private let limits: MQTTSettings.Spool
    private let path: String
    private var database: SQLiteDatabase?
    private var memory: [Entry] = []
    private var lastID: Int64 = 0
    /// The numbers of messages and of their bytes in the file.
    private var messages = 0
    private var bytes = 0

    /// - Parameter folder: the folder that contains the file. If it does not exist, messages are kept in memory.
    init(folder: String, _ limits: MQTTSettings.Spool) {
        self.limits = limits
        path = folder + "/spool.sqlite"
        epoch = Self.newEpoch()
        attempt { [self] () throws(SQLiteError) in
            // If a damaged file was replaced, the new one is already open.
            if database == nil { try open() }
        }
    }

    var count: Int { messages + memory.count }

    // MARK: adding and removing messages

    /// Adds a message.
    /// - Parameters:
    ///   - states: values that are changed in the same transaction. They can be read with `state`.
    ///   - payload: returns the payload. Its argument is the message's unique id.
    func add(
        topic: String, isRetained: Bool = false, states: [String: String] = [:], payload: (String) -> [UInt8]
    ) {
        lastID += 1
        let entry = Entry(
            id: lastID, topic: topic, payload: payload("\(epoch)-\(lastID)"), isRetained: isRetained)
        guard !attempt({ [self] () throws(SQLiteError) in try write(entry, states) }) else {
            failure = nil
            return
        }
        memory.append(entry)
        guard memory.count > Self.mostInMemory else { return }
        memory.removeFirst()
        dropped += 1
    }

    /// Returns the oldest message with a greater id.
    func next(after id: Int64) -> Entry? {
        let inMemory = memory.first { $0.id > id }
        var onDisk: Entry?
        attempt { [self] () throws(SQLiteError) in
            while let database, messages > 0, onDisk == nil {
                do throws(SQLiteError) {
                    guard let entry = try read(after: id, database) else { return }
                    onDisk = entry
                } catch {
                    guard error.isOfValue else { throw error }
                    // One of the message's values is larger than any value that this program writes.
                    guard let found = try database.run(Self.following, [.integer(id)]).first?.first?.number else {
                        return
                    }
                    try delete(found, database)
                    dropped += 1
                }
            }
        }
        guard let onDisk, let inMemory else { return onDisk ?? inMemory }
        return onDisk.id < inMemory.id ? onDisk : inMemory
    }

    private static let following = "SELECT id FROM message WHERE id > ? ORDER BY id LIMIT 1"

    private func read(after id: Int64, _ database: SQLiteDatabase) throws(SQLiteError) -> Entry? {
        let rows = try database.run(
            "SELECT id, topic, payload, retained FROM message WHERE id > ? ORDER BY id LIMIT 1", [.integer(id)])
        guard let row = rows.first, row.count == 4, let id = row[0].number else { return nil }
        return Entry(
            id: id, topic: row[1].string ?? "", payload: row[2].bytes ?? [], isRetained: row[3].number == 1)
    }

    /// Removes messages that the broker has received.
    func remove(_ ids: [Int64]) {
        memory.removeAll { ids.contains($0.id) }
        attempt { [self] () throws(SQLiteError) in
            guard let database, !ids.isEmpty else { return }
            try database.transaction { () throws(SQLiteError) in
                for id in ids { try delete(id, database) }
            }
        }
    }

    /// Removes a message that no broker accepts, and counts it as dropped.
    func drop(_ id: Int64) {
        remove([id])
        dropped += 1
        attempt { [self] () throws(SQLiteError) in
            if let database { try set("dropped", "\(dropped)", database) }
        }
    }

    /// Stores values that are not part of a message.
    func set(_ states: [String: String]) {
        attempt { [self] () throws(SQLiteError) in
            guard let database else { return }
            for (name, value) in states { try set(name, value, database) }
        }
    }

    /// Closes the file. Nothing is stored after this.
    func close() { database = nil }

    /// Returns a value that was stored by `set` or `add`.
    func state(_ name: String) -> String? {
        var value: String?
        attempt { [self] () throws(SQLiteError) in
            value = try database?.run("SELECT value FROM state WHERE name = ?", [.text(name)]).first?.first?.string
        }
        return value
    }

    // MARK: the file

    private func open() throws(SQLiteError) {
        let opened = try SpoolFile.open(path, isDurable: limits.isDurable)
        try readStates(opened)
        try renumber(opened)
        let size = try opened.run("SELECT count(*), coalesce(sum(\(SpoolFile.size)), 0) FROM message").first
        messages = Int(clamping: size?.first?.number ?? 0)
        bytes = Int(clamping: size?.last?.number ?? 0)
        database = opened
    }

    /// Reads the stored values. Values that this program cannot have written are treated as missing.
    private func readStates(_ database: SQLiteDatabase) throws(SQLiteError) {
        var known: [String: String] = [:]
        for name in ["epoch", "last_id", "dropped"] {
            known[name] = try database.run("SELECT value FROM state WHERE name = ?", [.text(name)]).first?.first?.string
        }
        let greatest = try database.run("SELECT max(id) FROM message WHERE id <= ?", [.integer(SpoolFile.mostCounted)])
        let (last, written) = (max(0, greatest.first?.first?.number ?? 0), SpoolFile.counted(known["last_id"]))
        // The epoch is kept only if the last id is known. Otherwise an earlier id might be assigned again.
        if let old = known["epoch"], SpoolFile.isEpoch(old), written != nil || known["last_id"] == nil { epoch = old }
        lastID = max(lastID, last, written ?? 0)
        dropped = max(dropped, SpoolFile.counted(known["dropped"]) ?? 0)
        try set("epoch", epoch, database)
    }

    /// Assigns new ids to messages whose ids this program cannot have assigned.
    private func renumber(_ database: SQLiteDatabase) throws(SQLiteError) {
        let strange = "SELECT id FROM message WHERE id < 1 OR id > \(SpoolFile.mostCounted) LIMIT 1"
        guard try !database.run(strange).isEmpty else { return }
        try database.transaction { () throws(SQLiteError) in
            for _ in 0..<limits.messages {
                guard let id = try database.run(strange).first?.first?.number else { break }
                lastID += 1
                try database.run("UPDATE message SET id = ? WHERE id = ?", [.integer(lastID), .integer(id)])
            }
            try set("last_id", "\(lastID)", database)
        }
    }

    /// Starts a new file with the readable contents of the damaged one.
    private func mend() throws(SQLiteError) {
        database = nil
        let aside = SpoolFile.putAside(path)
        try SpoolFile.rescue(from: aside, into: path, isDurable: limits.isDurable, limit: limits.messages)
        try open()
    }

    private func write(_ entry: Entry, _ states: [String: String]) throws(SQLiteError) {
        if database == nil { try open() }
        guard let database else { return }
        let before = (messages, bytes, dropped)
        do throws(SQLiteError) {
            try database.transaction { () throws(SQLiteError) in
                try makeRoom(for: entry, database)
                try database.run(
                    "INSERT INTO message VALUES(?, ?, ?, ?)",
                    [.integer(entry.id), .text(entry.topic), .blob(entry.payload), .integer(entry.isRetained ? 1 : 0)])
                messages += 1
                bytes += entry.payload.count
                try set("last_id", "\(entry.id)", database)
                for (name, value) in states { try set(name, value, database) }
            }
        } catch {
            (messages, bytes, dropped) = before
            throw error
        }
    }

    private func makeRoom(for entry: Entry, _ database: SQLiteDatabase) throws(SQLiteError) {
        let before = dropped
        while messages > 0,
            messages >= limits.messages || bytes + entry.payload.count > limits.megabytes << 20
        {
            guard let oldest = try database.run("SELECT min(id) FROM message").first?.first?.number else { break }
            try delete(oldest, database)
            dropped += 1
        }
        if dropped != before { try set("dropped", "\(dropped)", database) }
    }

    private func delete(_ id: Int64, _ database: SQLiteDatabase) throws(SQLiteError) {
        let rows = try database.run("DELETE FROM message WHERE id = ? RETURNING \(SpoolFile.size)", [.integer(id)])
        guard let length = rows.first?.first?.number else { return }
        messages -= 1
        bytes -= Int(clamping: length)
    }

    private func set(_ name: String, _ value: String, _ database: SQLiteDatabase) throws(SQLiteError) {
        try database.run("INSERT OR REPLACE INTO state VALUES(?, ?)", [.text(name), .text(value)])
    }

    @discardableResult
    private func attempt(_ body: () throws(SQLiteError) -> Void) -> Bool {
        do throws(SQLiteError) {
            do throws(SQLiteError) {
                try body()
            } catch {
                guard error.isDamage else { throw error }
                Service.log("\(path): \(error); its readable contents are copied to a new file")
                try mend()
                try body()
            }
            return true
        } catch {
            failure = "\(path): \(error)"
            return false
        }
    }

    private static func newEpoch() -> String { padded(UInt32.random(in: .min ... .max), to: 8, radix: 16) }
}
#endif
