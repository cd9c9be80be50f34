// SPDX-License-Identifier: MIT
import CLinux
import GestureEngine
import GestureProtocol
import GestureServerHarness
import GestureTestSupport
import LinuxSystem
import Testing

@testable import GestureServer

@Suite("Slow, hung and hostile clients")
struct SlowClientTests {
    /// Broadcasts lines that cannot be merged, until the client's socket is full.
    private func block(_ harness: ServerHarness, _ index: Int = 0) {
        while !harness.server.clients[index].isBlocked { harness.broadcast(phase: .begin, identity: 1, padding: 400) }
    }

    @Test("a client that never reads changes no byte of another's stream")
    func goodBesideHung() throws {
        func stream(besides hung: Int) throws -> String {
            let harness = try ServerHarness()
            let good = try harness.connect()
            let others = try (0..<hung).map { _ in try harness.connect() }
            var generator = SeededRandom(11)
            var result = ""
            for round in 0..<3000 {
                harness.clock.now += 8333
                let phase: LinePhase = [.begin, .update, .end, .cancel, .none][Int(generator.next() % 5)]
                harness.broadcast(
                    generator.next() % 9 == 0 ? .device : .gesture, subject: Int(generator.next() % 4), phase: phase,
                    identity: Int64(generator.next() % 5), note: round, padding: Int(generator.next() % 200))
                if round % 500 == 250 { for other in others { other.send("{\"cmd\":\"ping\"}\n#\n{\"cmd\"") } }
                harness.turn()
                result += good.read()
            }
            return result
        }
        let alone = try stream(besides: 0)
        #expect(alone.split(separator: "\n").count > 2000)
        #expect(try stream(besides: 5) == alone)
    }

