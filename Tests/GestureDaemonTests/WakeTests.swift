// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("Daemon: touches that wake the display")
struct WakeTests {
    private static func configuration(_ wake: String = "{}") -> String {
        TestConfiguration.button.replacing("[[region]]", with: "wake = \(wake)\n[[region]]")
    }

    /// Whether a contact that lands wakes the display.
    private func wakes(_ harness: PanelHarness, id: Int) throws -> Bool {
        // The times are far apart, so that the last wake is over.
        try harness.panel.at(harness.panel.now() + Int64(id) * 1_000_000)
        try harness.panel.land(id: id, x: 100, y: 100)
        let line = try harness.client.wait(for: "press or wake") { $0["event"] == "wake" || $0["gesture"] == "press" }
        try harness.panel.lift()
        if line["event"] == "wake" {
            #expect(line["device"] == "panel")
            #expect(line["reason"] == "display")
            return true
        }
        _ = try harness.client.wait(for: "end") { $0["phase"] == "end" }
        return false
    }

    fileprivate static let backlight = "class/backlight/panel/"

    @Test("displays are listed at the start and when one is plugged in, and read at each landing")
    func displays() throws {
        let harness = try PanelHarness(Self.configuration())
        // A panel without `wake`. While it is added, the daemon handles udev's earlier events.
        try harness.panel.command("name Other")
        func plug(_ subsystem: String, _ name: String) throws {
            try harness.panel.plugDisplay(subsystem, name)
            try harness.panel.add(1)
            _ = try harness.client.wait(for: "added") { $0["event"] == "device" && $0["change"] == "added" }
            try harness.panel.remove(1)
            _ = try harness.client.wait(for: "removed") { $0["event"] == "device" && $0["change"] == "removed" }
            try harness.panel.command("select 0")
        }
        var id = 0
        func expect(off: Bool, _ comment: Comment) throws {
            id += 1
            #expect(try wakes(harness, id: id) == off, comment)
        }
        func set(_ path: String, _ text: String) throws { try harness.panel.setSystemFile(path, text) }

        try expect(off: false, "no display")
        try plug("drm", "card0-DSI-1")
        try set("class/drm/card0-DSI-1/status", "disconnected\n")
        try set("class/drm/card0-DSI-1/dpms", "Off\n")
        try expect(off: false, "not connected")
        try set("class/drm/card0-DSI-1/status", "connected\n")
        try expect(off: false, "not reported")
        try plug("drm", "card0-DSI-1")
        try expect(off: true, "connected")
        try set("class/drm/card0-DSI-1/dpms", "On\n")
        try expect(off: false, "switched on")
        try plug("backlight", "panel")
        try set(Self.backlight + "bl_power", "4\n")
        // The files were not there when the backlight was reported, and a change of brightness lists nothing.
        try plug("backlight", "panel")
        try expect(off: false, "not listed")
        try plug("drm", "card0-DSI-1")
        try expect(off: true, "dark")
        try set(Self.backlight + "bl_power", "0\n")
        try expect(off: false, "bright")
        let counts = try harness.client.request(#"{"cmd":"counts","id":1}"#).description
        #expect(counts.contains("\"ignored\":{\"wake\":2}"))
    }

    @Test("a file says whether the display is off")
    func file() throws {
        let folder = try ScratchFolder()
        let harness = try PanelHarness(Self.configuration("{ display = \"\(folder("display"))\" }"))
        let cases = [
            (nil, false), ("0", true), ("off\n", true), ("Off", true), ("1", false), ("", false), ("on\n", false),
            ("0 0", false), (String(repeating: "0", count: 100), false),
        ]
        for (number, (text, isOff)) in cases.enumerated() {
            if let text { try folder.write(text, to: "display") }
            #expect(try wakes(harness, id: number + 1) == isOff, "\(text ?? "no file")")
        }
    }

    @Test("a file that cannot be read is reported once, and `devices` says so until it can be read")
    func unreadableFile() throws {
        let folder = try ScratchFolder()
        let path = folder("display")
        let harness = try PanelHarness(Self.configuration("{ display = \"\(path)\" }"))
        func reports(_ problem: String) -> Int {
            harness.daemon.log.components(separatedBy: "\"panel\": display of wake: \(problem), so the display").count
                - 1
        }
        let missing = "open \(path): No such file or directory"
        #expect(reports(missing) == 1)
        #expect(try harness.row()["reason"]?.hasPrefix("display of wake: \(missing)") == true)
        for id in 1...3 { #expect(try !wakes(harness, id: id)) }
        #expect(reports(missing) == 1)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for id in 4...5 { #expect(try !wakes(harness, id: id)) }
        let isFolder = "read \(path): Is a directory"
        #expect(reports(isFolder) == 1)
        #expect(try harness.row()["reason"]?.hasPrefix("display of wake: \(isFolder)") == true)
        try FileManager.default.removeItem(atPath: path)
        try folder.write("off", to: "display")
        #expect(try harness.row()["reason"] == nil)
        #expect(try wakes(harness, id: 6))
        #expect(reports(missing) + reports(isFolder) == 2)
        try FileManager.default.removeItem(atPath: path)
        #expect(try !wakes(harness, id: 7))
        #expect(reports(missing) == 2)
    }

    @Test("a display that does not come on is reported once, and hides touches no longer than give_up says")
    func neverOn() throws {
        for (giveUp, age, result) in [
            ("1s", 3, "so touches count nevertheless"), ("off", 31, "so touches do nothing"),
        ] {
            let folder = try ScratchFolder()
            let path = try folder.write("off", to: "display")
            let harness = try PanelHarness(Self.configuration("{ display = \"\(path)\", give_up = \"\(giveUp)\" }"))
            #expect(try harness.row().number("dark_ms") == 0)
            let problem = "display of wake: \(path) still says off long after a touch, \(result); let the program"
            func reports(_ text: String) -> Int { harness.daemon.log.components(separatedBy: text).count - 1 }
            try harness.panel.at(harness.panel.now() - Int64(age) * 1_000_000)
            try harness.panel.land(id: 1, x: 100, y: 100)
            try harness.panel.lift()
            _ = try harness.client.wait(for: "wake") { $0["event"] == "wake" }
            #expect(waitUntil { reports(problem) == 1 }, "\(harness.daemon.log)")
            var row = try harness.row()
            #expect(row["reason"]?.hasPrefix(problem) == true)
            #expect(row.number("dark_ms") ?? 0 >= Double(age) * 1000)
            try harness.panel.at(nil)
            try harness.panel.land(id: 2, x: 100, y: 100)
            let line = try harness.client.wait(for: "press or wake") {
                $0["event"] == "wake" || $0["gesture"] == "press"
            }
            #expect(line["event"] == (giveUp == "off" ? "wake" : "gesture"))
            try harness.panel.lift()
            try folder.write("on", to: "display")
            row = try harness.row()
            #expect(row["reason"] == nil)
            #expect(row.number("dark_ms") == 0)
            #expect(reports(problem) == 1)
            #expect(reports("display of wake: it has come on, so touches wake it again") == 1)
            // The guard is there again.
            try folder.write("off", to: "display")
            #expect(try wakes(harness, id: 3))
        }
    }

    @Test("a second contact wakes the display while another one, which landed before it went off, stays")
    func second() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("on", to: "display")
        let harness = try PanelHarness(Self.configuration("{ display = \"\(path)\" }"))
        try harness.press()
        try folder.write("off", to: "display")
        try harness.panel.land(1, id: 2, x: 120, y: 120)
        _ = try harness.client.wait(for: "wake") { $0["event"] == "wake" }
        #expect(try harness.row().number("contacts") == 1)
    }

    @Test("--check names a file that cannot be read")
    func checkedFile() throws {
        let folder = try ScratchFolder()
        let file = try folder.write(Self.configuration("{ display = \"/nowhere/display\" }"), to: "gestured.toml")
        let result = try ChildProcess.run([BuildProducts.program("gestured"), "--check", "-c", file])
        #expect(result.status == 0)
        #expect(result.errors.contains("warning: display of wake: open /nowhere/display: No such file or directory"))
    }

    @Test("a scene says that the display is off, until a touch ends the idle time that chose it")
    func scene() throws {
        let harness = try PanelHarness(
            Self.configuration() + """
                [[scene]]
                id = "night"
                regions = ["*"]
                dark = true
                [[idle]]
                id = "dim"
                after = "100ms"
                in = ["default"]
                scene = "night"

                """)
        // On a busy machine the scene may already be in force when the client connects.
        if !harness.client.lines.transcript.contains(where: { $0.contains("\"scene\":\"night\"") }) {
            _ = try harness.client.wait(for: "night") { $0["event"] == "config" && $0["scene"] == "night" }
        }
        func tap(_ id: Int) throws {
            try harness.panel.land(id: id, x: 100, y: 100)
            try harness.panel.lift()
        }
        try tap(1)
        #expect(try harness.client.wait(for: "idle") { $0["event"] == "idle" }["change"] == "active")
        #expect(try harness.client.wait(for: "wake") { $0["event"] == "wake" }["reason"] == "scene")
        #expect(try harness.client.wait(for: "default") { $0["event"] == "config" }["scene"] == "default")
        #expect(try harness.client.request(#"{"cmd":"set_scene","id":1,"scene":"night"}"#).flag("ok") == true)
        // After the guard time of the first wake.
        try harness.panel.at(harness.panel.now() + 2_000_000)
        try tap(2)
        #expect(try harness.client.wait(for: "wake") { $0["event"] == "wake" }["reason"] == "scene")
        #expect(!harness.client.lines.transcript.contains { $0.contains("\"gesture\":") })
    }

    /// The daemon with a dark display and a fake uinput.
    private struct Dark {
        let folder: ScratchFolder
        let panel: FakePanel
        let daemon: DaemonProcess
        let client: SocketClient
        private let file: String

        init(_ configuration: String, uinput: FakeMachine.Uinput? = nil) throws {
            folder = try ScratchFolder()
            panel = try FakePanel(in: folder)
            try panel.setSystemFile(WakeTests.backlight + "actual_brightness", "0\n")
            try panel.add()
            file = folder("uinput")
            let machine = try FakeMachine(in: folder, uinput: uinput ?? .file(file))
            daemon = try DaemonProcess(configuration, in: folder, panel: panel, machine: machine)
            client = try daemon.connect(toPanel: "panel")
        }

        func tap(_ id: Int) throws {
            try panel.at(panel.now() + Int64(id) * 1_000_000)
            try panel.land(id: id, x: 100, y: 100)
            try panel.lift()
        }

        /// The created and removed devices.
        var notes: [String] {
            let text = (try? String(contentsOfFile: file + ".log", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        /// The events that the daemon has written to its devices, as `type code value`, without SYN_REPORT.
        func written() throws -> [String] {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
            return stride(from: 0, to: bytes.count - 23, by: 24).map { start in
                let words = (8..<12).map { Int(bytes[start + 2 * $0]) | Int(bytes[start + 2 * $0 + 1]) << 8 }
                return "\(words[0]) \(words[1]) \(words[2])"
            }.filter { $0 != "0 0 0" }
        }
    }

    @Test("a virtual keyboard presses the key once for each wake; the twin gets nothing")
    func keyboard() throws {
        let configuration = Self.configuration("{ key = \"leftshift\" }\nshare = \"forward\"")
        let dark = try Dark(configuration)
        #expect(Set(dark.notes) == ["made gestured/event0/wake gestured wake key", "made gestured/event0 Fake Panel"])
        for id in 1...3 {
            try dark.tap(id)
            _ = try dark.client.wait(for: "wake") { $0["event"] == "wake" }
        }
        let keys = try dark.written().filter { $0.hasPrefix("1 ") && !$0.hasPrefix("1 330 ") }
        #expect(keys == Array(repeating: ["1 42 1", "1 42 0"], count: 3).flatMap { $0 })
        #expect(try !dark.written().contains("1 330 1"))
        // Another key needs another keyboard.
        try dark.daemon.configure(configuration.replacing("leftshift", with: "f24"))
        #expect(try dark.client.request(#"{"cmd":"reload","id":2}"#).flag("ok") == true)
        #expect(dark.notes.count { $0.hasPrefix("made gestured/event0/wake") } == 2)
        #expect(dark.notes.count { $0 == "removed gestured/event0/wake" } == 1)
        try dark.tap(4)
        _ = try dark.client.wait(for: "wake") { $0["event"] == "wake" }
        #expect(try dark.written().suffix(2) == ["1 194 1", "1 194 0"])
        #expect(try dark.daemon.stop() == .exited(0))
        #expect(dark.notes.count { $0 == "removed gestured/event0/wake" } == 2)
    }

    @Test("without the right to make a keyboard, gestures are guarded, and the log states the remedy")
    func noKeyboard() throws {
        for (uinput, cure) in [(FakeMachine.Uinput.none, "modprobe uinput"), (.denied, "gesturectl share --enable")] {
            let dark = try Dark(Self.configuration(), uinput: uinput)
            #expect(dark.daemon.log.contains("no key wakes its display; gestures are guarded all the same: "))
            #expect(dark.daemon.log.contains(cure))
            try dark.tap(1)
            _ = try dark.client.wait(for: "wake") { $0["event"] == "wake" }
        }
        let none = try Dark(Self.configuration("{ key = \"none\" }"), uinput: .denied)
        #expect(!none.daemon.log.contains("no key wakes"))
        try none.tap(1)
        _ = try none.client.wait(for: "wake") { $0["event"] == "wake" }
    }

    @Test("a subscription without `idle` has no `wake` lines; `devices` holds for them")
    func subscriptions() throws {
        let folder = try ScratchFolder()
        let harness = try PanelHarness(Self.configuration("{ display = \"\(try folder.write("0", to: "display"))\" }"))
        let others = try harness.daemon.connect(toPanel: "panel")
        try others.request(#"{"cmd":"subscribe","id":1,"events":["gesture","device"]}"#)
        let elsewhere = try harness.daemon.connect(toPanel: "panel")
        try elsewhere.request(#"{"cmd":"subscribe","id":1,"devices":["other"]}"#)
        #expect(try wakes(harness, id: 1))
        for client in [others, elsewhere] {
            try client.request(#"{"cmd":"ping","id":2}"#)
            #expect(!client.lines.transcript.contains { $0.contains("\"wake\"") })
        }
        #expect(try harness.client.request(#"{"cmd":"subscribe","id":1,"events":["wake"]}"#).flag("ok") == false)
    }
}
