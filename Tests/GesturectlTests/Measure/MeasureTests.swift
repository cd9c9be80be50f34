// SPDX-License-Identifier: MIT
import Foundation
import GestureConfiguration
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Measure")
struct MeasureTests {
    static let configuration = """
        version = 1
        [defaults]
        tap = { max_time = "100ms", min_gap = "50ms" }
        [[device]]
        id = "panel"
        match = { name = "*" }
        output = { size = [100, 100], size_mm = [100, 100] }
        defaults = { tap = { slop = "1mm" } }
        [[region]]
        id = "ok"
        shape = "full"
        gestures = [{ type = "tap", slop = "9mm" }]

        """

    /// A line of a recording with one event: its time in milliseconds, code and value.
    private static func event(_ time: Int64, _ code: Int, _ value: Int) -> String {
        let fraction = String(time % 1000)
        let padded = String(repeating: "0", count: 3 - fraction.count) + fraction
        let type = code == 0 ? "0000" : "0003"
        let digits = String(code, radix: 16)
        return
            "E: \(time / 1000).\(padded)000 \(type) \(String(repeating: "0", count: 4 - digits.count))\(digits) \(value)\n"
    }

    /// A recording of taps, one every `pause` milliseconds. Durations are in milliseconds, movements in
    /// tenths of a millimetre.
    static func taps(_ taps: [(duration: Int64, tenths: Int)], every pause: Int64 = 1000) -> String {
        taps.enumerated().map { index, tap in
            let start = Int64(index + 1) * pause
            return event(start, 57, index) + event(start, 53, 500) + event(start, 54, 500) + event(start, 0, 0)
                + event(start + 10, 53, 500 + tap.tenths) + event(start + 10, 0, 0)
                + event(start + tap.duration, 57, -1) + event(start + tap.duration, 0, 0)
        }.joined()
    }

    private func run(
        _ arguments: [String], _ recording: String, configuration: String = configuration
    ) throws -> Tool.Outcome {
        let folder = try ScratchFolder()
        let file = try folder.write(configuration, to: "gestured.toml")
        return try Tool.run(
            ["measure"] + arguments + ["--recording", "-", "--config", file],
            input: Data((ReplayTests.header + recording).utf8))
    }

