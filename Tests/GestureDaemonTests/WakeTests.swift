// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: touches that wake the display")
struct WakeTests {
    private static func configuration(_ wake: String = "{}") -> String {
        TestConfiguration.button.replacing("[[region]]", with: "wake = \(wake)\n[[region]]")
    }

    /// The files of a fake `/sys`, by their paths.
    typealias Files = [String: String]

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

    private static let backlight = "class/backlight/panel/"
    private static let dsi = "class/drm/card0-DSI-1/"
    private static let hdmi = "class/drm/card0-HDMI-A-1/"

    @Test("the kernel's lists of displays are read at each landing")
    func displays() throws {
        let harness = try PanelHarness(Self.configuration())
        let cases: [(files: Files, isOff: Bool)] = [
            ([:], false),
            ([Self.backlight + "bl_power": "0\n", Self.backlight + "actual_brightness": "200\n"], false),
            ([Self.backlight + "bl_power": "4\n"], true),
            ([Self.backlight + "bl_power": "0\n", Self.backlight + "actual_brightness": "0\n"], true),
            ([Self.backlight + "actual_brightness": "1\n"], false),
            ([Self.dsi + "status": "connected\n", Self.dsi + "dpms": "On\n"], false),
            ([Self.dsi + "dpms": "Off\n"], true),
            ([Self.dsi + "dpms": "Standby\n"], true),
            // One of two displays is on, so the backlight does not count.
            (
                [
                    Self.hdmi + "status": "connected\n", Self.hdmi + "dpms": "On\n",
                    Self.backlight + "actual_brightness": "0\n",
                ], false
            ),
            ([Self.hdmi + "dpms": "Off\n"], true),
            ([Self.dsi + "dpms": "On\n"], false),
            ([Self.hdmi + "status": "disconnected\n", Self.backlight + "actual_brightness": "9\n"], false),
            ([Self.backlight + "actual_brightness": "0\n"], true),
            ([Self.backlight + "actual_brightness": ""], false),
        ]
        for (number, (files, isOff)) in cases.enumerated() {
            for (path, text) in files { try harness.panel.setSystemFile(path, text) }
            #expect(try wakes(harness, id: number + 1) == isOff, "case \(number)")
        }
        let counts = try harness.client.request(#"{"cmd":"counts","id":1}"#).description
        #expect(counts.contains("\"ignored\":{\"wake\":\(cases.count { $0.isOff })}"))
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
