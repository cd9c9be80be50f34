// SPDX-License-Identifier: MIT
import Foundation
import GestureClient
import GestureProtocol
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Explaining")
struct ExplainTests {
    /// A panel of 100 x 100 pixels and 100 x 100 mm: a list that contains a button, a dead area below it, and
    /// an empty area on the right.
    static let configuration =
        panelTable() + """
            [[region]]
            id = "list"
            shape = { rect = [0, 0, 80, 50] }
            gestures = [{ type = "swipe", name = "page" }]
            [[region]]
            id = "button"
            parent = "list"
            shape = { rect = [0, 0, 20, 20] }
            gestures = ["press", { type = "tap", wait = true }, "double_tap"]
            [[region]]
            id = "dead"
            shape = { rect = [0, 50, 80, 50] }
            """

    /// A recording of touches. Each has the time and position of the landing, the x position of the lift, and
    /// the time from landing to lift.
    static func recording(_ touches: (ms: Int, x: Int, y: Int, toX: Int, after: Int)...) -> String {
        var text = ReplayTests.header
        for (index, touch) in touches.enumerated() {
            func line(_ milliseconds: Int, _ events: String...) {
                for event in events + ["0000 0000 0"] {
                    text +=
                        "E: \(milliseconds / 1000).\(String("\(milliseconds % 1000 + 1000)".dropFirst()))000 \(event)\n"
                }
            }
            line(touch.ms, "0003 0039 \(index)", "0003 0035 \(touch.x * 10)", "0003 0036 \(touch.y * 10)")
            // Moves every 10 ms, the last time at the lift.
            for step in 1...max(1, touch.after / 10) where touch.toX != touch.x {
                let x = touch.x * 10 + (touch.toX - touch.x) * step * 100 / max(10, touch.after)
                line(touch.ms + step * 10, "0003 0035 \(x)")
            }
            line(touch.ms + touch.after, "0003 0039 -1")
        }
        return text
    }

    private func explain(_ recording: String, _ options: String...) throws -> Tool.Outcome {
        let folder = try ScratchFolder()
        let file = try folder.write(Self.configuration, to: "gestured.toml")
        return try Tool.run(["explain", "-", "-c", file] + options, input: Data(recording.utf8))
    }

    @Test("with a profile, the summary names it, and a value that it sets is needed in the profile")
    func profiles() throws {
        let recording = Self.recording((1000, 10, 10, 19, 100))
        let plain = try explain(recording).output
        #expect(!plain.contains("profile"), "\(plain)")
        let steady = try explain(recording, "--profile", "steady").output
        #expect(steady.contains(#"needs slop = "9mm" in the profile"#), "\(steady)")
        #expect(steady.contains("1 touch in regions with profile \"steady\"\n"), "\(steady)")
    }

    @Test("contacts with separate sequences are explained separately")
    func each() throws {
        let events = [
            "1.000000 0003 002f 0", "1.000000 0003 0039 0", "1.000000 0003 0035 100", "1.000000 0003 0036 100",
            "1.000000 0000 0000 0", "1.010000 0003 002f 1", "1.010000 0003 0039 1", "1.010000 0003 0035 700",
            "1.010000 0003 0036 100", "1.010000 0000 0000 0", "1.060000 0003 0039 -1", "1.060000 0000 0000 0",
            "1.900000 0003 002f 0", "1.900000 0003 0039 -1", "1.900000 0000 0000 0",
        ]
        let folder = try ScratchFolder()
        let file = try folder.write(
            panelTable() + """
                [[region]]
                id = "table"
                shape = "full"
                contacts = "each"
                gestures = ["press", "tap"]
                """, to: "gestured.toml")
        let recording = ReplayTests.header + events.map { "E: \($0)\n" }.joined()
        let text = try Tool.run(["explain", "-", "-c", file], input: Data(recording.utf8)).output
        #expect(text.contains("1 finger at 10,10"), "\(text)")
        #expect(text.contains("1 finger at 70,10"), "\(text)")
        #expect(!text.contains("2 fingers"), "\(text)")
    }

