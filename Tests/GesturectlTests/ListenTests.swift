// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol
import Testing

@testable import gesturectl

@Suite("Listening")
struct ListenTests {
    static let subscribed = #"{"reply":"subscribe","id":1,"ok":true,"unmatched":[]}"#
    static let tap =
        #"{"event":"gesture","seq":1,"gesture":"tap","name":"tap","region":"ok","device":"panel","sequence":872,"fingers":1,"count":1,"x":1210.5,"y":802.0,"u":0.41,"v":0.52,"duration_ms":84,"time_us":83912128123}"#
    static let bye = #"{"event":"bye","reason":"shutdown"}"#

    @Test("into a pipe it prints the daemon's lines, beginning with the reply")
    func piped() throws {
        let daemon = try FakeDaemon(greeting: [FakeDaemon.hello, FakeDaemon.state, Self.tap]) { _ in
            .init(Self.subscribed, FakeDaemon.state, Self.tap, Self.tap, Self.tap)
        }
        let outcome = try Tool.run(["listen", "-n", "2", "--socket", daemon.path])
        #expect(outcome.status == 0)
        #expect(
            outcome.output
                == [FakeDaemon.hello, FakeDaemon.state, Self.tap, Self.tap].map { $0 + "\n" }.joined())
        #expect(outcome.errors.isEmpty)
        #expect(
            daemon.requests == [
                #"{"cmd":"subscribe","id":1,"events":["gesture","idle","device","config"],"phases":["begin","end","cancel"]}"#
            ])
    }

    @Test("options become the subscription")
    func subscription() throws {
        let daemon = try FakeDaemon { request in
            request.contains("subscribe")
                ? .init(#"{"reply":"subscribe","id":1,"ok":true,"unmatched":["a*"]}"#, Self.tap)
                : .init(RecordTests.twoPanels)
        }
        let outcome = try Tool.run(
            [
                "listen", "-r", "a*", "-r", "b", "-g", "tap", "--updates", "--explain", "--touches", "-n1",
                "--device", "l*", "--device", "event5", "--device", "rigth", "--socket", daemon.path,
            ])
        #expect(outcome.status == 0)
        #expect(
            outcome.errors == """
                gesturectl: no panel matches "rigth" at present; did you mean "right"?
                gesturectl: no region matches "a*" at present

                """)
        #expect(
            daemon.requests == [
                #"{"cmd":"devices","id":2}"#,
                #"{"cmd":"subscribe","id":1,"events":["gesture","idle","device","config","failed","touches"],"regions":["a*","b"],"devices":["l*","right","rigth"],"gestures":["tap"],"phases":["begin","update","end","cancel"]}"#,
            ])
    }

    @Test("--why is the same as --explain")
    func why() throws {
        let daemon = try FakeDaemon { _ in .init(Self.subscribed, Self.tap) }
        #expect(try Tool.run(["listen", "--why", "-n", "1", "--socket", daemon.path]).status == 0)
        #expect(daemon.requests.first?.contains(#""failed""#) == true)
    }

    @Test("when the daemon disconnects it waits for it, and subscribes again")
    func comesBack() throws {
        let daemon = try FakeDaemon(connections: 2) { _ in .init(Self.subscribed, Self.tap, hangsUp: true) }
        let outcome = try Tool.run(["listen", "-n", "2", "--socket", daemon.path])
        #expect(outcome.status == 0)
        let once = FakeDaemon.hello + "\n" + Self.tap + "\n"
        #expect(outcome.output == once + once)
        #expect(outcome.errors.contains("the daemon has closed the connection"))
        #expect(outcome.errors.hasSuffix("; waiting for it\n"))
        #expect(daemon.requests.count == 2)
    }

    @Test("without a daemon it waits until its output has no reader", arguments: ["listen", "exec -- true"])
    func waits(command: String) throws {
        let said = try ShellScript.run(
            "{ \"$TOOL\" \(command); echo $? >&2; } | true",
            environment: ["GESTURED_SOCKET": "/nonexistent/gestured.sock"])
        #expect(said.errors.hasPrefix("gesturectl: /nonexistent/gestured.sock: no daemon: "))
        #expect(said.errors.hasSuffix("; waiting for it\n141\n"))
    }

    @Test("--phase chooses phases; a kind that no gesture has is a warning")
    func phases() throws {
        let daemon = try FakeDaemon { _ in .init(Self.subscribed, Self.tap) }
        let outcome = try Tool.run(
            ["listen", "--phase", "end", "-g", "tapp", "-g", "t*", "-n", "1", "--socket", daemon.path])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "gesturectl: no kind of gesture matches \"tapp\"; did you mean \"tap\"?\n")
        #expect(daemon.requests.first?.hasSuffix(#""phases":["end"]}"#) == true)
    }

    @Test("with --color it is readable and coloured")
    func colored() throws {
        let daemon = try FakeDaemon { _ in .init(Self.subscribed, Self.tap) }
        let outcome = try Tool.run(["listen", "-n", "1", "--color", "always", "--socket", daemon.path])
        let last = try #require(outcome.output.split(separator: "\n").last)
        #expect(last.contains("\u{1B}[1mok          \u{1B}[0m  \u{1B}[32mtap               \u{1B}[0m  84 ms"))
    }

    @Test("it ends when the reader of its pipe has gone")
    func brokenPipe() throws {
        // The lines are much larger than a pipe's buffer, so the tool is still writing when the reader closes the
        // pipe.
        let lines = [Self.subscribed] + [String](repeating: Self.tap, count: 4000)
        let daemon = try FakeDaemon { _ in
            var answer = FakeDaemon.Answer()
            answer.lines = lines
            return answer
        }
        let outcome = try ShellScript.run("\"$TOOL\" listen --socket '\(daemon.path)' | head -n 1")
        #expect(outcome.output == FakeDaemon.hello + "\n")
        #expect(outcome.errors.isEmpty)
    }

    @Test(
        "each kind of line is shown",
        arguments: [
            (tap, "0  ok            tap                 84 ms  at 1210.5,802\n"),
            (
                #"{"event":"gesture","seq":1,"gesture":"press","name":"press","phase":"end","region":"ok","fingers":1,"x":1.5,"y":2.0,"inside":false,"held_ms":84,"time_us":1}"#,
                "0  ok            press end           outside  held 84 ms  at 1.5,2\n"
            ),
            (
                #"{"event":"gesture","seq":4,"gesture":"swipe","name":"page","region":"carousel","fingers":2,"direction":"left","angle":178.8,"distance_mm":41.3,"velocity_mm_s":310.0,"duration_ms":133,"start":{"x":9.0,"y":4.0},"x":511.0,"y":430.0,"time_us":1}"#,
                "0  carousel      swipe \"page\"        2 fingers  left  178.8°  41.3 mm  310 mm/s  133 ms  at 511,430\n"
            ),
            // A line of a later daemon, with members that the tool does not know.
            (
                #"{"event":"gesture","seq":4,"gesture":"pull","name":"pull","region":"ok","pull_mm":41.3,"turn_deg_s":20.5,"rise_mm_s":3.0,"wait_ms":12,"x":1.0,"y":2.0,"force":0.5}"#,
                "0  ok            pull                41.3 mm  20.5°/s  3 mm/s  12 ms  force 0.5  at 1,2\n"
            ),
            (
                #"{"event":"gesture","seq":8,"gesture":"drag","name":"drag","phase":"cancel","reason":"device_removed","region":"map","fingers":1,"dx":1.0,"dy":-4.5,"x":6.0,"y":3.0}"#,
                "0  map           drag cancel         the panel was unplugged  dx 1  dy -4.5  at 6,3\n"
            ),
            (
                #"{"event":"failed","seq":9,"gesture":"swipe","name":"page","region":"carousel","code":"too_slow","key":"max_time","value":612,"limit":500,"unit":"ms","message":"took 612 ms, max_time is 500 ms"}"#,
                "0  carousel      swipe \"page\" failed: 612 ms > max_time 500 ms\n"
            ),
            (
                #"{"event":"failed","seq":9,"gesture":"tap","name":"tap","region":"ok","code":"moved","key":"slop","value":4.1,"limit":3.0,"unit":"mm","message":"moved 4.1 mm, slop is 3 mm"}"#,
                "0  ok            tap failed: 4.1 mm > slop 3 mm\n"
            ),
            (
                #"{"event":"failed","seq":9,"gesture":"double_tap","name":"double_tap","region":"ok","code":"too_far_apart","key":"distance","value":14.2,"limit":10.0,"unit":"mm","message":"14.2 mm apart, distance is 10 mm"}"#,
                "0  ok            double_tap failed: 14.2 mm > distance 10 mm\n"
            ),
            // A line from an older daemon, which has no `key`.
            (
                #"{"event":"failed","seq":9,"gesture":"swipe","name":"swipe","region":"ok","code":"too_short","value":2.0,"limit":10.0,"unit":"mm","message":"moved 2 mm, min_distance is 10 mm"}"#,
                "0  ok            swipe failed: moved 2 mm, min_distance is 10 mm\n"
            ),
            (
                #"{"event":"failed","seq":9,"gesture":"tap","name":"tap","region":"ok","code":"too_long","key":"max_time","value":500,"limit":500,"unit":"ms","message":"held for 500 ms, max_time is 500 ms"}"#,
                "0  ok            tap failed: held for 500 ms, max_time is 500 ms\n"
            ),
            (
                #"{"event":"failed","seq":9,"gesture":"pinch","name":"pinch","region":"ok","code":"small_span","value":6.2,"limit":8.0,"unit":"mm","message":"fingers too close to measure: 6.2 mm, the minimum is 8 mm"}"#,
                "0  ok            pinch failed: fingers too close to measure: 6.2 mm, the minimum is 8 mm\n"
            ),
            (
                #"{"event":"failed","seq":9,"gesture":"press","name":"press","region":"ok","code":"claimed","message":"another gesture took the contact"}"#,
                "0  ok            press failed: another gesture took the contact\n"
            ),
            (FakeDaemon.hello, "0  connected to gestured 0.1.0\n"),
            (FakeDaemon.state, "0  panels: panel ready\n"),
            (bye, "0  the daemon closes the connection: shutdown\n"),
            (
                #"{"event":"overflow","seq":50,"dropped":37,"since_ms":2210}"#,
                "0  37 lines lost: this terminal was too slow\n"
            ),
            (
                #"{"event":"device","seq":11,"change":"added","device":"panel","node":"/dev/input/event4","name":"Good\u001bix"}"#,
                "0  panel panel added  Good\u{FFFD}ix, /dev/input/event4\n"
            ),
            (
                #"{"event":"config","seq":12,"change":"rejected","generation":4,"diagnostics":[{"severity":"error","file":"/a.toml","line":41,"column":21,"message":"no","suggestion":"yes"}]}"#,
                "0  configuration rejected\n  /a.toml:41:21: error: no; did you mean \"yes\"?\n"
            ),
            (
                #"{"event":"touches","seq":10,"device":"panel","contacts":[{"id":91,"slot":0,"x":10.0,"y":20.0,"region":"ok"},{"id":92,"slot":1,"x":1.0,"y":2.0,"region":null}]}"#,
                "0  panel  91 at 10,20 in ok; 92 at 1,2\n"
            ),
            (#"{"event":"novelty","seq":1}"#, "0  novelty\n"),
        ])
    func formatted(line: String, text: String) throws {
        var formatter = EventFormatter(colors: Colors(isOn: false))
        let event = try #require(JSONValue(parsing: Array(line.utf8)))
        #expect(formatter.line(event, time: "0") == text)
    }

    @Test("a line that is too long continues below the values, in the width that the terminal has now")
    func wrapped() throws {
        var formatter = EventFormatter(colors: Colors(isOn: false), layout: TextLayout(width: 80))
        let tap = try #require(JSONValue(parsing: Array(Self.tap.utf8)))
        #expect(
            formatter.line(tap, time: "14:03:07.123")
                == "14:03:07.123  ok            tap                 84 ms  at 1210.5,802\n")
        formatter.layout.width = 64
        #expect(
            formatter.line(tap, time: "14:03:07.123") == """
                14:03:07.123  ok            tap                 84 ms
                                                at 1210.5,802

                """)
    }
}
