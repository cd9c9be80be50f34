// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("Daemon: descriptors")
struct DescriptorTests {
    /// Changes the descriptor limit of the running daemon. `prlimit` is part of `util-linux`, which is installed on
    /// every Debian system.
    private func allow(_ descriptors: Int, to daemon: DaemonProcess) throws {
        let result = try ChildProcess.run(["prlimit", "--pid", "\(daemon.program.pid)", "--nofile=\(descriptors):"])
        try #require(result.status == 0, "\(result.errors)")
    }

    /// The daemon's open descriptors. The ping makes sure that the daemon is idle, because it opens some
    /// descriptors only briefly.
    private func open(by harness: PanelHarness) throws -> Set<Int> {
        try harness.client.request(#"{"cmd":"ping","id":1}"#)
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(harness.daemon.program.pid)/fd")
        return Set(names.compactMap { Int($0) })
    }

    @Test("none left: connected clients are served, new ones wait, and connect when one is free")
    func none() throws {
        let harness = try PanelHarness(TestConfiguration.pressWithoutStorm)
        let inUse = try open(by: harness)
        // The limit applies to descriptor numbers, not to how many are open, and the test runner may have
        // passed on an open descriptor with a high number.
        let next = try #require((0...inUse.count).first { !inUse.contains($0) })
        try allow(next, to: harness.daemon)
        let late = try SocketClient(path: harness.daemon.socketPath)
        for round in 0..<50 {
            try harness.panel.land(id: round, x: 100, y: 100)
            try harness.release()
        }
        #expect(harness.daemon.log.contains("accept failed"))
        #expect(late.lines.transcript.isEmpty)
        try allow(next + 10, to: harness.daemon)
        try late.wait(for: "hello")
        try late.wait(for: "state")
        #expect(try harness.daemon.stop() == .exited(0))
    }

    @Test("clients that come and go, and the descriptors that they passed, leave none behind")
    func comesAndGoes() throws {
        let harness = try PanelHarness()
        let before = try open(by: harness)
        do {
            let hostile = try ["passes_descriptors", "dies_at_random_bytes", "connects_1000_a_second"].map {
                try HostileClient($0, at: harness.daemon.socketPath, user: 60_050)
            }
            for _ in 0..<3 { for client in hostile { #expect(try client.waitForBout() > 0) } }
        }
        // The daemon closes the clients' descriptors in the next turn of its loop.
        var after = try open(by: harness)
        for _ in 0..<100 where after != before {
            try harness.client.request(#"{"cmd":"ping","id":1}"#)
            after = try open(by: harness)
        }
        #expect(after == before)
    }

    @Test("the numbers of the standard streams are never sockets, even if they were closed at the start")
    func streams() throws {
        let folder = try ScratchFolder()
        // If umockdev hides the devices, it hides /dev/null too.
        let setup = "unset LD_PRELOAD UMOCKDEV_DIR; exec <&- >&- 2>&-"
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder, setup: setup)
        for number in 0...2 {
            let target = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(daemon.program.pid)/fd/\(number)")
            #expect(target == "/dev/null")
        }
        #expect(try daemon.connect().request(#"{"cmd":"ping","id":1}"#).flag("ok") == true)
    }

    @Test("clients do not use up the descriptors that a reload and a new panel need: they are refused before")
    func reserve() throws {
        // Closes the descriptors that the test runner has left open, then sets the limit.
        let harness = try PanelHarness(
            setup: #"""
                exec bash -c 'for fd in /proc/$$/fd/*; do n=${fd##*/}; [ $n -le 2 ] || eval "exec $n>&-"; done
                ulimit -n 40; exec "$0" "$@"' "$0" "$@"
                """#)
        let others = try (0..<20).map { _ in try SocketClient(path: harness.daemon.socketPath) }
        // The limit counts the harness's own client.
        for client in others.prefix(13) { try client.wait(for: "hello") }
        for client in others.suffix(7) { _ = try client.lines.wait(for: "busy") { $0.contains("\"busy\"") } }
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).flag("ok") == true)
        try harness.panel.add(1)
        try harness.client.wait(for: "device added")
        try harness.panel.command("select 0")
        try harness.press()
        #expect(!harness.daemon.log.contains("Too many open files"))
    }

    @Test("too few for the maximum number of clients: the daemon logs it and accepts fewer")
    func fewer() throws {
        let folder = try ScratchFolder()
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder, setup: "ulimit -n 40")
        #expect(
            daemon.log.contains(
                "max_clients is 64, but 40 descriptors leave room for only 14 clients in addition to devices"))
    }
}
