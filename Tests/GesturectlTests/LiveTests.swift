// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@testable import gesturectl

/// The real tool with the real daemon and a fake panel.
@Suite("With the daemon")
struct LiveTests {
    let folder: ScratchFolder
    let panel: FakePanel
    let daemon: DaemonProcess
    let client: SocketClient

    init() throws {
        folder = try ScratchFolder()
        panel = try FakePanel(in: folder)
        try panel.add()
        daemon = try DaemonProcess(RoundTripTests.configuration, in: folder, panel: panel, isProxied: true)
        client = try daemon.connect(toPanel: "panel")
    }

    private func ask(_ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(arguments + ["--socket", daemon.socketPath])
    }

    @Test("the tool accepts the daemon's replies")
    func replies() throws {
        let devices = try ask("devices", "--no-legend")
        #expect(devices.output.hasPrefix("panel  ready  /dev/input/event0  1920x1080  344x194 mm  0  0,0 1920,0 "))
        #expect(devices.output.hasSuffix("  0  Fake Panel\n"))
        #expect(try ask("at", "10", "10").output == "left\n")
        #expect(try ask("at", "1900", "10").output == "right\n")
        let outside = try ask("at", "1920", "10")
        #expect(outside.status == 64)
        #expect(outside.errors.contains("outside"))
        let regions = try ask("regions")
        #expect(regions.output.contains("right   panel   -       0  960x1080+960+0  -      press, tap, repeat, drag\n"))
        #expect(try ask("regions", "r*", "--tree").output.split(separator: "\n").count == 2)
        let status = try ask("status")
        #expect(status.output.contains("\nclients       2\n"))
        #expect(status.output.contains("\ndevices       1 ready\n"))
        #expect(status.output.contains("\nscene         default\n"))
        #expect(status.output.contains("\nmemory        "))
        #expect(status.output.contains("\nlongest_turn  "))
        let clients = try ask("status", "--clients", "--no-legend").output.split(separator: "\n")
        #expect(clients.count == 2)
        #expect(clients.last?.contains(" (this)  ") == true)
        let reload = try ask("reload")
        #expect(reload.status == 0)
        #expect(reload.output.hasPrefix("configuration 2 in use"))
        try daemon.configure(RoundTripTests.configuration + "\nnonsense = 1\n")
        let wrong = try ask("reload")
        #expect(wrong.status == 78)
        #expect(wrong.errors.contains("unknown key \"nonsense\""))
    }

    @Test("a recording replays to the lines that clients got, byte for byte")
    func recordAndReplay() throws {
        _ = try client.request(#"{"cmd":"subscribe","id":1,"events":["gesture","touches"]}"#)
        // Uses both slots before the recording begins, the second one last.
        try panel.command("frame 3 57 1 3 53 100 3 54 100 3 47 1 3 57 2 3 53 3000 3 54 900")
        try panel.command("frame 3 47 0 3 57 -1 3 47 1 3 57 -1")
        try client.wait(for: "gesture press end right")

        let recorder = try ChildProcess([
            "/bin/sh", "-c", "exec \"$0\" record -o \"$1\" --socket \"$2\" 2>&1",
            BuildProducts.program("gesturectl"), folder("panel.evemu"), daemon.socketPath,
        ])
        _ = try recorder.output.wait(for: "recording") { $0.hasSuffix("end with Ctrl-C") }
        _ = try client.request(#"{"cmd":"ping","id":2}"#)
        let before = client.lines.transcript.count
        try touch()
        try client.wait(for: "gesture press cancel device_removed right")
        _ = try client.request(#"{"cmd":"ping","id":3}"#)
        let ending = try recorder.waitForExit()
        #expect(ending == .exited(0))
        #expect(recorder.output.transcript.last?.contains(" frames in ") == true)

        let file = try folder.write(RoundTripTests.configuration, to: "again.toml")
        let replay = try Tool.run(["replay", folder("panel.evemu"), "--config", file, "--events", "gesture,touches"])
        #expect(replay.status == 0)
        let seen = client.lines.transcript[before...].filter {
            $0.hasPrefix("{\"event\":\"gesture\"") || $0.hasPrefix("{\"event\":\"touches\"")
        }
        let replayed = replay.output.split(separator: "\n").map(String.init)
        let difference = zip(seen.map(body), replayed.map(body)).first { $0 != $1 }
        #expect(difference == nil, "the first line that differs, as seen and as replayed")
        #expect(seen.count == replayed.count)
        #expect(replayed.count > 12)
    }

    /// A tap that waits for a second one, a long press, a drag that repeats and loses events, and a press that
    /// ends because the panel is unplugged. Waits in real time until the deadlines expire.
    private func touch() throws {
        try panel.commands("frame 3 57 3 3 53 800\nframe 3 57 -1")
        try client.wait(for: "gesture tap left")
        try panel.commands("frame 3 47 0 3 57 4 3 53 500")
        try client.wait(for: "gesture long_press begin left")
        try panel.commands("frame 3 53 505\nframe 3 57 -1")
        try panel.commands("frame 3 57 5 3 53 3000\nframe 3 53 3100\nframe 3 53 3300 3 54 400")
        _ = try client.wait(for: "a repetition") { $0.number("n") == 2 }
        try panel.commands("set 3 53 3500\nset 3 54 500\ndrop")
        _ = try client.wait(for: "the lost movement") {
            $0.summary == "gesture drag update right" && $0.number("x") ?? 0 > 1600
        }
        try panel.commands("frame 3 53 3600\nframe 3 57 -1\nframe 3 57 6 3 54 2000\nframe 3 53 3590")
        try client.wait(for: "gesture press begin right")
        try panel.remove()
    }

    /// The line without `seq`, which differs between connections.
    private func body(_ line: String) -> String {
        var parts = line.split(separator: ",", maxSplits: 2).map(String.init)
        if parts.count == 3 { parts.remove(at: 1) }
        return parts.joined(separator: ",")
    }
}
