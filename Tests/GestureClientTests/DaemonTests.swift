// SPDX-License-Identifier: MIT
import GestureClient
import GestureTestSupport
import LinuxSystem
import Testing

@Suite("Swift client with the daemon", .ownThread, .timeLimit(.minutes(5)))
struct DaemonTests {
    private let button = GestureClient.RegionDefinition(
        id: "btn", shape: ["rect": [0, 0, 100, 100]], gestures: ["press"])

    @Test("touches become events")
    func touches() async throws {
        let harness = try ClientHarness()
        var events = GestureClient(path: harness.path).events().makeAsyncIterator()
        guard case .hello(let hello) = try await events.event() else { throw TestFailure("no hello") }
        #expect(hello.server.hasPrefix("gestured "))
        guard case .state(let state) = try await events.event() else { throw TestFailure("no state") }
        #expect(state.devices.map { $0.device + " " + $0.state } == ["panel ready"])
        try harness.tap(x: 1000, y: 2000)
        let begin = try #require(try await events.event().gesture)
        let tap = try #require(try await events.event().gesture)
        let end = try #require(try await events.event().gesture)
        #expect([begin.kind, tap.kind, end.kind] == [.press, .tap, .press])
        #expect([begin.phase, tap.phase, end.phase] == [.begin, nil, .end])
        #expect(begin.position == .init(x: 250, y: 500))
        #expect(begin.fraction == .init(x: 0.4883, y: 0.4883))
        #expect((begin.device, begin.isInside, begin.isAdded) == ("panel", true, false))
        #expect((tap.count, tap.durationMilliseconds, end.heldMilliseconds) == (1, 84, 84))
        #expect(end.sequence == begin.sequence)
    }

    @Test("a subscription to the events of some panels", arguments: [(["other"], []), (["pan*"], ["panel"])])
    func devices(globs: [String], active: [String]) async throws {
        let harness = try ClientHarness()
        var all = GestureClient(path: harness.path).events().makeAsyncIterator()
        _ = try await all.words(to: "state")
        try harness.land()
        #expect(try await all.event().short == "press begin ok")
        var events = GestureClient(path: harness.path).events(.init(devices: globs)).makeAsyncIterator()
        guard case .hello = try await events.event() else { throw TestFailure("no hello") }
        guard case .state(let state) = try await events.event() else { throw TestFailure("no state") }
        #expect(state.active.map { $0.device } == active)
    }

