// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("Daemon: a system call fails")
struct FaultTests {
    /// `all`, the name of one call, or one fault such as `read:12:EIO`, for which details are printed.
    private static let wish = LongRuns["faults"]
    private static let calls = wish.map { $0 == "all" ? SystemFault.calls : [String($0.prefix { $0 != ":" })] } ?? []

    /// One fault of each kind, and faults that revealed errors in the past. Testing all faults takes too long for
    /// `make test`.
    private static let samples = [
        [
            "read:1:EINTR", "read:3:EAGAIN", "read:8:short", "read:20:EAGAIN", "read:20:EIO", "send:2:EAGAIN",
            "send:9:short", "send:12:EIO",
            "recv:3:EINTR", "recv:5:EIO", "recvmsg:2:ENOBUFS", "recvmsg:3:ENOMEM", "write:2:EAGAIN", "close:6:EINTR",
            "socket:1:EMFILE",
        ],
        [
            "timerfd_settime:2:EIO", "timerfd_settime:3:EIO", "timerfd_create:1:EMFILE", "epoll_ctl:6:ENOMEM",
            "epoll_ctl:9:EINTR", "epoll_wait:6:EIO", "setsockopt:4:ENOBUFS", "bind:2:ENOMEM", "accept4:1:EMFILE",
            "accept4:2:EINTR", "open:6:EMFILE", "ioctl:12:EIO", "readdir:9:EIO", "getsockname:1:ENOBUFS",
            "stat:4:EINTR", "stat:9:EINTR", "opendir:1:EINTR", "readdir:1:EINTR",
        ],
    ]

    @Test("a sample of the calls", .enabled(if: wish == nil), arguments: samples)
    func sample(words: [String]) throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        let base = try FaultScenario.play(nil, panel: panel, descriptors: nil)
        #expect(base.findings == [])
        for word in words {
            let fault = try #require(SystemFault(word))
            let outcome = try FaultScenario.play(fault, panel: panel, descriptors: base.descriptors)
            #expect(outcome.hasFailed, "\(fault) was not reached")
            for finding in outcome.findings { Issue.record("\(fault): \(finding)\n\(outcome.log)") }
        }
    }

    @Test("every call, in every way", .enabled(if: wish != nil), arguments: calls)
    func matrix(call: String) throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        let base = try FaultScenario.play(nil, panel: panel, descriptors: nil)
        #expect(base.findings == [])
        if let fault = Self.wish.flatMap({ SystemFault($0) }) {
            let outcome = try FaultScenario.play(fault, panel: panel, descriptors: base.descriptors, trace: true)
            print("\(fault): \(outcome.findings)\n\(outcome.log)")
            return
        }
        let start = MonotonicSeconds.now
        var runs = 0
        for way in SystemFault.ways(of: call) {
            // The loop ends when the daemon makes fewer calls than `number`. A run makes at most a few more calls
            // than the run before.
            for number in 1... {
                let fault = SystemFault(call: call, number: number, way: way)
                let outcome = try FaultScenario.play(fault, panel: panel, descriptors: base.descriptors)
                for finding in outcome.findings { Issue.record("\(fault): \(finding)\n\(outcome.log)") }
                guard outcome.hasFailed else { break }
                runs += 1
            }
        }
        print("faults: \(call): \(runs) runs in \(Int(MonotonicSeconds.now - start)) s")
    }
}
