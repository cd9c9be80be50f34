// SPDX-License-Identifier: MIT
import GestureProtocol
import GestureServerHarness
import LinuxSystem
import Testing

@testable import GestureServer

@Suite("Stream")
struct StreamTests {
    private let hello =
        #"{"event":"hello","protocol":1,"server":"gestured 0.1.0","instance":"b1946ac9","capabilities":["subscribe","touches","explain","frame","describe","scenes","define_regions","cancel","clients","idle","put_region","counts","touch_map","routes","set_output","set_profile","activity"],"rights":["control","define","raw","private"],"config_generation":3}"#
        + "\n"
    private let state = #"{"event":"state","seq":0,"devices":[],"scene":"default","active":[]}"# + "\n"

    @Test("a client without requests gets hello, state, and gestures without updates")
    func silent() throws {
        let harness = try ServerHarness()
        let client = try harness.connect()
        #expect(client.read() == hello + state)
        harness.broadcast(phase: .begin, note: 1)
        harness.broadcast(phase: .update, note: 2)
        harness.broadcast(.touches, subject: -1, note: 3)
        harness.broadcast(.failed, note: 4)
        harness.broadcast(.frame, subject: -1, note: 5)
        harness.broadcast(.device, subject: -1, note: 6)
        harness.broadcast(.config, subject: -1, note: 7)
        harness.broadcast(subject: 1, note: 8)
        harness.broadcast(phase: .cancel, note: 9)
        #expect(
            client.read() == """
                {"event":"gesture","seq":1,"n":1,"time_us":998000}
                {"event":"device","seq":2,"n":6,"time_us":998000}
                {"event":"config","seq":3,"n":7,"time_us":998000}
                {"event":"gesture","seq":4,"n":8,"time_us":998000}
                {"event":"gesture","seq":5,"n":9,"time_us":998000}

                """)
    }

    @Test("the numbering of lines continues beyond any number", arguments: [1 << 31, 1 << 32, 1 << 53 - 12] as [Int64])
    func counting(past edge: Int64) throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        harness.server.clients[0].lines.number = edge - 2
        for note in 1...3 { harness.broadcast(note: note) }
        #expect(client.read().documents.map { $0["seq"]?.integer } == [edge - 1, edge, edge + 1])
        harness.broadcast(note: 1, count: 3)
        #expect(client.read().documents.map { $0["seq"]?.integer } == [edge + 2, edge + 3, edge + 4])
    }

    @Test("the lines of a batch go out together, when the last one is made")
    func batch() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        harness.server.broadcast { batch in
            for note in 1...2 { batch.add(harness.line(note: note)) }
            #expect(client.read() == "")
        }
        #expect(client.read().documents.map { $0["n"]?.integer } == [1, 2])
        harness.server.endTurn()
        #expect(client.read() == "")
    }

    @Test("a batch within another one does not change the order of lines")
    func batchWithinBatch() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        harness.server.broadcast { batch in
            batch.add(harness.line(note: 1))
            harness.broadcast(note: 2)
            batch.add(harness.line(note: 3))
        }
        #expect(client.read().documents.map { $0["n"]?.integer } == [1, 2, 3])
    }

    @Test("a batch of more lines than are kept together is sent whole", arguments: [31, 32, 33, 64, 65, 200])
    func largeBatch(count: Int) throws {
        let harness = try ServerHarness()
        let (all, few) = (try harness.connectSubscribed(), try harness.connectGreeted())
        harness.broadcast(note: 1, count: count)
        for client in [all, few] {
            let notes = client.readAll(harness).documents.map { $0["n"]?.integer }
            #expect(notes == (1...count).map { Int64($0) })
        }
    }

    @Test("lines that are sent while a client's end is reported reach all clients")
    func sentAtTheEnd() throws {
        let harness = try ServerHarness()
        var gone: TestClient? = try harness.connectGreeted()
        let slow = try harness.connectGreeted()
        harness.delegate.whenEnded = {
            harness.broadcast(phase: .begin, note: 1, padding: 400, count: 90, isLast: false)
        }
        #expect(gone != nil)
        gone = nil
        for _ in 0..<8 where harness.server.clientCount == 2 { harness.loop.turn(timeout: 0) }
        harness.delegate.whenEnded = {}
        #expect(harness.server.clients.map { $0.isBlocked } == [true])
        #expect(harness.server.clients.map { $0.isDirty } == [false])
        #expect(slow.readAll(harness).documents.compactMap { $0["n"]?.integer } == Array(1...90))
    }

    @Test("the end of the request side does not end the stream")
    func halfOpen() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        client.send(#"{"cmd":"ping","id":1}"# + "\n" + #"{"cmd":"ping","id":2}"#)
        client.endSending()
        harness.turn()
        // The second request has no line feed, so it may be incomplete and is not answered.
        #expect(client.read() == #"{"reply":"ping","id":1,"ok":true}"# + "\n")
        harness.broadcast(note: 1)
        harness.turn()
        #expect(client.read().documents.count == 1)
        #expect(harness.server.clientCount == 1)
    }

    @Test("a request with an effect from before a hang-up is carried out; a query is not answered")
    func fireAndForget() throws {
        let harness = try ServerHarness()
        do {
            let client = try harness.connectGreeted()
            client.send(#"{"cmd":"reload"}"# + "\n" + #"{"cmd":"status"}"# + "\n")
        }
        harness.turn()
        #expect(harness.delegate.asked.map { $0.name } == [.reload])
        #expect(harness.server.clientCount == 0)
    }

    @Test(
        "requests from before a hang-up are carried out: before the greeting, and after more than one read takes",
        arguments: [0, 400])
    func fireAtOnce(comments: Int) throws {
        let harness = try ServerHarness()
        for isGreeted in [false, true] {
            harness.delegate.asked = []
            do {
                let client = isGreeted ? try harness.connectGreeted() : try harness.makeClient()
                client.send(String(repeating: "#" + String(repeating: "x", count: 98) + "\n", count: comments))
                client.send(#"{"cmd":"reload"}"# + "\n")
            }
            // The server notices the hang-up when it sends a line to the client.
            harness.broadcast(note: 1)
            harness.turn()
            #expect(harness.delegate.asked.map { $0.name } == [.reload])
            #expect(harness.server.clientCount == 0)
        }
        #expect(harness.delegate.ended == [1, 2])
    }

    @Test("a client that hangs up before its greeting is not counted")
    func stormOfRequests() throws {
        var limits = ServerLimits()
        limits.clientsPerUser = 1
        let harness = try ServerHarness(limits: limits)
        func connect() throws -> TestClient { try harness.makeClient() }
        for _ in 0..<10 { try connect().send(#"{"cmd":"reload"}"# + "\n") }
        let stays = try connect()
        harness.turn()
        #expect(harness.delegate.asked.count == 10)
        #expect(stays.read() == hello + state)
        #expect(harness.server.clientCount == 1)
    }

    @Test("a client that receives nothing, but could send, is removed at the next event")
    func endOfReading() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        client.send(#"{"cmd":"reload"}"# + "\n" + #"{"cmd":"stat"#)
        client.endReading()
        harness.broadcast(note: 1)
        harness.turn()
        #expect(harness.delegate.asked.map { $0.name } == [.reload])
        #expect(harness.server.clientCount == 0)
    }

    @Test("bye is the last line, and the server waits for no client")
    func bye() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        let hung = try harness.connectGreeted()
        while harness.server.clients[1].isBlocked == false {
            harness.broadcast(phase: .begin, padding: 500)
            _ = client.read()
        }
        harness.server.stop()
        #expect(client.read() == #"{"event":"bye","reason":"shutdown"}"# + "\n")
        #expect(client.reachesEnd())
        let rest = hung.read().documents
        #expect(rest.allSatisfy { $0["event"]?.string == "gesture" })
        #expect(hung.reachesEnd())
        #expect(harness.server.clientCount == 0)
        // Another thread closes the listening socket, so wait for it.
        let end = MonotonicClock.now() + 10_000_000
        while (try? harness.connect()) != nil, MonotonicClock.now() < end {}
        #expect(throws: (any Error).self) { _ = try harness.connect() }
    }

    @Test("the interest is the union of all subscriptions")
    func interest() throws {
        let harness = try ServerHarness()
        #expect(harness.server.interest == LineInterest())
        let silent = try harness.connectGreeted()
        #expect(harness.server.interest == LineInterest())
        do {
            let curious = try harness.connectGreeted()
            curious.send(#"{"cmd":"subscribe","events":["gesture","touches","frame","failed"]}"# + "\n")
            harness.turn()
            #expect(harness.server.interest == LineInterest(updates: true, touches: true, frames: true, failures: true))
            #expect(harness.delegate.interestChanges == 1)
        }
        harness.turn()
        #expect(harness.server.interest == LineInterest())
        silent.send(#"{"cmd":"subscribe","events":["gesture"],"phases":["update"]}"# + "\n")
        harness.turn()
        #expect(harness.server.interest == LineInterest(updates: true))
        silent.send(#"{"cmd":"subscribe","events":[]}"# + "\n")
        harness.turn()
        #expect(harness.server.interest == LineInterest())
    }

    @Test("failures are sent only to clients that subscribe to them")
    func failures() throws {
        let harness = try ServerHarness()
        let silent = try harness.connectGreeted()
        let curious = try harness.connectSubscribed(#""events":["failed"],"phases":["begin"],"regions":["ok"]"#)
        harness.broadcast(.failed, subject: 0, note: 1)
        harness.broadcast(.failed, subject: harness.server.list.served.subjects.count - 1, note: 2)
        harness.broadcast(.gesture, subject: 0, note: 3)
        #expect(curious.read() == #"{"event":"failed","seq":1,"n":1,"time_us":998000}"# + "\n")
        #expect(silent.read().contains(#""n":3"#))
        #expect(silent.read() == "")
    }

    @Test("wall_ms is the time of the event itself")
    func wallClock() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(#""wall_clock":true"#)
        harness.broadcast(note: 1)
        #expect(
            client.read() == #"{"event":"gesture","seq":1,"n":1,"time_us":998000,"wall_ms":1794999999998}"# + "\n")
    }
}
