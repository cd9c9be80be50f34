// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import Foundation
import GestureTestSupport
import Testing

@testable import GestureMQTT

@Suite("The spool")
struct SpoolTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func spool(messages: Int = 100, megabytes: Int = 1) -> Spool {
        var limits = MQTTSettings.Spool()
        (limits.messages, limits.megabytes) = (messages, megabytes)
        return Spool(folder: folder.path, limits)
    }

    @Test("keeps messages in order, even after the program's end, until the broker has them")
    func order() throws {
        do {
            let spool = spool()
            for topic in ["a", "b", "c"] {
                spool.add(topic: topic, isRetained: topic == "b", states: ["counts": topic]) { Array($0.utf8) }
            }
            spool.remove([try #require(spool.next(after: 0)).id])
        }
        let spool = spool()
        #expect(spool.topics == ["b", "c"] && spool.count == 2)
        #expect(spool.state("counts") == "c" && spool.failure == nil)
        let first = try #require(spool.next(after: 0))
        #expect(first.isRetained && String(decoding: first.payload, as: UTF8.self) == "\(spool.epoch)-2")
    }

    @Test("never gives an id twice")
    func ids() throws {
        let spool = spool()
        spool.add(topic: "a") { Array($0.utf8) }
        spool.remove([1])
        spool.close()
        let next = self.spool()
        next.add(topic: "b") { Array($0.utf8) }
        let entry = try #require(next.next(after: 0))
        #expect(entry.id == 2 && String(decoding: entry.payload, as: UTF8.self) == "\(spool.epoch)-2")
    }

    @Test("drops the oldest beyond its limits, and counts them permanently")
    func bounds() {
        let first = spool(messages: 3)
        for number in 1...5 { first.add(topic: "\(number)") { _ in [] } }
        #expect(first.topics == ["3", "4", "5"] && first.dropped == 2)
        first.close()
        let second = spool(megabytes: 1)
        #expect(second.dropped == 2)
        second.add(topic: "large") { _ in [UInt8](repeating: 0, count: 900_000) }
        second.add(topic: "larger") { _ in [UInt8](repeating: 0, count: 1_000_000) }
        #expect(second.topics == ["larger"] && second.dropped == 6)
    }

    @Test("keeps messages that the disk does not take in memory, up to a limit")
    func full() throws {
        let spool = Spool(folder: "/nonexistent/folder", MQTTSettings.Spool())
        #expect(try #require(spool.failure).contains("/nonexistent/folder/spool.sqlite"))
        for number in 0..<(Spool.mostInMemory + 2) { spool.add(topic: "\(number)") { _ in [] } }
        #expect(spool.count == Spool.mostInMemory && spool.dropped == 2)
        let entry = try #require(spool.next(after: 0))
        #expect(entry.topic == "2")
        spool.remove([entry.id])
        #expect(spool.topics.first == "3")
    }

    @Test("uses the disk again, and sends the messages from memory in order")
    func recovers() throws {
        let path = folder("later")
        let spool = Spool(folder: path, MQTTSettings.Spool())
        spool.add(topic: "memory") { _ in [] }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        spool.add(topic: "disk") { _ in [] }
        #expect(spool.failure == nil && spool.topics == ["memory", "disk"])
    }

    @Test("starts a new file beside one that is not an SQLite database")
    func broken() throws {
        try folder.write(String(repeating: "no database ", count: 100), to: "spool.sqlite")
        let spool = spool()
        #expect(spool.failure == nil)
        spool.add(topic: "a") { _ in [] }
        #expect(spool.topics == ["a"])
        #expect(FileManager.default.fileExists(atPath: folder("spool.sqlite.broken")))
    }
}

extension Spool {
    /// The topics of all messages, in order.
    var topics: [String] {
        var found: [String] = []
        var last: Int64 = 0
        while let entry = next(after: last) {
            found.append(entry.topic)
            last = entry.id
        }
        return found
    }
}
#endif