    @Test("the receiver of the touches of a shared panel")
    func shared() throws {
        let shared = Self.configuration
            .replacing("output =", with: "share = \"forward\"\noutput =")
            .replacing("name = \"page\"", with: "name = \"page\", when = \"threshold\", consume = true")
            .replacing("id = \"dead\"", with: "id = \"dead\"\ntouches = \"capture\"")
        let folder = try ScratchFolder()
        let file = try folder.write(shared, to: "gestured.toml")
        // A swipe, a tap in a region that captures touches, and a tap outside all regions.
        let touches = Self.recording((1000, 70, 30, 30, 200), (7000, 40, 70, 40, 80), (9000, 90, 10, 90, 80))
        let text = try Tool.run(["explain", "-", "-c", file], input: Data(touches.utf8)).output
        #expect(
            text.contains("1 finger 70,30 → 30,30, 200 ms; forwarded, cancelled after 50 ms: swipe \"page\""), "\(text)"
        )
        #expect(text.contains("dead  1 finger at 40,70, 80 ms; not forwarded"), "\(text)")
        #expect(text.contains("1 finger at 90,10, 80 ms; forwarded"), "\(text)")
        // The touch is held until its gestures have failed: at the lift, or earlier.
        let held = try folder.write(
            shared.replacing("touches = \"capture\"", with: "touches = \"hold\"").replacing(
                "id = \"dead\"", with: "id = \"dead\"\ngestures = [\"swipe\"]"), to: "held.toml")
        let late = try Tool.run(["explain", "-", "-c", held], input: Data(touches.utf8)).output
        #expect(late.contains("dead  1 finger at 40,70, 80 ms; forwarded after 80 ms"), "\(late)")
        let kept = try folder.write(
            shared.replacing("\noutput =", with: "\napplication = { min_gap = \"80ms\" }\noutput ="), to: "kept.toml")
        let taps = Self.recording((1000, 90, 10, 90, 80), (1130, 91, 10, 91, 80))
        let bounce = try Tool.run(["explain", "-", "-c", kept], input: Data(taps.utf8)).output
        let measured = "landed 50 ms after a lift 1 mm away, min_gap of the application is 80 ms"
        #expect(bounce.contains("1 finger at 91,10, 80 ms; not forwarded: \(measured)"), "\(bounce)")
        let told = try Tool.run(["explain", "-", "-c", kept, "--json"], input: Data(taps.utf8)).output
        let members =
            #""since_lift_ms":50,"from_lift_mm":1.0,"receivers":[{"to":"gestured","kept":"min_gap","after_ms":0}]"#
        #expect(told.contains(members), "\(told)")
        let lines = try Tool.run(["explain", "-", "-c", file, "--json"], input: Data(touches.utf8)).output
        #expect(
            lines.contains(#""receivers":[{"to":"both","after_ms":0},{"to":"gestured","after_ms":50}]"#), "\(lines)")
    }

    /// Two swipes that are too slow, a tap on the button, a tap in the dead area, and a tap outside all
    /// regions.
    private static let day = recording(
        (1000, 70, 30, 30, 600), (3000, 60, 30, 60, 80), (5000, 10, 10, 10, 80), (7000, 40, 70, 40, 80),
        (9000, 90, 10, 90, 80))

    @Test("each touch has its owner, its gestures, its failures, and the key and value that would have helped")
    func text() throws {
        let outcome = try explain(Self.day)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(
            outcome.output == """
                1.000000  list  1 finger 70,30 → 30,30, 600 ms
                  -  swipe "page"  600 ms > max_time 500 ms  needs max_time = "600ms" and min_velocity = "67.4mm/s"
                3.000000  list  1 finger at 60,30, 80 ms
                  -  swipe "page"  0 mm < min_distance 10 mm
                5.000000  button  1 finger at 10,10, 80 ms
                  +  press
                  +  tap
                  -  double_tap  no further tap came, gap is 400 ms  see gap
                5.000000  list: nothing near
                7.000000  dead  1 finger at 40,70, 80 ms: it has no gestures
                9.000000  no region  1 finger at 90,10, 80 ms: no region is there; see gesturectl regions

                4 touches in regions, 1 in none
                REGION  GESTURE       RECOGNIZED  FAILED  WHY
                button  press         1           0
                button  tap           1           0
                button  double_tap    0           1       no further tap came, gap is 400 ms
                list    swipe "page"  0           3       2 times: 0 mm < min_distance 10 mm
                                                          600 ms > max_time 500 ms

                """)
    }

