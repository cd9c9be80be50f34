// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem
import Testing

@Suite("Signals")
struct SignalSourceTests {
    @Test func signalsBecomeCallbacks() throws {
        let loop = try EventLoop()
        var seen: [CInt] = []
        let source = try SignalSource(loop: loop, signals: [SIGUSR1, SIGHUP]) { seen.append($0) }
        // `raise` sends the signal to this thread only; other threads have not blocked it.
        raise(SIGHUP)
        raise(SIGUSR1)
        loop.turn(timeout: 1000)
        #expect(seen.sorted() == [SIGHUP, SIGUSR1])
        withExtendedLifetime(source) {}
    }

    @Test func blockedSignalsWaitForTheirSource() throws {
        SignalSource.block([SIGUSR2])
        // If the signal were not blocked, it would end the process.
        raise(SIGUSR2)
        let loop = try EventLoop()
        var seen: [CInt] = []
        let source = try SignalSource(loop: loop, signals: [SIGUSR2]) { seen.append($0) }
        loop.turn(timeout: 1000)
        #expect(seen == [SIGUSR2])
        withExtendedLifetime(source) {}
    }

    @Test func brokenPipeIsAnError() throws {
        SignalSource.ignoreBrokenPipe()
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        // A process that another test starts may hold a copy of the other end until it calls `exec`.
        while write(ends[1], "x", 1) == 1 {}
        #expect(linux_errno() == EPIPE)
        close(ends[1])
    }
}
