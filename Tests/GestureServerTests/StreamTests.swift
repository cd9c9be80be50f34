// SPDX-License-Identifier: MIT
import GestureProtocol
import LinuxSystem
import Testing

@testable import GestureServer

@Suite("Stream")
struct StreamTests {
    private let hello =
        #"{"event":"hello","protocol":1,"server":"gestured 0.1.0","instance":"b1946ac9","capabilities":["subscribe","touches","explain","frame","describe","scenes","define_regions","cancel","clients"],"config_generation":3}"#
        + "\n"
    private let state = #"{"event":"state","seq":0,"devices":[],"scene":"default","active":[]}"# + "\n"

    @Test("a client that says nothing gets hello, state, and gestures without updates")
    func silent() throws {
        let bed = try ServerBed()
        let client = try bed.connect()
        #expect(client.read() == hello + state)
        bed.broadcast(phase: .begin, note: 1)
        bed.broadcast(phase: .update, note: 2)
        bed.broadcast(.touches, subject: -1, note: 3)
        bed.broadcast(.failed, note: 4)
        bed.broadcast(.frame, subject: -1, note: 5)
        bed.broadcast(.device, subject: -1, note: 6)
        bed.broadcast(.config, subject: -1, note: 7)
        bed.broadcast(subject: 1, note: 8)
        bed.broadcast(phase: .cancel, note: 9)
        #expect(
            client.read() == """
                {"event":"gesture","seq":1,"n":1,"time_us":998000}
                {"event":"device","seq":2,"n":6,"time_us":998000}
                {"event":"config","seq":3,"n":7,"time_us":998000}
                {"event":"gesture","seq":4,"n":8,"time_us":998000}
                {"event":"gesture","seq":5,"n":9,"time_us":998000}

                """)
    }

    @Test("lines of a batch go out at its end")
    func batch() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        bed.server.beginBatch()
        bed.server.beginBatch()
        bed.broadcast(note: 1)
        bed.server.endBatch()
        bed.broadcast(note: 2)
        #expect(client.read() == "")
        bed.server.endBatch()
        #expect(client.read().documents.map { $0["n"]?.integer } == [1, 2])
        bed.server.endBatch()
        bed.broadcast(note: 3)
        #expect(client.read().documents.map { $0["n"]?.integer } == [3])
    }

    @Test("the end of the request side does not end the stream")
    func halfOpen() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        client.send(#"{"cmd":"ping","id":1}"# + "\n" + #"{"cmd":"ping","id":2}"#)
        client.endSending()
        bed.turn()
        // The second has no line feed: it may be the half of something.
        #expect(client.read() == #"{"reply":"ping","id":1,"ok":true}"# + "\n")
        bed.broadcast(note: 1)
        bed.turn()
        #expect(client.read().documents.count == 1)
        #expect(bed.server.clientCount == 1)
    }

    @Test("what was sent before a hang-up is done")
    func fireAndForget() throws {
        let bed = try ServerBed()
        do {
            let client = try bed.connectGreeted()
            client.send(#"{"cmd":"reload"}"# + "\n" + #"{"cmd":"status"}"# + "\n")
        }
        bed.turn()
        #expect(bed.delegate.asked.map { $0.name } == [.reload, .status])
        #expect(bed.server.clientCount == 0)
    }

    @Test(
        "what was sent before a hang-up is done: before the greeting, behind more than one read takes",
        arguments: [0, 400])
    func fireAtOnce(comments: Int) throws {
        let bed = try ServerBed()
        for isGreeted in [false, true] {
            bed.delegate.asked = []
            do {
                let client = isGreeted ? try bed.connectGreeted() : try bed.makeClient()
                client.send(String(repeating: "#" + String(repeating: "x", count: 98) + "\n", count: comments))
                client.send(#"{"cmd":"reload"}"# + "\n")
            }
            // It is found to be gone while something is sent to it.
            bed.broadcast(note: 1)
            bed.turn()
            #expect(bed.delegate.asked.map { $0.name } == [.reload])
            #expect(bed.server.clientCount == 0)
        }
        #expect(bed.delegate.ended == [1, 2])
    }

    @Test("who is gone before it is greeted takes no place from others")
    func stormOfRequests() throws {
        var limits = ServerLimits()
        limits.clientsPerUser = 1
        let bed = try ServerBed(limits: limits)
        func connect() throws -> TestClient { try bed.makeClient() }
        for _ in 0..<10 { try connect().send(#"{"cmd":"reload"}"# + "\n") }
        let stays = try connect()
        bed.turn()
        #expect(bed.delegate.asked.count == 10)
        #expect(stays.read() == hello + state)
        #expect(bed.server.clientCount == 1)
    }

    @Test("a client that takes nothing, but could send, goes with the next event")
    func endOfReading() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        client.send(#"{"cmd":"reload"}"# + "\n" + #"{"cmd":"stat"#)
        client.endReading()
        bed.broadcast(note: 1)
        bed.turn()
        #expect(bed.delegate.asked.map { $0.name } == [.reload])
        #expect(bed.server.clientCount == 0)
    }

    @Test("bye is the last line, and nobody is waited for")
    func bye() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        let hung = try bed.connectGreeted()
        while bed.server.clients[1].isBlocked == false {
            bed.broadcast(phase: .begin, padding: 500)
            _ = client.read()
        }
        bed.server.stop()
        #expect(client.read() == #"{"event":"bye","reason":"shutdown"}"# + "\n")
        #expect(client.isAtEnd)
        let rest = hung.read().documents
        #expect(rest.allSatisfy { $0["event"]?.string == "gesture" })
        #expect(hung.isAtEnd)
        #expect(bed.server.clientCount == 0)
        #expect(throws: (any Error).self) { _ = try bed.connect() }
    }

    @Test("interest is what somebody listens to")
    func interest() throws {
        let bed = try ServerBed()
        #expect(bed.server.interest == [])
        let silent = try bed.connectGreeted()
        #expect(bed.server.interest == [.gestures])
        do {
            let curious = try bed.connectGreeted()
            curious.send(#"{"cmd":"subscribe","events":["gesture","touches","frame","failed"]}"# + "\n")
            bed.turn()
            #expect(bed.server.interest == [.gestures, .updates, .touches, .frames, .failed])
            #expect(bed.delegate.interestChanges == 2)
        }
        bed.turn()
        #expect(bed.server.interest == [.gestures])
        silent.send(#"{"cmd":"subscribe","events":[]}"# + "\n")
        bed.turn()
        #expect(bed.server.interest == [])
    }

    @Test("why gestures failed is told only to those who ask, and of what they ask for")
    func failures() throws {
        let bed = try ServerBed()
        let silent = try bed.connectGreeted()
        let curious = try bed.connectGreeted()
        curious.send(
            #"{"cmd":"subscribe","events":["failed"],"phases":["begin"],"regions":["\#(bed.server.subjects[0].region)"]}"#
                + "\n")
        bed.turn()
        _ = curious.read()
        bed.broadcast(.failed, subject: 0, note: 1)
        bed.broadcast(.failed, subject: bed.server.subjects.count - 1, note: 2)
        bed.broadcast(.gesture, subject: 0, note: 3)
        #expect(curious.read() == #"{"event":"failed","seq":1,"n":1,"time_us":998000}"# + "\n")
        #expect(silent.read().contains(#""n":3"#))
        #expect(silent.read() == "")
    }

    @Test("wall_ms is the event's own moment")
    func wallClock() throws {
        let bed = try ServerBed()
        let client = try bed.connectGreeted()
        client.send(#"{"cmd":"subscribe","wall_clock":true}"# + "\n")
        bed.turn()
        _ = client.read()
        bed.broadcast(note: 1)
        #expect(
            client.read() == #"{"event":"gesture","seq":1,"n":1,"time_us":998000,"wall_ms":1794999999998}"# + "\n")
    }
}
