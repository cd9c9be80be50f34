// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import GestureServerHarness
import LinuxSystem
import Testing

@testable import GestureServer

@Suite("Delayed replies")
struct PendingReplyTests {
    private func harness() throws -> ServerHarness {
        let harness = try ServerHarness()
        harness.delegate.leavesReloadsPending = true
        return harness
    }

    private func answer(_ harness: ServerHarness, _ state: RequestAnswer = .complete) {
        for connection in harness.delegate.pending {
            harness.server.answerPending(of: connection) { json in
                json.member("config_generation", 4)
                return state
            }
        }
        harness.delegate.pending = []
        harness.turn()
    }

    @Test("later requests of the client wait; other clients are served")
    func othersGoOn() throws {
        let harness = try harness()
        let (one, other) = (try harness.connectGreeted(), try harness.connectGreeted())
        one.send("{\"cmd\":\"reload\",\"id\":1}\n{\"cmd\":\"ping\",\"id\":2}\n")
        harness.turn()
        one.send("{\"cmd\":\"ping\",\"id\":3}\n")
        other.send("{\"cmd\":\"ping\",\"id\":9}\n")
        harness.turn()
        #expect(one.read() == "")
        #expect(other.read() == "{\"reply\":\"ping\",\"id\":9,\"ok\":true}\n")
        answer(harness)
        #expect(
            one.read() == """
                {"reply":"reload","id":1,"ok":true,"config_generation":4}
                {"reply":"ping","id":2,"ok":true}
                {"reply":"ping","id":3,"ok":true}

                """)
    }

    @Test("the reply may be a refusal")
    func refused() throws {
        let harness = try harness()
        let client = try harness.connectGreeted()
        client.send("{\"cmd\":\"reload\"}\n")
        harness.turn()
        answer(harness, .refused(RequestError(.busy, "no")))
        let reply = #"{"reply":"reload","ok":false,"error":{"code":"busy","message":"no"}}"#
        #expect(client.read() == reply + "\n")
    }

    @Test("events reach a client that waits for a reply")
    func events() throws {
        let harness = try harness()
        let client = try harness.connectGreeted()
        client.send("{\"cmd\":\"reload\"}\n")
        harness.turn()
        harness.broadcast()
        #expect(client.read().contains("\"event\":\"gesture\""))
    }

    @Test("later requests with an effect are served after a hang-up; the loop sleeps until then")
    func hungUp() throws {
        let harness = try harness()
        var client: TestClient? = try harness.connectGreeted()
        client?.send("{\"cmd\":\"reload\"}\n{\"cmd\":\"set_scene\",\"scene\":\"a\"}\n{\"cmd\":\"status\"}\n")
        client = nil
        harness.turn()
        #expect(harness.delegate.asked.map { $0.name } == [.reload])
        let start = MonotonicClock.now()
        harness.loop.turn(timeout: 20)
        // If a descriptor had been ready, epoll_wait would have returned at once.
        #expect(MonotonicClock.now() - start >= 19_000)
        #expect(harness.server.clientCount == 1)
        answer(harness)
        #expect(harness.delegate.asked.map { $0.name } == [.reload, .setScene])
        #expect(harness.server.clientCount == 0)
        #expect(harness.delegate.ended == [1])
    }

    @Test("an answer for a connection that has ended is dropped")
    func ended() throws {
        let harness = try harness()
        let stays = try harness.connectGreeted()
        harness.server.answerPending(of: 1) { _ in .complete }
        harness.server.answerPending(of: 7) { _ in .complete }
        harness.turn()
        #expect(stays.read() == "")
    }
}