    @Test("an idle time begins, and ends with a touch")
    func idle() async throws {
        let harness = try ClientHarness(addition: "[[idle]]\nid = \"saver\"\nafter = \"100ms\"\n")
        var events = GestureClient(path: harness.path).events(.init(events: [.idle])).makeAsyncIterator()
        guard case .hello = try await events.event() else { throw TestFailure("no hello") }
        guard case .state(let state) = try await events.event() else { throw TestFailure("no state") }
        // The idle time began before the client connected, or begins now.
        if state.idle != ["saver"] { #expect(try await events.event().short == "idle saver ") }
        try harness.land()
        guard case .idle(let end) = try await events.event() else { throw TestFailure("no idle") }
        #expect((end.name, end.isIdle, end.reason) == ("saver", false, "touch"))
        #expect(end.milliseconds >= 100)
    }

    @Test("a touch in a dark scene wakes the display")
    func wake() async throws {
        let harness = try ClientHarness(
            addition: """
                [[device]]
                id = "dark"
                match = { name = "Dark Panel" }
                wake = { key = "none" }
                [[scene]]
                id = "night"
                regions = ["*"]
                dark = true

                """)
        try harness.plug(1, "Dark Panel")
        let client = GestureClient(path: harness.path)
        var events = client.events(.init(events: [.idle, .device])).makeAsyncIterator()
        while true {
            let event = try await events.event()
            if case .state(let state) = event, state.devices.contains(where: { $0.device == "dark" }) { break }
            if case .device(let change) = event, change.device == "dark" { break }
        }
        try await client.setScene("night")
        try harness.land()
        guard case .wake(let wake) = try await events.event() else { throw TestFailure("no wake") }
        #expect((wake.device, wake.reason) == ("dark", "scene"))
        #expect(wake.time > 0)
    }

    @Test("the daemon dies during a press and is restarted")
    func death() async throws {
        let harness = try ClientHarness()
        let client = GestureClient(path: harness.path)
        var events = client.events().makeAsyncIterator()
        guard case .hello(let hello) = try await events.event() else { throw TestFailure("no hello") }
        _ = try await events.words(to: "state")
        try harness.land()
        let begin = try #require(try await events.event().gesture)
        try harness.kill()
        let cancel = try #require(try await events.event().gesture)
        #expect((cancel.phase, cancel.reason, cancel.isAdded) == (.cancel, .disconnected, true))
        #expect((cancel.sequence, cancel.position) == (begin.sequence, begin.position))
        #expect(try await events.event().short == "disconnected")
        guard case .unavailable = await error({ () throws(GestureClient.ClientError) in try await client.ping() })
        else {
            throw TestFailure("a request without a daemon does not fail")
        }
        try harness.start()
        guard case .hello(let again) = try await events.event() else { throw TestFailure("no hello again") }
        #expect(again.instance != hello.instance)
        guard case .state(let state) = try await events.event() else { throw TestFailure("no state again") }
        #expect(state.active.isEmpty)
        try harness.lift()
        try harness.land()
        #expect(try await events.event().short == "press begin ok")
    }

    @Test("a daemon that stops sends the cancels itself; the client adds none")
    func stop() async throws {
        let harness = try ClientHarness()
        var events = GestureClient(path: harness.path, reconnects: false).events().makeAsyncIterator()
        _ = try await events.words(to: "state")
        try harness.land()
        _ = try await events.words(to: "press begin ok")
        try harness.kill(15)
        let words = try await events.rest()
        #expect(words.filter { $0.contains("cancel") }.count == 1)
        #expect(!words.contains("press cancel disconnected ok"))
        #expect(words.suffix(2) == ["bye", "disconnected"])
    }

    @Test("the client waits for a daemon that has not started yet, with growing pauses")
    func notYet() async throws {
        let harness = try ClientHarness(isStarted: false)
        let (tries, tell) = AsyncStream<Void>.makeStream()
        let backoff = GestureClient.Backoff {
            tell.yield()
            return 0
        }
        let client = GestureClient(path: harness.path, backoff: backoff)
        async let first = client.firstEvent()
        var waiting = tries.makeAsyncIterator()
        for _ in 0..<2 { _ = await waiting.next() }
        try harness.start()
        #expect(try await first?.short == "hello")
    }

    @Test("without reconnects errors come immediately")
    func unavailable() async throws {
        let harness = try ClientHarness(isStarted: false)
        let missing = await error { () throws(GestureClient.ClientError) in
            _ = try await GestureClient(path: harness.path, reconnects: false).firstEvent()
        }
        #expect("\(try #require(missing))".contains("gestured.sock: no daemon: No such file or directory; start"))
        let long = await error { () throws(GestureClient.ClientError) in
            _ = try await GestureClient(path: "/tmp/" + String(repeating: "x", count: 200)).firstEvent()
        }
        #expect("\(try #require(long))".contains("107 bytes"))
    }

    @Test("a subscription filters events; a second one replaces it")
    func subscriptions() async throws {
        let harness = try ClientHarness()
        let client = GestureClient(path: harness.path)
        let subscription = GestureClient.Subscription(
            regions: ["m*"], gestures: ["drag"], names: ["pan"], phases: [.begin, .update, .end, .cancel],
            maxRate: 1000,
            maxAge: .zero, wallClock: true)
        var events = client.events(subscription).makeAsyncIterator()
        _ = try await events.words(to: "state")
        try harness.tap()
        try harness.land(x: 3000)
        for x in stride(from: 3000, to: 3600, by: 100) { try harness.move(x: x) }
        try harness.lift()
        let begin = try #require(try await events.event().gesture)
        #expect((begin.kind, begin.phase, begin.name) == (.drag, .begin, "pan"))
        #expect(begin.start != nil && begin.translation != nil)
        #expect(try #require(begin.wallMilliseconds) > 1_500_000_000_000)
        #expect(Set(try await events.words(to: "drag end map")) == ["drag update map", "drag end map"])
        var other = client.events(.init(regions: ["ok"])).makeAsyncIterator()
        #expect(try await events.rest() == [])
        #expect(try await other.words(to: "state") == ["hello", "state"])
        try harness.tap()
        #expect(try await other.words(to: "press end ok") == ["press begin ok", "tap ok", "press end ok"])
    }

    @Test("requests work after the events have ended")
    func stopsListening() async throws {
        let harness = try ClientHarness()
        let client = GestureClient(path: harness.path)
        for try await event in client.events() where event.short == "state" { break }
        try harness.tap()
        #expect(try await client.status().clients == 1)
    }

    @Test("a refused subscription throws an error")
    func refused() async throws {
        let harness = try ClientHarness()
        let refusal = await error { () throws(GestureClient.ClientError) in
            _ = try await GestureClient(path: harness.path).firstEvent(.init(maxRate: 5000))
        }
        guard case .refused(let refusal) = refusal else { throw TestFailure("not refused") }
        #expect((refusal.command, refusal.code) == ("subscribe", .badValue))
        #expect(refusal.message.contains("max_rate_hz"))
    }

    @Test("requests and their replies")
    func requests() async throws {
        let harness = try ClientHarness()
        let client = GestureClient(path: harness.path)
        try await client.ping()
        let status = try await client.status()
        #expect((status.devices["ready"], status.clients, status.configuration.state) == (1, 1, "ok"))
        let device = try #require(try await client.devices().first)
        #expect((device.name, device.state, device.output?.physicalWidth) == ("Fake Panel", "ready", 200))
        let region = try #require(try await client.regions("o*").first)
        #expect((region.id, region.device, region.isEnabled) == ("ok", "panel", true))
        #expect(region.shape == .rectangle(x: 0, y: 0, width: 512, height: 1024))
        #expect(region.gestures.map { $0.kind } == [.press, .tap])
        #expect(try await client.at(x: 100, y: 100).owner == "ok")
        #expect(try await client.setRegion("ok", enabled: false) == false)
        #expect(try await client.setRegion("ok", enabled: true) == true)
        #expect(try await client.reload() > 1)
        try await client.setOutput(of: "panel", rotation: .flippedQuarter, size: (600, 800))
        let turned = try #require(try await client.devices().first?.output)
        #expect((turned.width, turned.height, turned.rotation, turned.isFlipped) == (600, 800, 90, true))
        try await client.setOutput(rotation: .half)
        #expect(try await client.devices().first?.output?.rotation == 180)
        try await client.setOutput()
        #expect(try await client.devices().first?.output?.rotation == 0)
        try await client.setProfile("steady", lease: true)
        #expect(try await client.state().profile == "steady")
        #expect(try await client.status().profiles == ["default", "steady", "slow"])
        try await client.setProfile("default")
        #expect(try await client.status().profile == "default")
        try await client.setScene("checkout")
        #expect(try await client.state().scene == "checkout")
        #expect(try await client.state().sceneTime == nil)
        try await client.setScene("checkout", for: .seconds(60))
        let time = try #require(try await client.state().sceneTime)
        #expect(time > .zero && time <= .seconds(60))
        #expect(try await client.status().sceneTime != nil)
        #expect(try await client.request("regions", ["region": "map"]).contains("\"map\""))
    }

    @Test("refusals have a code and a message")
    func codes() async throws {
        let harness = try ClientHarness()
        let client = GestureClient(path: harness.path)
        typealias Failing = GestureClient.ClientError
        #expect(await code { () throws(Failing) in try await client.setScene("chekout") } == .notFound)
        #expect(await code { () throws(Failing) in _ = try await client.at(x: 5000, y: 0) } == .badValue)
        #expect(await code { () throws(Failing) in _ = try await client.request("staus") } == .unknownCommand)
        #expect(
            await code { () throws(Failing) in try await client.setScene(String(repeating: "x", count: 65536)) }
                == .lineTooLong)
        var twice = button
        twice.id = "ok"
        let wrong = await error { () throws(Failing) in try await client.defineRegions([twice]) }
        guard case .refused(let refusal) = wrong else { throw TestFailure("not refused") }
        #expect((refusal.code, refusal.diagnostics.first?.code) == (.configurationInvalid, "duplicate_id"))
    }

