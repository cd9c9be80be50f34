// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("Daemon: start and stop")
struct StartAndStopTests {
    @Test("SIGTERM: active gestures are cancelled, every client receives bye, and the exit status is 0")
    func terminates() throws {
        let harness = try PanelHarness()
        let other = try harness.daemon.connect()
        try harness.press()
        #expect(try harness.daemon.stop() == .exited(0))
        #expect(try harness.client.wait(for: "cancel") { $0["phase"] == "cancel" }["gesture"] == "press")
        for client in [harness.client, other] {
            #expect(try client.wait(for: "bye") { $0["event"] == "bye" }["reason"] == "shutdown")
            try client.lines.waitForEnd()
        }
        try harness.daemon.manager.wait(for: "STOPPING=1")
        #expect(try ChildProcess.run(["/bin/test", "!", "-e", harness.daemon.socketPath]).status == 0)
    }

    @Test("a passed socket is used, and stays when the daemon ends")
    func activation() throws {
        let folder = try ScratchFolder()
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder, activated: true)
        let client = try daemon.connect()
        #expect(try client.request(#"{"cmd":"ping","id":"x"}"#).flag("ok") == true)
        #expect(try daemon.stop() == .exited(0))
        #expect(try ChildProcess.run(["/bin/test", "-S", daemon.socketPath]).status == 0)
    }

    @Test("under a manager an invalid configuration is reported once, and the daemon runs without a region")
    func mended() throws {
        let folder = try ScratchFolder()
        let manager = try ServiceManager(path: folder("notify"))
        let file = try folder.write("version = 1\nregions = 3\n", to: "gestured.toml")
        let program = try ChildProcess(
            [BuildProducts.program("gestured"), "-c", file, "--socket", folder("s")],
            environment: ChildProcess.inherited.merging(["NOTIFY_SOCKET": manager.path]) { $1 },
            errorFile: folder("log"))
        try manager.wait(for: "READY=1", from: program)
        let client = try SocketClient(path: folder("s"))
        #expect(try client.request(#"{"cmd":"status","id":1}"#).object("config")?["state"] == "rejected")
        try folder.write(TestConfiguration.button, to: "gestured.toml")
        #expect(try client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(try client.request(#"{"cmd":"status","id":3}"#).number("regions") == 1)
        let log = try String(contentsOfFile: folder("log"), encoding: .utf8)
        #expect(log.components(separatedBy: "regions = 3").count == 2)
        #expect(log.contains("without --state-dir, no earlier configuration is kept"))
    }

    @Test("fingers that land while no daemon runs are new to the next one; earlier ones are ignored")
    func gap() throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.add()
        let runtime = ["RUNTIME_DIRECTORY": folder.path]
        let configuration = TestConfiguration.twoButtons
        let killed = try DaemonProcess(configuration, in: folder, panel: panel, environment: runtime)
        let before = try killed.connect(toPanel: "panel")
        try panel.land(0, id: 7, x: 100, y: 100)
        try before.wait(for: "gesture press begin ok")
        // When the daemon replies, it has stored the contact.
        _ = try before.request(#"{"cmd":"ping","id":1}"#)
        killed.program.signal(SIGKILL)
        _ = try killed.program.waitForExit()
        try panel.commands("set 3 47 1\nset 3 57 8\nset 3 53 3000\nset 3 54 100")
        let daemon = try DaemonProcess(configuration, in: try ScratchFolder(), panel: panel, environment: runtime)
        let client = try SocketClient(path: daemon.socketPath, configuration: configuration)
        let state = try client.wait(for: "state") { $0["event"] == "state" }
        #expect(state.objects("active").map { $0["region"] } == ["no"])
        try panel.commands("frame 3 47 1 3 57 -1")
        try client.wait(for: "gesture press end no")
        // After the earlier contact has lifted, its slot can be used again.
        try panel.commands("frame 3 47 0 3 57 -1 1 330 0")
        try panel.land(0, id: 9, x: 100, y: 100)
        try client.wait(for: "gesture press begin ok")
        #expect(try client.request(#"{"cmd":"status","id":1}"#).number("resyncs") == 1)
    }

    @Test(
        "a file of contacts from another device, or a truncated one, is not used: fingers that are down are ignored",
        arguments: ["", "/sys/devices/another\n1 2 3", "PATH\n", "PATH\n12345678"])
    func gapUnknown(contents: String) throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.add()
        let runtime = ["RUNTIME_DIRECTORY": folder.path]
        let configuration = TestConfiguration.twoButtons
        let first = try DaemonProcess(configuration, in: folder, panel: panel, environment: runtime)
        _ = try first.connect(toPanel: "panel")
        first.program.signal(SIGKILL)
        _ = try first.program.waitForExit()
        let file = try Data(contentsOf: URL(fileURLWithPath: folder("event0")))
        let path = String(decoding: file.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        #expect(path.hasSuffix("/event0"))
        try folder.write(contents.replacing("PATH", with: path), to: "event0")
        try panel.commands("set 3 47 1\nset 3 57 8\nset 3 53 3000\nset 3 54 100")
        let daemon = try DaemonProcess(configuration, in: try ScratchFolder(), panel: panel, environment: runtime)
        let client = try SocketClient(path: daemon.socketPath, configuration: configuration)
        let state = try client.wait(for: "state") { $0["event"] == "state" }
        #expect(state.objects("active").isEmpty)
        try panel.commands("frame 3 47 1 3 57 -1 1 330 0")
        try panel.land(0, id: 9, x: 100, y: 100)
        try client.wait(for: "gesture press begin ok")
    }

    @Test("a daemon that has crashed three times starts later, until it stops regularly")
    func crashLoop() throws {
        let folder = try ScratchFolder()
        let runtime = ["RUNTIME_DIRECTORY": folder.path]
        for crashes in 0..<3 {
            let killed = try DaemonProcess(TestConfiguration.button, in: try ScratchFolder(), environment: runtime)
            #expect(!killed.log.contains("crashes"), "after \(crashes) crashes")
            killed.program.signal(SIGKILL)
            _ = try killed.program.waitForExit()
        }
        let begun = MonotonicSeconds.now
        let late = try DaemonProcess(TestConfiguration.button, in: try ScratchFolder(), environment: runtime)
        #expect(MonotonicSeconds.now - begun >= 1)
        #expect(late.log.contains("warning: daemon: 3 crashes within 30 s; starting in 1 s"), "\(late.log)")
        #expect(try late.stop() == .exited(0))
        let next = try DaemonProcess(TestConfiguration.button, in: try ScratchFolder(), environment: runtime)
        #expect(!next.log.contains("crashes"))
    }

    @Test(
        "a daemon that waits after crashes ends at once on request",
        arguments: [(4, 2), (5, 4), (6, 5), (60, 5)])
    func crashLoopEnds(crashes: Int, seconds: Int) throws {
        let folder = try ScratchFolder()
        let now = Int(MonotonicSeconds.now * 1e6)
        // The first of the other times is too old to be counted. The second is in the future, like a time that was
        // stored before the last boot.
        let starts = [now - 40_000_000, now + 1_000_000_000] + (0..<crashes).map { now - 1_000_000 + $0 }
        try folder.write(starts.map { "\($0)\n" }.joined(), to: "starts")
        let file = try folder.write(TestConfiguration.button, to: "gestured.toml")
        let program = try ChildProcess(
            [BuildProducts.program("gestured"), "-c", file, "--socket", folder("s")],
            environment: ChildProcess.inherited.merging(["RUNTIME_DIRECTORY": folder.path]) { $1 },
            errorFile: folder("log"))
        let text = "\(crashes) crashes within 30 s; starting in \(seconds) s"
        try waitUntil { try String(contentsOfFile: folder("log"), encoding: .utf8).contains(text) }
        program.signal(SIGTERM)
        #expect(try program.waitForExit() == .killed(signal: SIGTERM))
        #expect(try String(contentsOfFile: folder("log"), encoding: .utf8).contains(text))
    }

    @Test("a service manager is notified of its state, and of the watchdog while the loop turns")
    func notifies() throws {
        let folder = try ScratchFolder()
        let daemon = try DaemonProcess(
            TestConfiguration.button, in: folder, environment: ["WATCHDOG_USEC": "200000"])
        #expect(daemon.manager.received.contains { $0.hasPrefix("STATUS=") })
        try daemon.manager.wait(for: "WATCHDOG=1")
        try daemon.manager.wait(for: "WATCHDOG=1")
        #expect(try daemon.stop() == .exited(0))
        try daemon.manager.wait(for: "STOPPING=1")
    }

    @Test("a client that does not read delays no other client and costs it no lines")
    func slowClient() throws {
        let harness = try PanelHarness(TestConfiguration.pressWithoutStorm)
        let slow = try harness.daemon.connect()
        try slow.send(#"{"cmd":"subscribe","id":1,"events":["gesture","touches","device"]}"#)
        for round in 0..<500 {
            try harness.panel.land(id: round, x: 100, y: 100)
            let end = try harness.release()
            #expect(end.number("seq") == Double(2 * round + 2))
        }
        #expect(!harness.client.lines.transcript.contains { $0.contains("overflow") })
        // The slow client receives whole lines, and `overflow` reports the dropped ones.
        let overflow = try slow.wait(for: "overflow") { $0["event"] == "overflow" }
        #expect((overflow.number("dropped") ?? 0) > 0)
        // The log line comes before the reply. It must occur only once, with one prefix.
        _ = try harness.client.request(#"{"cmd":"ping","id":2}"#)
        #expect(harness.daemon.log.contains("warning: client: "))
        #expect(!harness.daemon.log.contains("client: client: "))
    }

    @Test("with a configuration without regions it runs and warns")
    func noRegions() throws {
        let harness = try PanelHarness("version = 1\n", waitsFor: nil)
        #expect(try harness.client.request(#"{"cmd":"regions","id":4}"#).objects("regions").isEmpty)
        let status = try harness.client.request(#"{"cmd":"status","id":2}"#)
        #expect(status.number("regions") == 0)
        #expect(status.object("config")?.number("warnings") == 1)
        #expect(
            harness.daemon.log.contains(
                "warning: there are no regions; nothing is recognized until a client defines some"))
    }

    @Test("clients that do not read do not delay its end")
    func hungClients() throws {
        let harness = try PanelHarness(TestConfiguration.pressWithoutStorm)
        // Together with the harness's client, these clients reach the maximum number for one user.
        let hung = try (0..<15).map { _ in try harness.daemon.connect() }
        for round in 0..<300 {
            try harness.panel.land(id: round, x: 100, y: 100)
            try harness.release()
        }
        #expect(try harness.daemon.stop() == .exited(0))
        #expect(try harness.client.wait(for: "bye") { $0["event"] == "bye" }["reason"] == "shutdown")
        for client in hung { try client.lines.waitForEnd() }
    }

    @Test("a second daemon does not touch the socket of the first")
    func secondDaemon() throws {
        let folder = try ScratchFolder()
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder)
        let other = try ChildProcess.run(
            [BuildProducts.program("gestured"), "-c", folder("gestured.toml"), "--socket", daemon.socketPath])
        #expect(other.status != 0)
        #expect(other.errors.contains(daemon.socketPath))
        let client = try daemon.connect()
        #expect(try client.request(#"{"cmd":"ping","id":1}"#).flag("ok") == true)
    }
}
