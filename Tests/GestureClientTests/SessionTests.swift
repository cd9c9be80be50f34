// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@testable import GestureClient

@Suite("Swift client: lines in, events out")
struct SessionTests {
    private typealias Failing = GestureClient.ClientError

    private static let hello =
        #"{"event":"hello","protocol":1,"server":"gestured 9","instance":"a","capabilities":["new"],"config_generation":1,"later":{}}"#

    private func press(_ phase: String, _ sequence: Int, more: String = "") -> String {
        #"{"event":"gesture","seq":1,"gesture":"press","name":"drücken","phase":"\#(phase)","region":"ok","device":"panel","#
            + #""sequence":\#(sequence),"fingers":1,"x":1.0,"y":2.0,"u":0.1,"v":0.2,"inside":true\#(more),"time_us":5}"#
    }

    private func state(_ active: [(region: String, sequence: Int)] = []) -> String {
        let entries = active.map {
            #"{"region":"\#($0.region)","gesture":"press","name":"drücken","sequence":\#($0.sequence)}"#
        }
        return #"{"event":"state","seq":0,"devices":[],"scene":"default","active":["# + entries.joined(separator: ",")
            + "]}"
    }

    /// A session that has subscribed.
    private func session(_ subscription: GestureClient.Subscription = .init()) throws -> Session {
        var session = Session(path: "/nowhere")
        session.subscribe(subscription)
        let greeting = String(decoding: session.greeting(), as: UTF8.self)
        let id = try #require(JSONLine(greeting)?.number("id"))
        try session.feed(Self.hello, #"{"reply":"subscribe","id":\#(Int(id)),"ok":true}"#, state())
        #expect(session.takeWords() == ["hello", "state"])
        return session
    }

    @Test("the events do not depend on how the bytes are split")
    func splits() throws {
        let text = Array((press("begin", 1) + "\n" + press("end", 1, more: #","held_ms":80"#) + "\n").utf8)
        let expected = try events(of: [text[...]])
        #expect(expected.map { $0.short } == ["press begin ok", "press end ok"])
        for split in text.indices { #expect(try events(of: [text[..<split], text[split...]]) == expected) }
    }

    /// The events of a session that receives its bytes in these pieces.
    private func events(of pieces: [ArraySlice<UInt8>]) throws -> [GestureClient.Event] {
        var session = try session()
        var splitter = LineSplitter()
        for piece in pieces {
            splitter.append(piece)
            while let line = try splitter.next() { try session.take(line) }
        }
        return session.events
    }

    @Test("a gesture whose end was lost is cancelled before the state")
    func overflow() throws {
        var session = try session()
        try session.feed(
            press("begin", 1), press("begin", 2), #"{"event":"overflow","seq":9,"dropped":3,"since_ms":5}"#)
        try session.feed(state([("ok", 2)]), press("end", 2))
        session.lost("test")
        #expect(
            session.takeWords() == [
                "press begin ok", "press begin ok", "overflow", "press cancel lost ok", "state", "press end ok",
                "disconnected",
            ])
    }

    @Test("a gesture that only the state contains is cancelled too, unless the subscription leaves it out")
    func adopted() throws {
        var session = try session(.init(regions: ["o?"]))
        try session.feed(state([("ok", 7), ("no", 8)]))
        guard case .state(let told) = session.takeEvent() else { throw TestFailure("no state") }
        #expect(told.active.map { $0.region } == ["ok"])
        session.lost("test")
        let cancel = try #require(session.takeEvent()?.gesture)
        #expect((cancel.region, cancel.sequence, cancel.reason) == ("ok", 7, .disconnected))
        #expect(cancel.position == nil)
        #expect(session.takeWords() == ["disconnected"])
    }

    @Test("every begin has one end, whatever lines are lost")
    func pairs() throws {
        // The loop stops at the first failure.
        for seed in 1...200 {
            var chance = SeededRandom(UInt64(seed))
            var session = try session()
            var active: Set<Int> = []
            var pressed: Set<Int> = []
            for step in 0..<60 {
                try daemonStep(&session, &chance, &active, step)
                while let event = session.takeEvent() {
                    switch event {
                    case .state(let state):
                        // A gesture that only the state contains is added as well.
                        pressed.formUnion(state.active.map { $0.sequence })
                        try #require(pressed == Set(state.active.map { $0.sequence }), "seed \(seed)")
                    case .disconnected:
                        try #require(pressed.isEmpty, "seed \(seed)")
                    case .gesture(let gesture) where gesture.phase == .begin:
                        try #require(pressed.insert(gesture.sequence).inserted, "seed \(seed)")
                    case .gesture(let gesture) where gesture.phase != .update:
                        try #require(pressed.remove(gesture.sequence) != nil, "seed \(seed)")
                    default: break
                    }
                }
            }
            session.lost("the end")
            try #require(Set(session.events.compactMap { $0.gesture?.sequence }) == pressed, "seed \(seed)")
        }
    }

    /// Receives one or two lines of a daemon with random contacts. The daemon also loses lines and crashes.
    private func daemonStep(
        _ session: inout Session, _ chance: inout SeededRandom, _ active: inout Set<Int>, _ step: Int
    ) throws {
        let kinds = ["begin", "begin", "update", "end", "cancel", "overflow", "death"]
        let kind = kinds.randomElement(using: &chance) ?? ""
        switch kind {
        case "begin":
            active.insert(step)
            try session.feed(press("begin", step))
        case "overflow":
            for sequence in active.sorted() where Bool.random(using: &chance) { active.remove(sequence) }
            if Bool.random(using: &chance) { active.insert(step) }
            let told = state(active.sorted().map { ("ok", $0) })
            try session.feed(#"{"event":"overflow","seq":9,"dropped":3,"since_ms":5}"#, told)
        case "death":
            active.removeAll()
            session.lost("test")
            let id = try #require(JSONLine(String(decoding: session.greeting(), as: UTF8.self))?.number("id"))
            try session.feed(
                Self.hello, press("begin", 9999), #"{"reply":"subscribe","id":\#(Int(id)),"ok":true}"#, state())
        default:
            guard let sequence = active.sorted().randomElement(using: &chance) else { return }
            try session.feed(press(kind, sequence))
            if kind != "update" { active.remove(sequence) }
        }
    }

    @Test("a subscription without ends gets no cancels")
    func beginsOnly() throws {
        var session = try session(.init(phases: [.begin]))
        try session.feed(press("begin", 1), press("begin", 2))
        session.lost("test")
        #expect(session.takeWords() == ["press begin ok", "press begin ok", "disconnected"])
    }

    @Test("unknown keys, events and reasons are accepted")
    func unknown() throws {
        var session = try session()
        try session.feed(
            press("cancel", 1, more: #","reason":"later","later":[[1]]"#), #"{"event":"later","x":1}"#)
        #expect(session.takeEvent()?.gesture?.reason == .init(rawValue: "later"))
        #expect(session.takeEvent() == .other(name: "later", json: #"{"event":"later","x":1}"#))
    }

    @Test(
        "another protocol, or another program, is an error",
        arguments: [#"{"event":"hello","protocol":2}"#, "HTTP/1.1 400 Bad Request\r", "[]", "{}", "null"])
    func strangers(line: String) {
        var session = Session(path: "/nowhere")
        session.subscribe(.init())
        _ = session.greeting()
        do throws(GestureClient.ClientError) {
            try session.take(Array(line.utf8))
            Issue.record("taken")
        } catch {
            guard case .wrongProtocol(path: "/nowhere", _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test("a daemon with the maximum number of clients is unavailable")
    func busy() throws {
        var session = Session(path: "/nowhere")
        session.subscribe(.init())
        _ = session.greeting()
        let line =
            #"{"reply":null,"ok":false,"error":{"code":"busy","message":"uid 7 has 16 connections already"}}"#
        #expect(
            throws: GestureClient.ClientError.unavailable(
                path: "/nowhere", cause: "uid 7 has 16 connections already", isPermanent: false)
        ) { try session.take(Array(line.utf8)) }
    }

    @Test("a reply without a number is for the oldest request, which the daemon could not read")
    func unread() throws {
        var session = Session(path: "/nowhere")
        session.subscribe(.init())
        _ = session.greeting()
        let (first, second) = (session.newID(), session.newID())
        session.noteSent(first)
        session.noteSent(second)
        let refusal = Array(#"{"reply":null,"ok":false,"error":{"code":"bad_json","message":"column 8"}}"#.utf8)
        #expect(try session.take(refusal) == nil)
        #expect(session.takeFailure()?.description.contains("column 8") == true)
        #expect(try session.take(refusal) == first)
        #expect(try session.take(Array(#"{"reply":"ping","id":\#(second),"ok":true}"#.utf8)) == second)
        // Nothing is left to be answered.
        #expect(throws: GestureClient.ClientError.self) { try session.take(refusal) }
    }

    @Test(
        "a request that the daemon could not read is refused here",
        arguments: [
            [("scene", .text("night\0"))], [("a\0", .flag(true))], [("id", .whole(2))],
            [("regions", .list([.list([.list([.list([.list([.list([.list([.list([])])])])])])])]))],
        ] as [[(String, GestureClient.JSON)]])
    func unreadable(keys: [(String, GestureClient.JSON)]) {
        let error = #expect(throws: GestureClient.ClientError.self) { try Session.line("set_scene", id: 1, keys) }
        guard case .refused(let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.code == .badJSON)
    }

    @Test("delays double up to five seconds, less at most half at random")
    func backoff() {
        var most = GestureClient.Backoff { 1 }
        let waits = (0..<8).map { _ in most.delay().wholeMilliseconds }
        #expect(waits == [100, 200, 400, 800, 1600, 3200, 5000, 5000])
        most.reset()
        #expect(most.delay() == .milliseconds(100))
        var least = GestureClient.Backoff { 0 }
        #expect((0..<7).map { _ in least.delay().wholeMilliseconds } == [50, 100, 200, 400, 800, 1600, 2500])
    }

    @Test("a subscription as a request")
    func subscription() throws {
        var session = Session(path: "/nowhere")
        session.subscribe(
            .init(
                events: [.gesture], regions: ["a\"b"], phases: [.update, .begin], maxRate: 0.5, maxAge: .seconds(1),
                wallClock: true))
        #expect(
            String(decoding: session.greeting(), as: UTF8.self)
                == #"{"cmd":"subscribe","id":1,"events":["gesture"],"regions":["a\"b"],"phases":["begin","update"],"#
                + #""max_rate_hz":0.5,"max_age_ms":1000,"wall_clock":true}"# + "\n")
    }

    @Test("leased regions are defined before the subscription")
    func lease() throws {
        var session = Session(path: "/nowhere")
        session.put(GestureClient.RegionDefinition(id: "b", shape: "full", gestures: [["type": "tap"]]), below: nil)
        let lines = String(decoding: session.greeting(), as: UTF8.self).split(separator: "\n")
        #expect(
            lines.first
                == #"{"cmd":"define_regions","id":1,"lease":true,"regions":[{"gestures":[{"type":"tap"}],"id":"b","shape":"full"}]}"#
        )
        #expect(lines.last == #"{"cmd":"subscribe","id":2,"events":[],"phases":[]}"#)
    }

    @Test("leased regions keep their order; if there are too many for one request, they are put one by one")
    func manyLeased() throws {
        var session = Session(path: "/nowhere")
        func region(_ id: String, _ shape: GestureClient.JSON = "full") -> GestureClient.RegionDefinition {
            GestureClient.RegionDefinition(id: id, shape: shape, gestures: [])
        }
        for id in ["a", "b", "c"] { session.put(region(id), below: nil) }
        session.put(region("a", ["rect": [0, 0, 1, 1]]), below: nil)
        session.put(region("d"), below: "b")
        session.put(region("c"), below: "a")
        #expect(session.lease.map { $0.id } == ["c", "a", "d", "b"])
        for number in 0..<253 { session.put(region("n\(number)"), below: nil) }
        let lines = String(decoding: session.greeting(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 258)
        #expect(lines.first?.contains(#""cmd":"put_region""#) == true && lines.first?.contains(#""id":"c""#) == true)
        // If one region is refused, the session takes the refusal as its result.
        let refusal = #"{"reply":"put_region","id":7,"ok":false,"error":{"code":"busy","message":"full"}}"#
        #expect(try session.take(Array(refusal.utf8)) == nil)
        #expect(session.takeFailure() != nil)
    }
}

extension Session {
    fileprivate mutating func feed(_ lines: String...) throws {
        for line in lines { try take(Array(line.utf8)) }
    }

    fileprivate mutating func takeWords() -> [String] {
        var words: [String] = []
        while let event = takeEvent() { words.append(event.short) }
        return words
    }
}
