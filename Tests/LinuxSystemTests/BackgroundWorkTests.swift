// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem
import Testing

@Suite("Background work")
struct BackgroundWorkTests {
    /// Blocks until a byte arrives in the pipe.
    private static func wait(for pipe: CInt) -> Int {
        var byte: UInt8 = 0
        return read(pipe, &byte, 1)
    }

    @Test("the loop serves other sources during the work, and gets its outcome once")
    func doesNotHoldTheLoop() throws {
        let loop = try EventLoop()
        let (gate, other) = (try TestPipe(), try TestPipe())
        var outcomes: [[String]] = []
        let reader = gate.reader
        let work = try BackgroundWork(loop: loop, { ["read \(Self.wait(for: reader))"] }) { outcomes.append($0) }
        var calls = 0
        _ = try loop.add(other.reader, events: .readable) { _ in
            calls += 1
            other.read()
        }
        other.write()
        loop.turn(timeout: -1)
        #expect(calls == 1)
        #expect(outcomes == [])
        gate.write()
        loop.turn(timeout: -1)
        #expect(outcomes == [["read 1"]])
        loop.turn(timeout: 0)
        #expect(outcomes.count == 1)
        withExtendedLifetime(work) {}
    }

    @Test("abandoned work is not waited for, and keeps its descriptor until it is done")
    func abandoned() throws {
        let loop = try EventLoop()
        let gate = try TestPipe()
        let reader = gate.reader
        var outcomes = 0
        var work: BackgroundWork? = try BackgroundWork(loop: loop, { Self.wait(for: reader) }) { _ in outcomes += 1 }
        work?.abandon()
        work = nil
        // If the descriptor had been closed, its number would be reused for this pipe, and the thread would write to
        // it.
        let next = try TestPipe()
        gate.write()
        loop.turn(timeout: 20)
        #expect(outcomes == 0)
        var entry = pollfd(fd: next.reader, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 20) == 0)
    }

    @Test("the completion may start the next one")
    func oneAfterTheOther() throws {
        let loop = try EventLoop()
        var outcomes: [Int] = []
        var work: BackgroundWork<Int>?
        func start(_ number: Int) throws {
            work = try BackgroundWork(loop: loop, { number }) { outcome in
                work = nil
                outcomes.append(outcome)
                if outcome < 3 { try? start(outcome + 1) }
            }
        }
        try start(1)
        while work != nil { loop.turn(timeout: -1) }
        #expect(outcomes == [1, 2, 3])
    }
}
