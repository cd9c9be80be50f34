// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import GestureTestSupport
import LinuxSystem
import Testing

@testable import GestureServer

@Suite("Slow, hung and hostile clients")
struct SlowClientTests {
    /// Broadcasts lines that cannot merge until the client's socket takes no more.
    private func block(_ bed: ServerBed, _ index: Int = 0) {
        while !bed.server.clients[index].isBlocked { bed.broadcast(phase: .begin, sequence: 1, padding: 400) }
    }

    @Test("a client that never reads changes no byte of another's stream")
    func goodBesideHung() throws {
        func stream(besides hung: Int) throws -> String {
            let bed = try ServerBed()
            let good = try bed.connect()
            let others = try (0..<hung).map { _ in try bed.connect() }
            var generator = SeededGenerator(11)
            var result = ""
            for round in 0..<3000 {
                bed.clock.now += 8333
                let phase: LinePhase = [.begin, .update, .end, .cancel, .none][Int(generator.next() % 5)]
                bed.broadcast(
                    generator.next() % 9 == 0 ? .device : .gesture, subject: Int(generator.next() % 4), phase: phase,
                    sequence: Int64(generator.next() % 5), note: round, padding: Int(generator.next() % 200))
                if round % 500 == 250 { for other in others { other.send("{\"cmd\":\"ping\"}\n#\n{\"cmd\"") } }
                bed.turn()
                result += good.read()
            }
            return result
        }
        let alone = try stream(besides: 0)
        #expect(alone.split(separator: "\n").count > 2000)
        #expect(try stream(besides: 5) == alone)
    }

    @Test("what a client is late for merges: newest wins, and says how many it stands for")
    func coalesces() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        client.send(#"{"cmd":"subscribe"}"# + "\n")
        bed.turn()
        _ = client.read()
        block(bed)
        for note in 1...5 {
            bed.broadcast(phase: .update, sequence: 7, note: note)
            bed.broadcast(phase: .update, sequence: 8, note: note)
        }
        bed.broadcast(phase: .end, sequence: 7, note: 99)
        let lines = client.readAll(bed).documents
        let updates = lines.filter { ($0["n"]?.integer ?? 0) > 0 }
        #expect(updates.map { $0["n"]?.integer } == [5, 5, 99])
        #expect(updates.map { $0["coalesced"]?.integer } == [4, 4, nil])
        var total: Int64 = 0
        for line in lines { total += 1 + (line["coalesced"]?.integer ?? 0) }
        #expect(lines.last?["seq"]?.integer == total)
        #expect(bed.server.droppedLines == 0)
    }

    @Test("a client that reads gets every line, also of a batch")
    func noMergeForGood() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        client.send(#"{"cmd":"subscribe"}"# + "\n")
        bed.turn()
        _ = client.read()
        bed.server.beginBatch()
        for note in 1...9 { bed.broadcast(phase: .update, note: note) }
        bed.server.endBatch()
        #expect(client.read().documents.compactMap { $0["n"]?.integer } == Array(1...9))
    }

    @Test("an overflow drops, tells, and starts afresh with a state")
    func overflow() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        block(bed)
        for note in 1...256 { bed.broadcast(phase: .begin, note: note) }
        #expect(bed.server.clients[0].lossSince != nil)
        client.send(#"{"cmd":"ping","id":1}"# + "\n")
        bed.clock.now += 2_210_000
        let active = #"[{"region":"ok","gesture":"press","name":"press","sequence":1}]"#
        bed.delegate.active = active
        for note in 1...10 { bed.broadcast(phase: .begin, note: note) }
        let lines = client.readAll(bed).documents
        let kinds = lines.map { $0["event"]?.string ?? $0["reply"]?.string ?? "?" }
        #expect(kinds.suffix(3) == ["ping", "overflow", "state"])
        let delivered = lines.filter { $0["event"]?.string == "gesture" }
        let overflow = lines[lines.count - 2]
        #expect(overflow["since_ms"]?.integer == 2210)
        #expect(overflow["seq"]?.integer == Int64(delivered.count) + (overflow["dropped"]?.integer ?? 0) + 1)
        #expect(lines.last?["seq"]?.integer == overflow["seq"]?.integer)
        #expect(lines.last?["active"]?.json == active)
        #expect(bed.server.droppedLines == overflow["dropped"]?.integer)
        bed.broadcast(phase: .begin, note: 1)
        #expect(client.read().documents.first?["seq"]?.integer == (overflow["seq"]?.integer ?? 0) + 1)
    }

