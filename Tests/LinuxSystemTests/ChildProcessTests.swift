// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// Tests `ChildProcess`, which other tests use to start programs.
@Suite("Programs that tests start")
struct ChildProcessTests {
    /// SwiftNIO accepts connections without close-on-exec. If a program of another test inherited such a
    /// descriptor, the connection would stay open.
    @Test("inherit no descriptor, even one that is not closed on exec", arguments: [false, true])
    func inheritance(passes: Bool) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(null) }
        let program = try ChildProcess(["/bin/sh", "-c", "ls /proc/self/fd; cat"], passed: passes ? null : nil)
        _ = try program.output.wait(for: "descriptor 2") { $0 == "2" }
        close(ends[1])
        // The reader is at its end, because no other process has the writing end.
        let reader = LineReader(adopting: ends[0])
        #expect(reader.next(within: 10) == nil && reader.isAtEnd)
        program.closeInput()
        _ = try program.waitForExit()
        // Descriptor 3 is either the passed one or the folder that `ls` reads.
        let open = program.output.transcript.compactMap { Int($0) }
        #expect(open == Array(0...(passes ? 4 : 3)))
    }
}
