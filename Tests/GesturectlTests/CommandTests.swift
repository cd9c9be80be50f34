// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// `wait`, `exec` and the commands that switch regions, tested with a fake daemon.
@Suite("Waiting, running and switching")
struct CommandTests {
    private static let subscribed = #"{"reply":"subscribe","id":1,"ok":true}"#
    private static let swipe =
        #"{"event":"gesture","seq":1,"gesture":"swipe","name":"page","region":"list","device":"panel","sequence":3,"fingers":1,"direction":"left","start":{"x":923.0,"y":422.0},"x":511.0,"y":430.0,"u":0.27,"v":0.43,"time_us":300500}"#

    private func daemon(_ lines: String..., hangsUp: Bool = false) throws -> FakeDaemon {
        try FakeDaemon { request in
            guard request.contains("subscribe") else {
                let id = request.contains("\"id\":2") ? 2 : 1
                return FakeDaemon.Answer(#"{"reply":"x","id":\#(id),"ok":true,"scene":"night"}"#)
            }
            var answer = FakeDaemon.Answer(Self.subscribed, hangsUp: hangsUp)
            answer.lines += lines
            return answer
        }
    }

    private func run(_ arguments: [String], _ daemon: FakeDaemon) throws -> Tool.Outcome {
        let end = arguments.firstIndex(of: "--") ?? arguments.count
        return try Tool.run(Array(arguments[..<end]) + ["--socket", daemon.path] + Array(arguments[end...]))
    }

    @Test("wait prints the first gesture and ends")
    func waits() throws {
        let daemon = try daemon(Self.swipe, Self.swipe)
        let outcome = try run(["wait", "-r", "li*", "-g", "swipe", "--name", "page", "--timeout", "20s"], daemon)
        #expect(outcome.status == 0)
        #expect(outcome.output == Self.swipe + "\n")
        #expect(
            daemon.requests == [
                #"{"cmd":"regions","id":2}"#,
                #"{"cmd":"subscribe","id":1,"events":["gesture"],"regions":["li*"],"gestures":["swipe"],"names":["page"],"phases":["begin"]}"#,
            ])
    }

    @Test("--idle subscribes to idle times only, and --name selects them: wait, listen, exec")
    func idle() throws {
        func line(_ name: String) -> String {
            #"{"event":"idle","seq":1,"name":"\#(name)","change":"idle","idle_ms":60000,"time_us":83972060000}"#
        }
        for command in [["wait"], ["listen", "-n", "1"], ["exec", "-n", "1"]] {
            let daemon = try daemon(line("dim"), line("saver"), line("late"))
            let end = command[0] == "exec" ? ["--", "cat"] : []
            let outcome = try run(command + ["--idle", "--name", "s*"] + end, daemon)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(lines.filter { $0.contains("idle_ms") } == [line("saver")])
            #expect(outcome.errors.isEmpty)
            #expect(daemon.requests.count == 1)
            #expect(daemon.requests.first?.hasPrefix(#"{"cmd":"subscribe","id":1,"events":["idle"],"#) == true)
        }
        let all = try daemon(line("dim"), line("saver"))
        #expect(try run(["wait", "--idle"], all).output == line("dim") + "\n")
    }

