// SPDX-License-Identifier: MIT
import GestureProtocol
import GestureServerHarness
import GestureTestSupport
import LinuxSystem
import Testing

@testable import GestureServer

/// Operations on the list of clients during which connections end.
@Suite("The list of clients")
struct ClientListTests {
    /// Continuing the first postponed request ends the connections of the others.
    @Test("postponed requests are continued even if that ends connections")
    func putOff() throws {
        let harness = try ServerHarness()
        let asking = try harness.connectGreeted()
        var others = try (0..<12).map { _ in try harness.connectGreeted() }
        asking.send("{\"cmd\":\"reload\"}\n")
        for client in others { client.send("{\"cmd\":\"reload\"}\n") }
        // Each request uses up the time budget of its turn.
        harness.delegate.whileAnswering = { [server = harness.server, clock = harness.clock] in
            clock.now += 10_000
            others = []
            var line = EventLine()
            line.start(.config, subject: EventLine.noSubject, phase: .none, identity: 0)
            line.body.member("n", 0)
            for _ in 0..<3 { server.broadcast(line) }
        }
        for _ in 0..<40 { harness.pass(10_000) }
        #expect(harness.server.clientCount == 1)
        #expect(harness.delegate.ended.sorted() == Array(2...13))
        #expect(asking.readAll(harness).contains("\"reply\":\"reload\""))
    }

    @Test("a delegate that ends connections during the report of an end gets one report of each")
    func sweep() throws {
        let harness = try ServerHarness()
        var clients = try (0..<6).map { _ in try harness.connectGreeted() }
        clients[0].send("{\"cmd\":\"subscribe\",\"events\":[\"gesture\"]}\n")
        harness.turn()
        harness.delegate.whenEnded = { [server = harness.server] in
            clients = []
            var line = EventLine()
            line.start(.config, subject: EventLine.noSubject, phase: .none, identity: 0)
            line.body.member("n", 0)
            server.broadcast(line)
            server.timePassed()
        }
        clients.removeFirst(2)
        for _ in 0..<4 { harness.pass(1000) }
        #expect(harness.delegate.ended.sorted() == Array(1...6))
        #expect(harness.server.clientCount == 0)
    }

    @Test("no line is queued for clients that have hung up")
    func hungUp() throws {
        let harness = try ServerHarness()
        harness.delegate.reply = ",\"text\":\"" + String(repeating: "x", count: 10_000) + "\""
        harness.delegate.asked = []
        var client: TestClient? = try harness.connectGreeted()
        client?.send(String(repeating: "{\"cmd\":\"status\"}\n", count: 60) + "{\"cmd\":\"reload\"}\n")
        client = nil
        harness.turn()
        #expect(harness.delegate.asked.map(\.name) == [.reload])
        #expect(harness.server.clientCount == 0)
    }

    @Test("the unsent bytes of all clients together are limited: the client with the most unsent bytes is closed")
    func limit() throws {
        var limits = ServerLimits()
        limits.unsentTogether = 60_000
        let harness = try ServerHarness(limits: limits)
        harness.delegate.reply = ",\"text\":\"" + String(repeating: "x", count: 60_000) + "\""
        let small = try harness.connectGreeted()
        let large = try harness.connectGreeted()
        large.send("{\"cmd\":\"status\"}\n")
        harness.turn()
        #expect(harness.server.clientCount == 2)
        harness.delegate.reply = ",\"text\":\"" + String(repeating: "x", count: 55_000) + "\""
        small.send("{\"cmd\":\"status\"}\n")
        harness.turn()
        #expect(harness.server.clientCount == 1)
        #expect(harness.delegate.ended == [2])
        #expect(harness.notices.contains { $0.contains("has too many unread bytes") })
        #expect(small.readAll(harness).documents.count == 1)
    }

    @Test("a line is matched with the globs of a subscription when it arrives")
    func lazy() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(#""events":["gesture"],"regions":["kiosk.*"],"gestures":["d?ag"]"#)
        for subject in [0, 1, 2, 2, 3, 4] { harness.broadcast(subject: subject, note: subject) }
        harness.turn()
        #expect(client.read().documents.count == 2)
        harness.setSubjects(Array(ServerHarness.subjects.reversed()))
        for subject in 0...4 { harness.broadcast(subject: subject, note: subject) }
        harness.turn()
        #expect(client.read().contains("\"n\":1,"))
    }
}
