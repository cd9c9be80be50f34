// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import LinuxSystem
import Testing

@Suite("Power of displays")
struct DisplayPowerTests {
    private static let dsi = "drm/card0-DSI-1/"
    private static let hdmi = "drm/card0-HDMI-A-1/"
    private static let backlight = "backlight/panel/"

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Writes a file as the kernel does: programs that have opened it read the new contents.
    private func set(_ files: KeyValuePairs<String, String>) throws {
        for (name, text) in files {
            let file = URL(fileURLWithPath: folder(name))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    private func listed() -> DisplayPower {
        let power = DisplayPower(root: folder.path)
        power.list()
        return power
    }

    @Test(
        "all connected displays must be off; a backlight decides for a single one",
        arguments: [
            ([:], false),
            ([backlight + "bl_power": "0\n", backlight + "actual_brightness": "200\n"], false),
            ([backlight + "bl_power": "4\n"], true),
            ([backlight + "bl_power": "0\n", backlight + "actual_brightness": "0\n"], true),
            ([backlight + "actual_brightness": "1\n"], false),
            ([backlight + "actual_brightness": ""], false),
            ([backlight + "actual_brightness": "0\n", "backlight/other/actual_brightness": "1\n"], false),
            ([dsi + "status": "connected\n", dsi + "dpms": "On\n"], false),
            ([dsi + "status": "connected\n", dsi + "dpms": "Off\n"], true),
            ([dsi + "status": "connected\n", dsi + "dpms": "Standby\n"], true),
            ([dsi + "status": "disconnected\n", dsi + "dpms": "Off\n"], false),
            ([dsi + "status": "connected\n", dsi + "dpms": ""], false),
            (
                [dsi + "status": "connected\n", dsi + "dpms": "On\n", backlight + "actual_brightness": "0\n"], true
            ),
            (
                [
                    dsi + "status": "connected\n", dsi + "dpms": "Off\n", hdmi + "status": "connected\n",
                    hdmi + "dpms": "On\n", backlight + "actual_brightness": "0\n",
                ], false
            ),
            (
                [
                    dsi + "status": "connected\n", dsi + "dpms": "Off\n", hdmi + "status": "connected\n",
                    hdmi + "dpms": "Suspend\n", backlight + "actual_brightness": "9\n",
                ], true
            ),
        ] as [(KeyValuePairs<String, String>, Bool)])
    func displays(files: KeyValuePairs<String, String>, isOff: Bool) throws {
        try set(files)
        #expect(listed().isOff() == isOff)
    }

    @Test("an unlisted display is not read; a listed one is read anew each time")
    func changes() throws {
        let power = DisplayPower(root: folder.path)
        try set([Self.hdmi + "status": "connected\n", Self.hdmi + "dpms": "Off\n"])
        power.displaysChanged()
        #expect(!power.isOff(), "nothing has been listed yet")
        power.list()
        #expect(power.isOff())
        try set([Self.hdmi + "dpms": "On\n"])
        #expect(!power.isOff())
        try set([Self.hdmi + "dpms": "Off\n"])
        #expect(power.isOff())
        try set([Self.dsi + "status": "connected\n", Self.dsi + "dpms": "On\n"])
        #expect(power.isOff())
        power.displaysChanged()
        #expect(!power.isOff())
    }

    @Test("the displays are listed again when one cannot be read")
    func failures() throws {
        // A folder can be opened, but not read.
        try set([Self.hdmi + "status": "connected\n", Self.hdmi + "dpms/file": ""])
        let power = listed()
        #expect(!power.isOff())
        try FileManager.default.removeItem(atPath: folder(Self.hdmi + "dpms"))
        try set([Self.hdmi + "dpms": "Off\n"])
        #expect(power.isOff())
    }

    /// The number of times that this thread reads while it runs `body`.
    private func reads(_ body: () -> Void) throws -> Int {
        func count() throws -> Int {
            let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscr: ") })
            return try #require(Int(line.dropFirst("syscr: ".count)))
        }
        let first = try count()
        let second = try count()
        body()
        return try count() - second - (second - first)
    }

    @Test(
        "a display that is on takes one read, even beside others that are off; one with a backlight takes three",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/thread-self/io")))
    func cost() throws {
        func expect(_ count: Int, _ power: DisplayPower, _ comment: Comment) throws {
            #expect(try reads { _ = power.isOff() } == count, comment)
        }
        try expect(0, listed(), "no display")
        try set([Self.hdmi + "status": "connected\n", Self.hdmi + "dpms": "On\n"])
        try expect(1, listed(), "one display")
        try set([Self.backlight + "bl_power": "0\n", Self.backlight + "actual_brightness": "9\n"])
        try expect(3, listed(), "with a backlight")
        try set([Self.backlight + "bl_power": "4\n"])
        try expect(2, listed(), "with a backlight that is switched off")
        try set([Self.hdmi + "dpms": "Off\n"])
        try expect(1, listed(), "off")
        for number in 2...9 {
            try set(["drm/card0-DP-\(number)/status": "connected\n", "drm/card0-DP-\(number)/dpms": "Off\n"])
        }
        let power = listed()
        try expect(9, power, "all of nine are off")
        try set(["drm/card0-DP-5/dpms": "On\n"])
        _ = power.isOff()
        try expect(1, power, "one of nine is on")
    }

    @Test("a file says so with `0` or `off`; it may be replaced by another one")
    func file() throws {
        func problem(_ name: String) -> String? { DisplayPower.problem(file: folder(name)) }
        #expect(
            problem("display") == "display of wake: open \(folder("display")): No such file or directory, so the "
                + "display counts as on; let the program that switches the display write on or off to it, or correct "
                + "the path")
        let cases = [
            ("0", true), ("off\n", true), (" OFF \n", true), ("1", false), ("", false), ("on\n", false), ("0 0", false),
            (String(repeating: "0", count: 100), false), ("\u{FF}0", false),
        ]
        for (text, isOff) in cases {
            #expect(try DisplayPower.isOff(file: folder.write(text, to: "display")) == isOff, "\(text)")
        }
        #expect(problem("display") == nil)
        #expect(problem("display/x")?.contains("Not a directory, so") == true)
        let text = "Is a directory, so the display counts as on; name a file that contains on or off"
        #expect(DisplayPower.problem(file: folder.path) == "display of wake: read \(folder.path): \(text)")
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        #expect(problem("pipe")?.hasSuffix("name a file that contains on or off") == true)
        let denied = SystemError(call: "open", code: EACCES, path: "/x")
        #expect(DisplayPower.problem(denied).hasSuffix("; let the user of the service read it"))
    }
}