    @Test("updates merge for a late client: the newest remains, and counts the lines that it replaces")
    func coalesces() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed()
        block(harness)
        for note in 1...5 {
            harness.broadcast(phase: .update, identity: 7, note: note)
            harness.broadcast(phase: .update, identity: 8, note: note)
        }
        harness.broadcast(phase: .end, identity: 7, note: 99)
        let lines = client.readAll(harness).documents
        let updates = lines.filter { ($0["n"]?.integer ?? 0) > 0 }
        #expect(updates.map { $0["n"]?.integer } == [5, 5, 99])
        #expect(updates.map { $0["coalesced"]?.integer } == [4, 4, nil])
        var total: Int64 = 0
        for line in lines { total += 1 + (line["coalesced"]?.integer ?? 0) }
        #expect(lines.last?["seq"]?.integer == total)
        #expect(harness.server.droppedLines(seesPrivate: true) == 0)
    }

    @Test("a client that reads gets every line, even of a turn with many")
    func noMergeForGood() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed()
        harness.broadcast(phase: .update, note: 1, count: 9)
        #expect(client.read().documents.compactMap { $0["n"]?.integer } == Array(1...9))
    }

    @Test("an overflow drops lines, reports them, and continues with a state")
    func overflow() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        block(harness)
        for note in 1...256 { harness.broadcast(phase: .begin, note: note) }
        #expect(harness.server.clients[0].lines.loss != nil)
        client.send(#"{"cmd":"ping","id":1}"# + "\n")
        harness.clock.now += 2_210_000
        let active = #"[{"region":"ok","gesture":"press","name":"press","device":"panel","sequence":1}]"#
        harness.delegate.active = active
        for note in 1...10 { harness.broadcast(phase: .begin, note: note) }
        let lines = client.readAll(harness).documents
        let kinds = lines.map { $0["event"]?.string ?? $0["reply"]?.string ?? "?" }
        #expect(kinds.suffix(3) == ["ping", "overflow", "state"])
        let delivered = lines.filter { $0["event"]?.string == "gesture" }
        let overflow = lines[lines.count - 2]
        #expect(overflow["since_ms"]?.integer == 2210)
        #expect(overflow["seq"]?.integer == Int64(delivered.count) + (overflow["dropped"]?.integer ?? 0) + 1)
        #expect(lines.last?["seq"]?.integer == overflow["seq"]?.integer)
        #expect(lines.last?["active"]?.json == active)
        #expect(harness.server.droppedLines(seesPrivate: true) == overflow["dropped"]?.integer)
        harness.broadcast(phase: .begin, note: 1)
        #expect(client.read().documents.first?["seq"]?.integer == (overflow["seq"]?.integer ?? 0) + 1)
        // Losses are still counted after the client has disconnected. Clients without access to private regions
        // do not see them.
        client.endReading()
        client.endSending()
        harness.turn()
        harness.turn()
        #expect(harness.server.clientCount == 0)
        #expect(harness.server.droppedLines(seesPrivate: true) == overflow["dropped"]?.integer)
        #expect(harness.server.droppedLines(seesPrivate: false) == 0)
    }

    @Test("256 lines may wait, one more overflows", arguments: [(0, false), (1, true)])
    func lineLimit(extra: Int, overflows: Bool) throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        block(harness)
        let waiting = harness.server.clients[0].queue.eventLines
        for _ in 0..<(256 - waiting + extra) { harness.broadcast(phase: .begin) }
        #expect((harness.server.clients[0].lines.loss != nil) == overflows)
        #expect(client.readAll(harness).contains("overflow") == overflows)
    }

    @Test("64 KiB may wait")
    func byteLimit() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        block(harness)
        var most = 0
        while harness.server.clients[0].lines.loss == nil {
            most = max(most, harness.server.clients[0].queue.eventBytes)
            harness.broadcast(phase: .begin, padding: 3000)
        }
        #expect(most <= 64 * 1024 && most > 60 * 1024)
        #expect(client.readAll(harness).documents.last?["event"]?.string == "state")
    }

    @Test(
        "lines that have waited too long are dropped",
        arguments: [(1_999_999, false), (2_000_000, false), (2_000_001, true)])
    func age(wait: Int64, isDropped: Bool) throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        block(harness)
        harness.broadcast(subject: 1, note: 10)
        harness.clock.now += wait
        let text = client.readAll(harness)
        #expect(text.contains("\"n\":10") == !isDropped)
        #expect(text.contains("overflow") == isDropped)
    }

    @Test("max_age_ms 0 keeps lines without a time limit")
    func noAge() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(#""max_age_ms":0"#)
        block(harness)
        harness.broadcast(subject: 1, note: 10)
        harness.clock.now += 86_400_000_000
        #expect(client.readAll(harness).contains("\"n\":10"))
    }

    @Test("30 s over the limit without reading: closed", arguments: [(29_999_999, false), (30_000_000, true)])
    func stuck(wait: Int64, isClosed: Bool) throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        block(harness)
        for _ in 0...256 { harness.broadcast(phase: .begin) }
        harness.pass(wait)
        #expect(harness.server.clientCount == (isClosed ? 0 : 1))
        #expect(harness.notices.contains { $0.contains("read nothing for 30 s") } == isClosed)
        _ = client.read()
    }

    @Test("a client that is slow but not over the limit stays")
    func slowStays() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        block(harness)
        harness.pass(3_600_000_000)
        #expect(harness.server.clientCount == 1)
        #expect(client.readAll(harness).documents.last?["event"]?.string == "state")
    }

    @Test("max_rate_hz holds updates back; the newest is not lost")
    func rate() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(#""max_rate_hz":50"#)
        harness.broadcast(phase: .begin, note: 1)
        for note in 2...6 {
            harness.broadcast(phase: .update, note: note)
            harness.clock.now += 1000
        }
        #expect(client.read().documents.map { $0["n"]?.integer } == [1, 2])
        harness.pass(14_999)
        #expect(client.read() == "")
        harness.pass(1)
        let held = client.read().documents
        #expect(held.map { $0["n"]?.integer } == [6])
        #expect(held.first?["coalesced"]?.integer == 3)
        #expect(held.first?["seq"]?.integer == 6)
        harness.broadcast(phase: .update, note: 7)
        harness.broadcast(phase: .end, note: 8)
        let last = client.read().documents
        #expect(last.map { $0["n"]?.integer } == [7, 8])
        #expect(last.map { $0["seq"]?.integer } == [7, 8])
    }

    @Test("a broken connection is removed")
    func broken() throws {
        let harness = try ServerHarness()
        let good = try harness.connectGreeted()
        do { _ = try harness.connectGreeted() }
        harness.broadcast(note: 1)
        harness.broadcast(note: 2)
        harness.turn()
        #expect(harness.server.clientCount == 1)
        #expect(good.read().documents.count == 2)
    }

    @Test("too many clients get the reason", arguments: [(1000, 4), (0, 6)])
    func clientLimit(user: UInt32, places: Int) throws {
        var limits = ServerLimits()
        limits.clients = 6
        limits.clientsPerUser = 100
        let harness = try ServerHarness(limits: limits)
        let clients = try (0..<places).map { _ in try harness.connect(as: user) }
        #expect(harness.server.clientCount == places)
        let late = try harness.connect(as: user)
        #expect(late.read().documents.first?["error"]?["code"]?.string == "busy")
        #expect(late.reachesEnd())
        #expect(clients.allSatisfy { $0.read().documents.count == 2 })
        let root = try harness.connect(as: 0)
        #expect(root.read().documents.count == (user == 0 ? 1 : 2))
    }

    @Test("without a free descriptor the listener pauses, and the other clients are served")
    func noDescriptors() throws {
        let harness = try ServerHarness()
        let good = try harness.connectGreeted()
        var attempts = 0
        harness.server.listener?.takeConnection = { (_) throws(SystemError) in
            attempts += 1
            throw SystemError(call: "accept4", code: EMFILE)
        }
        let late = try harness.connect()
        harness.turn()
        let failures = harness.notices.filter { $0.contains("accept failed") }
        harness.broadcast(note: 1)
        #expect(good.read().documents.count == 1)
        #expect(failures.count == 1)
        harness.pass(99_999)
        #expect(attempts == 1)
        harness.pass(1)
        #expect(attempts == 2)
        // Each pause is twice as long as the one before, up to a second.
        harness.pass(199_999)
        #expect(attempts == 2)
        harness.pass(1)
        #expect(attempts == 3)
        for _ in 0..<9 { harness.pass(1_000_000) }
        #expect(attempts == 12)
        harness.server.listener?.takeConnection = UnixSocket.accept
        harness.pass(1_000_000)
        #expect(late.read().documents.count == 2)
    }

    @Test("for any way of reading, the received, merged and dropped lines add up", arguments: 1...8)
    func accounts(seed: UInt64) throws {
        var limits = ServerLimits()
        limits.queuedLines = 24
        let harness = try ServerHarness(limits: limits)
        let client = try harness.connectGreeted()
        client.send(#"{"cmd":"subscribe","max_age_ms":900"# + (seed % 2 == 0 ? #","max_rate_hz":30}"# : "}") + "\n")
        harness.turn()
        var text = ""
        var generator = SeededRandom(seed)
        for round in 1...2500 {
            harness.clock.now += Int64(generator.next() % 16_000)
            let phase: LinePhase = [.begin, .update, .update, .update, .end][Int(generator.next() % 5)]
            harness.broadcast(phase: phase, identity: Int64(generator.next() % 4), note: round, padding: 100)
            if generator.next() % 40 == 0 { client.send("{\"cmd\":\"ping\"}\n") }
            if generator.next() % 60 == 0 { text += client.read() }
            harness.pass(0)
        }
        text += client.readAll(harness)
        harness.pass(60_000)
        text += client.readAll(harness)
        var last: Int64 = 0
        var accounted: Int64 = 0
        for line in text.documents where line["seq"] != nil {
            let seq = line["seq"]?.integer ?? 0
            guard line["event"]?.string != "state" else {
                #expect(seq == last)
                continue
            }
            #expect(seq > last)
            last = seq
            accounted += 1 + (line["coalesced"]?.integer ?? 0) + (line["dropped"]?.integer ?? 0)
        }
        let losses = Int64(text.split(separator: "\n").filter { $0.contains("overflow") }.count)
        #expect(losses > 0)
        #expect(last == 2500 + losses)
        #expect(accounted == last)
    }
}
