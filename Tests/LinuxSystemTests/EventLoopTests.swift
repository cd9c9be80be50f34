// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem
import Testing

@Suite("Event loop")
struct EventLoopTests {
    @Test func callsBackUntilReadyDataIsRead() throws {
        let loop = try EventLoop()
        let pipe = try TestPipe()
        var calls: [IOEvents] = []
        _ = try loop.add(pipe.reader, events: .readable) { calls.append($0) }
        loop.turn(timeout: 0)
        #expect(calls.isEmpty)
        pipe.write()
        loop.turn(timeout: 0)
        loop.turn(timeout: 0)
        #expect(calls == [.readable, .readable])
        pipe.read()
        loop.turn(timeout: 0)
        #expect(calls.count == 2)
    }

    @Test("a source with priority is called first, even if others were ready before it")
    func first() throws {
        let loop = try EventLoop()
        let pipes = [try TestPipe(), try TestPipe(), try TestPipe()]
        var calls: [Int] = []
        var sources: [EventLoop.Source] = []
        for (number, pipe) in pipes.enumerated() {
            let priority: TurnSchedule.Priority = number == 2 ? .first : .usual
            sources.append(
                try loop.add(pipe.reader, events: .readable, priority: priority) { _ in calls.append(number) })
            pipe.write()
        }
        loop.turn(timeout: 0)
        #expect(calls.first == 2)
        #expect(calls.sorted() == [0, 1, 2])
        loop.remove(sources[2])
        calls = []
        loop.turn(timeout: 0)
        #expect(calls.sorted() == [0, 1])
    }

    @Test("brief sources come before long ones, and none is called twice")
    func brief() throws {
        let loop = try EventLoop()
        let pipes = try (0..<5).map { _ in try TestPipe() }
        var calls: [Int] = []
        let priorities: [TurnSchedule.Priority] = [.usual, .brief, .usual, .brief, .first]
        for (number, (pipe, priority)) in zip(pipes, priorities).enumerated() {
            _ = try loop.add(pipe.reader, events: .readable, priority: priority) { _ in calls.append(number) }
            pipe.write()
        }
        loop.turn(timeout: 0)
        #expect(calls == [4, 1, 3, 0, 2])
    }

    @Test("a long turn leaves the remaining long sources to the next turn; each turn calls at least one")
    func longTurns() throws {
        let loop = try EventLoop()
        let pipes = try (0..<4).map { _ in try TestPipe() }
        var turns: [[Int]] = []
        for (number, pipe) in pipes.enumerated() {
            _ = try loop.add(pipe.reader, events: .readable, priority: number == 3 ? .brief : .usual) { _ in
                turns[turns.count - 1].append(number)
                while number == 1, !loop.schedule.isTurnLong {}
            }
            pipe.write()
        }
        for turn in 0..<5 {
            turns.append([])
            if turn == 2 { loop.schedule.tryAgain { while !loop.schedule.isTurnLong {} } }
            loop.turn(timeout: 0)
        }
        #expect(turns == [[3, 0, 1], [3, 2, 0, 1], [3, 0], [3, 1], [3, 2, 0, 1]])
    }

    @Test("the time is constant during a turn")
    func turnTime() throws {
        let loop = try EventLoop()
        let pipe = try TestPipe()
        var times: [Int64] = []
        let before = MonotonicClock.now()
        _ = try loop.add(pipe.reader, events: .readable) { _ in
            times.append(loop.schedule.turnTime)
            while MonotonicClock.now() == loop.schedule.turnTime {}
            times.append(loop.schedule.turnTime)
        }
        pipe.write()
        loop.turn(timeout: 0)
        #expect(times.count == 2 && times.first == times.last)
        #expect((times.first ?? 0) >= before)
    }

    @Test func reportsHangupAlways() throws {
        let loop = try EventLoop()
        let pipe = try TestPipe()
        var seen: IOEvents = []
        _ = try loop.add(pipe.reader, events: []) { seen = $0 }
        pipe.closeWriter()
        // A process that another test starts may hold a copy of the closed end until it calls `exec`.
        loop.turn(timeout: 60_000)
        #expect(seen.contains(.hangup))
    }

    /// Both sources are ready in the same turn. The one that is called first removes the other.
    @Test func removedInTheSameTurnIsNotCalled() throws {
        let loop = try EventLoop()
        let (one, two) = (try TestPipe(), try TestPipe())
        var sources: [EventLoop.Source] = []
        var calls = 0
        for pipe in [one, two] {
            sources.append(
                try loop.add(pipe.reader, events: .readable) { _ in
                    calls += 1
                    sources.forEach { loop.remove($0) }
                })
            pipe.write()
        }
        loop.turn(timeout: 0)
        loop.turn(timeout: 0)
        #expect(calls == 1)
    }

    /// The new source reuses the old one's slot in the table, but must not receive its event.
    @Test func reusedSlotIsNotCalledInTheSameTurn() throws {
        let loop = try EventLoop()
        let (one, two, quiet) = (try TestPipe(), try TestPipe(), try TestPipe())
        var sources: [EventLoop.Source] = []
        var quietCalls = 0
        for pipe in [one, two] {
            sources.append(
                try loop.add(pipe.reader, events: .readable) { _ in
                    sources.forEach { loop.remove($0) }
                    guard sources.count == 2 else { return }
                    for _ in 0..<2 {
                        let extra = dup(quiet.reader)
                        if let added = try? loop.add(extra, events: .readable, { _ in quietCalls += 1 }) {
                            sources.append(added)
                        }
                    }
                })
            pipe.write()
        }
        loop.turn(timeout: 0)
        #expect(sources.count == 4)
        #expect(quietCalls == 0)
        quiet.write()
        loop.turn(timeout: 0)
        #expect(quietCalls == 2)
        sources.suffix(2).forEach { close($0.descriptor) }
    }

    @Test func modifyChangesTheEvents() throws {
        let loop = try EventLoop()
        let pipe = try TestPipe()
        var calls = 0
        let source = try loop.add(pipe.reader, events: []) { _ in calls += 1 }
        pipe.write()
        loop.turn(timeout: 0)
        #expect(calls == 0)
        try loop.modify(source, events: .readable)
        loop.turn(timeout: 0)
        #expect(calls == 1)
        loop.remove(source)
        try loop.modify(source, events: .readable)
        loop.turn(timeout: 0)
        #expect(calls == 1)
    }

    @Test func sameDescriptorTwiceIsRefused() throws {
        let loop = try EventLoop()
        let pipe = try TestPipe()
        _ = try loop.add(pipe.reader, events: .readable) { _ in }
        #expect(throws: SystemError(call: "epoll_ctl", code: EEXIST)) {
            _ = try loop.add(pipe.reader, events: .readable) { _ in }
        }
    }

    @Test func runsUntilStopped() throws {
        let loop = try EventLoop()
        let pipe = try TestPipe()
        var (calls, turns) = (0, 0)
        _ = try loop.add(pipe.reader, events: .readable) { _ in
            calls += 1
            if calls == 3 { loop.stop() }
        }
        loop.setTurnHandlers(began: nil) { turns += 1 }
        pipe.write()
        try loop.run()
        #expect(calls == 3)
        #expect(turns == 3)
        loop.stop()
        try loop.run()
        #expect(calls == 3)
    }
}