    @Test("a touch is shown with all its paragraphs, also if it is the last one")
    func count() throws {
        let recording = Self.recording((5000, 10, 10, 16, 80), (7000, 40, 70, 40, 80))
        let text = try explain(recording, "-n", "1", "--no-legend").output
        #expect(text.contains("5.000000  button  1 finger"), "\(text)")
        #expect(text.contains("\n5.000000  list  lies under button, which owns the touch\n"), "\(text)")
        #expect(!text.contains("dead") && text.contains("\n1 touch in regions\n"), "\(text)")
    }

    @Test("a contact that a filter hides is shown with the filter")
    func hidden() throws {
        let folder = try ScratchFolder()
        let mask = Self.configuration + "\n[filter]\nmask = [[60, 20, 10, 20]]\n"
        let file = try folder.write(mask, to: "gestured.toml")
        let outcome = try Tool.run(["explain", "-", "-c", file], input: Data(Self.day.utf8))
        #expect(outcome.output.contains("3.000000  ignored  1 finger at 60,30, 80 ms: see [filter] mask\n"))
        #expect(outcome.output.contains("\n3 touches in regions, 1 in none, 1 ignored by a filter\n"))
        let lines = try Tool.run(["explain", "-", "-c", file, "--json"], input: Data(Self.day.utf8)).output
        #expect(
            lines.contains(
                #"{"device":"panel","region":null,"sequence":null,"role":"ignored","filter":"mask","time_us":3000000,"#
                    + #""contacts":[{"from":[60.0,30.0],"to":[60.0,30.0],"duration_ms":80}],"recognized":[],"failed":[]}"#
            ))
    }

    @Test("a filter for one region shows which other region owned the touch")
    func filtered() throws {
        let outcome = try explain(Self.day, "-r", "list", "-g", "swipe")
        #expect(outcome.output.contains("5.000000  list  lies under button, which owns the touch\n"))
        #expect(
            outcome.output.contains(
                "7.000000  dead  1 finger at 40,70, 80 ms: owns this touch, but is not selected\n"))
        #expect(!outcome.output.contains("press"))
        #expect(try explain(Self.day, "-g", "press", "-r", "button").output.contains("\n  +  press\n"))
        let none = try explain(Self.day, "-r", "button", "--name", "nobody")
        #expect(
            none.output.contains("5.000000  button  1 finger at 10,10, 80 ms: it has none of the selected gestures\n"))
        #expect(none.errors.hasSuffix("gesturectl: no gesture is named \"nobody\" at present\n"))
    }

    @Test("--json has one line for each touch of a region, with the numbers")
    func json() throws {
        let outcome = try explain(Self.day, "--json")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 6)
        #expect(
            lines.first
                == #"{"device":"panel","region":"list","sequence":1,"role":"owner","time_us":1000000,"contacts":[{"id":1,"from":[70.0,30.0],"to":[30.0,30.0],"duration_ms":600}],"recognized":[],"failed":[{"gesture":"swipe","name":"page","code":"too_slow","value":600,"limit":500,"unit":"ms","message":"took 600 ms, max_time is 500 ms","key":"max_time","table":"gesture","needs":{"max_time":"600ms","min_velocity":"67.4mm/s"},"verified":true}]}"#
        )
        let roles = try lines.map { try #require(JSONValue(parsing: Array($0.utf8)))["role"]?.string }
        #expect(roles == ["owner", "owner", "owner", "ancestor", "owner", "none"])
        #expect(try explain(Self.day, "--json", "-n", "2").output == lines.prefix(2).map { $0 + "\n" }.joined())
    }

    @Test("without a replay, a value is one step beyond the measured one")
    func needed() throws {
        func needed(
            _ key: String, _ value: Double, _ limit: Double, _ unit: String, of gesture: String = "tap"
        ) -> String? {
            let line = """
                {"event":"failed","gesture":"\(gesture)","name":"g","code":"new",\(key.isEmpty ? "" : "\"key\":\"\(key)\",")\
                "value":\(value),"limit":\(limit),"unit":"\(unit)","message":""}
                """
            return JSONValue(parsing: Array(line.utf8)).flatMap { FailureCure(GestureClient.Failure($0)) }
                .map { "\($0.key) \($0.measured?.value ?? "-")" }
        }
        #expect(needed("slop", 4.1, 3, "mm") == "slop \"4.2mm\"")
        #expect(needed("min_distance", 7.4, 10, "mm", of: "swipe") == "min_distance \"7.3mm\"")
        #expect(needed("start", 2.2, 3, "mm", of: "drag") == "start \"2.1mm\"")
        #expect(needed("start", 5.1, 8, "deg", of: "rotate") == "start 5")
        #expect(needed("min_gap", 24, 40, "ms") == "min_gap \"23ms\"")
        #expect(needed("max_duration", 500, 400, "ms", of: "repeat") == "max_duration \"501ms\"")
        // With a longer rest, a finger that trembled before it lifted would still be too slow.
        #expect(needed("rest", 250, 150, "ms", of: "swipe") == "rest -")
        // If the value is far beyond the limit, or within it, only the key is shown.
        #expect(needed("min_distance", 5, 10, "mm", of: "swipe") == "min_distance -")
        #expect(needed("max_time", 1000, 500, "ms") == "max_time -")
        #expect(needed("max_time", 500, 500, "ms") == "max_time -")
        // A key without numbers, and an unknown key from a later daemon.
        #expect(needed("fingers", 2, 1, "contacts") == "fingers -")
        #expect(needed("new_key", 2, 1, "mm") == "new_key -")
        // Without a key, as an older daemon sends it, nothing is shown.
        #expect(needed("", 4.1, 3, "mm") == nil)
    }

    /// A recording of frames: each line is `milliseconds: code value, …`, with codes in hexadecimal. `lost` stands for
    /// events that the kernel has dropped.
    static func frames(_ text: String) -> String {
        var result = ReplayTests.header
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":")
            let milliseconds = Int(parts[0]) ?? 0
            let stamp = "E: \(milliseconds / 1000).\(String("\(milliseconds % 1000 + 1000)".dropFirst()))000 "
            for event in parts[1].split(separator: ",") {
                let words = event.split(separator: " ")
                result += stamp + (words == ["lost"] ? "0000 0003 0\n" : "0003 00\(words[0]) \(words[1])\n")
            }
            result += stamp + "0000 0000 0\n"
        }
        return result
    }

    @Test("a lift and a landing in one frame: each touch has its own finger")
    func exchange() throws {
        let outcome = try explain(
            Self.frames(
                """
                1000: 2f 0, 39 1, 35 100, 36 100
                1080: 39 -1, 2f 1, 39 2, 35 150, 36 150
                1200: 39 -1
                """), "-r", "button", "-g", "press", "-g", "tap")
        let heads = outcome.output.split(separator: "\n").filter { $0.contains("  button  ") && $0.contains("finger") }
        #expect(
            heads.sorted() == [
                "1.000000  button  1 finger at 10,10, 80 ms", "1.080000  button  1 finger at 15,15, 120 ms",
            ], "\(outcome.output)")
    }

    @Test("a finger that joins the drag of a list belongs to the list, and a later tap to its button")
    func joined() throws {
        let folder = try ScratchFolder()
        let file = try folder.write(
            Self.configuration.replacing(#"{ type = "swipe", name = "page" }"#, with: "\"drag\""), to: "gestured.toml")
        let recording = Self.frames(
            """
            1000: 2f 0, 39 1, 35 500, 36 100
            1020: 35 600
            1100: 2f 1, 39 2, 35 100, 36 100
            1200: 39 -1
            1300: 2f 0, 39 -1
            1700: 39 3, 35 110, 36 120
            1780: 39 -1
            """)
        let outcome = try Tool.run(["explain", "-", "-c", file], input: Data(recording.utf8))
        #expect(!outcome.output.contains("the daemon reported no event for it"), "\(outcome.output)")
        #expect(outcome.output.contains("1.000000  list  2 fingers 50,10 → 60,10 and at 10,10, 300 ms\n  +  drag\n"))
        #expect(outcome.output.contains("1.700000  button  1 finger at 11,12, 80 ms\n  +  press\n  +  tap\n"))
    }

    @Test("a gesture that fails several times for the same reason has one line")
    func repeated() throws {
        let folder = try ScratchFolder()
        let file = try folder.write(
            panelTable() + """
                [[region]]
                id = "list"
                shape = "full"
                gestures = ["long_press"]
                [[region]]
                id = "slider"
                parent = "list"
                shape = { rect = [0, 0, 30, 30] }
                gestures = ["drag"]
                """, to: "gestured.toml")
        // While the slider is held, another finger touches the list twice.
        let recording = Self.frames(
            """
            1000: 2f 0, 39 1, 35 100, 36 100
            1020: 35 200
            1100: 2f 1, 39 2, 35 600, 36 600
            1160: 39 -1
            1300: 39 3, 35 600, 36 600
            1360: 39 -1
            1800: 2f 0, 39 -1
            """)
        let outcome = try Tool.run(["explain", "-", "-c", file], input: Data(recording.utf8))
        #expect(outcome.output.contains("  -  long_press  60 ms < delay 500 ms, 2 times"), "\(outcome.output)")
    }

    @Test("the whole touch counts, not the first report beyond the limit")
    func wholeTouch() throws {
        let file = try ScratchFolder()
        let config = try file.write(
            Self.configuration.replacing(#"{ type = "swipe", name = "page" }"#, with: "\"tap\""), to: "gestured.toml")
        func explain(_ recording: String, _ option: String = "--json") throws -> String {
            try Tool.run(["explain", "-", "-c", config, option], input: Data(recording.utf8)).output
        }
        // The finger moves 40 mm in 200 ms. Its first step beyond 3 mm ends at 4 mm.
        let far = try explain(Self.recording((1000, 70, 30, 30, 200)))
        #expect(far.contains(#""needs":{"slop":"40mm"},"verified":true"#), "\(far)")
        // The touch is too slow as well, so that both keys must change.
        let slow = try explain(Self.recording((1000, 70, 30, 30, 700)))
        #expect(slow.contains(#""needs":{"slop":"40mm","max_time":"701ms"},"verified":true"#), "\(slow)")
        // A slop of 40 mm would make another gesture of the tap, so the text names only the keys.
        let text = try explain(Self.recording((1000, 70, 30, 30, 200), (3000, 70, 30, 30, 700)), "--no-legend")
        #expect(text.contains("  -  tap  4 mm > slop 3 mm  see slop\n"), "\(text)")
        #expect(text.contains("  -  tap  3.4 mm > slop 3 mm  see slop and max_time\n"), "\(text)")
    }

    @Test("no settings are proposed for a tap or a long press that was a swipe, and for values far from the limit")
    func unintended() throws {
        let folder = try ScratchFolder()
        let config = try folder.write(
            Self.configuration.replacing(
                #"{ type = "swipe", name = "page" }"#,
                with: #"{ type = "swipe", name = "page" }, { type = "tap", slop = "35mm" }, "long_press""#),
            to: "gestured.toml")
        func explain(_ recording: String) throws -> String {
            try Tool.run(["explain", "-", "-c", config], input: Data(recording.utf8)).output
        }
        let swipe = try explain(Self.recording((1000, 70, 30, 30, 200)))
        #expect(swipe.contains("  +  swipe \"page\"\n") && !swipe.contains("needs"), "\(swipe)")
        #expect(swipe.contains("mm > slop 35 mm  see slop\n"), "\(swipe)")
        let slow = try explain(Self.recording((1000, 70, 30, 30, 600)))
        #expect(slow.contains("needs max_time = \"600ms\" and min_velocity = \"67.4mm/s\"\n"), "\(slow)")
        #expect(slow.contains("  -  long_press    5.3 mm > slop 5 mm                   see slop\n"), "\(slow)")
    }

    @Test("if neither one key nor two help, the output says so")
    func hopeless() throws {
        let folder = try ScratchFolder()
        let config = try folder.write(
            Self.configuration.replacing(
                #"name = "page" }"#,
                with: #"name = "page", min_distance = "45mm", max_time = "500ms", directions = ["right"] }"#),
            to: "gestured.toml")
        let outcome = try Tool.run(
            ["explain", "-", "-c", config], input: Data(Self.recording((1000, 70, 30, 30, 400)).utf8))
        #expect(
            outcome.output.contains("40 mm < min_distance 45 mm  changing a single key would not help\n"),
            "\(outcome.output)")
    }

    @Test("events after the explanation of a sequence are explained separately")
    func late() throws {
        var collector = ExplanationCollector([
            GestureClient.Region(id: "r", device: "p", gestures: [.init(kind: .tap, name: "tap")])
        ])
        func take(_ line: String) throws -> [Explanation] {
            collector.take(StoryEvent(try #require(JSONValue(parsing: Array(line.utf8)))))
        }
        let touch =
            #"{"event":"touches","device":"p","time_us":1000,"contacts":[{"id":1,"slot":0,"x":1.0,"y":2.0,"region":"r","sequence":5}]}"#
        let lift = #"{"event":"touches","device":"p","time_us":2000,"contacts":[]}"#
        let tap =
            #"{"event":"gesture","gesture":"tap","name":"tap","region":"r","device":"p","sequence":5,"time_us":2000}"#
        let pattern =
            #"{"event":"failed","gesture":"pattern","name":"secret","region":"r","device":"p","sequence":5,"code":"late_step","value":2000,"limit":2000,"unit":"ms","message":"no next step for 2000 ms, max_gap is 2000 ms","time_us":2002000}"#
        #expect(try take(touch).isEmpty)
        #expect(try take(tap).isEmpty)
        let first = try take(lift)
        #expect(first.map(\.sequence) == [5])
        #expect(first.first?.contacts.count == 1)
        #expect(try take(pattern).isEmpty)
        #expect(collector.isWaiting)
        #expect(collector.advance(to: 3_002_000).isEmpty)
        let second = collector.advance(to: 3_002_001)
        #expect(second.map(\.isLate) == [true])
        #expect(second.first?.failed.map(\.code) == ["late_step"])
        #expect(!collector.isWaiting)
    }

    @Test("the daemon reports the contacts of each sequence, so names and positions are not guessed")
    func routes() throws {
        var regions = ["list", "button", "glass"].map { GestureClient.Region(id: $0, device: "p", gestures: []) }
        regions[2].isPass = true
        var collector = ExplanationCollector(regions)
        // The second finger has joined the drag in the list. The sequences of both regions began in the same
        // frame.
        for line in [
            #"{"event":"touches","device":"p","time_us":1000,"contacts":[{"id":1,"slot":0,"x":1.0,"y":2.0,"region":"button","sequence":7}],"seen_by":[{"region":"list","sequence":8,"contacts":[1]},{"region":"glass","sequence":9,"contacts":[1]}]}"#,
            #"{"event":"gesture","gesture":"drag","phase":"begin","name":"drag","region":"list","device":"p","sequence":8,"x":1.0,"y":2.0,"time_us":2000}"#,
            #"{"event":"touches","device":"p","time_us":3000,"contacts":[{"id":1,"slot":0,"x":9.0,"y":2.0,"region":"button","sequence":7},{"id":2,"slot":1,"x":5.0,"y":5.0,"region":"button"}],"seen_by":[{"region":"list","sequence":8,"contacts":[1,2]},{"region":"glass","sequence":9,"contacts":[1,2]}]}"#,
            #"{"event":"gesture","gesture":"drag","phase":"end","name":"drag","region":"list","device":"p","sequence":8,"x":1.0,"y":2.0,"time_us":4000}"#,
            #"{"event":"touches","device":"p","time_us":4000,"contacts":[]}"#,
        ] {
            #expect(collector.take(StoryEvent(try #require(JSONValue(parsing: Array(line.utf8))))).isEmpty)
        }
        let done = collector.advance(to: .max)
        #expect(done.map(\.region) == ["button", "list"])
        #expect(done.map(\.role) == [.owner, .ancestor])
        #expect(done.map { $0.contacts.map(\.id) } == [[1], [1, 2]])
        #expect(done.last?.owner == "button")
        #expect(done.last?.contacts.map(\.lifted) == [4000, 4000])
    }

    @Test("a gesture without an event is waited for, but for at most a second")
    func patience() throws {
        var collector = ExplanationCollector([
            GestureClient.Region(
                id: "r", device: "p",
                gestures: [.init(kind: .tap, name: "tap"), .init(kind: .doubleTap, name: "double_tap")])
        ])
        for line in [
            #"{"event":"touches","device":"p","time_us":1000,"contacts":[{"id":1,"slot":0,"x":1.0,"y":2.0,"region":"r","sequence":5}]}"#,
            #"{"event":"gesture","gesture":"tap","name":"tap","region":"r","device":"p","sequence":5,"time_us":2000}"#,
            #"{"event":"touches","device":"p","time_us":2000,"contacts":[]}"#,
        ] {
            #expect(collector.take(StoryEvent(try #require(JSONValue(parsing: Array(line.utf8))))).isEmpty)
        }
        #expect(collector.advance(to: 1_002_000).isEmpty)
        #expect(collector.advance(to: 1_002_001).count == 1)
    }
}
