// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc
import Testing

/// `systemd/user/follow-rotation` with stubs of the programs that it runs.
@Suite("The script that turns the panel with the screen")
struct RotationTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        // The rotations are written to `turned`. With $STOP, the script ends after the first one. With $FAIL, the tool ends
        // with this status, and says so, until it has been run $FAILURES times.
        try folder.stub(
            "gesturectl",
            """
            echo "$*" >> turned
            [ -z "${STOP:-}" ] || kill "$PPID"
            [ "$(wc -l < turned)" -gt "${FAILURES:-0}" ] || { echo "status $FAIL"; exit "$FAIL"; }
            """)
        try folder.stub("sleep", "")
    }

    /// Runs the script in the folder of the stubs.
    /// - Parameters:
    ///   - status: the status with which the script must end; by default, that for a source that has ended.
    ///   - message: the lines that it must print.
    /// - Returns: the arguments of each call of gesturectl.
    private func run(
        _ arguments: String, _ variables: [String: String] = [:], status: Int32 = 75, message: String? = nil
    ) throws -> [String] {
        try? FileManager.default.removeItem(atPath: folder("turned"))
        let script = BuildProducts.root + "/systemd/user/follow-rotation"
        let command = "cd \(folder.path) && PATH=\(folder.path):$PATH timeout 30 \(script) \(arguments)"
        let outcome = try Shell.run(command, variables)
        #expect(outcome.status == status)
        if let message {
            #expect(outcome.output == message)
        } else {
            #expect(outcome.output.contains(#/^follow-rotation: (swaymsg|monitor-sensor) has ended\n$/#))
        }
        let text = (try? String(contentsOfFile: folder("turned"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// A stub of sway with two outputs. The second one has the transform in the file `transform`.
    private func sway(_ transform: String, subscribed: String) throws {
        try folder.write(transform, to: "transform")
        try folder.stub(
            "swaymsg",
            """
            case $* in
              "-pt get_outputs")
                printf "Output %s\\n" "HDMI-A-1 'Some Screen 1' (inactive)" "DSI-1 'A Panel 2' (focused)"
                printf "  %s\\n" "Position: 0,0" "Transform: $(cat transform)" "Workspace: 1"
                ;;
              '-mt subscribe ["output"]') \(subscribed) ;;
              "-t get_version") exit 1 ;;
            esac
            """)
    }

    @Test(
        "sway's transforms are those of wl_output the other way round",
        arguments: [
            ("normal", "0"), ("90", "270"), ("180", "180"), ("270", "90"), ("flipped", "flipped"),
            ("flipped-90", "flipped-270"), ("flipped-180", "flipped-180"), ("flipped-270", "flipped-90"),
        ])
    func sway(transform: String, rotation: String) throws {
        // An event without a change causes no request.
        try sway(transform, subscribed: "echo '{}'")
        #expect(try run("sway DSI-1 left") == ["rotate left \(rotation)"])
        #expect(try run("", ["SWAYSOCK": "/s"]) == ["rotate \(rotation)"])
        #expect(try run("sway HDMI-A-1").isEmpty)
    }

    @Test("each change of sway's output turns the panel, and a failure is tried again")
    func changes() throws {
        let change = "until [ -s turned ]; do :; done; echo 270 > transform; echo '{}'"
        try sway("normal", subscribed: change)
        let end = "status 69\nfollow-rotation: swaymsg has ended\n"
        let turned = try run("sway", ["FAIL": "69", "FAILURES": "3"], message: end)
        #expect(turned == ["rotate 0", "rotate 0", "rotate 0", "rotate 0", "rotate 90"])
    }

    @Test("sway before 1.8 has no events for outputs, so the script looks from time to time until sway ends")
    func oldSway() throws {
        try sway("90", subscribed: "exit 1")
        #expect(try run("sway") == ["rotate 270"])
        let text = try String(contentsOfFile: folder("swaymsg"), encoding: .utf8)
        let looks = "[ ! -e looked ] && touch looked && echo 180 > transform"
        try folder.stub(
            "swaymsg",
            text.replacing("#!/bin/sh\n", with: "").replacing("get_version\") exit 1", with: "get_version\") \(looks)"))
        #expect(try run("sway").last == "rotate 180")
    }

    @Test(
        "wlr-randr has the names of wl_output",
        arguments: ["normal", "90", "180", "270", "flipped", "flipped-90", "flipped-180", "flipped-270"])
    func wlroots(transform: String) throws {
        try folder.stub(
            "wlr-randr",
            """
            cat <<END
            HEADLESS-1 "Headless output 1"
              Enabled: yes
              Transform: 180
            DSI-1 "A panel"
              Modes:
                1080x1920 px, 60.0 Hz (current)
              Transform: \(transform)
            END
            """)
        let rotation = transform == "normal" ? "0" : transform
        let stopped: [String: String] = ["STOP": "1"]
        #expect(try run("wlr-randr DSI-1 panel", stopped, status: 15, message: "") == ["rotate panel \(rotation)"])
        #expect(try run("wlr-randr", stopped, status: 15, message: "") == ["rotate 180"])
    }

    @Test("an accelerometer turns the panel")
    func sensor() throws {
        try folder.stub(
            "monitor-sensor",
            """
            cat <<END
                Waiting for iio-sensor-proxy to appear
            +++ iio-sensor-proxy appeared
            === Has accelerometer (orientation: normal, tilt: vertical)
            === No ambient light sensor
                Accelerometer orientation changed: left-up
                Accelerometer orientation changed: undefined
                Tilt changed: tilted-up
                Accelerometer orientation changed: bottom-up
                Accelerometer orientation changed: right-up
            END
            """)
        #expect(try run("sensor") == ["rotate 0", "rotate 90", "rotate 180", "rotate 270"])
        try folder.stub("monitor-sensor", "echo '=== Has accelerometer (orientation: left-up)'")
        #expect(try run("", ["SWAYSOCK": "", "WAYLAND_DISPLAY": ""]) == ["rotate 90"])
    }

    @Test(
        "ends where another try cannot help, and says why once",
        arguments: [
            ("swey", 64, "unknown source \"swey\"; use sway, wlr-randr or sensor"),
            ("sway", 69, "there is no swaymsg"), ("sensor", 69, "this machine has no accelerometer"),
            (
                "", 69,
                "nothing to follow: SWAYSOCK is not set, and there is neither wlr-randr nor monitor-sensor "
                    + "(of iio-sensor-proxy)"
            ),
        ])
    func futile(source: String, status: Int32, message: String) throws {
        if source == "sensor" {
            try folder.stub("monitor-sensor", "echo '=== No accelerometer'; echo '=== Has accelerometer'")
        }
        let variables = ["SWAYSOCK": "", "WAYLAND_DISPLAY": ""]
        #expect(try run(source, variables, status: status, message: "follow-rotation: \(message)\n").isEmpty)
    }

    @Test("ends if the user may not turn the panel, or has to name it", arguments: [77, 64])
    func refused(status: Int32) throws {
        try sway("normal", subscribed: "")
        let message =
            "status \(status)\nfollow-rotation: after a change, run: systemctl --user restart gestured-rotation\n"
        let variables = ["FAIL": "\(status)", "FAILURES": "9"]
        #expect(try run("sway", variables, status: status, message: message) == ["rotate 0"])
        // The script does not wait for a source that has more to say.
        try folder.stub("monitor-sensor", "echo '=== Has accelerometer (orientation: normal)'; exec /bin/sleep 60")
        #expect(try run("sensor", variables, status: status, message: message) == ["rotate 0"])
    }

    @Test("ends if the compositor does not answer")
    func noCompositor() throws {
        try folder.stub("wlr-randr", "echo 'no compositor' >&2; exit 1")
        let message = "no compositor\nfollow-rotation: wlr-randr finds no outputs\n"
        #expect(try run("wlr-randr", message: message).isEmpty)
    }
}
