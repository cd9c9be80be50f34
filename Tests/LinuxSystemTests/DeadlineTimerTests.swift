// SPDX-License-Identifier: MIT
import LinuxSystem
import Testing

@Suite("Deadline timer")
struct DeadlineTimerTests {
    @Test(arguments: [Int64.min, -1, 0, 1])
    func pastDeadlineFiresOnce(deadline: Int64) throws {
        let loop = try EventLoop()
        var calls = 0
        let timer = try DeadlineTimer(loop: loop) { calls += 1 }
        timer.arm(at: deadline)
        loop.turn(timeout: 1000)
        loop.turn(timeout: 0)
        #expect(calls == 1)
    }

    @Test(arguments: [nil, Int64.max])
    func takenBackDeadlineDoesNotFire(second: Int64?) throws {
        let loop = try EventLoop()
        var calls = 0
        let timer = try DeadlineTimer(loop: loop) { calls += 1 }
        timer.arm(at: 1)
        timer.arm(at: second)
        // The loop wakes up at the earlier time, but must not call the handler.
        loop.turn(timeout: 1000)
        loop.turn(timeout: 0)
        #expect(calls == 0)
    }

    @Test func laterDeadlineFiresAtItsOwnTime() throws {
        let loop = try EventLoop()
        var fired: [Int64] = []
        let timer = try DeadlineTimer(loop: loop) { fired.append(MonotonicClock.now()) }
        let start = MonotonicClock.now()
        timer.arm(at: start + 1000)
        timer.arm(at: start + 9000)
        while fired.isEmpty, MonotonicClock.now() < start + 5_000_000 { loop.turn(timeout: 1000) }
        #expect(fired.count == 1)
        #expect(try #require(fired.first) >= start + 9000)
    }

    @Test func earlierDeadlineReplacesALaterOne() throws {
        let loop = try EventLoop()
        var calls = 0
        let timer = try DeadlineTimer(loop: loop) { calls += 1 }
        timer.arm(at: MonotonicClock.now() + 3_600_000_000)
        timer.arm(at: 1)
        loop.turn(timeout: 1000)
        #expect(calls == 1)
    }

    @Test func handlerMayArmAgain() throws {
        let loop = try EventLoop()
        var calls = 0
        var timer: DeadlineTimer?
        timer = try DeadlineTimer(loop: loop) {
            calls += 1
            if calls < 3 { timer?.arm(at: Int64(calls)) }
        }
        timer?.arm(at: 1)
        for _ in 0..<3 { loop.turn(timeout: 1000) }
        loop.turn(timeout: 0)
        #expect(calls == 3)
        timer?.cancel()
        timer = nil
    }

    @Test func goneTimerDoesNotFire() throws {
        let loop = try EventLoop()
        var calls = 0
        var timer: DeadlineTimer? = try DeadlineTimer(loop: loop) { calls += 1 }
        timer?.arm(at: 1)
        timer = nil
        loop.turn(timeout: 0)
        #expect(calls == 0)
    }
}
