// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Testing

@testable import LinuxSystem

@Suite("Passed sockets")
struct PassedSocketTests {
    /// Passes consecutive descriptors, as a service manager does: the end of a pipe, then a listening socket.
    @Test func firstThatListens() throws {
        let folder = try TestFolder()
        let pipe = try TestPipe()
        let listener = try ListenSockets.bind(path: folder.path + "/socket")
        // These numbers are higher than those of the descriptors of other tests.
        let first: CInt = 700
        try #require(dup2(pipe.reader, first) == first)
        try #require(dup2(listener.rawValue, first + 1) == first + 1)
        let found = ListenSockets.firstListener(from: first, count: 2)?.release()
        #expect(found == first + 1)
        #expect(fcntl(first + 1, F_GETFD) == FD_CLOEXEC)
        close(first)
        close(first + 1)
    }

    @Test(arguments: [CInt.min, -1, 0, .max])
    func wrongCountsFindNothing(count: CInt) {
        let found = ListenSockets.firstListener(from: 600, count: count)?.release()
        #expect(found == nil)
    }

    @Test func notPassedWithoutTheEnvironment() {
        let found = ListenSockets.passed()?.release()
        #expect(found == nil)
    }
}