    @Test("256 lines may wait, one more overflows", arguments: [(0, false), (1, true)])
    func lineLimit(extra: Int, overflows: Bool) throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        block(bed)
        let waiting = bed.server.clients[0].queue.eventLines
        for _ in 0..<(256 - waiting + extra) { bed.broadcast(phase: .begin) }
        #expect((bed.server.clients[0].lossSince != nil) == overflows)
        #expect(client.readAll(bed).contains("overflow") == overflows)
    }

    @Test("64 KiB may wait")
    func byteLimit() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        block(bed)
        var most = 0
        while bed.server.clients[0].lossSince == nil {
            most = max(most, bed.server.clients[0].queue.eventBytes)
            bed.broadcast(phase: .begin, padding: 3000)
        }
        #expect(most <= 64 * 1024 && most > 60 * 1024)
        #expect(client.readAll(bed).documents.last?["event"]?.string == "state")
    }

    @Test(
        "lines that have waited too long are dropped",
        arguments: [(1_999_999, false), (2_000_000, false), (2_000_001, true)])
    func age(wait: Int64, isDropped: Bool) throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        block(bed)
        bed.broadcast(subject: 1, note: 10)
        bed.clock.now += wait
        let text = client.readAll(bed)
        #expect(text.contains("\"n\":10") == !isDropped)
        #expect(text.contains("overflow") == isDropped)
    }

    @Test("max_age_ms 0 keeps them for ever")
    func noAge() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        client.send(#"{"cmd":"subscribe","max_age_ms":0}"# + "\n")
        bed.turn()
        _ = client.read()
        block(bed)
        bed.broadcast(subject: 1, note: 10)
        bed.clock.now += 86_400_000_000
        #expect(client.readAll(bed).contains("\"n\":10"))
    }

    @Test("30 s over the limit without taking a byte: closed", arguments: [(29_999_999, false), (30_000_000, true)])
    func stuck(wait: Int64, isClosed: Bool) throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        block(bed)
        for _ in 0...256 { bed.broadcast(phase: .begin) }
        bed.pass(wait)
        #expect(bed.server.clientCount == (isClosed ? 0 : 1))
        #expect(bed.notices.contains { $0.contains("took nothing for 30 s") } == isClosed)
        _ = client.read()
    }

    @Test("a client that is slow but not over the limit stays")
    func slowStays() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        block(bed)
        bed.pass(3_600_000_000)
        #expect(bed.server.clientCount == 1)
        #expect(client.readAll(bed).documents.last?["event"]?.string == "state")
    }

    @Test("max_rate_hz holds updates back, the newest is not lost")
    func rate() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        client.send(#"{"cmd":"subscribe","max_rate_hz":50}"# + "\n")
        bed.turn()
        _ = client.read()
        bed.broadcast(phase: .begin, note: 1)
        for note in 2...6 {
            bed.broadcast(phase: .update, note: note)
            bed.clock.now += 1000
        }
        #expect(client.read().documents.map { $0["n"]?.integer } == [1, 2])
        bed.pass(14_999)
        #expect(client.read() == "")
        bed.pass(1)
        let held = client.read().documents
        #expect(held.map { $0["n"]?.integer } == [6])
        #expect(held.first?["coalesced"]?.integer == 3)
        #expect(held.first?["seq"]?.integer == 6)
        bed.broadcast(phase: .update, note: 7)
        bed.broadcast(phase: .end, note: 8)
        let last = client.read().documents
        #expect(last.map { $0["n"]?.integer } == [7, 8])
        #expect(last.map { $0["seq"]?.integer } == [7, 8])
    }

    @Test("a broken connection is swept")
    func broken() throws {
        let bed = try ServerBed()
        let good = try bed.connectGreeted()
        do { _ = try bed.connectGreeted() }
        bed.broadcast(note: 1)
        bed.broadcast(note: 2)
        bed.turn()
        #expect(bed.server.clientCount == 1)
        #expect(good.read().documents.count == 2)
    }

    @Test("too many clients are told so", arguments: [(1000, 4), (0, 6)])
    func clientLimit(user: UInt32, places: Int) throws {
        var limits = ServerLimits()
        limits.clients = 6
        limits.clientsPerUser = 100
        let bed = try ServerBed(limits: limits)
        let clients = try (0..<places).map { _ in try bed.connect(as: user) }
        #expect(bed.server.clientCount == places)
        let late = try bed.connect(as: user)
        #expect(late.read().documents.first?["error"]?["code"]?.string == "busy")
        #expect(late.isAtEnd)
        #expect(clients.allSatisfy { $0.read().documents.count == 2 })
        let root = try bed.connect(as: 0)
        #expect(root.read().documents.count == (user == 0 ? 1 : 2))
    }

    @Test("16 of one user")
    func userLimit() throws {
        let bed = try ServerBed()
        let clients = try (0..<16).map { _ in try bed.connect(as: 1000) }
        let late = try bed.connect(as: 1000)
        #expect(
            late.read()
                == #"{"reply":null,"ok":false,"error":{"code":"busy","message":"uid 1000 has 16 connections already"}}"#
                + "\n")
        let other = try bed.connect(as: 1001)
        #expect(other.read().documents.count == 2)
        #expect(clients.count == 16)
    }

    @Test("no descriptor left: the listener rests, the others are served")
    func noDescriptors() throws {
        let bed = try ServerBed()
        let good = try bed.connectGreeted()
        var attempts = 0
        bed.server.listener?.takeConnection = { (_) throws(SystemError) in
            attempts += 1
            throw SystemError(call: "accept4", code: EMFILE)
        }
        let late = try bed.connect()
        bed.turn()
        let failures = bed.notices.filter { $0.contains("accept failed") }
        bed.broadcast(note: 1)
        #expect(good.read().documents.count == 1)
        #expect(failures.count == 1)
        bed.pass(99_999)
        #expect(attempts == 1)
        bed.pass(1)
        #expect(attempts == 2)
        // It looks away for twice as long, and at most for a second.
        bed.pass(199_999)
        #expect(attempts == 2)
        bed.pass(1)
        #expect(attempts == 3)
        for _ in 0..<9 { bed.pass(1_000_000) }
        #expect(attempts == 12)
        bed.server.listener?.takeConnection = UnixSocket.accept
        bed.pass(1_000_000)
        #expect(late.read().documents.count == 2)
    }

    @Test("however it reads: what came, what was merged and what was told as lost adds up", arguments: 1...8)
    func accounts(seed: UInt64) throws {
        var limits = ServerLimits()
        limits.queuedLines = 24
        let bed = try ServerBed(limits: limits)
        let client = try bed.connectGreeted()
        client.send(#"{"cmd":"subscribe","max_age_ms":900"# + (seed % 2 == 0 ? #","max_rate_hz":30}"# : "}") + "\n")
        bed.turn()
        var text = ""
        var generator = SeededGenerator(seed)
        for round in 1...2500 {
            bed.clock.now += Int64(generator.next() % 16_000)
            let phase: LinePhase = [.begin, .update, .update, .update, .end][Int(generator.next() % 5)]
            bed.broadcast(phase: phase, sequence: Int64(generator.next() % 4), note: round, padding: 100)
            if generator.next() % 40 == 0 { client.send("{\"cmd\":\"ping\"}\n") }
            if generator.next() % 60 == 0 { text += client.read() }
            bed.pass(0)
        }
        text += client.readAll(bed)
        bed.pass(60_000)
        text += client.readAll(bed)
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
