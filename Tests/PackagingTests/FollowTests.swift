// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc
import Testing

/// `systemd/user/follow-focus` with stubs of the programs that it runs.
@Suite("The script that sets the scene of the application with the focus")
struct FollowTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        // The scene is in the file `scene`, and the scenes that were set are in `set`. With $FAIL, setting fails with this status.
        try folder.stub(
            "gesturectl",
            """
            [ $# -gt 1 ] || exec cat scene
            echo "$2" >> set
            [ -z "${FAIL:-}" ] || { echo "status $FAIL"; exit "$FAIL"; }
            echo "$2" > scene
            """)
        try folder.stub("sleep", "exec /bin/sleep 0.1")
        try folder.write("default\n", to: "scene")
        try FileManager.default.createDirectory(atPath: folder("config/gestured"), withIntermediateDirectories: true)
        try folder.write(
            """
            # the application, and its scene
            chromium* browser

            org.gnome.Maps map
            ?erminal terminal
            calculator
            """, to: "config/gestured/follow")
    }

    /// Runs the script in the folder of the stubs.
    /// - Returns: the scenes that were set.
    private func run(
        _ arguments: String, _ variables: [String: String] = [:], status: Int32 = 75, message: String? = nil
    ) throws -> [String] {
        try? FileManager.default.removeItem(atPath: folder("set"))
        let script = BuildProducts.root + "/systemd/user/follow-focus"
        let command = "cd \(folder.path) && PATH=\(folder.path):$PATH timeout 30 \(script) \(arguments)"
        let none = ["SWAYSOCK", "NIRI_SOCKET", "HYPRLAND_INSTANCE_SIGNATURE", "WAYLAND_DISPLAY", "DISPLAY"].map {
            ($0, "")
        }
        let set = Dictionary(uniqueKeysWithValues: none).merging(variables) { $1 }
            .merging(["XDG_CONFIG_HOME": folder("config")]) { $1 }
        let outcome = try Shell.run(command, set)
        #expect(outcome.status == status, "\(outcome.output)")
        if let message { #expect(outcome.output == message) }
        let text = (try? String(contentsOfFile: folder("set"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// A stub of sway in whose tree an application has the focus, and which has one event.
    private func sway(_ node: String, events: String = "") throws {
        try folder.write(
            """
            {"id":1,"type":"root","focused":false,"nodes":[{"id":2,"type":"output","focused":false,"name":"DSI-1","nodes":[
            {"id":5,"type":"workspace","focused":\(node.isEmpty),"name":"2","nodes":[\(node)]},
            {"id":4,"type":"workspace","focused":false,"name":"1","nodes":[{"id":6,"type":"con","focused":false,"name":"x, \\"focused\\": true, {","nodes":[],"app_id":"chromium"}]}]}]}
            """.replacing(":", with: ": "), to: "tree")
        try folder.stub(
            "swaymsg",
            #"""
            case $* in
              "-t get_tree") cat tree ;;
              *subscribe*) echo '{ "change": "title" }'; \#(events) ;;
            esac
            """#)
    }

    @Test("sway: native applications, those of X11, and an empty workspace")
    func sway() throws {
        try sway(
            #"{"id":7,"type":"con","focused":true,"name":"a, \"app_id\": \"chromium\"","nodes":[],"app_id":"org.gnome.Maps"}"#
        )
        #expect(try run("sway", message: "follow-focus: swaymsg has ended\n") == ["map"])
        #expect(try run("", ["SWAYSOCK": "/s"]).isEmpty)
        try sway(
            #"{"id":7,"type":"con","focused":true,"nodes":[],"app_id":null,"window_properties":{"class":"Terminal","title":"x"}}"#
        )
        #expect(try run("sway") == ["terminal"])
        // A line without a scene
        try sway(#"{"id":7,"type":"con","focused":true,"nodes":[],"app_id":"calculator"}"#)
        #expect(try run("sway") == ["default"])
        try folder.write("terminal\n", to: "scene")
        try sway(#"{"id":7,"type":"con","focused":true,"nodes":[],"app_id":"unknown"}"#)
        #expect(try run("sway") == ["default"])
        try sway("")
        #expect(try run("sway").isEmpty)
    }

    @Test("another client's scene, such as a lock, is left alone until it ends")
    func lock() throws {
        try folder.write("lock\n", to: "scene")
        try sway(
            #"{"id":7,"type":"con","focused":true,"nodes":[],"app_id":"chromium-browser"}"#,
            events: "until [ -s unlocked ]; do /bin/sleep 0.05; done; /bin/sleep 1")
        let unlocking = try ChildProcess([
            "/bin/sh", "-c",
            "/bin/sleep 1; touch \(folder("set")); cp \(folder("set")) \(folder("before")); echo default > \(folder("scene")); echo > \(folder("unlocked"))",
        ])
        #expect(try run("sway") == ["browser"])
        #expect(try unlocking.waitForExit() == .exited(0))
        #expect(try String(contentsOfFile: folder("before"), encoding: .utf8).isEmpty)
    }

    @Test(
        "the other sources",
        arguments: [
            (
                "niri", "niri",
                #"case $* in *focused-window) echo '{"id":3,"title":"\"app_id\":\"x\"","app_id":"chromium"}' ;; *) echo '{"WindowsChanged":{}}' ;; esac"#
            ),
            (
                "x11", "xprop",
                #"case $* in *WM_CLASS) echo 'WM_CLASS(STRING) = "a", "chromium"' ;; *) echo '_NET_ACTIVE_WINDOW(WINDOW): window id # 0x1a00003' ;; esac"#
            ),
            ("wlrctl", "wlrctl", #"case $* in *focused) echo 'chromium: a: title' ;; *) [ ! -s set ] ;; esac"#),
        ])
    func others(source: String, program: String, body: String) throws {
        try folder.stub(program, body)
        #expect(try run(source) == ["browser"])
    }

    @Test("ends if the user may not set scenes, and goes on after a scene that does not exist")
    func refused() throws {
        try sway(#"{"id":7,"type":"con","focused":true,"nodes":[],"app_id":"chromium"}"#)
        let message = "status 77\nfollow-focus: after a change, run: systemctl --user restart gestured-follow\n"
        #expect(try run("sway", ["FAIL": "77"], status: 77, message: message) == ["browser"])
        #expect(try run("sway", ["FAIL": "1"], message: "status 1\nfollow-focus: swaymsg has ended\n") == ["browser"])
    }

    @Test("ends where another try cannot help, and says why")
    func futile() throws {
        let nothing = "nothing to follow: the session of a compositor or of X11 has not told systemd where it is"
        #expect(try run("", status: 69, message: "follow-focus: \(nothing)\n").isEmpty)
        #expect(try run("kwin", status: 64).isEmpty)
        #expect(
            try run("niri", ["PATH": "/usr/bin:/bin"], status: 69, message: "follow-focus: there is no niri\n").isEmpty)
        try sway("")
        try FileManager.default.removeItem(atPath: folder("config/gestured/follow"))
        #expect(try run("sway", status: 66).isEmpty)
    }
}