    @Test("the report of a recording is a configuration")
    func report() throws {
        let taps = (0..<10).map { (number: Int) in (duration: Int64(60 + number * 6), tenths: number * 2) }
        let outcome = try run(["tap"], Self.taps(taps))
        #expect(outcome.errors.isEmpty)
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                # tap: 10 attempts on "panel" (100 x 100 mm)
                #
                #                     min     p10  median     p90     p95     max
                # duration  ms         60      65      87     109     111     114  ███ ███ ████
                # movement  mm        0.0     0.2     0.9     1.6     1.7     1.8  ████ ██ ████
                #
                # now slop = 1 mm                rejected: 4 of 10 (40 %)
                # now max_time = 100 ms          rejected: 3 of 10 (30 %)
                # now, with all limits           rejected: 4 of 10 (40 %)
                # with the proposals             rejected: 0 of 10 (0 %)

                [defaults]
                # slop: 95 % strayed at most 1.7 mm, the built-in 3 mm is enough
                # max_time: 95 % took at most 111.3 ms, the built-in 500 ms is enough
                tap = { slop = "3mm", max_time = "500ms" }

                """)
        let folder = try ScratchFolder()
        let check = try Tool.run([
            "check", "--quiet", try folder.write("version = 1\n", to: "gestured.toml"),
            try folder.write(outcome.output, to: "measured.toml"),
        ])
        #expect(check.status == 0)
        #expect(check.errors.isEmpty)
    }

    @Test(
        "other gestures are left out, and counted with the reason, on both sides of the limits",
        arguments: [
            (
                "tap", [(60, 0), (1500, 150), (60, 151), (60, 890), (1501, 0)], 2,
                "left out: 2 that moved more than 15 mm, 1 longer than 1500 ms"
            ),
            (
                "swipe", [(100, 300), (1500, 20), (60, 19), (60, 0), (1501, 300)], 2,
                "left out: 2 that moved less than 2 mm, 1 longer than 1500 ms"
            ),
            (
                "hold", [(900, 250), (200, 0), (199, 0), (900, 251)], 2,
                "left out: 1 that moved more than 25 mm, 1 shorter than 200 ms"
            ),
        ] as [(String, [(duration: Int64, tenths: Int)], Int, String)])
    func others(gesture: String, touches: [(duration: Int64, tenths: Int)], count: Int, sentence: String) throws {
        let outcome = try run([gesture], Self.taps(touches, every: 4000))
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("# \(gesture): \(count) attempts on"), "\(outcome.output)")
        #expect(outcome.output.contains("\n# \(sentence)\n"), "\(outcome.output)")
        let nothing = try run([gesture], Self.taps([touches[3]], every: 4000))
        #expect(nothing.status == 65)
        #expect(nothing.errors.contains("the recording contains no \(gesture) of one finger; left out: 1 "))
    }

    @Test("a panel without slots is measured, too")
    func withoutSlots() throws {
        let header = ReplayTests.header.split(separator: "\n").filter { line in
            !line.hasPrefix("A: 2f") && !line.hasPrefix("A: 39")
        }.joined(separator: "\n").replacing("B: 03 00 00 00 00 00 80 60 02", with: "B: 03 00 00 00 00 00 00 60 00")
        let touches = [(1000, 500), (1010, 512), (1060, nil), (2000, 300), (2080, nil)] as [(Int64, Int?)]
        let events = touches.map { time, x in
            let contact = x.map { Self.event(time, 53, $0) + Self.event(time, 54, 500) } ?? ""
            let stamp = "E: \(time / 1000).\(String("\(time % 1000 + 1000)".dropFirst()))000 "
            return contact + stamp + "0000 0002 0\n" + Self.event(time, 0, 0)
        }.joined()
        let folder = try ScratchFolder()
        let file = try folder.write(Self.configuration, to: "gestured.toml")
        let outcome = try Tool.run(
            ["measure", "tap", "--json", "--recording", "-", "--config", file],
            input: Data((header + "\n" + events).utf8))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(#""attempts":2,"#), "\(outcome.output)")
        #expect(outcome.output.contains(#""values":[60.0,80.0]"#))
        #expect(outcome.output.contains(#""values":[0.0,1.2]"#))
    }

    @Test("--count takes the first ones, --json has every number")
    func json() throws {
        let outcome = try run(["tap", "--count", "2", "--json"], Self.taps([(60, 0), (80, 5), (90, 0)]))
        #expect(outcome.status == 0)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(json["measure"] as? String == "tap")
        #expect(json["attempts"] as? Int == 2)
        let measures = try #require(json["measures"] as? [[String: Any]])
        #expect(measures.map { $0["name"] as? String } == ["duration", "movement"])
        #expect(measures[0]["values"] as? [Double] == [60, 80])
        #expect(measures[0]["median"] as? Double == 70)
        #expect(measures[1]["values"] as? [Double] == [0, 0.5])
        #expect(json["refused"] as? Int == 0)
        let suggestion = try #require(json["suggestion"] as? String)
        #expect(ConfigurationReader.read(suggestion).diagnostics.isEmpty)
        #expect((json["left_out"] as? [String: Int])?.values.reduce(0, +) == 0)
    }

    @Test("a panel that loses fingers gets the line to add; with it the touches are whole")
    func flickers() throws {
        // Each finger is down for 100 ms, and the panel loses it for 20 ms of that time.
        var touches = ""
        for part in 0..<6 {
            let start = Int64(1000 + part / 2 * 1000 + part % 2 * 60)
            touches += Self.event(start, 57, part) + Self.event(start, 53, 500) + Self.event(start, 54, 500)
            touches += Self.event(start, 0, 0) + Self.event(start + 40, 57, -1) + Self.event(start + 40, 0, 0)
        }
        let advice = """

            [filter]
            # the panel lost a finger for a moment 3 times in 6 contacts; measure again with this line
            bridge = "80ms"

            """
        let outcome = try run(["tap"], touches)
        #expect(outcome.output.hasPrefix("# tap: 3 attempts on"), "\(outcome.output)")
        #expect(outcome.output.hasSuffix("\n" + advice), "\(outcome.output)")
        #expect(ConfigurationReader.read(outcome.output).diagnostics.isEmpty)
        let json = try run(["tap", "--json"], touches)
        #expect(json.output.contains(#""flickers":3,"#))
        // The last lift comes after the last event.
        let bridged = try run(
            ["tap", "--json"], touches,
            configuration: Self.configuration.replacing("[defaults]", with: "[filter]\nbridge = \"30ms\"\n[defaults]"))
        #expect(bridged.output.contains(#""attempts":3,"#), "\(bridged.output)")
        #expect(bridged.output.contains(#""values":[130.0,130.0,130.0]"#), "\(bridged.output)")
        #expect(!bridged.output.contains("flickers"))
    }

    @Test("double taps, swipes and holds likewise; attempts that are left out are counted")
    func pairsAndOthers() throws {
        let pairs = try run(["tap", "--double", "--json"], Self.taps([(60, 0), (60, 0), (60, 0)], every: 200))
        #expect(
            pairs.output.contains(
                #""attempts":1,"left_out":{"several_contacts":0,"cancelled":0,"bounces":0,"alone":1,"#))
        #expect(pairs.output.contains(#"{"name":"gap","unit":"ms","min":140.0,"#))
        let bounced = try run(["tap", "--json"], Self.taps([(160, 0), (60, 0), (60, 0)], every: 200))
        #expect(
            bounced.output.contains(
                #""attempts":2,"left_out":{"several_contacts":0,"cancelled":0,"bounces":1,"alone":0,"#))
        let swipes = try run(["swipe"], Self.taps([(100, 300), (120, 200)]))
        #expect(
            swipes.output.contains(
                "\nswipe = { min_distance = \"10mm\", max_time = \"500ms\", min_velocity = \"80mm/s\", rest = \"150ms\" }\n"
            ))
        let holds = try run(["hold"], Self.taps([(900, 5), (400, 2)]))
        #expect(holds.output.contains("# now delay = 500 ms             rejected: 1 of 2 (50 %)\n"))
        #expect(holds.output.contains("\nlong_press = { slop = \"5mm\", delay = \"300ms\" }\n"))
    }

    @Test("an unplugged panel and lost events end an attempt")
    func faults() throws {
        let landed = Self.taps([(60, 0)]).split(separator: "\n").prefix(4).joined(separator: "\n") + "\n"
        let notes = "# gestured: format 1\n"
        let removed = try run(["tap"], notes + landed + "# gestured: removed 1.050000\n")
        #expect(removed.status == 65)
        #expect(
            removed.errors
                == "gesturectl: -: the recording contains no tap of one finger; left out: 1 cancelled (palm, lost events)\n"
        )
        let table = "# gestured: resync\n" + Self.event(1050, 47, 0) + Self.event(1050, 57, -1) + Self.event(1050, 0, 0)
        let lost = try run(
            ["tap", "--json"],
            notes + landed + table + Self.event(2000, 57, 9) + Self.event(2000, 0, 0)
                + Self.event(2070, 57, -1) + Self.event(2070, 0, 0))
        #expect(
            lost.output.contains(#""attempts":1,"left_out":{"several_contacts":0,"cancelled":1,"bounces":0,"alone":0,"#)
        )
        #expect(lost.output.contains(#""values":[70.0]"#))
    }

    @Test("on a panel it gives instructions, counts, and ends by itself")
    func panel() throws {
        let daemon = try Self.daemon(taps: 3)
        let folder = try ScratchFolder()
        let file = try folder.write(Self.configuration, to: "gestured.toml")
        let outcome = try Tool.run(["measure", "tap", "--count", "2", "-c", file, "--socket", daemon.path])
        #expect(outcome.status == 0)
        #expect(
            outcome.errors == """
                gesturectl: the daemon uses another configuration for "panel"; pass it with --config
                gesturectl: on "panel": tap 2 times, as you would press a button; to end earlier, press Ctrl-C
                  1/2  60 ms, strayed 2 mm
                  2/2  60 ms, strayed 2 mm

                """)
        // The size is the one that the daemon reports, which is twice the size in the file.
        #expect(outcome.output.hasPrefix("# tap: 2 attempts on \"panel\" (200 x 200 mm)\n"))
        #expect(outcome.output.hasSuffix("\ntap = { slop = \"3mm\", max_time = \"500ms\" }\n"))
    }

    @Test("after an interrupt, or when the daemon stops, it reports the attempts so far")
    func early() throws {
        let folder = try ScratchFolder()
        let arguments = [
            "measure", "tap", "-c", try folder.write(Self.configuration, to: "g.toml"), "--socket",
        ]
        let interrupted = try Tool.run(arguments + [try Self.daemon(taps: 3).path], interruptAt: "3/20")
        #expect(interrupted.status == 0)
        #expect(interrupted.output.hasPrefix("# tap: 3 attempts on"))
        let gone = try Tool.run(arguments + [try Self.daemon(taps: 1, hangsUp: true).path])
        #expect(gone.status == 0)
        #expect(gone.errors.hasSuffix("gesturectl: the daemon has gone; the measurement ends here\n"))
        #expect(gone.output.hasPrefix("# tap: 1 attempt on"))
        let nothing = try Tool.run(arguments + [try Self.daemon(taps: 0).path], interruptAt: "Ctrl-C")
        #expect(nothing.status == 0)
        #expect(nothing.output.isEmpty)
        #expect(nothing.errors.hasSuffix("gesturectl: interrupted before anything was measured\n"))
    }

    /// A panel that measures 200 x 200 mm according to the daemon, and 100 x 100 mm in the configuration
    /// above.
    private static func daemon(taps: Int, hangsUp: Bool = false) throws -> FakeDaemon {
        let frames = (0..<taps).flatMap { index in
            let start = (index + 1) * 1_000_000
            return [
                (start, "[3,57,\(index)],[3,53,500],[3,54,500]"), (start + 10_000, "[3,53,510]"),
                (start + 60_000, "[3,57,-1]"),
            ]
        }
        return try daemon(frames: frames, hangsUp: hangsUp)
    }

    /// - Parameter frames: the time of each in microseconds, and its events without the end of the frame.
    static func daemon(frames: [(Int, String)], hangsUp: Bool = false) throws -> FakeDaemon {
        let devices =
            #"{"reply":"devices","id":2,"ok":true,"devices":[{"device":"panel","node":"/dev/input/event0","state":"ready","output":{"width":100,"height":100,"width_mm":200.0,"height_mm":200.0,"rotation":0}}]}"#
        let description =
            #"{"reply":"describe","id":3,"ok":true,"idle":true,"next_contact":1,"next_sequence":1,"description":{"name":"Small panel","phys":"","id":[24,1,1,1],"properties":[1],"keys":[330],"axes":[[47,0,1,0,0,0,0],[53,0,999,0,0,0,0],[54,0,999,0,0,0,0],[57,0,65535,0,0,0,0]],"slots":[],"udev":{}}}"#
        let lines = frames.map {
            #"{"event":"frame","seq":1,"device":"panel","time_us":\#($0.0),"events":[\#($0.1),[0,0,0]]}"#
        }
        return try FakeDaemon { request in
            if request.contains("subscribe") { return .init(RecordTests.subscribed) }
            if request.contains("devices") { return .init(devices) }
            if request.contains("ping") { return .init(#"{"reply":"ping","id":4,"ok":true}"#) }
            var answer = FakeDaemon.Answer(description)
            answer.lines += lines
            answer.hangsUp = hangsUp
            return answer
        }
    }

    @Test(
        "unsupported uses are reported",
        arguments: [
            (["tap", "--count", "0"], "--count is 0; use a number of at least 1"),
            (["swipe", "--double"], "--double is for taps"),
            (["pinch"], "pinch"), ([], "missing expected argument"),
        ])
    func usage(arguments: [String], message: String) throws {
        let outcome = try Tool.run(["measure"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