    @Test("no request is lost when many tasks send requests while events come")
    func together() async throws {
        let harness = try ClientHarness()
        let client = GestureClient(path: harness.path)
        var events = client.events(.init(events: [.gesture])).makeAsyncIterator()
        _ = try await events.words(to: "state")
        try harness.land()
        #expect(try await events.event().short == "press begin ok")
        try await withThrowingTaskGroup(of: String?.self) { group in
            for x in 0..<50 { group.addTask { try await client.at(x: Double(x * 20), y: 1).owner } }
            var owners: [String?: Int] = [:]
            for try await owner in group { owners[owner, default: 0] += 1 }
            #expect(owners == ["ok": 26, "map": 24])
        }
        try await client.cancel("o*")
        try harness.lift()
        try harness.tap()
        #expect(
            try await events.words(to: "press end ok") == [
                "press cancel client ok", "press begin ok", "tap ok", "press end ok",
            ])
    }

    @Test("a slow reader gets an overflow, and no button stays pressed")
    func slow() async throws {
        let harness = try ClientHarness()
        var events = GestureClient(path: harness.path).events().makeAsyncIterator()
        _ = try await events.words(to: "state")
        try harness.land()
        #expect(try await events.event().short == "press begin ok")
        // This client receives few events and loses none.
        let few = GestureClient.Subscription(gestures: ["press"], phases: [.begin], maxAge: .zero)
        var others = GestureClient(path: harness.path).events(few).makeAsyncIterator()
        _ = try await others.words(to: "state")
        try harness.lift()
        // These are more events than fit into the client's buffer for an iterator (1024), the daemon's queue for
        // a client (256) and the kernel's buffers together.
        for _ in 0..<1500 { try harness.tap() }
        try harness.land()
        // Waits until the daemon has sent the event for the last contact. Each contact is a sequence of its
        // own.
        while try await !others.event().names(sequence: harness.fingers) {}
        var pressed: Set<Int> = []
        var hasOverflowed = false
        while !pressed.contains(harness.fingers) {
            switch try await events.event() {
            case .state(let state):
                pressed.formUnion(state.active.map { $0.sequence })
                #expect(pressed == Set(state.active.map { $0.sequence }))
            case .gesture(let gesture) where gesture.phase == .begin: pressed.insert(gesture.sequence)
            case .gesture(let gesture) where gesture.kind == .press: pressed.remove(gesture.sequence)
            case .overflow: hasOverflowed = true
            default: break
            }
        }
        #expect(pressed == [harness.fingers])
        #expect(hasOverflowed)
        try harness.lift()
        #expect(try await events.words(to: "press end ok") == ["tap ok", "press end ok"])
    }

    @Test("a daemon that does not reply is disconnected and tried again")
    func hangs() async throws {
        let folder = try ScratchFolder()
        let listener = try ListenSockets.bind(path: folder("gestured.sock"))
        let client = GestureClient(path: folder("gestured.sock"), replyTimeout: .milliseconds(50))
        let hung = await error { () throws(GestureClient.ClientError) in try await client.ping() }
        #expect("\(try #require(hung))".hasSuffix("gestured.sock: the daemon does not answer; see its log"))
        let again = await error { () throws(GestureClient.ClientError) in try await client.ping() }
        #expect(again == hung)
        withExtendedLifetime(listener.rawValue) {}
    }

    @Test("leased regions are defined again after a restart of the daemon, and end with the client")
    func leases() async throws {
        let harness = try ClientHarness()
        var client: GestureClient? = GestureClient(path: harness.path)
        let subscription = GestureClient.Subscription(events: [.gesture], regions: ["btn"])
        var events = try #require(client).events(subscription).makeAsyncIterator()
        _ = try await events.words(to: "state")
        #expect(try await client?.putRegion(button).isWaiting == false)
        var second = button
        second.id = "btn2"
        #expect(try await client?.putRegion(second, below: "btn", wait: true).isWaiting == false)
        #expect(try await client?.removeRegion("btn2", wait: true) == false)
        try harness.land()
        #expect(try await events.event().short == "press begin btn")
        try harness.kill()
        try harness.start()
        #expect(
            try await events.words(to: "state") == ["press cancel disconnected btn", "disconnected", "hello", "state"])
        try harness.lift()
        try harness.tap()
        #expect(try await events.words(to: "press end btn") == ["press begin btn", "press end btn"])
        let other = GestureClient(path: harness.path)
        // The previous iterator still holds a reference to the client.
        events = other.events(.init(events: [.config])).makeAsyncIterator()
        _ = try await events.words(to: "state")
        client = nil
        #expect(try await events.event().short == "config regions")
        #expect(try await other.regions("btn") == [])
    }

    @Test("a cancelled task stops waiting, and no event is lost")
    func cancellation() async throws {
        let harness = try ClientHarness()
        let client = GestureClient(path: harness.path)
        let events = client.events()
        var iterator = events.makeAsyncIterator()
        _ = try await iterator.words(to: "state")
        let next = try await withThrowingTaskGroup(of: GestureClient.Event?.self) { group in
            group.addTask {
                var another = events.makeAsyncIterator()
                return try await another.next()
            }
            group.cancelAll()
            return try await group.next() ?? nil
        }
        #expect(next == nil)
        try harness.tap()
        #expect(try await iterator.words(to: "press end ok") == ["press begin ok", "tap ok", "press end ok"])
    }

    @Test("close ends the events and disconnects; the client can be used again")
    func close() async throws {
        let harness = try ClientHarness()
        let client = GestureClient(path: harness.path)
        var events = client.events().makeAsyncIterator()
        _ = try await events.words(to: "state")
        client.close()
        #expect(try await events.rest() == [])
        // The daemon may accept the new connection before it notices that the old one has ended.
        var clients = 0
        for _ in 0..<100 where clients != 1 { clients = try await client.status().clients }
        #expect(clients == 1)
        var again = client.events().makeAsyncIterator()
        #expect(try await again.words(to: "state") == ["hello", "state"])
    }
}
