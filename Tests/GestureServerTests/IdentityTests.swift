// SPDX-License-Identifier: MIT
import GestureProtocol
import GestureServerHarness
import Testing

@testable import GestureServer

/// When regions change, subjects are given new indices. Queued lines must still belong to the same gestures.
@Suite("Identity of waiting lines")
struct IdentityTests {
    private static let (ok, map) = (ServerHarness.subjects[0], ServerHarness.subjects[2])

    /// The numbers `n` in the bodies of all lines that have one.
    private func notes(_ text: String) -> [Int64] { text.documents.compactMap { $0["n"]?.integer } }

    @Test("a held update comes before the end, even if its subject has another number now")
    func heldBeforeEnd() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(#""max_rate_hz":1"#)
        harness.setSubjects([Self.map])
        harness.broadcast(phase: .begin, identity: 7, note: 1)
        harness.broadcast(phase: .update, identity: 7, note: 2)
        harness.broadcast(phase: .update, identity: 7, note: 3)
        // A client leases a region, which comes first in the list and shifts the index of the other.
        harness.setSubjects([Self.ok, Self.map])
        harness.broadcast(subject: 1, phase: .end, identity: 7, note: 4)
        harness.pass(2_000_000)
        #expect(notes(client.readAll(harness)) == [1, 2, 3, 4])
    }

    @Test("an update replaces only updates of its own gesture, whichever gesture had its subject's number before")
    func mergesWithItsOwn() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed()
        harness.setSubjects([Self.map])
        while !harness.server.clients[0].isBlocked { harness.broadcast(phase: .begin, identity: 1, padding: 400) }
        harness.broadcast(phase: .update, identity: 7, note: 1)
        harness.setSubjects([Self.ok, Self.map])
        harness.broadcast(phase: .update, identity: 8, note: 2)
        harness.broadcast(subject: 1, phase: .update, identity: 7, note: 3)
        harness.broadcast(subject: 1, phase: .end, identity: 7, note: 4)
        let lines = client.readAll(harness).documents.filter { ($0["n"]?.integer ?? 0) > 0 }
        #expect(lines.map { $0["n"]?.integer } == [2, 3, 4])
        #expect(lines.map { $0["coalesced"]?.integer } == [nil, 1, nil])
    }

    @Test("a held update is dropped at the end of its gesture, even if the client does not receive ends")
    func unwantedEnd() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(#""max_rate_hz":1,"phases":["begin","update"]"#)
        for note in 1...2 { harness.broadcast(phase: .update, identity: 7, note: note) }
        harness.broadcast(phase: .end, identity: 7, note: 3)
        harness.broadcast(phase: .begin, identity: 8, note: 4)
        #expect(notes(client.readAll(harness)) == [1, 2, 4])
    }

    @Test(
        "held touches come before the removal of their panel, even if the client does not receive removals",
        arguments: [("", [1, 3, 2, 5, 4]), (#","device""#, [1, 3, 2, 9, 5, 4])] as [(String, [Int64])])
    func removedPanel(event: String, expected: [Int64]) throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(#""events":["touches"\#(event)],"max_rate_hz":1"#)
        for note in 1...2 { harness.broadcast(.touches, subject: -1, identity: 3, note: note) }
        // Touches of the other panel are still held back.
        for note in 3...4 { harness.broadcast(.touches, subject: -1, identity: 4, note: note) }
        harness.broadcast(.device, subject: -1, identity: 3, note: 9)
        harness.broadcast(.touches, subject: -1, identity: 5, note: 5)
        harness.pass(2_000_000)
        #expect(notes(client.readAll(harness)) == expected)
    }

    @Test("lines from before a state are not replaced by later ones")
    func beforeState() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed()
        while !harness.server.clients[0].isBlocked { harness.broadcast(phase: .begin, identity: 1, padding: 400) }
        harness.broadcast(phase: .update, identity: 7, note: 1)
        client.send("{\"cmd\":\"subscribe\"}\n")
        harness.turn()
        for note in 2...3 { harness.broadcast(phase: .update, identity: 7, note: note) }
        let lines = client.readAll(harness).documents
        let tail = lines.suffix(4)
        #expect(tail.map { $0["n"]?.integer } == [1, nil, nil, 3])
        #expect(tail.map { $0["coalesced"]?.integer } == [nil, nil, nil, 1])
        #expect(tail.dropFirst(2).first?["seq"]?.integer == tail.first?["seq"]?.integer)
    }

    @Test("held lines come before the state that follows a loss of rights")
    func takenRights() throws {
        let harness = try ServerHarness(controlUsers: [1000])
        let client = try harness.connectGreeted(as: 1000)
        client.send("{\"cmd\":\"subscribe\",\"max_rate_hz\":1}\n")
        harness.turn()
        _ = client.read()
        for note in 1...2 { harness.broadcast(subject: 3, phase: .update, identity: 7, note: note) }
        harness.setRights(of: [])
        harness.pass(2_000_000)
        let lines = client.readAll(harness).documents
        #expect(lines.map { $0["event"]?.string } == ["gesture", "gesture", "state"])
        #expect(lines.map { $0["n"]?.integer } == [1, 2, nil])
    }
}
