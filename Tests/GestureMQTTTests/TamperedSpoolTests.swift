// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import Foundation
import GestureEngine
import GestureProtocol
import GestureTestSupport
import LocalDatabase
import Testing

@testable import GestureMQTT

/// Another program has changed the file, or the disk has damaged it. Nothing may trap, and valid messages are sent.
@Suite("A tampered spool")
struct TamperedSpoolTests {
    private let folder: ScratchFolder
    private var path: String { folder("spool.sqlite") }

    init() throws { folder = try ScratchFolder() }

    private func spool() -> Spool { Spool(folder: folder.path, MQTTSettings.Spool()) }

    /// Creates a spool that contains messages with these topics, and executes the statements on its file.
    private func tamper(_ topics: [String] = ["a", "b"], statements: [String]) throws {
        let spool = spool()
        for topic in topics { spool.add(topic: topic, states: ["counts": "{}"]) { Array($0.utf8) } }
        spool.close()
        let database = try SQLiteDatabase(path: path)
        for statement in statements { try database.run(statement) }
    }

    static let stateCases = [
        "UPDATE state SET value = '9223372036854775807'", "UPDATE state SET value = '-9223372036854775808'",
        "UPDATE state SET value = x'00ff00ff'", "UPDATE state SET value = ''", "UPDATE state SET value = 1e300",
        "DELETE FROM state", "UPDATE state SET value = zeroblob(3000000)",
        "UPDATE state SET value = CAST(zeroblob(3000000) AS TEXT)",
    ]

    @Test("ignores impossible numbers, and never reuses an id", arguments: stateCases)
    func states(statement: String) throws {
        try tamper(statements: [statement])
        let spool = spool()
        #expect(spool.failure == nil && spool.topics == ["a", "b"])
        spool.add(topic: "c") { Array($0.utf8) }
        spool.drop(1)
        #expect(spool.topics == ["b", "c"] && spool.dropped == 1)
        let last = try #require(spool.next(after: 2))
        #expect(last.id == 3 && String(decoding: last.payload, as: UTF8.self) == "\(spool.epoch)-3")
        #expect(SpoolFile.isEpoch(spool.epoch))
        _ = (Counts(saved: spool.state("counts")), AreaWatch(saved: spool.state("areas")))
    }

    @Test("has another epoch if the last id is lost, so that no id repeats")
    func lastID() throws {
        try tamper(
            [],
            statements: [
                "INSERT OR REPLACE INTO state VALUES('epoch', '0123abcd')", "INSERT INTO state VALUES('last_id', 'x')",
            ])
        #expect(spool().epoch != "0123abcd")
    }

    static let rowCases: [(statement: String, left: [String])] = [
        ("UPDATE message SET id = 9223372036854775807 WHERE topic = 'b'", ["a", "b"]),
        ("UPDATE message SET id = -9223372036854775807 WHERE topic = 'a'", ["b", "a"]),
        ("UPDATE message SET id = 0 WHERE topic = 'a'", ["b", "a"]),
        ("UPDATE message SET topic = x'ff00' WHERE topic = 'a'", ["b"]),
        ("UPDATE message SET payload = 'text' WHERE topic = 'a'", ["b"]),
        ("UPDATE message SET payload = 7 WHERE topic = 'a'", ["b"]),
        ("UPDATE message SET retained = 'x' WHERE topic = 'a'", ["b"]),
        ("UPDATE message SET retained = -9223372036854775808 WHERE topic = 'a'", ["a", "b"]),
        ("UPDATE message SET payload = zeroblob(4000000) WHERE topic = 'a'", ["b"]),
        ("UPDATE message SET topic = CAST(zeroblob(4000000) AS TEXT) WHERE topic = 'a'", ["", "b"]),
        ("DROP TABLE message", []), ("DROP TABLE state", ["a", "b"]),
        ("ALTER TABLE message DROP COLUMN retained", []),
        ("CREATE TRIGGER t AFTER INSERT ON message BEGIN DELETE FROM message; END", ["a", "b"]),
        ("CREATE VIEW v AS SELECT 1", ["a", "b"]),
    ]

    @Test("sends the valid rows", arguments: rowCases)
    func rows(statement: String, left: [String]) throws {
        try tamper(statements: [statement])
        let spool = spool()
        #expect(spool.failure == nil && spool.topics == left)
        spool.add(topic: "c") { Array($0.utf8) }
        #expect(spool.topics == left + ["c"] && spool.failure == nil)
        while let entry = spool.next(after: 0) { spool.remove([entry.id]) }
        #expect(spool.count == 0)
    }

    @Test("adds up numbers of 10^12")
    func counts() throws {
        let most = Int64.max
        let counts = Counts(
            saved:
                #"{"instance":"a","uptime_ms":\#(most),"devices":[{"device":"p","contacts":\#(most)},{"device":"q","contacts":\#(most)}],"regions":[{"region":"r","gestures":{"tap":\#(most),"drag":\#(most)}}]}"#
        )
        #expect(counts.contacts(since: Counts()) == 2 << 40 && counts.uptime == 1 << 40)
        var watch = AreaWatch(saved: #"{"r":[\#(most),\#(most)],"s":[\#(Int64.min),-1]}"#)
        watch.add(counts.since(Counts()), contacts: counts.contacts(since: Counts()), enabled: ["r": true, "s": true])
        #expect(watch.dead == [])
    }

    @Test("with damaged pages returns the readable messages, and continues in a new file", arguments: 0..<24)
    func pages(seed: Int) throws {
        let first = spool()
        for number in 0..<60 {
            first.add(topic: "t\(number)") { _ in [UInt8](repeating: UInt8(number), count: 2000) }
        }
        first.close()
        var random = SeededRandom(UInt64(seed))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let page = 4096 * Int(random.next() % UInt64(bytes.count / 4096))
        for place in page..<(page + 4096) { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
        try bytes.write(to: URL(fileURLWithPath: path))
        let spool = spool()
        // A leaf page contains one or two messages. If the root page of the table is damaged, none of them can be
        // found.
        let found = spool.topics
        #expect(found == found.sorted { Int($0.dropFirst()) ?? 0 < Int($1.dropFirst()) ?? 0 })
        #expect(found.count >= 50 || page < 3 * 4096)
        spool.add(topic: "new") { Array($0.utf8) }
        #expect(spool.failure == nil && spool.topics.last == "new")
    }

    @Test("is not readable for other users, and neither is an older one", arguments: [false, true])
    func modes(isOld: Bool) throws {
        if isOld {
            try tamper(statements: [])
            for name in ["spool.sqlite", "spool.sqlite-wal"] {
                if !FileManager.default.fileExists(atPath: folder(name)) { try folder.write("", to: name) }
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder(name))
            }
        }
        let spool = spool()
        spool.add(topic: "a") { _ in [] }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let mode = try FileManager.default.attributesOfItem(atPath: folder(name))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(spool.failure == nil)
    }

    @Test("contains no trace of a message that was sent")
    func traces() throws {
        let spool = spool()
        spool.add(topic: "a") { _ in Array("where people have touched".utf8) }
        let id = try #require(spool.next(after: 0)).id
        spool.remove([id])
        spool.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.range(of: Data("where people".utf8)) == nil)
    }
}
#endif
