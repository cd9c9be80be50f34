// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("Replaying")
struct ReplayTests {
    static let configuration =
        panelTable() + """
            [[region]]
            id = "ok"
            shape = { rect = [0, 0, 50, 100] }
            gestures = ["press", "tap", "long_press"]
            """
    static let header = """
        # EVEMU 1.2
        N: Small panel
        I: 0018 0416 038f 0100
        P: 02 00 00 00 00 00 00 00
        B: 03 00 00 00 00 00 80 60 02
        A: 2f 0 1 0 0 0
        A: 35 0 999 0 0 0
        A: 36 0 999 0 0 0
        A: 39 0 65535 0 0 0

        """
    static let tap = """
        E: 5.000000 0003 0039 7
        E: 5.000000 0003 0035 250
        E: 5.000000 0003 0036 500
        E: 5.000000 0000 0000 0
        E: 5.084000 0003 0039 -1
        E: 5.084000 0000 0000 0

        """

    private func run(
        _ recording: String, configuration: String = configuration, events: String? = nil,
        options: [String] = []
    ) throws -> Tool.Outcome {
        let folder = try ScratchFolder()
        let file = try folder.write(configuration, to: "gestured.toml")
        return try Tool.run(
            ["replay", "-", "--config", file] + (events.map { ["--events", $0] } ?? []) + options,
            input: Data(recording.utf8))
    }

