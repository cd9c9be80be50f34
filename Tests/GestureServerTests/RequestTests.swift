// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import GestureServerHarness
import LinuxSystem
import Testing

@testable import GestureServer

@Suite("Requests")
struct RequestTests {
    private func answers(_ harness: ServerHarness, _ request: String, as user: UInt32 = 0) throws -> String {
        let client = try harness.connectGreeted(as: user)
        client.send(request + "\n")
        harness.turn()
        return client.read()
    }

    @Test(
        "one line each, in order",
        arguments: [
            (#"{"cmd":"ping","id":"a"}"#, #"{"reply":"ping","id":"a","ok":true}"#),
            (#"{"cmd":"status"}"#, #"{"reply":"status","ok":true,"clients":1}"#),
            (
                #"{"cmd":"state","id":5}"#,
                #"{"reply":"state","id":5,"ok":true,"devices":[],"scene":"default","active":[]}"#
            ),
            (
                #"{"cmd":"regions","id":4,"region":"o"}"#,
                #"{"reply":"regions","id":4,"ok":false,"error":{"code":"not_found","message":"no region \"o\"","suggestion":"ok"}}"#
            ),
            (
                #"{"cmd":"set_scene","id":11,"scene":"x"}"#,
                #"{"reply":"set_scene","id":11,"ok":true,"clients":1}"#
            ),
            (
                #"{"cmd":"ping" 1}"#,
                #"{"reply":null,"ok":false,"error":{"code":"bad_json","message":"column 15: expected '}'"}}"#
            ),
            (
                "# a comment\r\n\r\n{\"cmd\":\"ping\",\"id\":1}\r\n{\"cmd\":\"ping\",\"id\":2}",
                "{\"reply\":\"ping\",\"id\":1,\"ok\":true}\n{\"reply\":\"ping\",\"id\":2,\"ok\":true}"
            ),
        ])
    func replies(request: String, reply: String) throws {
        #expect(try answers(ServerHarness(), request) == reply + "\n")
    }

    @Test("a subscription's state follows its reply")
    func subscribe() throws {
        let harness = try ServerHarness()
        #expect(
            try answers(harness, #"{"cmd":"subscribe","id":1,"regions":["mpa","kiosk.*","ok"]}"#) == """
                {"reply":"subscribe","id":1,"ok":true,"unmatched":["mpa"]}
                {"event":"state","seq":0,"devices":[],"scene":"default","active":[]}

                """)
    }

    @Test(
        "subscriptions filter",
        arguments: [
            (#""regions":["ok"]"#, [0, 1]), (#""regions":["kiosk.*"]"#, [2]), (#""regions":["k*","o?"]"#, [0, 1, 2]),
            (#""gestures":["tap"]"#, [1, 3]), (#""names":["buy","drag"]"#, [1, 2]),
            (#""regions":["ok"],"gestures":["tap"]"#, [1]), (#""regions":[]"#, []), (#""events":["device"]"#, []),
            (#""devices":["left"]"#, []), (#""devices":["*"]"#, [0, 1, 2, 3]), (#""names":["*"]"#, [0, 1, 2, 3]),
            (#""phases":["end"]"#, [0, 1, 2, 3]),
        ])
    func selects(filter: String, subjects: [Int64]) throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(filter)
        for subject in 0..<4 { harness.broadcast(subject: subject, note: subject) }
        #expect(client.read().documents.map { $0["n"]?.integer } == subjects)
    }

    @Test("subscriptions stay active after a change of the configuration")
    func newSubjects() throws {
        let harness = try ServerHarness()
        let client = try harness.connectSubscribed(#""regions":["new"]"#)
        harness.broadcast(subject: 0, note: 1)
        harness.setSubjects([Subject(region: "new", gesture: "tap", name: "tap", isPrivate: false)])
        harness.broadcast(subject: 0, note: 2)
        harness.broadcast(subject: 1, note: 3)
        #expect(client.read().documents.map { $0["n"]?.integer } == [2])
    }

    @Test(
        "private regions are hidden from clients without access",
        arguments: [(0, true), (1000, false), (4_000_000, true), (77, true)])
    func privateRegions(user: UInt32, isShown: Bool) throws {
        let harness = try ServerHarness(controlUsers: [77])
        let client = try harness.connectGreeted(as: user)
        harness.broadcast(subject: 3, note: 1)
        harness.broadcast(subject: 1, note: 2)
        #expect(client.read().documents.map { $0["n"]?.integer } == (isShown ? [1, 2] : [2]))
        client.send(#"{"cmd":"subscribe","events":["touches"],"regions":["pin"]}"# + "\n")
        harness.turn()
        let reply = client.read().documents
        #expect(reply.first?["ok"]?.bool == isShown)
        #expect(reply.first?["error"]?["code"]?.string == (isShown ? nil : "permission_denied"))
        harness.broadcast(.touches, subject: -1, note: 3)
        #expect(client.read().documents.map { $0["n"]?.integer } == (isShown ? [3] : []))
    }

    @Test("a private region cannot be found by queries")
    func unmatchedPrivate() throws {
        let harness = try ServerHarness()
        let reply = try answers(harness, #"{"cmd":"subscribe","regions":["pin","none","ok"]}"#, as: 1000).documents
        #expect(reply.first?["unmatched"]?.json == #"["pin","none"]"#)
    }

    @Test("rights can be given and taken")
    func rights() throws {
        let harness = try ServerHarness(controlUsers: [1000])
        let client = try harness.connectGreeted(as: 1000)
        client.send(#"{"cmd":"subscribe","events":["touches","gesture"]}"# + "\n")
        harness.turn()
        #expect(client.read().documents.first?["ok"]?.bool == true)
        harness.setRights(of: [])
        // A change of rights starts a new stream with a `state` line.
        #expect(client.read().documents.map { $0["event"]?.string } == ["state"])
        harness.broadcast(.touches, subject: -1, note: 1)
        harness.broadcast(subject: 3, note: 2)
        harness.broadcast(subject: 0, note: 3)
        #expect(client.read().documents.map { $0["n"]?.integer } == [3])
        client.send(#"{"cmd":"reload"}"# + "\n")
        harness.turn()
        #expect(client.read().documents.first?["error"]?["code"]?.string == "permission_denied")
        #expect(harness.delegate.asked.isEmpty)
        harness.setRights(of: [1000])
        #expect(client.read().documents.map { $0["event"]?.string } == ["state"])
        client.send(#"{"cmd":"reload"}"# + "\n")
        harness.turn()
        #expect(harness.delegate.asked.map { $0.name } == [.reload])
    }

    @Test(
        "requests that change something for others need rights",
        arguments: [
            #"{"cmd":"cancel","region":"ok"}"#, #"{"cmd":"set_scene","scene":"s"}"#,
            #"{"cmd":"set_region","region":"ok","enabled":false}"#, #"{"cmd":"define_regions","regions":[]}"#,
            #"{"cmd":"define_regions","lease":true,"regions":[{"id":"a","shape":"full"}]}"#,
        ])
    func control(request: String) throws {
        let harness = try ServerHarness(controlUsers: [1000])
        let refused = try answers(harness, request, as: 1001).documents
        #expect(refused.first?["error"]?["code"]?.string == "permission_denied")
        #expect(harness.delegate.asked.isEmpty)
        #expect(try answers(harness, request, as: 1000).documents.first?["ok"]?.bool == true)
        #expect(harness.delegate.asked.count == 1)
    }

    @Test("the kernel identifies the user")
    func credentials() throws {
        let harness = try ServerHarness()
        let client = try harness.connectAsSelf()
        #expect(client.read().documents.count == 2)
        #expect(harness.server.clients.first?.peer.credentials.process == getpid())
    }

    @Test("a reply may be preceded by events")
    func broadcastInside() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        harness.delegate.whileAnswering = { harness.broadcast(.config, subject: -1, note: 1, isLast: false) }
        client.send(#"{"cmd":"reload","id":9}"# + "\n")
        harness.turn()
        #expect(
            client.read() == """
                {"event":"config","seq":1,"n":1,"time_us":998000}
                {"reply":"reload","id":9,"ok":true,"clients":1}

                """)
        harness.delegate.whileAnswering = {}
    }

    @Test("a line over 64 KiB is the last one")
    func tooLong() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        let good = try harness.connectGreeted()
        for _ in 0..<4 {
            client.send(String(repeating: "x", count: 16 * 1024))
            harness.turn()
        }
        #expect(
            client.read()
                == #"{"reply":null,"ok":false,"error":{"code":"line_too_long","message":"a request must not be longer than 65536 bytes"}}"#
                + "\n")
        #expect(client.reachesEnd())
        harness.broadcast(note: 1)
        #expect(good.read().documents.count == 1)
    }

    @Test("128 requests at once, then 64 a second")
    func rate() throws {
        let harness = try ServerHarness()
        let client = try harness.connectGreeted()
        client.send(String(repeating: "{\"cmd\":\"ping\"}\n", count: 200))
        #expect(client.readAll(harness).documents.count == 128)
        harness.pass(15_624)
        #expect(client.readAll(harness).documents.count == 0)
        harness.pass(1)
        #expect(client.readAll(harness).documents.count == 1)
        harness.pass(1_000_000)
        #expect(client.readAll(harness).documents.count == 64)
        harness.pass(1_000_000)
        #expect(client.readAll(harness).documents.count == 7)
    }

    @Test("a new connection has only what one of its user has left, until that is full again")
    func rateOfNextConnection() throws {
        let harness = try ServerHarness()
        func connect(as user: UInt32 = 1) throws -> (TestClient, answers: (Int) -> Int) {
            let client = try harness.connectGreeted(as: user)
            return (
                client,
                { count in
                    client.send(String(repeating: "{\"cmd\":\"ping\"}\n", count: count))
                    return client.readAll(harness).documents.count
                }
            )
        }
        do { #expect(try connect().answers(128) == 128) }
        harness.turn()
        do {
            let next = try connect()
            #expect(next.answers(1) == 0)
            harness.pass(1_000_000)
            #expect(next.0.readAll(harness).documents.count == 1)
            // Another user, and another connection at the same time, have their own.
            #expect(try connect(as: 2).answers(128) == 128)
            #expect(try connect().answers(128) == 128)
        }
        harness.turn()
        harness.pass(2_000_000)
        do { #expect(try connect().answers(100) == 100) }
        harness.turn()
        // Its burst has 28 requests left.
        #expect(try connect().answers(128) == 28)
    }

    @Test("the server stops reading from a client that sends requests but does not read")
    func repliesAhead() throws {
        let harness = try ServerHarness()
        harness.delegate.reply = ",\"x\":\"" + String(repeating: "y", count: 8000) + "\""
        let client = try harness.connectGreeted()
        client.send(String(repeating: "{\"cmd\":\"status\"}\n", count: 100))
        harness.turn()
        let served = harness.delegate.asked.count
        #expect(served < 12)
        #expect(harness.server.clients[0].queue.byteCount < 48 * 1024)
        let lines = client.readAll(harness).documents
        #expect(lines.count == 100)
        #expect(lines.allSatisfy { $0["ok"]?.bool == true })
    }
}
