// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import GestureServerHarness
import LinuxSystem
import Testing

@testable import GestureServer

/// Limits on the resources that clients may use in the daemon and in the kernel.
@Suite("Limits")
struct LimitTests {
    @Test("the daemon leaves only whole lines behind, for any number of lines in a batch", arguments: [10, 60, 200])
    func wholeLines(count: Int) throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        for _ in 0..<3 {
            harness.server.broadcast { batch in
                for note in 0..<count {
                    batch.add(harness.line(phase: .begin, note: note, padding: 37 * note % 200))
                }
            }
            harness.turn()
        }
        harness.server.stop()
        let text = client.read()
        #expect(text.hasSuffix("}\n"))
        // `documents` records an issue for each line that is not valid JSON.
        #expect(text.documents.count > 5)
        #expect(client.reachesEnd())
    }

    @Test("the longest event line is sent whole or not at all")
    func longestLine() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        for _ in 0..<9 { harness.broadcast(phase: .begin, padding: ProtocolLimits.eventBytes - 100) }
        #expect(harness.server.clients[0].isBlocked)
        #expect(harness.server.clients[0].queue.isAtLineEnd == true)
        harness.server.stop()
        #expect(client.read().hasSuffix("}\n"))
    }

    @Test("a reply that is too long for one write arrives in full")
    func longReply() throws {
        let harness = try ServerHarness()
        harness.delegate.reply = ",\"x\":\"" + String(repeating: "y", count: 100_000) + "\""
        let client = try harness.connectGreeted()
        client.send("{\"cmd\":\"status\"}\n{\"cmd\":\"ping\"}\n")
        let lines = client.readAll(harness).documents
        #expect(lines.count == 2)
        #expect(lines.first?["x"]?.string?.count == 100_000)
    }

    @Test("the kernel holds little for a client that does not read")
    func kernelBuffer() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        harness.broadcast(phase: .begin, padding: 200, count: 200)
        // The kernel doubles SO_SNDBUF, and accepts the line with which the buffer becomes full.
        #expect(client.read().utf8.count <= 17 * 1024)
    }

    @Test("a full queue takes 64 KiB and its table; the memory of dropped lines is freed")
    func memory() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        let connection = harness.server.clients[0]
        while connection.lines.loss == nil {
            #expect(connection.queue.heldBytes <= 128 * 1024 + 16 * 1024)
            harness.broadcast(phase: .begin, padding: 150, isLast: false)
        }
        harness.server.endTurn()
        #expect(connection.queue.heldBytes <= 20 * 1024)
        #expect(client.readAll(harness).contains("overflow"))
        #expect(connection.queue.heldBytes <= 20 * 1024)
    }

    @Test("a client that does not read: replies, an unfinished request and events use its 64 KiB together")
    func shared() throws {
        let harness = try ServerHarness()
        harness.delegate.reply = ",\"x\":\"" + String(repeating: "y", count: 1000) + "\""
        let client = try harness.connectGreeted()
        let connection = harness.server.clients[0]
        client.send(String(repeating: "{\"cmd\":\"status\"}\n", count: 100))
        harness.turn()
        for _ in 0..<20 {
            _ = client.offer(String(repeating: "x", count: 3000))
            harness.turn()
        }
        var most = 0
        while connection.lines.loss == nil {
            harness.broadcast(phase: .begin, padding: 150)
            most = max(most, connection.queue.byteCount + connection.requests.lines.byteCount)
        }
        #expect(connection.queue.eventBytes == 0)
        // The last read may exceed the limit, because one read takes up to 16 KiB.
        #expect(most > 60 * 1024 && most <= 72 * 1024)
    }

    @Test("a long request is received while the client reads, too")
    func readsOnLater() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        let connection = harness.server.clients[0]
        while connection.queue.byteCount < 28 * 1024 { harness.broadcast(phase: .begin, padding: 500) }
        #expect(connection.queue.byteCount > 24 * 1024 && connection.queue.byteCount < 32 * 1024)
        for _ in 0..<4 {
            _ = client.offer(String(repeating: "x", count: 15_000))
            harness.turn()
        }
        #expect(connection.requests.lines.byteCount <= 32 * 1024)
        #expect(client.readAll(harness).documents.count > 40)
        #expect(connection.requests.lines.byteCount == 60_000)
    }

    @Test("a long request beside waiting events leaves them an eighth")
    func longRequest() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        let connection = harness.server.clients[0]
        for _ in 0..<4 {
            _ = client.offer(String(repeating: "x", count: 15_000))
            harness.turn()
        }
        #expect(connection.requests.lines.byteCount == 60_000)
        while !connection.isBlocked { harness.broadcast(phase: .begin, padding: 150) }
        var most = 0
        while connection.lines.loss == nil {
            most = max(most, connection.queue.eventBytes)
            harness.broadcast(phase: .begin, padding: 150)
        }
        #expect(most > 7 * 1024 && most <= 8 * 1024)
        #expect(harness.server.clientCount == 1)
    }

    @Test("updates of one gesture and touches of one panel merge, but no other lines of a subject")
    func merges() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(#""events":["gesture","touches","failed"]"#)
        while !harness.server.clients[0].isBlocked { harness.broadcast(phase: .begin, padding: 400) }
        for note in 1...3 {
            for gesture in 1...4 {
                harness.broadcast(
                    subject: (gesture + note) % 3, phase: .update, identity: Int64(gesture),
                    note: 100 * note + gesture)
            }
            for panel in 1...2 {
                harness.broadcast(.touches, subject: -1, identity: Int64(panel), note: 1000 * note + panel)
            }
            harness.broadcast(.failed, subject: 0, identity: 1, note: 10_000 * note)
        }
        let notes = client.readAll(harness).documents.compactMap { $0["n"]?.integer }.filter { $0 > 0 }
        #expect(notes == [10_000, 20_000, 301, 302, 303, 304, 3001, 3002, 30_000])
    }

    @Test("a unique line is neither replaced nor held; later lines stay behind it", arguments: [false, true])
    func unique(isThrottled: Bool) throws {
        let harness = try ServerHarness()
        let rate = isThrottled ? #","max_rate_hz":1"# : ""
        let client = try harness.connectSubscribed(#""events":["gesture","touches"]\#(rate)"#)
        if !isThrottled {
            while !harness.server.clients[0].isBlocked { harness.broadcast(phase: .begin, padding: 400) }
        }
        for note in 1...6 {
            harness.broadcast(.touches, subject: -1, identity: 1, note: note, isUnique: note == 3)
        }
        harness.pass(2_000_000)
        let notes = client.readAll(harness).documents.compactMap { $0["n"]?.integer }.filter { $0 > 0 }
        #expect(notes == (isThrottled ? [1, 2, 3, 6] : [3, 6]))
    }

    @Test("on overflow all lines are dropped until the client has drained")
    func dropsUntilDrained() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        while harness.server.clients[0].lines.loss == nil {
            harness.broadcast(phase: .begin, note: 1, padding: 200, isLast: false)
        }
        for _ in 0..<20 { harness.broadcast(phase: .begin, note: 2) }
        let notes = client.readAll(harness).documents.map { $0["n"]?.integer }
        #expect(notes.contains(1))
        #expect(!notes.contains(2))
        harness.broadcast(phase: .begin, note: 3)
        #expect(client.read().documents.map { $0["n"]?.integer } == [3])
    }

    @Test("30 s over the limit, but it reads something: it stays for another 30 s")
    func takesSomething() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        while harness.server.clients[0].lines.loss == nil {
            harness.broadcast(phase: .begin, padding: 200, count: 32)
        }
        harness.pass(29_000_000)
        #expect(client.read(atMost: 9000) == 9000)
        harness.pass(1_000_000)
        #expect(harness.server.clientCount == 1)
        // The client reads 10 bytes, less than one write of the server.
        #expect(client.read(atMost: 10) == 10)
        harness.pass(29_999_999)
        #expect(harness.server.clientCount == 1)
        harness.pass(1)
        #expect(harness.server.clientCount == 0)
    }

    @Test("over the limit, and it reads a long reply slowly: it stays")
    func readsSlowly() throws {
        let harness = try ServerHarness()
        harness.delegate.reply = ",\"x\":\"" + String(repeating: "y", count: 200_000) + "\""
        let client = try harness.connectGreeted()
        client.send("{\"cmd\":\"status\"}\n")
        harness.turn()
        while harness.server.clients[0].lines.loss == nil { harness.broadcast(phase: .begin, padding: 200) }
        var count = 0
        for _ in 0..<8 {
            harness.pass(20_000_000)
            count += client.read(atMost: 16 * 1024)
            harness.turn()
        }
        #expect(harness.server.clientCount == 1)
        #expect(count > 100_000)
        #expect(client.readAll(harness).contains("overflow"))
    }

    @Test(
        "the server stops reading from a client that sends too much or does not read the replies: the kernel stops it",
        arguments: [(4, true), (4000, false)])
    func isNotRead(replyBytes: Int, reads: Bool) throws {
        let harness = try ServerHarness()
        harness.delegate.reply = ",\"x\":\"" + String(repeating: "y", count: replyBytes) + "\""
        let client = try harness.connectGreeted()
        let requests = String(repeating: "{\"cmd\":\"status\"}\n", count: 800)
        var taken = 0
        for _ in 0..<200 {
            taken += client.offer(requests)
            harness.turn()
            if reads { _ = client.read() }
        }
        // This is at most the size of a socket's buffer plus the part of the 2.8 MB that the server has read.
        #expect(taken < 512 * 1024)
        #expect(harness.delegate.asked.count <= 128)
        #expect(harness.server.clientCount == 1)
    }

    @Test(
        "the listener continues after any error of accept; after a success the next pause is short again",
        arguments: [EMFILE, ENFILE, ENOMEM, ENOBUFS, EPERM, EPROTO, EINVAL, EBADF])
    func acceptErrors(code: CInt) throws {
        let harness = try ServerHarness()
        var clients: [TestClient] = []
        for round in 1...2 {
            harness.server.listener?.takeConnection = { (_) throws(SystemError) in
                throw SystemError(call: "accept4", code: code)
            }
            clients.append(try harness.connect())
            #expect(harness.server.listener?.resumeAt == harness.clock.now + 100_000)
            harness.pass(100_000)
            #expect(harness.server.listener?.resumeAt == harness.clock.now + 200_000)
            harness.server.listener?.takeConnection = UnixSocket.accept
            harness.pass(200_000)
            #expect(harness.server.listener?.resumeAt == nil)
            #expect(harness.server.clientCount == round)
            #expect(clients.last?.read().documents.count == 2)
        }
    }

    @Test("the requests of a turn take 5 ms; the others wait for the next turn, and no client starves")
    func turnBudget() throws {
        let harness = try ServerHarness()
        let clients = try (0..<3).map { _ in try harness.connectGreeted() }
        harness.delegate.whileAnswering = { harness.clock.now += 1000 }
        for (number, client) in clients.enumerated() {
            client.send((0..<20).map { "{\"cmd\":\"status\",\"id\":\(100 * number + $0)}\n" }.joined())
        }
        var before = 0
        var turns = 0
        while harness.delegate.asked.count < 60, turns < 40 {
            harness.loop.turn(timeout: 0)
            #expect(harness.delegate.asked.count - before <= 5)
            before = harness.delegate.asked.count
            turns += 1
            // After six turns each client must have received replies; none waits until another one is
            // finished.
            if turns == 6 { #expect(clients.allSatisfy { !$0.read().isEmpty }) }
        }
        #expect(turns == 12)
        for number in 0..<3 {
            let ids = harness.delegate.asked.compactMap { request -> Int64? in
                guard case .integer(let id)? = request.id, id / 100 == number else { return nil }
                return id
            }
            #expect(ids == (0..<20).map { Int64(100 * number + $0) })
        }
    }

    @Test("requests from before a hang-up are served, although it takes several turns")
    func hangUpLater() throws {
        let harness = try ServerHarness()
        harness.delegate.whileAnswering = { harness.clock.now += 1000 }
        do {
            let client = try harness.connectGreeted()
            client.send(String(repeating: "{\"cmd\":\"reload\"}\n", count: 20))
        }
        harness.turn()
        harness.turn()
        #expect(harness.delegate.asked.count == 20)
        #expect(harness.server.clientCount == 0)
        harness.delegate.whileAnswering = {}
    }

    @Test(
        "two connections are reserved for root, but never more than half",
        arguments: [(64, 62), (5, 3), (4, 2), (3, 2), (2, 1), (1, 1)])
    func rootPlaces(clients: Int, forOthers: Int) throws {
        var limits = ServerLimits()
        limits.clients = clients
        limits.clientsPerUser = 100
        let harness = try ServerHarness(limits: limits)
        let all = try (0...clients).map { _ in try harness.connect(as: 1000) }
        #expect(harness.server.clientCount == forOthers)
        let root = try (0...clients).map { _ in try harness.connect(as: 0) }
        #expect(harness.server.clientCount == clients)
        #expect(all.count + root.count == 2 * clients + 2)
    }

    @Test(
        "no more clients than descriptors allow: enough remain for devices",
        arguments: [
            (64, 1024, 64, false), (1024, 1024, 880, true), (1024, 20_000, 1024, false), (64, 160, 64, false),
            (64, 128, 64, false), (64, 126, 63, true), (64, 28, 2, true), (64, 3, 1, true), (64, 0, 1, true),
            (1, 1, 1, false),
        ])
    func descriptors(wanted: Int, descriptors: Int, clients: Int, isLess: Bool) {
        var limits = ServerLimits()
        limits.clients = wanted
        #expect(limits.fit(descriptors: descriptors) == isLess)
        #expect(limits.clients == clients)
    }
}
