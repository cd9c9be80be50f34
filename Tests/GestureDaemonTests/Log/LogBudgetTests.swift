// SPDX-License-Identifier: MIT
@testable import GestureDaemon
import GestureProtocol
import Glibc
import GestureTestSupport
import LinuxSystem
import Testing

@Suite("Log: floods and unsafe text")
struct LogBudgetTests {
    /// A log that writes to a pipe and has its own clock.
    private final class Harness {
        private let reader: Int32
        let writer: Int32
        var now: Int64 = 1_000_000
        private(set) lazy var log = Log(level: .info, descriptor: writer) { [unowned self] in now }

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(Glibc.pipe(&ends) == 0)
            (reader, writer) = (ends[0], ends[1])
            _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        }

        deinit {
            close(reader)
            close(writer)
        }

        /// The lines since the last call, without the program's name.
        func lines() -> [String] {
            var text: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 4096)
            while case let count = read(reader, &block, block.count), count > 0 { text += block[..<count] }
            return String(decoding: text, as: UTF8.self).split(separator: "\n").map {
                String($0.trimmingPrefix("gestured: "))
            }
        }

        /// Fills the pipe completely.
        func fill() {
            _ = fcntl(writer, F_SETFL, O_NONBLOCK)
            let block = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
            while write(writer, block, block.count) > 0 {}
            _ = fcntl(writer, F_SETFL, 0)
        }
    }

    @Test("five lines about one device in 30 s; the others become one line, even if no other line follows")
    func flood() throws {
        let harness = try Harness()
        for round in 0..<12 { harness.log.info("device: /dev/input/event4: round \(round)") }
        #expect(harness.lines().count == 5)
        harness.now += 30_000_000
        harness.log.reportSuppressed()
        #expect(harness.lines() == [])
        harness.now += 1
        #expect(harness.log.hasSuppressed)
        harness.log.reportSuppressed()
        #expect(harness.lines() == ["warning: device: /dev/input/event4: 7 more lines like these in 30 s"])
        #expect(!harness.log.hasSuppressed)
        harness.log.reportSuppressed()
        harness.log.info("device: /dev/input/event4: again")
        #expect(harness.lines() == ["info: device: /dev/input/event4: again"])
    }

    @Test("nothing is searched while no summary is due; the earliest comes first")
    func dueTime() {
        var budget = LogBudget()
        func take(_ time: Int64) -> String? {
            budget.takeSuppressed(at: time).map { "\($0.subject) \($0.count)" }
        }
        for _ in 0..<6 { _ = budget.allows("a", at: 100) }
        for _ in 0..<7 { _ = budget.allows("b", at: 500) }
        #expect(budget.due == 100 + LogBudget.window)
        let early = (0..<1000).compactMap { take(500 + Int64($0)) } + [take(100 + LogBudget.window)].compactMap { $0 }
        #expect(early == [])
        #expect(budget.searches == 0)
        let first = take(101 + LogBudget.window)
        #expect(first == "a 1")
        #expect(budget.due == 500 + LogBudget.window)
        let tooEarly = take(500 + LogBudget.window)
        #expect(tooEarly == nil)
        let second = take(501 + LogBudget.window)
        #expect(second == "b 2")
        #expect(!budget.hasSuppressed)
        #expect(budget.searches == 2)
    }

    @Test("another device, and other subjects, have separate lines")
    func others() throws {
        let harness = try Harness()
        for _ in 0..<12 { harness.log.warning("client: refused") }
        for _ in 0..<12 { harness.log.warning("device: /dev/input/event4 cannot be used") }
        harness.log.warning("device: /dev/input/event5 cannot be used")
        harness.log.error("socket: gone")
        #expect(harness.lines().count == 12)
    }

    @Test("the next line after the time limit is preceded by the summary")
    func late() throws {
        let harness = try Harness()
        for _ in 0..<6 { harness.log.warning("client: refused") }
        _ = harness.lines()
        harness.now += 31_000_000
        harness.log.warning("client: refused")
        #expect(harness.lines() == ["warning: client: 1 more line like this in 30 s", "warning: client: refused"])
    }

    @Test("too many subjects to remember count as one subject")
    func manySubjects() throws {
        let harness = try Harness()
        for number in 0..<1000 { harness.log.warning("device: /dev/input/event\(number) cannot be used") }
        #expect(harness.lines().count == LogBudget.mostSubjects + LogBudget.burst)
        harness.now += 30_000_001
        harness.log.warning("device: /dev/input/event1000 cannot be used")
        #expect(
            harness.lines() == [
                "warning: others: 931 more lines like these in 30 s",
                "warning: device: /dev/input/event1000 cannot be used",
            ])
        #expect(!harness.log.hasSuppressed)
    }

    // The texts are not arguments of the test, because its report would print them without escaping.
    @Test("control characters are shown as ?, in a line of at most 1 KiB")
    func safe() throws {
        let harness = try Harness()
        let cases = [
            ("a\u{1B}[2Jb", "a?[2Jb"), ("a\nb\rc\u{7F}", "a?b?c?"), ("a\u{9B}2Jb", "a?2Jb"), ("Größe\t1", "Größe\t1"),
            (String(repeating: "ä", count: 600), String(repeating: "ä", count: 510) + "..."),
            (String(repeating: "a", count: 1024), String(repeating: "a", count: 1024)),
            (String(repeating: "a", count: 1025), String(repeating: "a", count: 1021) + "..."),
        ]
        for (text, shown) in cases {
            harness.now += 31_000_000
            harness.log.error(text)
            #expect(harness.lines() == ["error: " + shown])
        }
    }

    @Test("lines that a full pipe does not take are counted, and the count is logged when there is room again")
    func blocked() throws {
        let harness = try Harness()
        harness.fill()
        harness.log.error("socket: one")
        harness.log.error("socket: two")
        // At this point the pipe contains only the bytes of `fill`.
        #expect(!harness.lines().joined().contains("socket"))
        harness.log.error("socket: three")
        #expect(
            harness.lines() == [
                "warning: 2 log lines were lost: standard error was full", "error: socket: three",
            ])
    }
}