    @Test("idle times of the configuration, and the scenes that they switch to")
    func idle() throws {
        let configuration =
            Self.configuration + """

                [[region]]
                id = "saver"
                shape = "full"
                z = 1
                gestures = ["tap"]
                [[scene]]
                id = "shop"
                regions = ["ok"]
                [[scene]]
                id = "saver"
                regions = ["saver"]
                [[idle]]
                after = "2s"
                scene = "saver"
                [daemon]
                scene = "shop"

                """
        // The second touch comes ten seconds after the first, and the third immediately after the second.
        let second = Self.tap.replacingOccurrences(of: "E: 5", with: "E: 15")
        let third = Self.tap.replacingOccurrences(of: "E: 5", with: "E: 16")
        let outcome = try run(Self.header + Self.tap + second + third, configuration: configuration)
        let lines = outcome.output.split(separator: "\n").compactMap { JSONLine(String($0)) }
        let summary = lines.map { line in
            let words = line["event"] == "idle" ? ["change", "reason"] : ["region", "gesture", "phase"]
            return words.compactMap { line[$0] }.joined(separator: " ")
        }
        #expect(
            summary == [
                "ok press begin", "ok tap", "ok press end", "idle", "active touch", "saver tap", "ok press begin",
                "ok tap", "ok press end", "idle",
            ])
        #expect(lines.filter { $0["event"] == "idle" }.map { $0.number("idle_ms") } == [2000, 9916, 2000])
    }

    @Test("prints the lines of the socket, numbered from 1, with the recording's times")
    func lines() throws {
        let outcome = try run(Self.header + Self.tap)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        let common = #""region":"ok","device":"panel","sequence":1,"fingers":1"#
        let place = #""x":25.0,"y":50.0,"u":0.5,"v":0.5"#
        #expect(
            outcome.output == """
                {"event":"gesture","seq":1,"gesture":"press","name":"press","phase":"begin",\(common),\(place),"inside":true,"time_us":5000000}
                {"event":"gesture","seq":2,"gesture":"tap","name":"tap",\(common),"count":1,\(place),"duration_ms":84,"time_us":5084000}
                {"event":"gesture","seq":3,"gesture":"press","name":"press","phase":"end",\(common),\(place),"inside":true,"held_ms":84,"time_us":5084000}

                """)
    }

    @Test("filters leave out lines; the others are numbered from 1")
    func filters() throws {
        func lines(_ options: String..., configuration: String = Self.configuration) throws -> [String] {
            let outcome = try run(Self.header + Self.tap, configuration: configuration, options: options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output.split(separator: "\n").map(String.init)
        }
        #expect(try lines("-g", "tap").map { $0.hasPrefix(#"{"event":"gesture","seq":1,"gesture":"tap""#) } == [true])
        #expect(try lines("--name", "p*").count == 2)
        #expect(try lines("-r", "o?").count == 3)
        #expect(try lines("-r", "no").isEmpty)
        let progress = Self.configuration.replacing("\"press\"", with: "{ type = \"press\", progress = \"20ms\" }")
        #expect(try lines(configuration: progress).contains { $0.contains(#""phase":"update""#) })
        let idle = Self.configuration + "\n[[idle]]\nid = \"dim\"\nafter = \"1s\"\n"
        #expect(try lines("--name", "dim", configuration: idle).allSatisfy { $0.contains(#""event":"idle""#) })
        let wrong = try run(Self.header + Self.tap, options: ["-r", "nope", "-g", "tapp", "--name", "pres"])
        #expect(
            wrong.errors == """
                gesturectl: no region matches "nope" at present
                gesturectl: no kind of gesture matches "tapp"; did you mean "tap"?
                gesturectl: no gesture is named "pres" at present; did you mean "press"?

                """)
        #expect(try lines("--no-updates", configuration: progress).count == 3)
        let scenes = Self.configuration + "\n[[scene]]\nid = \"night\"\nregions = []\n"
        #expect(try lines("--scene", "default", configuration: scenes).count == 3)
        #expect(try lines("--scene", "night", configuration: scenes).isEmpty)
        // The tap is in the left half, and in the right one if the panel is mirrored.
        #expect(try lines("--rotation", "flipped-180").count == 3)
        #expect(try lines("--rotation", "flipped").isEmpty)
        #expect(try lines("--rotation", "180", "--scene", "default", configuration: scenes).isEmpty)
        let unknown = try run(Self.header + Self.tap, configuration: scenes, options: ["--scene", "nigt"])
        #expect(unknown.status == 1)
        #expect(unknown.errors == "gesturectl: no scene \"nigt\"; did you mean \"night\"?\n")
    }

    @Test("touches are printed on demand, and are numbered with the other lines")
    func touches() throws {
        let outcome = try run(Self.header + Self.tap, events: "gesture,touches")
        #expect(
            outcome.output.contains(
                #""event":"touches","seq":2,"device":"panel","time_us":5000000,"contacts":[{"id":1,"#))
        #expect(outcome.output.hasSuffix(#""seq":5,"device":"panel","time_us":5084000,"contacts":[]}"# + "\n"))
        #expect(try run(Self.header + Self.tap, events: "touches").output.split(separator: "\n").count == 2)
    }

    @Test("--explain adds failures, and does not change the other lines")
    func explain() throws {
        let configuration = Self.configuration.replacing(
            #""tap", "long_press""#, with: #""tap", "swipe", "long_press""#)
        let recording = Self.header + Self.tap
        let outcome = try run(recording, configuration: configuration, options: ["--explain"])
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let common = #""region":"ok","device":"panel","sequence":1"#
        let swipe = lines.first { $0.contains(#""event":"failed""#) && $0.contains(#""gesture":"swipe""#) }
        #expect(
            try #require(swipe).hasSuffix(
                #","gesture":"swipe","name":"swipe",\#(common),"code":"too_short","key":"min_distance","value":0.0,"limit":10.0,"unit":"mm","message":"moved 0 mm, min_distance is 10 mm","time_us":5084000}"#
            ))
        let longPress = lines.first { $0.contains(#""gesture":"long_press""#) }
        #expect(
            try #require(longPress).contains(
                #""code":"lifted_early","key":"delay","value":84,"limit":500,"unit":"ms","message":"lifted after 84 ms, delay is 500 ms""#
            ))
        #expect(lines.indices.allSatisfy { lines[$0].contains(#","seq":\#($0 + 1),"#) })
        let plain = try run(recording, configuration: configuration).output.split(separator: "\n")
        #expect(
            lines.filter { !$0.contains(#""event":"failed""#) }.map(Self.unnumbered)
                == plain.map { Self.unnumbered(String($0)) })
        #expect(try run(recording, configuration: configuration, events: "gesture,failed").output == outcome.output)
    }

    private static func unnumbered(_ line: String) -> String {
        let parts = line.components(separatedBy: #""seq":"#)
        return parts[0] + (parts.last ?? "").drop { $0 != "," }
    }

    @Test("with --color the output is readable, with the recording's times")
    func readable() throws {
        let outcome = try run(Self.header + Self.tap, options: ["--explain", "--color", "always"])
        #expect(
            outcome.output.contains(
                "\u{1B}[2m5.084000\u{1B}[0m  \u{1B}[1mok          \u{1B}[0m  \u{1B}[32mtap               \u{1B}[0m  84 ms"
            ))
        #expect(outcome.output.contains("\u{1B}[31mlong_press failed:\u{1B}[0m 84 ms < delay 500 ms\n"))
        let json = try run(Self.header + Self.tap, options: ["--json", "--color", "always"])
        #expect(json.output == (try run(Self.header + Self.tap).output))
    }

    @Test("readable lines leave updates out, lines of JSON do not")
    func updates() throws {
        let progress = Self.configuration.replacing("\"press\"", with: "{ type = \"press\", progress = \"20ms\" }")
        for (options, shown) in [
            (["--color", "always"], false), (["--color", "always", "--updates"], true),
            (["--json", "--color", "always"], true), (["--no-updates"], false), ([], true),
        ] {
            let outcome = try run(Self.header + Self.tap, configuration: progress, options: options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("update") == shown, "\(options): \(outcome.output)")
        }
    }

    @Test("time passes after the last event until no deadline is left")
    func deadlines() throws {
        let landed = Self.tap.split(separator: "\n").prefix(4).joined(separator: "\n") + "\n"
        let outcome = try run(Self.header + landed)
        #expect(outcome.output.contains(#""gesture":"long_press","name":"long_press","phase":"begin""#))
        #expect(outcome.output.contains(#""time_us":5500000}"#))
        // The contact does not lift; it is cancelled after a minute.
        #expect(outcome.output.contains(#""gesture":"press","name":"press","phase":"cancel","reason":"sync_lost""#))
        #expect(outcome.output.contains(#""time_us":65000000}"#))
    }

    @Test("the project's recordings continue the daemon's numbers")
    func ids() throws {
        let notes = "# gestured: format 1\n# gestured: next_contact 91\n# gestured: next_sequence 871\n"
        let outcome = try run(notes + Self.header + Self.tap, events: "gesture,touches")
        #expect(outcome.output.contains(#""sequence":871"#))
        #expect(outcome.output.contains(#""contacts":[{"id":91,"#))
    }

    @Test("an unplugged panel cancels")
    func removal() throws {
        let landed = Self.tap.split(separator: "\n").prefix(4).joined(separator: "\n") + "\n"
        let outcome = try run("# gestured: format 1\n" + Self.header + landed + "# gestured: removed 5.100000\n")
        let last = try #require(outcome.output.split(separator: "\n").last)
        #expect(last.contains(#""phase":"cancel","reason":"device_removed""#))
        #expect(last.hasSuffix(#""time_us":5100000}"#))
    }

    @Test(
        "a recording that cannot be replayed is reported, with 65",
        arguments: [
            ("", "-: the description of the device is missing"),
            (header + "E: 0.0 0000\n", "-:10: the line ends too early"),
            (header.replacing("P: 02", with: "P: 01") + tap, "-: device \"Small panel\" refused: "),
            (
                header.replacing("A: 2f 0 1", with: "A: 2f 0 99") + tap,
                "-: device \"Small panel\" refused: it announces 100 slots"
            ),
        ])
    func unusable(recording: String, message: String) throws {
        let outcome = try run(recording)
        #expect(outcome.status == 65)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("gesturectl: \(message)"), "\(outcome.errors)")
    }

    @Test("a device that the configuration ignores is refused with the reason")
    func ignored() throws {
        let configuration = Self.configuration.replacing("output = ", with: "ignore = true\noutput = ")
        let outcome = try run(Self.header + Self.tap, configuration: configuration)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("refused: ignore = true in [[device]] \"panel\""))
    }

    @Test("a wrong configuration ends with 78 and its diagnostics, a missing file with 66")
    func files() throws {
        let wrong = try run(
            Self.header + Self.tap, configuration: Self.configuration.replacing("gestures", with: "gestrues"))
        #expect(wrong.status == 78)
        #expect(wrong.output.isEmpty)
        #expect(wrong.errors.contains("gestured.toml:9:1: error: unknown key \"gestrues\""))
        let folder = try ScratchFolder()
        let file = try folder.write(Self.configuration, to: "gestured.toml")
        let missing = try Tool.run(["replay", "/nonexistent.evemu", "--config", file])
        #expect(missing.status == 66)
        #expect(missing.errors == "gesturectl: /nonexistent.evemu: No such file or directory\n")
        #expect(try Tool.run(["replay", "-", "--config", "/nonexistent.toml"]).status == 66)
    }
}