    @Test("--idle also handles touches that wake the display, which no --name selects: wait, listen, exec")
    func wake() throws {
        let wake = #"{"event":"wake","seq":1,"device":"panel","reason":"scene","time_us":83999000000}"#
        let idle = #"{"event":"idle","seq":2,"name":"saver","change":"idle","idle_ms":60000,"time_us":83972060000}"#
        for (command, end) in [(["wait"], []), (["listen", "-n", "1"], []), (["exec", "-n", "1"], ["--", "cat"])] {
            let woken = try run(command + ["--idle"] + end, daemon(wake, idle))
            #expect(woken.output.split(separator: "\n").filter { $0.contains("time_us") } == [wake[...]], "\(command)")
            let named = try run(command + ["--idle", "--name", "s*"] + end, daemon(wake, idle))
            #expect(named.output.split(separator: "\n").contains(idle[...]), "\(command)")
            #expect(!named.output.contains("wake"), "\(command)")
        }
        let values = try run(
            ["exec", "--idle", "-n", "1", "--", "sh", "-c", #"echo "$GESTURE_EVENT $GESTURE_REASON $GESTURE_DEVICE""#],
            daemon(wake))
        #expect(values.output == "wake scene panel\n")
    }

    @Test("gestures of regions that clients have defined need --leased, except for listen")
    func leased() throws {
        let leased = Self.swipe.replacing("\"region\":\"list\",", with: "\"region\":\"list\",\"leased\":true,")
        for (command, end) in [(["wait"], []), (["exec", "-n", "1"], ["--", "cat"])] {
            #expect(try run(command + end, daemon(leased, Self.swipe)).output == Self.swipe + "\n", "\(command)")
            let both = try run(command + ["--leased"] + end, daemon(leased, Self.swipe))
            #expect(both.output == leased + "\n", "\(command)")
        }
        #expect(try run(["listen", "-n", "1"], daemon(leased, Self.swipe)).output.hasSuffix(leased + "\n"))
        let none = try run(["listen", "--no-leased", "-n", "1"], daemon(leased, Self.swipe))
        #expect(none.output.hasSuffix(Self.swipe + "\n") && !none.output.contains("leased"))
    }

    @Test("a name that no gesture has is a warning: listen, wait, exec")
    func names() throws {
        for command in [["wait"], ["listen", "-n", "1"], ["exec", "-n", "1"]] {
            let daemon = try FakeDaemon { request in
                request.contains("\"regions\",\"id\"")
                    ? .init(RegionTests.reply.replacing("\"id\":1", with: "\"id\":2"))
                    : .init(Self.subscribed, Self.swipe)
            }
            let end = command[0] == "exec" ? ["--", "true"] : []
            let outcome = try run(command + ["--name", "pag", "--name", "p*"] + end, daemon)
            #expect(outcome.status == 0)
            #expect(outcome.errors == "gesturectl: no gesture is named \"pag\" at present; did you mean \"page\"?\n")
        }
    }

    @Test("wait ends with 124 when no event comes in time")
    func timesOut() throws {
        let outcome = try run(["wait", "--timeout", "50ms"], try daemon())
        #expect(outcome.status == 124)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "gesturectl: no such gesture within the timeout\n")
    }

    @Test("exec passes the line on the standard input and its values in the environment")
    func runs() throws {
        let daemon = try daemon(Self.swipe, Self.swipe, hangsUp: true)
        let script = #"cat; echo "$GESTURE $GESTURE_REGION $GESTURE_START_X $GESTURE_TIME_US $1""#
        let outcome = try run(["exec", "-n", "2", "--phase", "end", "--", "sh", "-c", script, "sh", "a b"], daemon)
        #expect(outcome.status == 0)
        #expect(daemon.requests.first?.hasSuffix(#""phases":["end"]}"#) == true)
        let once = Self.swipe + "\nswipe list 923.0 300500 a b\n"
        #expect(outcome.output == once + once)
    }

    @Test("exec reports how a command ended, and continues")
    func ends() throws {
        let daemon = try daemon(Self.swipe, hangsUp: true)
        let outcome = try run(["exec", "-n", "1", "--", "sh", "-c", "kill -9 $$"], daemon)
        #expect(outcome.errors.hasPrefix("gesturectl: sh ended with status 137\n"))
        #expect(outcome.status == 0)
    }

    private static let ended = "gesturectl: sh took longer than --timeout and was ended\n"

    /// A command that ignores SIGTERM is killed a second later. By then the shell has printed the process id of
    /// its child.
    @Test("exec ends a command that runs for too long, with its children", arguments: ["", #"trap "" TERM; "#])
    func hangs(trap: String) throws {
        let daemon = try daemon(Self.swipe, hangsUp: true)
        let script = trap + "sleep 600 & echo $!; wait; sleep 600"
        let outcome = try run(["exec", "-n", "1", "--timeout", "5s", "--", "sh", "-c", script], daemon)
        #expect(outcome.status == 0)
        #expect(outcome.errors.hasPrefix(Self.ended))
        let sleeper = try #require(Int32(outcome.output.trimmingCharacters(in: .newlines)))
        #expect(Self.hasEnded(sleeper))
    }

    @Test("exec continues after a command that ran for too long")
    func goesOn() throws {
        let daemon = try daemon(Self.swipe, Self.swipe, hangsUp: true)
        // The timeout is short, because `exec` skips events that are more than two seconds old when their turn
        // comes.
        let outcome = try run(["exec", "-n", "2", "--timeout", "20ms", "--", "sh", "-c", "sleep 600"], daemon)
        #expect(outcome.status == 0)
        #expect(outcome.errors.hasPrefix(Self.ended + Self.ended))
    }

    /// Waits until the process has ended, or is a zombie. The end of its output is not enough, because a process
    /// closes its output a little before it ends.
    private static func hasEnded(_ process: Int32) -> Bool {
        waitUntil {
            guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else {
                return true
            }
            return status.contains("State:\tZ") || status.contains("State:\tX")
        }
    }

    @Test("exec ends its command when it is interrupted")
    func interrupted() throws {
        let daemon = try daemon(Self.swipe)
        let arguments = ["exec", "--socket", daemon.path, "--", "sh", "-c", "echo $$; echo started >&2; sleep 600"]
        let outcome = try Tool.run(arguments, interruptAt: "started")
        // The tool is ended by the signal, so it has no exit status.
        #expect(outcome.status == SIGINT)
        let shell = try #require(Int32(outcome.output.trimmingCharacters(in: .newlines)))
        #expect(Self.hasEnded(shell))
        #expect(outcome.errors == "started\n")
    }

    @Test("the command ends with an exec that is killed")
    func killed() throws {
        let daemon = try daemon(Self.swipe)
        let script = #"exec "$TOOL" exec --socket \#(daemon.path) -- sh -c 'echo $$; kill -9 $PPID; exec sleep 600'"#
        let said = try ShellScript.run("(\(script)); :")
        let shell = try #require(Int32(said.output.trimmingCharacters(in: .newlines)))
        // The output has ended, so the shell's child has ended as well.
        #expect(Self.hasEnded(shell))
    }

    @Test("exec ends its command when its output has no reader")
    func unread() throws {
        let daemon = try daemon(Self.swipe)
        let said = try ShellScript.run(
            "{ \"$TOOL\" exec --socket \(daemon.path) -- sh -c 'echo $$; exec sleep 600'; echo $? >&2; } | head -n 1")
        #expect(said.errors == "141\n")
        #expect(Self.hasEnded(try #require(Int32(said.output.trimmingCharacters(in: .newlines)))))
    }

    @Test("exec reports skipped gestures if its command is too slow")
    func floods() throws {
        let daemon = try FakeDaemon { _ in
            var answer = FakeDaemon.Answer(Self.subscribed, hangsUp: true)
            answer.lines += [String](repeating: Self.swipe, count: 300)
            answer.lines.append(#"{"event":"overflow","seq":999,"dropped":37,"since_ms":10}"#)
            return answer
        }
        let folder = try ScratchFolder()
        // Only the first run is slow.
        let script = #"echo run; mkdir "$0" 2>/dev/null && sleep 1; :"#
        let arguments = ["exec", "--socket", daemon.path, "--", "sh", "-c", script, folder("once")]
        let outcome = try Tool.run(arguments, interruptAt: "waiting for it")
        let told = outcome.errors.components(separatedBy: "skipped ").dropFirst()
            .compactMap { Int($0.prefix { $0.isNumber }) }.reduce(0, +)
        // At most 256 lines wait for the command; more are skipped.
        #expect(told >= 43 + 37)
        #expect(outcome.output.split(separator: "\n").count + told == 337)
        #expect(outcome.errors.contains(" gestures: sh takes too long\n"))
        #expect(outcome.status == SIGINT)
    }

    private static let devices =
        #"{"reply":"devices","id":3,"ok":true,"devices":[{"device":"panel","node":"/dev/input/event4","name":"Goodix","state":"ready","output":{"width":1000,"height":500,"width_mm":100.0,"height_mm":50.0,"rotation":0,"corners":[]},"share":"listen","contacts":0}]}"#

    private static func drag(_ phase: String, _ x: Int, _ y: Int = 0) -> String {
        #"{"event":"gesture","seq":1,"gesture":"drag","name":"volume","phase":"\#(phase)","region":"list","device":"panel","sequence":3,"fingers":1,"dx":\#(x).0,"dy":\#(y).0,"vx":0.0,"vy":0.0,"start":{"x":0.0,"y":0.0},"x":0.0,"y":0.0,"u":0.0,"v":0.0,"time_us":300500}"#
    }

    @Test("exec --step adds up the steps that come while its command runs, and never runs two at a time")
    func steps() throws {
        let lines =
            [Self.drag("begin", 0)] + (1...40).map { Self.drag("update", 20 * $0) } + [Self.drag("end", 720)]
        let daemon = try FakeDaemon { request in
            guard request.contains("devices") else { return FakeDaemon.Answer(Self.subscribed) }
            var answer = FakeDaemon.Answer(Self.devices, hangsUp: true)
            answer.lines += lines
            return answer
        }
        let folder = try ScratchFolder()
        let script = #"""
            mkdir "$0" || echo two at a time >&2
            cat > /dev/null; sleep 0.2; echo "$GESTURE $GESTURE_SIGN $GESTURE_STEPS"; rmdir "$0"
            """#
        let arguments = ["exec", "--step", "5mm", "--socket", daemon.path, "--", "sh", "-c", script, folder("lock")]
        let outcome = try Tool.run(arguments, interruptAt: "waiting for it")
        let runs = outcome.output.split(separator: "\n")
        // 80 mm to the right, and back to 72 mm.
        #expect(runs.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +) == 14)
        #expect((1...3).contains(runs.count) && runs[0].hasPrefix("drag + "), "\(runs)")
        #expect(!outcome.errors.contains("two at a time") && !outcome.errors.contains("skipped"), "\(outcome.errors)")
        #expect(
            daemon.requests.first?.hasSuffix(
                #""events":["gesture","device","config"],"gestures":["drag"],"phases":["begin","update","end","cancel"]}"#
            )
                == true, "\(daemon.requests)")
    }

    @Test("a command gets no variable of an earlier event")
    func nested() throws {
        let daemon = try daemon(Self.swipe, hangsUp: true)
        let inherited = ["GESTURE_SCALE": "2", "GESTURED_SOCKET": daemon.path, "OTHER": "kept"]
        let script = #"echo "${GESTURE_SCALE-none} $OTHER $GESTURED_SOCKET""#
        let outcome = try Tool.run(["exec", "-n", "1", "--", "sh", "-c", script], environment: inherited)
        #expect(outcome.output == "none kept \(daemon.path)\n")
    }

    @Test(
        "exec ends with 127 at once if the command does not exist",
        arguments: [
            (
                "no-such-command-here",
                #"there is no program "no-such-command-here" in PATH; check its name, or use its full path"#
            ),
            ("", #"there is no program "" in PATH; check its name, or use its full path"#),
            ("/nonexistent/beep", "/nonexistent/beep: No such file or directory"),
            ("/etc/passwd", "/etc/passwd: Permission denied"),
        ])
    func lacks(program: String, message: String) throws {
        let daemon = try daemon(Self.swipe)
        let outcome = try run(["exec", "--", program], daemon)
        #expect(outcome.status == 127)
        #expect(outcome.errors == "gesturectl: \(message)\n")
        #expect(daemon.requests.isEmpty)
    }

    @Test("a scene that does not exist is an error, with the nearest name or else all names")
    func scenes() throws {
        for (scene, cure) in [("nihgt", "did you mean \"night\"?"), ("x", "the scenes are default, night, shop")] {
            let daemon = try FakeDaemon { request in
                request.contains("set_scene")
                    ? .init(#"{"reply":"set_scene","id":1,"ok":false,"error":{"code":"not_found","message":"no"}}"#)
                    : .init(#"{"reply":"status","id":2,"ok":true,"scenes":["default","night","shop"]}"#)
            }
            let outcome = try run(["scene", scene], daemon)
            #expect(outcome.status == 1)
            #expect(outcome.errors == "gesturectl: no scene \"\(scene)\"; \(cure)\n")
        }
    }

    @Test("a profile is one request; without an id, all are listed; one that does not exist is an error")
    func profiles() throws {
        func daemon() throws -> FakeDaemon {
            try FakeDaemon { request in
                if request.contains("nihgt") {
                    return .init(
                        #"{"reply":"set_profile","id":1,"ok":false,"error":{"code":"not_found","message":"no"}}"#)
                }
                let id = request.contains(#""id":2"#) ? 2 : 1
                return .init(
                    #"{"reply":"status","id":\#(id),"ok":true,"profile":"steady","profiles":["default","steady","night"]}"#
                )
            }
        }
        let setting = try daemon()
        #expect(try run(["profile", "steady"], setting).status == 0)
        #expect(setting.requests == [#"{"cmd":"set_profile","id":1,"profile":"steady"}"#])
        #expect(try run(["profile"], try daemon()).output == "  default\n* steady\n  night\n")
        let outcome = try run(["profile", "nihgt"], try daemon())
        #expect(outcome.status == 1)
        #expect(outcome.errors == "gesturectl: no profile \"nihgt\"; did you mean \"night\"?\n")
    }

    /// A reply to `devices` with a panel for each pair of a name and the members of a rotation.
    private static func devices(_ panels: [(String, String)]) -> String {
        let rows = panels.map { name, rotation in
            #"{"device":"\#(name)","node":"/dev/input/event4","name":"Goodix","state":"ready","output":{"width":1920,"height":1080,"width_mm":344.0,"height_mm":194.0,"rotation":\#(rotation),"corners":[]},"contacts":0}"#
        }
        return "[\(rows.joined(separator: ","))]"
    }

    private func panels(_ panels: (String, String)...) throws -> FakeDaemon {
        try FakeDaemon { request in
            let id = request.contains("\"id\":2") ? 2 : 1
            return .init(#"{"reply":"x","id":\#(id),"ok":true,"devices":\#(Self.devices(panels))}"#)
        }
    }

    @Test(
        "rotate sends one request for the panel",
        arguments: [
            ("90", #""rotation":90"#), ("0", #""rotation":0"#), ("flipped-270", #""rotation":"flipped-270""#),
            ("panel 180", #""device":"panel","rotation":180"#),
            ("Goodix flipped", #""device":"panel","rotation":"flipped""#),
            ("--default", ""), ("panel --default", #""device":"panel""#), ("--default gone", #""device":"gone""#),
        ])
    func rotates(words: String, members: String) throws {
        let daemon = try panels(("panel", "0"))
        let outcome = try run(["rotate"] + words.split(separator: " ").map(String.init), daemon)
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(
            daemon.requests.last == #"{"cmd":"set_output","id":1\#(members.isEmpty ? "" : ",")\#(members)}"#)
    }

    @Test("rotate without a rotation prints the current one")
    func rotations() throws {
        #expect(try run(["rotate"], try panels(("panel", "90"))).output == "90\n")
        #expect(try run(["rotate"], try panels(("panel", #"270,"flipped":true"#))).output == "flipped-270\n")
        func two() throws -> FakeDaemon { try panels(("left", "90"), ("right", "0")) }
        #expect(try run(["rotate"], two()).output == "left 90\nright 0\n")
        #expect(try run(["rotate", "right"], two()).output == "0\n")
        let unknown = try run(["rotate", "middle"], two())
        #expect(unknown.status == 1)
        #expect(unknown.errors == "gesturectl: no panel \"middle\" is ready; see gesturectl devices\n")
        let angle = try run(["rotate", "45"], two())
        #expect(
            angle.errors
                == "gesturectl: no panel \"45\" is ready; the rotations are 0, 90, 180, 270, flipped, flipped-90, "
                + "flipped-180, flipped-270\n")
        #expect(try run(["rotate"], try panels()).errors == "gesturectl: no panel is ready; see gesturectl devices\n")
    }

    @Test("rotate refuses what is no rotation")
    func wrongRotations() throws {
        let daemon = try panels(("panel", "0"))
        let outcome = try run(["rotate", "panel", "fliped"], daemon)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("unknown rotation \"fliped\"; use 0, 90, 180, 270, flipped, flipped-90, "))
        #expect(outcome.errors.contains("did you mean \"flipped\"?"))
        #expect(try run(["rotate", "90", "--default"], daemon).status == 64)
        #expect(try run(["rotate", "panel", "45"], daemon).status == 64)
        #expect(daemon.requests.isEmpty)
    }

    @Test("a region that does not exist is an error that says where they are listed")
    func unknownRegion() throws {
        let daemon = try FakeDaemon { _ in
            .init(#"{"reply":"cancel","id":1,"ok":false,"error":{"code":"not_found","message":"no region \"x\""}}"#)
        }
        let outcome = try run(["cancel", "x"], daemon)
        #expect(outcome.status == 1)
        #expect(outcome.errors == "gesturectl: no region \"x\"; gesturectl regions lists them\n")
    }

    @Test("a missing right is reported with the user, the list, the file and the command")
    func rights() throws {
        let uid = getuid()
        let text =
            "uid \(uid) may not see where fingers are (\\\"frame\\\"); add this user to raw_uids in [access] of /a"
        let daemon = try FakeDaemon { _ in
            .init(
                #"{"reply":"state","id":1,"ok":false,"error":{"code":"permission_denied","message":"\#(text)"}}"#)
        }
        let outcome = try run(["scene"], daemon)
        let name = try #require(getpwuid(uid).map { String(cString: $0.pointee.pw_name) })
        #expect(outcome.status == 77)
        #expect(
            outcome.errors == """
                gesturectl: user \(name) may not see where fingers are ("frame"); add "\(name)" to raw_uids in [access] of /a

                """)
    }

    @Test("regions, scenes and cancels are one request each")
    func switches() throws {
        let enabling = try daemon()
        #expect(try run(["enable", "a", "b"], enabling).status == 0)
        #expect(enabling.requests == [#"{"cmd":"set_region","id":1,"region":["a","b"],"enabled":true}"#])
        let disabling = try daemon()
        #expect(try run(["disable", "a"], disabling).status == 0)
        #expect(disabling.requests == [#"{"cmd":"set_region","id":1,"region":"a","enabled":false}"#])
        let scene = try daemon()
        #expect(try run(["scene", "night"], scene).status == 0)
        #expect(scene.requests == [#"{"cmd":"set_scene","id":1,"scene":"night"}"#])
        #expect(try run(["scene"], try daemon()).output == "night\n")
        let limited = try daemon()
        #expect(try run(["scene", "night", "--for", "1.5min"], limited).status == 0)
        #expect(limited.requests == [#"{"cmd":"set_scene","id":1,"scene":"night","for_ms":90000}"#])
        let activity = try daemon()
        #expect(try run(["activity"], activity).status == 0)
        #expect(activity.requests == [#"{"cmd":"activity","id":1}"#])
        let cancelling = try daemon()
        #expect(try run(["cancel", "map"], cancelling).status == 0)
        #expect(cancelling.requests == [#"{"cmd":"cancel","id":1,"region":"map"}"#])
    }

    @Test(
        "a wrong time of a scene is refused with the reason and the limits",
        arguments: [
            ("0s", "would end at once; use a time LIMITS"), ("0", "would end at once; use a time LIMITS"),
            ("-5s", "is negative; use a time LIMITS"), ("-1", "is negative; use a time LIMITS"),
            ("99ms", "is too short; use a time LIMITS"), ("1e-9h", "is too short; use a time LIMITS"),
            ("169h", "is longer than a week; use a time LIMITS, or leave --for out, so that the scene stays"),
            ("1e300h", "is longer than a week; use a time LIMITS, or leave --for out, so that the scene stays"),
            ("60", "has no unit; use a time such as 60s or 5min, LIMITS"),
            ("5m", "is not a time; use a number with ms, s, min or h, such as 60s or 5min, LIMITS"),
            ("2days", "is not a time; use a number with ms, s, min or h, such as 60s or 5min, LIMITS"),
            ("nans", "is not a time; use a number with ms, s, min or h, such as 60s or 5min, LIMITS"),
            ("--json", "is not a time; use a number with ms, s, min or h, such as 60s or 5min, LIMITS"),
        ])
    func sceneTimes(time: String, message: String) throws {
        let daemon = try daemon()
        let outcome = try run(["scene", "night", "--for", time], daemon)
        let text = message.replacing("LIMITS", with: "from 100ms to 168h (a week)")
        #expect(outcome.errors == "gesturectl: --for \(time) \(text)\n")
        #expect(outcome.status == 64)
        #expect(daemon.requests.isEmpty)
    }

    @Test("the time of a scene needs a scene")
    func sceneTimeAlone() throws {
        let outcome = try run(["scene", "--for", "60s"], try daemon())
        #expect(outcome.errors == "gesturectl: --for is for a new scene; name the scene, or leave --for out\n")
        #expect(outcome.status == 64)
    }

    @Test("enable states the reason why a region still cannot be touched")
    func covered() throws {
        let regions = [("page", "null", false), ("page.ok", "\"page\"", false), ("other", "null", false)].map {
            #"{"region":"\#($0.0)","device":"panel","parent":\#($0.1),"enabled":\#($0.2),"gestures":[]}"#
        }
        let daemon = try FakeDaemon { request in
            if request.contains("set_region") {
                return .init(#"{"reply":"set_region","id":1,"ok":true,"enabled":false}"#)
            }
            if request.contains("state") { return .init(#"{"reply":"state","id":3,"ok":true,"scene":"night"}"#) }
            return .init(#"{"reply":"regions","id":2,"ok":true,"regions":[\#(regions.joined(separator: ","))]}"#)
        }
        let outcome = try run(["enable", "page.*", "other"], daemon)
        #expect(outcome.status == 0)
        #expect(
            outcome.errors == """
                gesturectl: "page.ok" is on, but cannot be touched: "page", which contains it, is off
                gesturectl: "other" is on, but cannot be touched: scene "night" does not include it

                """)
    }

    @Test("schemas come from the installation; a missing one is an error")
    func schemas() throws {
        let installed = try InstalledTool()
        try installed.folder.write("{}\n", to: "share/gestured/config.schema.json")
        #expect(try Tool.run(["schema", "config"], program: installed.program).output == "{}\n")
        let missing = try Tool.run(["schema", "protocol"], program: installed.program)
        #expect(missing.status == 66)
        #expect(missing.errors.contains("no protocol.schema.json in \(installed.share)"))
    }
}
