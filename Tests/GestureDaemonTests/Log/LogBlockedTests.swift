// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

@Suite("Daemon: a log without a reader")
struct LogBlockedTests {
    @Test("standard error is a full pipe: the daemon works, and the loss is reported later")
    func fullPipe() throws {
        let folder = try ScratchFolder()
        try #require(mkfifo(folder("log"), 0o600) == 0)
        let pipe = open(folder("log"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(pipe >= 0)
        defer { close(pipe) }
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
        while write(pipe, block, block.count) > 0 {}

        let panel = try FakePanel(in: folder)
        try panel.add()
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder, panel: panel)
        // Removes the file's name while the daemon keeps the file open, so that a failing test does not block
        // on reading the log.
        unlink(folder("log"))
        let client = try daemon.connect(toPanel: "panel")
        for round in 0..<20 {
            try panel.land(id: round, x: 100, y: 100)
            try panel.lift()
            try client.wait(for: "gesture press end ok")
        }
        #expect(try client.request(#"{"cmd":"reload","id":1}"#).flag("ok") == true)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let filling = read(pipe, &bytes, bytes.count)
        #expect(bytes[..<max(0, filling)].allSatisfy { $0 == UInt8(ascii: "x") })
        #expect(try client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        let count = read(pipe, &bytes, bytes.count)
        let lines = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
        #expect(lines.first?.contains("log lines were lost") == true)
        #expect(lines.last?.contains("configuration: generation 3 is active") == true)
        #expect(try daemon.stop() == .exited(0))
    }

    @Test("the reader of the log has gone: the daemon keeps running")
    func readerGone() throws {
        let folder = try ScratchFolder()
        try #require(mkfifo(folder("log"), 0o600) == 0)
        let pipe = open(folder("log"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(pipe >= 0)
        let daemon = try DaemonProcess(TestConfiguration.button, in: folder)
        unlink(folder("log"))
        close(pipe)
        let client = try daemon.connect()
        // Each of these requests writes a line to the log.
        for number in 0..<3 { #expect(try client.request("{\"cmd\":\"reload\",\"id\":\(number)}").flag("ok") == true) }
        #expect(try daemon.stop() == .exited(0))
    }

    @Test("an invalid configuration is reported at every level of the log")
    func rejected() throws {
        let harness = try PanelHarness(arguments: ["--log-level", "error"])
        try harness.daemon.configure(TestConfiguration.wrong)
        harness.daemon.program.signal(SIGHUP)
        _ = try harness.client.wait(for: "config") { $0["event"] == "config" }
        #expect(harness.daemon.log.contains("unknown key"))
        #expect(harness.daemon.log.contains("error: configuration: rejected; the previous one stays active"))
    }
}
